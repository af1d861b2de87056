"""Messages for the person on stderr, as many as `-q` and `-v` ask for.

Figures go to stdout and errors are raised; this is everything else.
"""

from __future__ import annotations

import shlex
import sys
import time
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


class Level(IntEnum):
    """The amount of messages."""

    QUIET = 0
    NORMAL = 1
    VERBOSE = 2


class _Log:
    """The level of this process."""

    level = Level.NORMAL


def level() -> Level:
    """The present level of this process."""
    return _Log.level


def set_level(chosen: Level) -> None:
    """Sets the level of this process."""
    _Log.level = chosen


def warn(message: str) -> None:
    """Prints a warning, which `-q` does not silence."""
    # One call, since messages of several threads would share a line otherwise.
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()


def say(message: str) -> None:
    """Prints a message unless `-q` was given."""
    if _Log.level >= Level.NORMAL:
        warn(message)


def detail(message: str) -> None:
    """Prints a message if `-v` was given."""
    if _Log.level >= Level.VERBOSE:
        warn(message)


@contextmanager
def command(words: Sequence[str | Path]) -> Iterator[None]:
    """Prints the command that is run within and the seconds it took, if `-v` was given."""
    started = time.monotonic()
    try:
        yield
    finally:
        seconds = time.monotonic() - started
        detail(f"+ {shlex.join(map(str, words))}  ({seconds:.2f} s)")
