"""The build backend (PEP 517): maturin, with cocrypt's data files added to its wheels.

An editable installation reads them from the checkout, so nothing is added there.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import maturin
from maturin import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

import shipped

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Builds a wheel for this host; returns its name in the folder."""
    # Line numbers in panics are worth less than a wheel of a quarter of the size.
    os.environ.setdefault("MATURIN_STRIP", "true")
    name = str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))
    shipped.add(Path(wheel_directory) / name)
    return name
