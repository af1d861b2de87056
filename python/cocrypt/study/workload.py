"""Workloads: programs to run, and their partitions that are compared with RTL."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Workload:
    """A program to run, and the bytes that it must write to its output; None if not stated.

    Its source may also be a program that is built already. `entry` is the function that the
    start-up code calls, `input` the input of the console. A program in Java has `main`, the class
    or static method that it starts with, and the study's classes instead of a source. If the bytes
    are `learnt`, they are the unchanged software's output, since the study does not state them.
    """

    name: str
    title: str
    source: Path | None
    output: str
    expect: bytes | None
    entry: str = "main"
    input: bytes = b""
    learnt: bool = False
    main: str | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Workload:
        """The workload of a checked dictionary."""
        return cls(
            name=values["name"],
            title=values["title"],
            source=Path(values["source"]) if values["source"] else None,
            output=values["output"],
            expect=None if values["expect"] is None else bytes.fromhex(values["expect"]),
            entry=values["entry"],
            input=bytes.fromhex(values["input"]),
            main=values["main"],
        )

    def learning(self, output: bytes) -> Workload:
        """The same workload, with the software's output as the expected one."""
        return replace(self, expect=output, learnt=True)

    @property
    def size(self) -> int | None:
        """Bytes of the output that matter; None for all of it."""
        return None if self.expect is None else len(self.expect)

    def required(self, is_software: bool) -> bytes | None:
        """The output that it must have; None for the software if that is its own output."""
        return None if self.learnt and is_software else self.expect


@dataclass(frozen=True)
class Choice:
    """A workload with functions in hardware, to be compared with RTL."""

    workload: str
    hw: tuple[str, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Choice:
        """The choice of a checked dictionary."""
        return cls(values["workload"], tuple(values["hw"]))
