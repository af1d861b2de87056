"""Signs of life of long work, on stderr: a bar on a terminal, a line now and then elsewhere.

How long it will still take is measured from what is done, and revised with every step; nothing is
said before anything was measured.
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
"""Seconds of measured work before anything is said of what is left."""
PROGRAMS_KEPT = "compiled programs are kept, figures are not"
RUNS_KEPT = "runs that ended are kept, and the same command goes on from there"


@dataclass
class Work:
    """What is done, of how much, since when; a stage begins where the count begins again."""

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
        """Hears what is being done, and that so much of so much of it is behind us."""
        is_next = every != self.every or done < self.done
        is_renamed = what != self.what and self.done == self.begun_with == done
        if is_next or is_renamed:
            # What was known already when a stage begins took no time, and says nothing of the rest.
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
        each = max((self.stepped - self.since) / measured, (now - self.since) / (measured + 1))
        return each * (self.every - self.done)

    def line(self) -> str:
        """All of it in a line."""
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
    """Shows how far work is on a console of stderr; yields what is told of it.

    Raises `InterruptedWorkError` on Ctrl-C, which says how far it was and what is `kept` of it.
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
    """How far work was, and what is kept of it."""
    if not work.what:
        return kept
    count = f" at {work.done:,} of {work.every:,}" if work.every > 1 else ""
    return f"{work.what}{count}; {kept}"


class _Left(ProgressColumn):
    """What is left, as measured up to now."""

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
        _Left(work),
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
            # Nobody reads any more, and the work does not depend on that.
            return
        pause = max(every, (time.monotonic() - begun) / 10)
