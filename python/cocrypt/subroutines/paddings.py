"""The caller's part of a hash function: the initial value, and the padding of a message."""

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


def _zeros(block: int) -> Callable[[bytes], bytes]:
    """Zeros; the empty message gets a block of them.

    Source: The Skein Hash Function Family, version 1.3, 3.4.
    """

    def pad(message: bytes) -> bytes:
        return message.ljust(max(block, len(message) + -len(message) % block), b"\0")

    return pad


def _with_blocks(block: int) -> Callable[[bytes], bytes]:
    """A bit 1, zeros, and the number of blocks in eight bytes, most significant first.

    Source: Grøstl, version 2.0, 3.6.
    """

    def pad(message: bytes) -> bytes:
        padded = message + b"\x80" + bytes(-(len(message) + 9) % block)
        return padded + ((len(padded) + 8) // block).to_bytes(8, "big")

    return pad


def _words(*words: int) -> bytes:
    """Words of eight bytes, least significant byte first."""
    return b"".join(word.to_bytes(8, "little") for word in words)


SKEIN_256 = _words(
    0xFC9DA860D048B449, 0x2FCA66479FA7D833, 0xB33BC3896656840F, 0x6A54E920FDE8DA69
)  # fmt: skip
SKEIN_512 = _words(
    0x4903ADFF749C51CE, 0x0D95DE399746DF03, 0x8FD1934127C79BCE, 0x9A255629FF352CB1,
    0x5DB62599DF6CA7B0, 0xEABE394CA9D5C3F4, 0x991112C71A75B523, 0xAE18A40B660FCC33,
)  # fmt: skip
"""The chaining values after the configuration block (appendix B of Skein's paper)."""

PADDINGS: Mapping[str, Padding] = {
    "sha256": Padding(64, _roots(4), slice(32), _with_length(64, 8)),
    "sha512": Padding(128, _roots(8), slice(64), _with_length(128, 16)),
    "keccak256": Padding(136, bytes(200), slice(32), _keccak(136)),
    "keccak512": Padding(72, bytes(200), slice(64), _keccak(72)),
    "skein256": Padding(32, SKEIN_256, slice(32), _zeros(32)),
    "skein512": Padding(64, SKEIN_512, slice(64), _zeros(64)),
    "groestl256": Padding(64, (256).to_bytes(64, "big"), slice(32, 64), _with_blocks(64)),
    "groestl512": Padding(128, (512).to_bytes(128, "big"), slice(64, 128), _with_blocks(128)),
}
"""The hash functions by the names of their members."""
