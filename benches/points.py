"""Measures the points that are predicted per second: partitions times buses, for a call tree.

    python benches/points.py

Prints one line for each size; the peer in the same run is Python's own loop over the same sums.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cocrypt import paths
from cocrypt.calltree import CallTree
from cocrypt.explore.calls import Calls
from cocrypt.explore.costs import Asking, Bus, Cost
from cocrypt.explore.landscape import Selection, survey
from cocrypt.explore.model import Model
from cocrypt.explore.space import Space
from cocrypt.explore.surface import Sizes, Surface
from cocrypt.study import Alternative, Candidate, Study

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUSES = 16
ROUNDS = 5
NOTHING = {"rom": 0.0, "ram": 0.0, "stack": 0.0}


def surface(candidates: int) -> Surface:
    """Candidates with two options beside their software, on buses of 1 to 16 cycles."""
    study = Study.load(paths.root() / "studies" / "hau2011.toml")
    names = [f"f{number}" for number in range(candidates)]
    options = tuple(Alternative(name, Path("none.c"), None, library=False) for name in "ab")
    study = replace(study, candidates=tuple(Candidate(name, None, options) for name in names))
    tree = [{"name": "main", "parent": None, "calls": 1, "self_cycles": 9000}]
    tree += [{"name": name, "parent": 0, "calls": 50, "self_cycles": 700} for name in names]
    base = (0,) * candidates
    asking = Asking(times=1, first=9, turn=12, work=70, steady=True)
    costs = {
        (base, column, option): Cost(50, 30.0 * option, 12, 4, asking)
        for column in range(candidates)
        for option in (1, 2)
    }
    calls = Calls.of(CallTree(9000 + 700 * candidates, tree), names)
    devices = [study.device.having(bus_wait=wait) for wait in range(1, BUSES + 1)]
    model = Model({base: calls}, costs, Bus(1, 1, 1.0))
    return Surface(Space.of(study), model, devices, Sizes(NOTHING, {}), None, {}, None)


def by_hand(predicted: Surface, digits: NDArray[np.int64]) -> float:
    """Seconds of plain Python for the same figures of these partitions."""
    started = time.monotonic()
    buses = [Bus.of(device) for device in predicted.devices]
    base = min(predicted.model.shapes)
    for row in digits.tolist():
        own_cycles = 9000 + 700 * row.count(0)
        for bus in buses:
            (
                sum(
                    50 * predicted.model.costs[base, column, option].at(bus)
                    for column, option in enumerate(row)
                    if option
                )
                + own_cycles
            )
    return time.monotonic() - started


def main() -> None:
    """Measures and prints the rates."""
    for candidates in (6, 9, 10, 11):
        predicted = surface(candidates)
        digits = predicted.space.digits(np.arange(predicted.space.count, dtype=np.int64))
        seconds = statistics.median(
            survey(predicted, digits, ("total", "hardware"), {}, Selection(16, 8, seed=1)).seconds
            for _ in range(ROUNDS)
        )
        points = len(digits) * BUSES
        few = digits[:: max(1, len(digits) // 200)]
        slow = by_hand(predicted, few) / (len(few) * BUSES)
        ratio = slow / (seconds / points)
        print(
            f"{points:>10,} points: {seconds:7.3f} s, {points / seconds / 1e6:6.2f} million/s, "
            f"{ratio:5.0f} x plain Python"
        )


if __name__ == "__main__":
    main()
