"""Designs in FDL: checked, drawn, exported and simulated for some cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt import _native, paths
from cocrypt.fuzz.inputs.driver import Kind

if TYPE_CHECKING:
    from pathlib import Path

CYCLES = 8
PARTS = frozenset({"aes128/core.fdl"})
"""Files of the library that are read behind another one only: this one takes either S-box."""


def _read(path: Path) -> None:
    _native.fdl_check(path, False)
    _native.fdl_diagram(path, "states", None)
    _native.fdl_verilog(path, None)
    _native.fdl_vhdl(path, None, 93)
    stimuli: list[dict[str, Any]] = [{} for _ in range(CYCLES)]
    _native.fdl_simulate(path, None, stimuli)


def _seeds() -> list[Path]:
    """Each design of the library, and the example."""
    library = paths.root() / "coprocessors"
    whole = [
        path
        for path in library.glob("*/*.fdl")
        if path.relative_to(library).as_posix() not in PARTS
    ]
    return sorted([paths.root() / "docs/examples/coprocessor/adder.fdl", *whole])


KIND = Kind("designs", _seeds, _read)
