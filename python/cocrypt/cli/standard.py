"""The three streams that a command is begun with, where who began it has closed one.

A file that is opened next would take its number, and get what is meant for a person.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from cocrypt.errors import HostError

if TYPE_CHECKING:
    from typing import TextIO


class Closed(io.TextIOBase):
    """Stands for a stdout that is closed: whoever writes to it is told so."""

    encoding = "utf-8"
    errors = "strict"

    def write(self, _text: str) -> int:
        """Raises `HostError`, always."""
        raise HostError(
            "stdout is closed, so what this command prints has no place",
            "let it lead to a file, or to /dev/null",
        )

    def writable(self) -> bool:
        """Whether it takes text, as whoever writes first asks."""
        return True


def complete() -> None:
    """Opens what is closed: nothing comes in, what is printed is refused, messages are lost."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        # The lowest free number is given out, which keeps it from other files.
        place = os.open(os.devnull, os.O_RDWR)
        if place != number:
            os.close(place)
        setattr(sys, name, Closed() if name == "stdout" else _nothing())


def _nothing() -> TextIO:
    """What is empty, and keeps nothing of what is written, until the process ends."""
    return open(os.devnull, "r+", encoding="utf-8")  # noqa: PTH123 - see above.
