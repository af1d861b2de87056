"""The clocks of the benches: the time that passes, or the processor time of a process."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Seconds since a moment that stays the same."""


def elapsed() -> float:
    """The seconds that pass, also those in which other processes have the host's cores."""
    return time.perf_counter()


def computed() -> float:
    """The processor time of this process, of all its threads, and of children that have ended."""
    owners = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    uses = [resource.getrusage(owner) for owner in owners]
    return sum(use.ru_utime + use.ru_stime for use in uses)
