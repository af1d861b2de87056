"""The figures that pqm4 prints of a tree of schemes, without a board.

Each operation runs several times in one program, with other random bytes each time; cycles come
as mean, least and most, and the sizes are those of the object code's sections.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import is_verified, read_vectors, verify
from cocrypt.primitives.running import run_fitting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cocrypt.primitives.measuring import Task
    from cocrypt.primitives.running import Unfit

LENGTH = 1024
"""Bytes of the message where a primitive takes one of any length."""


@dataclass(frozen=True)
class BenchmarkRow:
    """One operation of a scheme: cycles, bytes of stack, and sizes of text, data and bss.

    `verified` says whether vectors of the operation came out right, None where there are none.
    """

    scheme: str
    device: str
    operation: str
    cycles: tuple[int, ...]
    stack: int
    sizes: tuple[int, int, int]
    verified: bool | None

    @property
    def mean(self) -> float:
        """The mean of the cycles."""
        return fmean(self.cycles)

    @property
    def least(self) -> int:
        """The fewest cycles."""
        return min(self.cycles)

    @property
    def most(self) -> int:
        """The most cycles."""
        return max(self.cycles)

    def record(self) -> dict[str, Any]:
        """The row as JSON has it."""
        text, data, bss = self.sizes
        return {
            "scheme": self.scheme,
            "device": self.device,
            "operation": self.operation,
            "cycles": {"mean": self.mean, "min": self.least, "max": self.most},
            "iterations": len(self.cycles),
            "stack": self.stack,
            "size": {"text": text, "data": data, "bss": bss},
            "verified": self.verified,
        }


def benchmark(
    tasks: Sequence[Task],
    iterations: int,
    jobs: int | None = None,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
) -> tuple[list[BenchmarkRow], list[Unfit]]:
    """The rows of all tasks in their order, and the tasks that do not fit their devices.

    Raises the error of the first task that fails, or does not fit if none does.
    """
    measured, unfit = run_fitting(tasks, partial(_rows, iterations=iterations), jobs, step)
    return [row for rows in measured for row in rows], unfit


def _rows(task: Task, iterations: int) -> list[BenchmarkRow]:
    images, vectors = task.images, read_vectors(task.subject)
    calling = task.calling()
    checked = verify(calling, vectors)
    plan = kind(task.subject).timings(task.subject, vectors, (LENGTH,), calling.context_size)
    size = images.footprint(task.subject.functions)
    rows = []
    for timing in plan:
        steps = [step for _ in range(iterations) for step in timing.steps]
        counted = [
            index + turn * len(timing.steps)
            for turn in range(iterations)
            for index in timing.counted
        ]
        costs = calling.each(steps, counted, timing.results)
        turns = range(0, len(costs), len(timing.counted))
        cycles = tuple(
            sum(cost.cycles for cost in costs[turn : turn + len(timing.counted)]) for turn in turns
        )
        stack = max(cost.stack for cost in costs)
        rows.append(
            BenchmarkRow(
                scheme=task.subject.name,
                device=task.device.name,
                operation=timing.operation,
                cycles=cycles,
                stack=stack,
                sizes=(size.text, size.data, size.bss),
                verified=is_verified(timing, checked),
            )
        )
    return rows
