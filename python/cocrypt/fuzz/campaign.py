"""Runs many programs on model and RTL, and compares them, a few hundred runs at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.fuzz.compare import Difference, compare, schedule, smallest
from cocrypt.rtl import build

if TYPE_CHECKING:
    from collections.abc import Callable

    from cocrypt.fuzz.cores import Core

PROGRAMS_AT_ONCE = 100
"""Enough that the simulator's start costs little, few enough that memory and progress do not
depend on the number of all programs."""


@dataclass(frozen=True)
class Campaign:
    """The results of a number of programs."""

    core: str
    seed: int
    programs: int
    runs: int
    configurations: int
    differences: tuple[Difference, ...]
    smallest: Difference | None
    """The first difference on the smallest program that shows it."""


def campaign(
    core: Core,
    seed: int,
    programs: int,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
) -> Campaign:
    """Runs the first programs of a seed on every configuration in turn, each with several waits.

    Raises `RtlError` when the simulator cannot be built.
    """
    step("building the RTL systems", 0, programs)
    simulator = build(core.configurations)
    step("comparing", 0, programs)
    differences: list[Difference] = []
    ran = 0
    for first in range(0, programs, PROGRAMS_AT_ONCE):
        count = min(PROGRAMS_AT_ONCE, programs - first)
        runs = schedule(core, seed, count, first=first)
        differences += compare(runs, simulator)
        ran += len(runs)
        step("comparing", first + count, programs)
    all_differences = tuple(differences)
    if all_differences:
        step("looking for a smaller program", 0, 1)
    smaller = smallest(all_differences[0], simulator) if all_differences else None
    configurations = len(core.configurations)
    return Campaign(core.name, seed, programs, ran, configurations, all_differences, smaller)
