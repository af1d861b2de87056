"""Progress of long work on stderr: a bar on a terminal, a line now and then elsewhere.

The time that is left is estimated from the steps that are done, and revised with every step;
nothing is printed of it before a step was measured.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from cocrypt.errors import InterruptedWorkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

    from rich.console import Console
    from rich.progress import Task

    Step = Callable[[str, int, int], None]

EVERY = 5.0
"""Seconds between two lines at least; later lines are further apart, a tenth of what has passed."""
LEAST = 1.0
"""Seconds of measured work before the time that is left is printed."""
PROGRAMS_KEPT = "compiled programs are kept, figures are not"
RUNS_KEPT = "runs that ended are kept, and the same command goes on from there"


@dataclass
class Work:
    """The state of work: steps done, of how many, since when; a new count begins a new stage."""

    clock: Callable[[], float] = time.monotonic
    what: str = ""
    done: int = 0
    every: int = 0
    begun_with: int = 0
    since: float = field(init=False)
    stepped: float = field(init=False)

    def __post_init__(self) -> None:
        self.since = self.stepped = self.clock()

    def step(self, what: str, done: int, every: int) -> None:
        """Records the present work, and that `done` of its `every` steps are done."""
        is_next = every != self.every or done < self.done
        is_renamed = what != self.what and self.done == self.begun_with == done
        if is_next or is_renamed:
            # Steps that were done before a stage began took no time, and predict nothing.
            self.since, self.begun_with = self.clock(), done
        self.what, self.done, self.every = what, done, every
        self.stepped = self.clock()

    @property
    def left(self) -> float | None:
        """Seconds that the stage will still take; None where nothing was measured yet.

        A piece that takes longer than those before it makes the estimate grow while it runs.
        """
        measured, now = self.done - self.begun_with, self.clock()
        if measured < 1 or now - self.since < LEAST:
            return None
        seconds_per_step = max(
            (self.stepped - self.since) / measured, (now - self.since) / (measured + 1)
        )
        return seconds_per_step * (self.every - self.done)

    def line(self) -> str:
        """The state of the work as a line of text."""
        parts = [f"{self.what or 'working'}: {duration(self.clock() - self.since)} so far"]
        if self.every > 1:
            parts.insert(0, parts.pop().replace(": ", f": {self.done:,} of {self.every:,}, ", 1))
        if self.left is not None:
            parts.append(f"about {duration(self.left)} left")
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """Seconds as people read them."""
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    if whole < 6000:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


@contextmanager
def shown(console: Console, kept: str = PROGRAMS_KEPT, *, quiet: bool = False) -> Iterator[Step]:
    """Shows the progress of work on a console of stderr; yields the function that takes each step.

    Raises `InterruptedWorkError` on Ctrl-C, with how far the work was and what is `kept` of it.
    """
    work = Work()
    try:
        if quiet:
            yield work.step
        elif console.is_terminal:
            with _bar(console, work) as step:
                yield step
        else:
            with lines(work.line):
                yield work.step
    except KeyboardInterrupt as error:
        raise InterruptedWorkError(interrupted(work, kept)) from error


def interrupted(work: Work, kept: str) -> str:
    """A message on how far work was, and what is kept of it."""
    if not work.what:
        return kept
    count = f" at {work.done:,} of {work.every:,}" if work.every > 1 else ""
    return f"{work.what}{count}; {kept}"


class _TimeLeft(ProgressColumn):
    """The column of the time that is left, as estimated up to now."""

    max_refresh = 0.5

    def __init__(self, work: Work) -> None:
        super().__init__()
        self.work = work

    def render(self, task: Task) -> Text:  # noqa: ARG002 - as its base class has it.
        left = self.work.left
        return Text("" if left is None else f"about {duration(left)} left")


@contextmanager
def _bar(console: Console, work: Work) -> Iterator[Step]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        _TimeLeft(work),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def step(what: str, done: int, every: int) -> None:
            work.step(what, done, every)
            bar.update(task, description=what, completed=done, total=every)

        yield step


@contextmanager
def lines(
    line: Callable[[], str], every: float = EVERY, stream: TextIO | None = None
) -> Iterator[None]:
    """Prints a line on stderr now and then, also while a single step takes long."""
    ended = threading.Event()
    printer = threading.Thread(
        target=_print_lines, args=(line, every, stream or sys.stderr, ended), daemon=True
    )
    printer.start()
    try:
        yield
    finally:
        ended.set()
        printer.join()


def _print_lines(
    line: Callable[[], str], every: float, stream: TextIO, ended: threading.Event
) -> None:
    begun, pause = time.monotonic(), every
    while not ended.wait(pause):
        try:
            print(line(), file=stream, flush=True)
        except OSError:
            # The reader has gone, and the work does not depend on it.
            return
        pause = max(every, (time.monotonic() - begun) / 10)
