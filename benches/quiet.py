"""Runs benchmarks while a core is whole: no neighbour on the same physical core takes a part of it.

A hardware thread of the same core, such as another virtual machine's, slows programs down without
taking processor time from them, and those that use a core well the most: a loop that keeps all its
units busy gets half as fast, a loop that waits for memory hardly so. A ratio between the two says
little then. The rate at which a core computes SHA-256 tells the difference.
"""

from __future__ import annotations

import hashlib
import os
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

BLOCK = bytes(1 << 20)
WHOLE = 0.9
"""The part of the best rate that a whole core reaches at least."""
FIRST = 40
"""Rates that are measured at the start on each core, to find the best one, a pause between them."""
TRIES = 12
"""Runs of which the least disturbed one is taken where none had a whole core."""
PAUSE = 0.5
"""Seconds until another try."""


class Quiet:
    """Repeats runs that were disturbed, on the core that has the highest rate at the time."""

    def __init__(self, tries: int = TRIES, first: int = FIRST) -> None:
        """Measure the rate of a whole core, as far as there is one now."""
        self.tries = tries
        self.runs, self.repeated, self.disturbed = 0, 0, 0
        self.cores = sorted(os.sched_getaffinity(0))
        self.best = 0.0
        for _ in range(first):
            self._settle()
            time.sleep(PAUSE)

    def run(self, measured: Callable[[], Result]) -> Result:
        """The result of a run with a whole core before and behind it, or the least disturbed."""
        self.runs += 1
        results: list[tuple[float, Result]] = []
        for attempt in range(self.tries):
            if attempt:
                self.repeated += 1
                time.sleep(PAUSE)
            before = self._settle()
            result = measured()
            slower = min(before, self._rate())
            if slower >= WHOLE * self.best:
                return result
            results.append((slower, result))
        self.disturbed += 1
        return max(results, key=lambda tried: tried[0])[1]

    def report(self) -> list[str]:
        """What was repeated and what was disturbed, as sentences of a page."""
        made = self.runs + self.repeated
        text = [
            f"Each run had a core that computed SHA-256 at {WHOLE:.0%} of its best rate or more",
            f"right before and behind it ({self.repeated} of {made} runs were made again).",
        ]
        if self.disturbed:
            text.append(
                f"{self.disturbed} of {self.runs} had none in {self.tries} tries; of these the"
                " least disturbed one counts."
            )
        return text

    def _settle(self) -> float:
        """Go to the core with the highest rate; the rate."""
        rates = []
        for core in self.cores:
            os.sched_setaffinity(0, [core])
            rates.append((self._rate(), core))
        rate, core = max(rates)
        os.sched_setaffinity(0, [core])
        return rate

    def _rate(self) -> float:
        """Bytes that this core hashes in a second of its time."""
        times = []
        for _ in range(3):
            start = time.process_time()
            hashlib.sha256(BLOCK)
            times.append(time.process_time() - start)
        rate = len(BLOCK) / min(times)
        self.best = max(rate, self.best)
        return rate
