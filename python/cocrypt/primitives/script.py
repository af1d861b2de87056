"""Calls and the memory that they use: one description for the device and for the host."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cocrypt.target import Order


class Buffer:
    """Memory that calls read and write: its size in bytes, and its first content."""

    __slots__ = ("content", "size")

    def __init__(self, content: bytes = b"", size: int | None = None) -> None:
        self.size = len(content) if size is None else size
        self.content = content


@dataclass(frozen=True)
class Numbers:
    """Numbers of 32 bits in memory, in the order of bytes of the machine that writes them.

    One alone may have 64 bits.
    """

    values: tuple[int, ...]

    def content(self, order: Order, size: int = 4) -> bytes:
        """Their bytes in memory, `size` for each."""
        return b"".join(value.to_bytes(size, order) for value in self.values)

    def differs(self, content: bytes, order: Order) -> Iterator[str]:
        """The difference from the first bytes of a buffer, in words."""
        sizes = (4, 8) if len(self.values) == 1 else (4,)
        if not any(content.startswith(self.content(order, size)) for size in sizes):
            expected = self.content(order)
            yield from _differs(content[: len(expected)], expected)


@dataclass(frozen=True, eq=False)
class Step:
    """A call of the function that does an operation.

    Arguments are by role. A role that ends in `_size` and is not given is the size of its buffer.
    """

    operation: str
    arguments: Mapping[str, Buffer | int | tuple[Buffer, int]]

    @property
    def buffers(self) -> Iterator[tuple[str, Buffer]]:
        """The memory that the call is given, by role."""
        for role, value in self.arguments.items():
            buffer = value[0] if isinstance(value, tuple) else value
            if isinstance(buffer, Buffer):
                yield role, buffer


@dataclass(frozen=True)
class Check:
    """Calls and their expected outcome: contents of memory, and results.

    `expected` has the whole content of buffers, `begins` only the first bytes, for a buffer whose
    length comes out elsewhere or a tag that was cut, or the first numbers. `most` has the largest
    values of numbers that come out in memory. `refused` calls return anything but 0, since others'
    code may refuse in its own way. A check is not `known` if it has no vector, as of functions that
    invert each other.
    """

    label: str
    steps: tuple[Step, ...]
    expected: tuple[tuple[Buffer, bytes], ...] = ()
    results: tuple[tuple[Step, int], ...] = ()
    equal: tuple[tuple[Buffer, Buffer], ...] = ()
    begins: tuple[tuple[Buffer, bytes | Numbers], ...] = ()
    most: tuple[tuple[Buffer, int], ...] = ()
    refused: tuple[Step, ...] = ()
    known: bool = True

    @property
    def operations(self) -> frozenset[str]:
        """The operations that are called."""
        return frozenset(step.operation for step in self.steps)


@dataclass(frozen=True)
class Timing:
    """A row of figures: calls, and those among them that count for it.

    `length` is the size of the message in bytes, where there is one. `parameters` is how many
    bytes of memory the caller keeps for the operation beside the context; `needs` are the
    operations whose code it takes. `results` are what calls must return, so that no refused call
    is timed.
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
    """The state after calls: contents of buffers, and results of the functions that have one.

    Something was written behind the buffers that are `overrun`. `order` is that of the bytes of
    numbers in the contents.
    """

    contents: Mapping[Buffer, bytes]
    results: Mapping[Step, int]
    overrun: frozenset[Buffer] = frozenset()
    order: Order = "little"


class Runner(Protocol):
    """Something that can call a subject's functions: a device, or the host itself."""

    @property
    def context_size(self) -> int:
        """Bytes of the context."""

    def run(self, steps: Sequence[Step]) -> Outcome:
        """Makes the calls in their order."""


def failures(checks: Sequence[Check], outcome: Outcome) -> list[str]:
    """The differences from the expected outcome, in words."""
    return [f"{check.label}: {wrong}" for check in checks for wrong in _wrong(check, outcome)]


def _wrong(check: Check, outcome: Outcome) -> Iterator[str]:
    for buffer, expected in check.expected:
        yield from _differs(outcome.contents[buffer], expected)
    for buffer, begin in check.begins:
        content = outcome.contents[buffer]
        if isinstance(begin, Numbers):
            yield from begin.differs(content, outcome.order)
        else:
            yield from _differs(content[: len(begin)], begin)
    for first, second in check.equal:
        if outcome.contents[first] != outcome.contents[second]:
            ours, theirs = outcome.contents[first].hex(), outcome.contents[second].hex()
            yield f"{ours} is not {theirs}"
    for step, result in check.results:
        # A function that returns nothing has no result; its output is compared.
        returned = outcome.results.get(step, result)
        if returned != result:
            yield f"{step.operation} returned {returned}, not {result}"
    for step in check.refused:
        if outcome.results.get(step, 0) == 0:
            yield f"{step.operation} returned 0 of what must be refused"
    yield from _beyond(check, outcome)


def _beyond(check: Check, outcome: Outcome) -> Iterator[str]:
    """Messages about bytes that are written, or said to be, beyond the room for them."""
    for buffer, most in check.most:
        size = int.from_bytes(outcome.contents[buffer][:4], outcome.order)
        if size > most:
            yield f"{size} bytes are said to have been made, where there is room for {most}"
    if not outcome.overrun:
        return
    # Memory that several calls share is named once.
    users = {buffer: (step, role) for step in check.steps for role, buffer in step.buffers}
    for buffer, (step, role) in users.items():
        if buffer in outcome.overrun:
            yield f"behind the {buffer.size} bytes of `{role}` of {step.operation} is written"


def _differs(content: bytes, expected: bytes) -> Iterator[str]:
    if content != expected:
        yield f"{content.hex() or 'nothing'} instead of {expected.hex() or 'nothing'}"


def some_bytes(size: int, what: str) -> bytes:
    """Bytes without a pattern, the same ones every time."""
    return hashlib.shake_128(what.encode()).digest(size)


def turned(answer: bytes) -> bytes:
    """An answer with its last bit turned, which must be refused."""
    return answer[:-1] + bytes([answer[-1] ^ 1])


def argument_size(role: str, step: Step) -> int | None:
    """The value of a role that is the size of another role's buffer; None for any other role."""
    buffer_role = role.removesuffix("64").removesuffix("_size")
    argument = step.arguments.get(buffer_role)
    if not role.removesuffix("64").endswith("_size") or argument is None:
        return None
    if isinstance(argument, tuple):
        return argument[0].size - argument[1]
    return argument.size if isinstance(argument, Buffer) else argument
