"""The output of a workload, beside what the study expects of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Iterator

PER_LINE = 16
"""Bytes of a line where outputs stand beside each other."""
LINES = 8
"""Lines with differences that are shown; JSON has all bytes."""


@dataclass(frozen=True)
class Output:
    """The bytes of a global after a run; `expected` is None where the study says nothing."""

    symbol: str
    got: bytes
    expected: bytes | None

    @property
    def verified(self) -> bool | None:
        """True if the bytes are those expected; None where nothing is expected."""
        return None if self.expected is None else self.got == self.expected

    @property
    def record(self) -> dict[str, Any]:
        """The output as `--json` prints it; bytes in hexadecimal."""
        expected = None if self.expected is None else self.expected.hex()
        return {"verified": self.verified, "expected": expected, "got": self.got.hex()}

    @property
    def stated(self) -> dict[str, Any]:
        """The record, with the name of the global."""
        return {"symbol": self.symbol, **self.record}

    @property
    def line(self) -> str:
        """The line of a study's workload that records this output."""
        return f'expect = "{self.got.hex()}"'

    @property
    def advice(self) -> str:
        """The output where nothing is expected yet, and how to record it."""
        return (
            f"`{self.symbol}` is {self.got.hex(' ')}\n"
            "the study does not say what it must be; once you know that it is right, keep it in "
            f"its [[workload]]:\n{self.line}"
        )

    @property
    def differences(self) -> str:
        """Expected and got, line by line, with what differs marked."""
        assert self.expected is not None, "there is something to compare with"
        lines = [group for group in _lines(self.expected, self.got) if group[-1]]
        shown = [text for line in lines[:LINES] for text in line]
        hidden = len(lines) - LINES
        more = [f"{hidden} more lines differ; --json has all bytes"] if hidden > 0 else []
        return "\n".join([*shown, *more])


class WrongOutputError(ProgramError):
    """A program left other bytes than were expected."""

    def __init__(self, message: str, output: Output) -> None:
        super().__init__(f"{message}\n{output.differences}")


def _lines(expected: bytes, got: bytes) -> Iterator[tuple[str, str, str]]:
    """Sixteen bytes of both at a time, and marks below those that differ."""
    for offset in range(0, max(len(expected), len(got)), PER_LINE):
        both = expected[offset : offset + PER_LINE], got[offset : offset + PER_LINE]
        width = max(map(len, both))
        marks = ["^^" if both[0][i : i + 1] != both[1][i : i + 1] else "  " for i in range(width)]
        upper = f"  {offset:#06x} expected  {both[0].hex(' ')}"
        lower = f"  {'':6} got       {both[1].hex(' ')}"
        yield upper, lower, f"  {'':16} {' '.join(marks)}".rstrip()
