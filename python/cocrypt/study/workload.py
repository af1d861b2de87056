"""What is run: programs, and the partitions of them that are compared with RTL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Workload:
    """A program to run, and the bytes that it must leave in its output.

    Its source may also be a program that somebody else has built. `entry` is the function that the
    start-up code calls, `input` what comes in at the console.
    """

    name: str
    title: str
    source: Path
    output: str
    expect: bytes
    entry: str = "main"
    input: bytes = b""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Workload:
        """The workload of a checked dictionary."""
        return cls(
            name=values["name"],
            title=values["title"],
            source=Path(values["source"]),
            output=values["output"],
            expect=bytes.fromhex(values["expect"]),
            entry=values["entry"],
            input=bytes.fromhex(values["input"]),
        )


@dataclass(frozen=True)
class Choice:
    """A workload with functions in hardware, to be compared with RTL."""

    workload: str
    hw: tuple[str, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Choice:
        """The choice of a checked dictionary."""
        return cls(values["workload"], tuple(values["hw"]))
