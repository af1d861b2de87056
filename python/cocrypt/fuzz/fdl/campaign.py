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
    """Of each simulator: the designs that differ, among so many from this seed on."""
    result: dict[str, list[str]] = {}
    done = 0
    while done < count:
        here = folder / f"batch_{done}"
        here.mkdir(parents=True)
        batch, seed = make(here, seed, min(BATCH, count - done), cycles)
        for simulator, names in differing(batch, here).items():
            result.setdefault(simulator, []).extend(names)
        done += len(batch)
        say(f"{done} of {count} designs")
    return result
