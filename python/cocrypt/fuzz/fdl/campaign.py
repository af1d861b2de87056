"""Many random designs, in batches that share a compilation of each external simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.fuzz.fdl.make import make
from cocrypt.hardware.exported import differing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BATCH = 50


def campaign(
    count: int, seed: int, cycles: int, folder: Path, say: Callable[[str], None]
) -> dict[str, list[str]]:
    """The designs that differ, by simulator, among `count` from a seed on."""
    result: dict[str, list[str]] = {}
    compared = 0
    while compared < count:
        batch_folder = folder / f"batch_{compared}"
        batch_folder.mkdir(parents=True)
        batch, seed = make(batch_folder, seed, min(BATCH, count - compared), cycles)
        for simulator, names in differing(batch, batch_folder).items():
            result.setdefault(simulator, []).extend(names)
        compared += len(batch)
        say(f"{compared} of {count} designs")
    return result
