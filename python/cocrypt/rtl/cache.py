"""The cache of objects and simulators of the RTL side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import cache

if TYPE_CHECKING:
    from pathlib import Path


def rtl_cache() -> Path:
    """The folder of cached objects and simulators."""
    return cache.folder("rtl")
