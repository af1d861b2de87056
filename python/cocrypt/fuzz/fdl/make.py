"""Random designs that are accepted, with their exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.fuzz.fdl.hierarchy import cycles_of, source
from cocrypt.hardware.exported import Exported
from cocrypt.hardware.recording import record

if TYPE_CHECKING:
    from pathlib import Path


def make(folder: Path, seed: int, count: int, cycles: int) -> tuple[list[Exported], int]:
    """The first `count` accepted designs from a seed on, and the seed after the last.

    A design whose values may grow without end is refused correctly, and left out.
    """
    designs: list[Exported] = []
    while len(designs) < count:
        path = folder / f"random_{seed}.fdl"
        path.write_text(source(f"random_{seed}", seed), encoding="utf-8")
        try:
            recording = record(path, None, cycles_of(seed, cycles), seed, None)
            designs.append(Exported.of(path, None, recording))
        except _native.DiagnosticError as error:
            if {diagnostic["code"] for diagnostic in error.diagnostics} != {"fdl.unbounded-value"}:
                raise
        seed += 1
    return designs, seed
