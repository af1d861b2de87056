"""Where objects and simulators of the RTL side are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import cache

if TYPE_CHECKING:
    from pathlib import Path


def rtl_cache() -> Path:
    """Name the folder in which objects and simulators are kept."""
    return cache.folder("rtl")
