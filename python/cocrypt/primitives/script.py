"""What is to be called, with which memory: one description for the device and for the host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Buffer:
    """Memory that calls read and write: its size in bytes, and what stands in it at first."""

    __slots__ = ("content", "size")

    def __init__(self, content: bytes = b"", size: int | None = None) -> None:
        self.size = len(content) if size is None else size
        self.content = content


@dataclass(frozen=True, eq=False)
class Step:
    """A call of the function that does an operation.

    Arguments are by role. A role that ends in `_size` and is not given is the size of the buffer
    that it belongs to.
    """

    operation: str
    arguments: Mapping[str, Buffer | int | tuple[Buffer, int]]


@dataclass(frozen=True)
class Check:
    """Calls, and what must come of them: in memory, and as results."""

    label: str
    steps: tuple[Step, ...]
    expected: tuple[tuple[Buffer, bytes], ...] = ()
    results: tuple[tuple[Step, int], ...] = ()
    equal: tuple[tuple[Buffer, Buffer], ...] = ()


@dataclass(frozen=True)
class Timing:
    """A row of figures: calls, and those among them that count for it.

    `length` is the size of the message in bytes, where there is one. `parameters` is how many
    bytes of memory the caller keeps for the operation beside the context; `needs` are the
    operations whose code it takes. `results` are what calls must return, lest something is timed
    that was refused.
    """

    operation: str
    length: int | None
    steps: tuple[Step, ...]
    counted: tuple[int, ...]
    needs: tuple[str, ...]
    parameters: int
    results: tuple[tuple[Step, int], ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What calls left behind: contents of buffers, and what the functions returned."""

    contents: Mapping[Buffer, bytes]
    results: Mapping[Step, int]


class Runner(Protocol):
    """Something that can call a subject's functions: a device, or the host itself."""

    @property
    def context_size(self) -> int:
        """Bytes of the context."""

    def run(self, steps: Sequence[Step]) -> Outcome:
        """Makes the calls in their order."""


def failures(checks: Sequence[Check], outcome: Outcome) -> list[str]:
    """What differs from what was expected, in words."""
    found = []
    for check in checks:
        for buffer, wanted in check.expected:
            got = outcome.contents[buffer][: len(wanted)]
            if got != wanted:
                found.append(f"{check.label}: {got.hex()} instead of {wanted.hex()}")
        for one, other in check.equal:
            if outcome.contents[one] != outcome.contents[other]:
                ours, theirs = outcome.contents[one].hex(), outcome.contents[other].hex()
                found.append(f"{check.label}: {ours} is not {theirs}")
        for step, result in check.results:
            if outcome.results[step] != result:
                got_result = outcome.results[step]
                found.append(f"{check.label}: {step.operation} returned {got_result}, not {result}")
    return found


def argument_size(role: str, step: Step) -> int | None:
    """The value of a role that is the size of another role's buffer; None where it is none."""
    of = role.removesuffix("64").removesuffix("_size")
    found = step.arguments.get(of)
    if not role.removesuffix("64").endswith("_size") or found is None:
        return None
    if isinstance(found, tuple):
        return found[0].size - found[1]
    return found.size if isinstance(found, Buffer) else found
