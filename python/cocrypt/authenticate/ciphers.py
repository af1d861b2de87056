"""The symmetric side of the protocol: random numbers, stream, AES-128, Ascon-AEAD128, tags.

It is written for reading, from the standards; it is neither fast nor constant-time.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 16
SHA1 = 20
MASK = 2**64 - 1


def sha1(*pieces: bytes) -> bytes:
    """SHA-1 over pieces (FIPS 180-4), 20 bytes."""
    return hashlib.sha1(b"".join(pieces)).digest()


def hmac_sha1(key: bytes, *pieces: bytes) -> bytes:
    """HMAC-SHA-1 over pieces (FIPS 198-1), 20 bytes."""
    return hmac.digest(key, b"".join(pieces), "sha1")


class Random:
    """MGF1 with SHA-1 as a stream (RFC 8017, appendix B.2.1), the same for the same seed."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.drawn = 0

    def bytes(self, size: int) -> bytes:
        """The next `size` bytes."""
        start, end = self.drawn, self.drawn + size
        self.drawn = end
        first, last = start // SHA1, -(-end // SHA1)
        stream = b"".join(sha1(self.seed, i.to_bytes(4)) for i in range(first, last))
        return stream[start - first * SHA1 : end - first * SHA1]


def xor_stream(key: bytes, text: bytes) -> bytes:
    """XORs each byte with a byte of the generator, whose seed is the key of 20 bytes."""
    return _xor(text, Random(key).bytes(len(text)))


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


# AES-128 (FIPS 197), encryption alone: the bytes of the state are in column order.


def _doubled(a: int) -> int:
    return a << 1 ^ (0x11B if a & 0x80 else 0)


def _product(a: int, b: int) -> int:
    total = 0
    for _ in range(8):
        total ^= a if b & 1 else 0
        a, b = _doubled(a), b >> 1
    return total


def _substitute(a: int) -> int:
    """The inverse in GF(2^8), by search, and the affine map (section 5.1.1)."""
    b = next((candidate for candidate in range(256) if _product(a, candidate) == 1), 0)
    rotated = (b << 1 | b >> 7, b << 2 | b >> 6, b << 3 | b >> 5, b << 4 | b >> 4)
    for term in rotated:
        b ^= term & 0xFF
    return b ^ 0x63


SBOX = tuple(_substitute(a) for a in range(256))
ROUNDS = 10


def _round_keys(key: bytes) -> list[bytes]:
    """Section 5.2."""
    words = [key[at : at + 4] for at in range(0, BLOCK, 4)]
    constant = 1
    for i in range(4, 4 * (ROUNDS + 1)):
        word = words[i - 1]
        if i % 4 == 0:
            word = bytes(SBOX[byte] for byte in word[1:] + word[:1])
            word = bytes([word[0] ^ constant]) + word[1:]
            constant = _doubled(constant)
        words.append(_xor(words[i - 4], word))
    return [b"".join(words[at : at + 4]) for at in range(0, len(words), 4)]


def _mixed(column: bytes) -> bytes:
    """MixColumns (section 5.1.3)."""
    everything = column[0] ^ column[1] ^ column[2] ^ column[3]
    pairs = zip(column, column[1:] + column[:1], strict=True)
    return bytes(a ^ everything ^ _doubled(a ^ b) for a, b in pairs)


def aes128(key: bytes, block: bytes) -> bytes:
    """A block of 16 bytes encrypted."""
    initial, *round_keys = _round_keys(key)
    state = _xor(block, initial)
    for number, round_key in enumerate(round_keys, 1):
        state = bytes(SBOX[state[5 * i % BLOCK]] for i in range(BLOCK))
        if number < ROUNDS:
            state = b"".join(_mixed(state[at : at + 4]) for at in range(0, BLOCK, 4))
        state = _xor(state, round_key)
    return state


