"""A function of a program, called with arguments and memory that are not the program's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cocrypt import _native
    from cocrypt.device import Device
    from cocrypt.machine import Machine

ROOM = 1024
"""Bytes for the memory that an argument points to."""
LEAST_POINTER = 0x100
"""Lower values are counts, flags and lengths."""
UNKNOWN = 4
"""Arguments that are looked at where debug information does not say how many there are."""
SHARE, AT_LEAST = 4, 20_000
"""A call may take `SHARE` times the instructions of the program's own call, and `AT_LEAST` more."""
LONGEST = 20_000_000
"""Instructions of the program's own call at most."""
_BASES = (0x6000_0000, 0x9000_0000, 0xA000_0000, 0x5000_0000, 0x7000_0000)
_FAR = 0x1_0000


@dataclass(frozen=True)
class Argument:
    """A word that a function is given; `target` is where it points to, if it may be a pointer."""

    index: int
    value: int
    target: int | None

    def __str__(self) -> str:
        return f"argument {self.index + 1}"


@dataclass(frozen=True)
class Outcome:
    """The state that a call leaves: bytes behind pointer arguments, by index, and the result."""

    contents: Mapping[int, bytes]
    result: int


_Key = tuple[frozenset[tuple[Argument, bytes]], frozenset[tuple[Argument, int]]]


class Called:
    """A function on a machine that is about to run it.

    `returns` is true if the program's own call returns without peripherals; `left` is the number
    of instructions that calls may still take together.
    """

    def __init__(self, machine: Machine, parameters: Sequence[int] | None, budget: int) -> None:
        self.native, self.device = machine.native, machine.device
        self.word = self.device.target.instructions.convention.word
        self.arguments = tuple(self._arguments(parameters))
        self.pointers = tuple(
            argument for argument in self.arguments if argument.target is not None
        )
        self._rooms = {argument: self._room(argument) for argument in self.pointers}
        self._apart = _free(self.device) if self.word == 4 else None
        self._outcomes: dict[_Key, Outcome | None] = {}
        self.limit, self.left = LONGEST, LONGEST + budget
        self.own = self.call({}, {})
        self.returns = self.own is not None
        self.limit = SHARE * (LONGEST + budget - self.left) + AT_LEAST
        self.left = budget

    def _arguments(self, parameters: Sequence[int] | None) -> Iterator[Argument]:
        """The arguments that take one word each, by the sizes of parameters.

        A parameter that is much larger may be passed by a pointer to it, which shows in the word.
        """
        convention = self.device.target.instructions.convention
        registers, index = self.native.registers(), 0
        for size in [self.word] * UNKNOWN if parameters is None else parameters:
            if index >= convention.registers:
                return
            value = convention.argument(index, registers)
            target = self._target(value)
            is_pointer = size > 2 * self.word and target is not None
            if size <= self.word or is_pointer:
                yield Argument(index, value, target)
            index += 1 if is_pointer else max(1, -(-size // self.word))

    def call(
        self, pointed: Mapping[Argument, bytes], words: Mapping[Argument, int]
    ) -> Outcome | None:
        """Calls the function with other bytes behind some arguments, and other words for some.

        None if it does not return. Outcomes are cached.
        """
        key = (frozenset(pointed.items()), frozenset(words.items()))
        if key not in self._outcomes:
            self._outcomes[key] = self._call(pointed, words)
        return self._outcomes[key]

    def _call(
        self, pointed: Mapping[Argument, bytes], words: Mapping[Argument, int]
    ) -> Outcome | None:
        values = [(argument.index, value) for argument, value in words.items()]
        values += [(argument.index, self._pointer(argument)) for argument in pointed]
        writes = [
            (self._address(argument), self._filled(argument, value))
            for argument, value in pointed.items()
        ]
        reads = [
            (
                self._address(argument) if argument in pointed else argument.target or 0,
                self._rooms[argument],
            )
            for argument in self.pointers
        ]
        limit = max(1, min(self.limit, self.left))
        returned, spent, result, contents = self.native.attempt(values, writes, reads, limit)
        self.left -= spent
        if not returned:
            return None
        pairs = zip(self.pointers, contents, strict=True)
        return Outcome({argument.index: content or b"" for argument, content in pairs}, result)

    def before(self, argument: Argument) -> bytes:
        """The bytes behind an argument when the program calls the function."""
        return self.native.read(argument.target or 0, self._rooms[argument])

    def after(self, argument: Argument) -> bytes:
        """The bytes behind the argument of the same index after the program's own call."""
        return b"" if self.own is None else self.own.contents.get(argument.index, b"")

    def _target(self, value: int) -> int | None:
        target = self.device.pointed(value, self.word)
        return target if value >= LEAST_POINTER and _readable(self.native, target, 1) else None

    def _room(self, argument: Argument) -> int:
        """Bytes that can be read behind an argument, up to `ROOM`."""
        size = ROOM
        while size > 1 and not _readable(self.native, argument.target or 0, size):
            size //= 2
        return size

    def _filled(self, argument: Argument, value: bytes) -> bytes:
        """Other bytes, followed by the argument's own ones if they have an address of their own."""
        if self._apart is None:
            return value
        return (value + self.before(argument)[len(value) :]).ljust(ROOM, b"\0")

    def _address(self, argument: Argument) -> int:
        """The address of other bytes for an argument: apart from all others if there is room."""
        if self._apart is None:
            return argument.target or 0
        return self._apart + _FAR * argument.index

    def _pointer(self, argument: Argument) -> int:
        return argument.value if self._apart is None else self._address(argument)


def _readable(native: _native.Machine, address: int, size: int) -> bool:
    try:
        native.read(address, size)
    except (ValueError, OverflowError):
        return False
    return True


def _free(device: Device) -> int | None:
    """An address at which the device has neither memory nor peripherals; None if there is none."""
    used = [(memory.base, memory.base + memory.size) for memory in device.memories]
    used += [
        (peripheral.base, peripheral.base + peripheral.size) for peripheral in device.peripherals
    ]
    return next(
        (
            base
            for base in _BASES
            if all(end <= base or start >= base + 16 * _FAR for start, end in used)
        ),
        None,
    )
