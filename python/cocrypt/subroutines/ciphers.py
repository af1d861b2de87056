"""Calls of block ciphers."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from cocrypt.errors import ProgramError
from cocrypt.primitives.vectors import unhex
from cocrypt.subroutines.calling import Caller

if TYPE_CHECKING:
    from cocrypt.device import Device
    from cocrypt.subroutines.calling import Call
    from cocrypt.subroutines.catalogue import Cipher


AGAIN = "decrypt_again"
"""The operation that takes the parameter block as a decryption left it."""


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
        call = self.call(self._parameters(operation, key, text))
        if call.block[place : place + len(key)] != key:
            raise ProgramError(f"{self.subroutine.title} changes its key")
        return call.block[: len(text)], call

    def example(self, operation: str) -> bytes:
        """The key and the text of the first official vector."""
        vector = self.cipher.vectors()["encrypt"][0]
        return self._parameters(operation, unhex(vector, "key"), unhex(vector, "text"))

    def secrets(self, operation: str) -> dict[str, tuple[int, int]]:
        """Key and text, and what a decryption left behind them where it is taken."""
        vector, place = self.cipher.vectors()["encrypt"][0], self.cipher.key
        key, text = len(unhex(vector, "key")), len(unhex(vector, "text"))
        parts = {"key": (place, key), "text": (0, text)}
        if operation != AGAIN:
            return parts
        named = {self.cipher.mode, *range(text), *range(place, place + key)}
        left = [at for at in range(self.cipher.block) if at not in named]
        # Neighbours have the same distance to their places in the list.
        runs = [list(run) for _, run in groupby(left, lambda at: at - left.index(at))]
        return parts | {f"left from byte {run[0]} on": (run[0], len(run)) for run in runs}

    def _parameters(self, operation: str, key: bytes, text: bytes) -> bytes:
        """The parameter block of an operation."""
        parts = {0: text, self.cipher.key: key}
        if operation != AGAIN:
            return self.block(operation, parts)
        other = self.block("decrypt", {**parts, 0: bytes(len(text))})
        return self.block(operation, {0: text + self.call(other).block[len(text) :]})
