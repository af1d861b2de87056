"""What is to be called, with which memory: one description for the device and for the host."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


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

    @property
    def buffers(self) -> Iterator[tuple[str, Buffer]]:
        """The memory that it is given, by role."""
        for role, value in self.arguments.items():
            found = value[0] if isinstance(value, tuple) else value
            if isinstance(found, Buffer):
                yield role, found


@dataclass(frozen=True)
class Check:
    """Calls, and what must come of them: in memory, and as results.

    What is `expected` of a buffer is all of it. Of those in `begins` only the first bytes are
    defined, since their length comes out elsewhere, or is stated beside a tag that was cut.
    `most` are numbers that come out in memory, which may be so great. What is `refused` are calls
    that return anything but 0, where others' code may say so in its own way. What the functions
    prove by one another alone is not `known`: no vector says it.
    """

    label: str
    steps: tuple[Step, ...]
    expected: tuple[tuple[Buffer, bytes], ...] = ()
    results: tuple[tuple[Step, int], ...] = ()
    equal: tuple[tuple[Buffer, Buffer], ...] = ()
    begins: tuple[tuple[Buffer, bytes], ...] = ()
    most: tuple[tuple[Buffer, int], ...] = ()
    refused: tuple[Step, ...] = ()
    known: bool = True

    @property
    def operations(self) -> frozenset[str]:
        """What is called."""
        return frozenset(one.operation for one in self.steps)


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
    """What calls left behind: contents of buffers, and what functions that do so returned.

    Behind the buffers that are `overrun` something was written.
    """

    contents: Mapping[Buffer, bytes]
    results: Mapping[Step, int]
    overrun: frozenset[Buffer] = frozenset()


class Runner(Protocol):
    """Something that can call a subject's functions: a device, or the host itself."""

    @property
    def context_size(self) -> int:
        """Bytes of the context."""

    def run(self, steps: Sequence[Step]) -> Outcome:
        """Makes the calls in their order."""


def failures(checks: Sequence[Check], outcome: Outcome) -> list[str]:
    """What differs from what was expected, in words."""
    return [f"{one.label}: {wrong}" for one in checks for wrong in _wrong(one, outcome)]


def _wrong(check: Check, outcome: Outcome) -> Iterator[str]:
    for buffer, wanted in check.expected:
        yield from _differs(outcome.contents[buffer], wanted)
    for buffer, wanted in check.begins:
        yield from _differs(outcome.contents[buffer][: len(wanted)], wanted)
    for one, other in check.equal:
        if outcome.contents[one] != outcome.contents[other]:
            ours, theirs = outcome.contents[one].hex(), outcome.contents[other].hex()
            yield f"{ours} is not {theirs}"
    for step, result in check.results:
        # A function that returns nothing has no result; what it made is compared.
        got = outcome.results.get(step, result)
        if got != result:
            yield f"{step.operation} returned {got}, not {result}"
    for step in check.refused:
        if outcome.results.get(step, 0) == 0:
            yield f"{step.operation} returned 0 of what must be refused"
    yield from _beyond(check, outcome)


def _beyond(check: Check, outcome: Outcome) -> Iterator[str]:
    """What is written, or said to be, where there is no room for it."""
    for buffer, most in check.most:
        said = int.from_bytes(outcome.contents[buffer][:4], "little")
        if said > most:
            yield f"{said} bytes are said to have been made, where there is room for {most}"
    # Memory that several calls share is told of once.
    places = {buffer: (step, role) for step in check.steps for role, buffer in step.buffers}
    for buffer, (step, role) in places.items():
        if buffer in outcome.overrun:
            yield f"behind the {buffer.size} bytes of `{role}` of {step.operation} is written"


def _differs(got: bytes, wanted: bytes) -> Iterator[str]:
    if got != wanted:
        yield f"{got.hex() or 'nothing'} instead of {wanted.hex() or 'nothing'}"


def some_bytes(size: int, what: str) -> bytes:
    """Bytes without a pattern, the same ones every time."""
    return hashlib.shake_128(what.encode()).digest(size)


def turned(answer: bytes) -> bytes:
    """An answer with its last bit turned, which must be refused."""
    return answer[:-1] + bytes([answer[-1] ^ 1])


def argument_size(role: str, step: Step) -> int | None:
    """The value of a role that is the size of another role's buffer; None where it is none."""
    of = role.removesuffix("64").removesuffix("_size")
    found = step.arguments.get(of)
    if not role.removesuffix("64").endswith("_size") or found is None:
        return None
    if isinstance(found, tuple):
        return found[0].size - found[1]
    return found.size if isinstance(found, Buffer) else found
