"""The three standard streams of a command, where its caller has closed one of them.

A file that is opened next would get the number of that stream, and what is printed to it.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from cocrypt.errors import HostError

if TYPE_CHECKING:
    from typing import TextIO


class ClosedStdout(io.TextIOBase):
    """A stdout that is closed: each write raises an error that explains it."""

    encoding = "utf-8"
    errors = "strict"

    def write(self, _text: str) -> int:
        """Raises `HostError`, always."""
        raise HostError(
            "stdout is closed, so what this command prints has no place",
            "let it lead to a file, or to /dev/null",
        )

    def writable(self) -> bool:
        """Returns True, since callers ask before they write."""
        return True


def complete() -> None:
    """Opens closed streams: stdin is empty, stdout refuses text, stderr discards it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        # The system gives out the lowest free number, so no other file can get it.
        descriptor = os.open(os.devnull, os.O_RDWR)
        if descriptor != number:
            os.close(descriptor)
        setattr(sys, name, ClosedStdout() if name == "stdout" else _null_stream())


def _null_stream() -> TextIO:
    """A stream that is empty and discards what is written, until the process ends."""
    return open(os.devnull, "r+", encoding="utf-8")  # noqa: PTH123 - see above.
