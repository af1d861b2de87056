"""What a caller of a hash function does: the initial value, and the padding of a message."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)


@dataclass(frozen=True)
class Padding:
    """A hash function as its caller sees it; sizes in bytes.

    `block` is a block of the message. `initial` is the chaining value before the first block, and
    `digest` is the part of the last chaining value that is the result. `pad` returns a message of
    whole blocks.
    """

    block: int
    initial: bytes
    digest: slice
    pad: Callable[[bytes], bytes]


def _roots(size: int) -> bytes:
    """The fractions of the square roots of the first eight primes, in words of a size.

    Source: FIPS 180-4, 5.3.
    """
    scale = 16 * size
    words = (isqrt(prime << scale) % (1 << 8 * size) for prime in PRIMES)
    return b"".join(word.to_bytes(size, "big") for word in words)


def _with_length(block: int, size: int) -> Callable[[bytes], bytes]:
    """A bit 1, zeros, and the number of bits, most significant first (FIPS 180-4, 5.1)."""

    def pad(message: bytes) -> bytes:
        zeros = -(len(message) + 1 + size) % block
        return message + b"\x80" + bytes(zeros) + (8 * len(message)).to_bytes(size, "big")

    return pad


def _keccak(block: int) -> Callable[[bytes], bytes]:
    """A bit 1, zeros, and a bit 1, where the least significant bit of a byte is the first.

    Source: the Keccak submission, version 3. FIPS 202 has two bits more.
    """

    def pad(message: bytes) -> bytes:
        padded = bytearray(message + bytes(block - len(message) % block))
        padded[len(message)] ^= 0x01
        padded[-1] ^= 0x80
        return bytes(padded)

    return pad


PADDINGS: Mapping[str, Padding] = {
    "sha256": Padding(64, _roots(4), slice(32), _with_length(64, 8)),
    "sha512": Padding(128, _roots(8), slice(64), _with_length(128, 16)),
    "keccak256": Padding(136, bytes(200), slice(32), _keccak(136)),
    "keccak512": Padding(72, bytes(200), slice(64), _keccak(72)),
}
"""The hash functions by the names of their members."""