def aes128_ctr(key: bytes, counter: bytes, text: bytes) -> bytes:
    """Counter mode (SP 800-38A, section 6.5) from a first block on; encrypts and decrypts."""
    start, count = int.from_bytes(counter), (len(text) + BLOCK - 1) // BLOCK
    blocks = ((start + i) % 2**128 for i in range(count))
    stream = b"".join(aes128(key, number.to_bytes(BLOCK)) for number in blocks)
    return _xor(text, stream[: len(text)])


# Ascon-AEAD128 (NIST SP 800-232): five words of 64 bits, whose lowest byte comes first.

Words = list[int]
IV = 0x00001000808C0001
TAG = 16
TURNS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))


def _rotated(word: int, count: int) -> int:
    return (word >> count | word << 64 - count) & MASK


def _permute(s: Words, rounds: int) -> None:
    """Section 3: constants, substitution of columns, diffusion of words; last `rounds` of 12."""
    for i in range(12 - rounds, 12):
        s[2] ^= 0xF0 - 0x0F * i
        s[0], s[4], s[2] = s[0] ^ s[4], s[4] ^ s[3], s[2] ^ s[1]
        chosen = [~s[j] & s[(j + 1) % 5] for j in range(5)]
        s[:] = [s[j] ^ chosen[(j + 1) % 5] for j in range(5)]
        s[1], s[0], s[3], s[2] = s[1] ^ s[0], s[0] ^ s[4], s[3] ^ s[2], ~s[2] & MASK
        s[:] = [w ^ _rotated(w, a) ^ _rotated(w, b) for w, (a, b) in zip(s, TURNS, strict=True)]


def _pair(text: bytes) -> tuple[int, int]:
    return int.from_bytes(text[:8], "little"), int.from_bytes(text[8:16], "little")


def _unpair(a: int, b: int) -> bytes:
    return a.to_bytes(8, "little") + b.to_bytes(8, "little")


def _add(s: Words, at: int, text: bytes) -> None:
    a, b = _pair(text)
    s[at], s[at + 1] = s[at] ^ a, s[at + 1] ^ b


def _blocks(text: bytes) -> Iterator[bytes]:
    """Whole blocks, and the rest, which may be empty."""
    return (text[at : at + BLOCK] for at in range(0, len(text) + 1, BLOCK))


def _ascon_start(key: bytes, nonce: bytes, ad: bytes) -> Words:
    s = [IV, *_pair(key), *_pair(nonce)]
    _permute(s, 12)
    _add(s, 3, key)
    if ad:
        for block in _blocks(ad):
            _add(s, 0, block if len(block) == BLOCK else _padded(block))
            _permute(s, 8)
    s[4] ^= 1 << 63
    return s


def _padded(block: bytes) -> bytes:
    return (block + b"\1").ljust(BLOCK, b"\0")


def _ascon_text(s: Words, text: bytes, *, opens: bool) -> bytes:
    """Absorbs the plain text; encrypts, or decrypts if `opens`."""
    result = b""
    for block in _blocks(text):
        output = _xor(block, _unpair(s[0], s[1])[: len(block)])
        plain = output if opens else block
        result += output
        _add(s, 0, plain if len(block) == BLOCK else _padded(plain))
        if len(block) == BLOCK:
            _permute(s, 8)
    return result


def _ascon_tag(s: Words, key: bytes) -> bytes:
    _add(s, 2, key)
    _permute(s, 12)
    _add(s, 3, key)
    return _unpair(s[3], s[4])


def ascon_seal(key: bytes, nonce: bytes, ad: bytes, text: bytes) -> bytes:
    """A text encrypted, followed by its tag of 16 bytes; key and nonce have 16 bytes."""
    s = _ascon_start(key, nonce, ad)
    return _ascon_text(s, text, opens=False) + _ascon_tag(s, key)


def ascon_open(key: bytes, nonce: bytes, ad: bytes, text: bytes) -> bytes | None:
    """The inverse of `ascon_seal`; None if the tag is wrong."""
    s = _ascon_start(key, nonce, ad)
    plain = _ascon_text(s, text[:-TAG], opens=True)
    return plain if hmac.compare_digest(_ascon_tag(s, key), text[-TAG:]) else None
