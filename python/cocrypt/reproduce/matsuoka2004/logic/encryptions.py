"""Encryptions as data of a netlist, and how much the energy of their cycles varies."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.gates.glitches import Delays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.gates.hardening import Data

KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
"""The key of FIPS 197, appendix B."""
CYCLES = 12
"""Cycles of an encryption: the start, ten rounds, and one in which the result is read."""
BEFORE = 1
"""Encryptions at the beginning of each run that do not count; they leave their result behind."""

TICK = 1e-11
GLITCHES = Delays(TICK)
"""The delays of gates with which energies have glitches: the library's, in steps of 10 ps."""


@dataclass(frozen=True)
class Variation:
    """The energy of a cycle over encryptions of random texts under one key.

    `mean` is in the simulator's unit, `deviation` that of a cycle's energy from its mean over all
    encryptions at the same cycle, as the root of the mean square over the cycles, divided by the
    mean. Differences between one cycle of an encryption and another have no part in it.
    """

    mean: float
    deviation: float


def reduction(pair: tuple[Variation, Variation]) -> float:
    """The variation with one rail over that with two; infinite if two do not vary."""
    single, double = (entry.deviation for entry in pair)
    return single / double if double else float("inf")


def encryptions(runs: int, length: int, seed: int) -> list[Data]:
    """Inputs of `aes128_core` for runs of so many encryptions, behind a cycle of reset."""
    draw = Random(seed)
    return [run_of([draw.randbytes(16) for _ in range(BEFORE + length)]) for _ in range(runs)]


def run_of(texts: Sequence[bytes]) -> Data:
    """The inputs of a run: reset, then each text under the key, for as long as it takes."""
    key = int.from_bytes(KEY, "little")
    rows = [{"rst": 1, "start": 0, "key": key, "text": 0}]
    for text in texts:
        row = {"rst": 0, "start": 0, "key": key, "text": int.from_bytes(text, "little")}
        rows += [row | {"start": 1}, *[row] * (CYCLES - 1)]
    return rows


def variation(energies: Sequence[Sequence[int]]) -> Variation:
    """The variation from the energies of all cycles behind the reset, a row for each run."""
    values = np.array(energies, np.int64).reshape(len(energies), -1, CYCLES)
    counted = values[:, BEFORE:].reshape(-1, CYCLES).astype(np.float64)
    mean = float(counted.mean())
    return Variation(mean, float(np.sqrt(counted.var(0).mean())) / mean)
