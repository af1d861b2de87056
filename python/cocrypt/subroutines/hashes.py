"""Calls of hash functions, whose messages the caller pads and divides into blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.subroutines.calling import Caller
from cocrypt.subroutines.paddings import PADDINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.device import Device
    from cocrypt.subroutines.calling import Call
    from cocrypt.subroutines.catalogue import Hash

POSITION_BYTES = 8


class HashCaller(Caller):
    """A device with a hash function."""

    def __init__(self, subroutine: Hash, device: Device | None = None) -> None:
        super().__init__(subroutine, device)
        self.function = subroutine
        self.padding = PADDINGS[subroutine.member]

    def digest(self, message: bytes) -> tuple[bytes, list[tuple[str, Call]]]:
        """The digest of a message, and the operation and the call of each block.

        Raises `ProgramError` if the program stops, or does not keep HL and stack pointer.
        """
        value, calls = self.padding.initial, []
        for operation, part, position in self.blocks(message):
            call = self.call(self.parameters(operation, value, part, position))
            place = self.function.value
            value = call.block[place : place + len(value)]
            calls.append((operation, call))
        return value[self.padding.digest], calls

    def blocks(self, message: bytes) -> Iterator[tuple[str, bytes, int]]:
        """The operation, the bytes, and the position of each block of a message."""
        size, padded = self.padding.block, self.padding.pad(message)
        count = len(padded) // size
        for number in range(count):
            part = padded[number * size : (number + 1) * size]
            position = min((number + 1) * size, len(message))
            yield self.function.operation(number, count), part, position

    def parameters(self, operation: str, value: bytes, part: bytes, position: int) -> bytes:
        """The parameter block for a block of a message.

        If the subroutine sets the initial value itself, it gets none.
        """
        parts = {self.function.message: part}
        if not (self.function.sets_initial and operation in {"first", "only"}):
            parts[self.function.value] = value
        if self.function.position is not None:
            parts[self.function.position] = position.to_bytes(POSITION_BYTES, "little")
        return self.block(operation, parts)

    def example(self, operation: str) -> bytes:
        """A block of zeros after the initial value."""
        part = bytes(self.padding.block)
        return self.parameters(operation, self.padding.initial, part, self.padding.block)

    def secrets(self, operation: str) -> dict[str, tuple[int, int]]:  # noqa: ARG002 - all alike.
        """Message and chaining value: HMAC and signatures hash secrets."""
        return {
            "message": (self.function.message, self.padding.block),
            "value": (self.function.value, len(self.padding.initial)),
        }
