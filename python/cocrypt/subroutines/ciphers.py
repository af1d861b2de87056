"""Calls of block ciphers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.errors import ProgramError
from cocrypt.primitives.vectors import unhex
from cocrypt.subroutines.calling import Caller

if TYPE_CHECKING:
    from cocrypt.device import Device
    from cocrypt.subroutines.calling import Call
    from cocrypt.subroutines.catalogue import Cipher


class CipherCaller(Caller):
    """A device with a block cipher."""

    def __init__(self, subroutine: Cipher, device: Device | None = None) -> None:
        super().__init__(subroutine, device)
        self.cipher = subroutine

    def crypt(self, operation: str, key: bytes, text: bytes) -> tuple[bytes, Call]:
        """The result of an operation on a block, and the call.

        Raises `ProgramError` if the program stops, or does not keep HL, stack pointer and key.
        """
        place = self.cipher.key
        call = self.call(self.block(operation, {0: text, place: key}))
        if call.block[place : place + len(key)] != key:
            raise ProgramError(f"{self.subroutine.title} changes its key")
        return call.block[: len(text)], call

    def example(self, operation: str) -> bytes:
        """The key and the text of the first official vector."""
        vector = self.cipher.vectors()["encrypt"][0]
        parts = {0: unhex(vector, "text"), self.cipher.key: unhex(vector, "key")}
        return self.block(operation, parts)

    def secrets(self) -> dict[str, tuple[int, int]]:
        """Key and text."""
        vector = self.cipher.vectors()["encrypt"][0]
        key, text = len(unhex(vector, "key")), len(unhex(vector, "text"))
        return {"key": (self.cipher.key, key), "text": (0, text)}
