"""The state of SHA-1, SHA-256 and SHA-512 behind a key (FIPS 180-4, section 6; FIPS 198-1, 4).

A hash function of Python's library tells no state, and begins in no other one than its own.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

INNER_PAD, OUTER_PAD = 0x36, 0x5C
State = tuple[int, ...]


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


def _cube_root(number: int) -> int:
    """The cube root, rounded down, by bisection."""
    low, high = 0, 1 << (number.bit_length() // 3 + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**3 <= number else (low, middle - 1)
    return low


def _right(word: int, width: int, *places: int) -> int:
    """The exclusive or of a word's right rotations."""
    value = 0
    for count in places:
        value ^= word >> count | word << (width - count)
    return value & ((1 << width) - 1)


def _padded(name: str, block: int, key: bytes, pad: int) -> bytes:
    """The block of a key of HMAC with a pad."""
    short = key if len(key) <= block else hashlib.new(name, key).digest()
    return bytes(byte ^ pad for byte in short.ljust(block, b"\0"))


@dataclass(frozen=True)
class Sha2:
    """SHA-256 or SHA-512 (FIPS 180-4, sections 4.1.2, 4.1.3 and 6.2 to 6.4).

    `large` are the rotations of the functions of a and e, `small` those of the schedule, whose last
    place is a shift.
    """

    name: str
    width: int
    steps: int
    large: tuple[tuple[int, ...], tuple[int, ...]]
    small: tuple[tuple[int, int, int], tuple[int, int, int]]

    @property
    def block(self) -> int:
        """The bytes of a block."""
        return 2 * self.width

    @property
    def mask(self) -> int:
        """All bits of a word."""
        return (1 << self.width) - 1

    @property
    def initial(self) -> State:
        """The state before all blocks."""
        roots = (math.isqrt(prime << 2 * self.width) for prime in _primes(8))
        return tuple(root & self.mask for root in roots)

    @property
    def constants(self) -> tuple[int, ...]:
        """The constant of each step."""
        roots = (_cube_root(prime << 3 * self.width) for prime in _primes(self.steps))
        return tuple(root & self.mask for root in roots)

    def secret_of_sum(self, state: State, constant: int) -> int:
        """T1 of a step without the message's word."""
        e, f, g, h = state[4:]
        choice = (e & f) ^ (~e & self.mask & g)
        return (h + _right(e, self.width, *self.large[1]) + choice + constant) & self.mask

    def second_sum(self, state: State) -> int:
        """T2 of a step."""
        a, b, c = state[:3]
        return _right(a, self.width, *self.large[0]) + ((a & b) ^ (a & c) ^ (b & c))

    def _schedule(self, block: bytes) -> list[int]:
        size = self.width // 8
        words = [int.from_bytes(block[at : at + size], "big") for at in range(0, self.block, size)]
        for step in range(16, self.steps):
            mixed = [
                _right(words[step - before], self.width, *places[:2])
                ^ words[step - before] >> places[2]
                for before, places in zip((15, 2), self.small, strict=True)
            ]
            words.append((words[step - 16] + mixed[0] + words[step - 7] + mixed[1]) & self.mask)
        return words

    def compress(self, state: State, block: bytes) -> State:
        """The state behind a block."""
        now = state
        for word, constant in zip(self._schedule(block), self.constants, strict=True):
            first = (self.secret_of_sum(now, constant) + word) & self.mask
            second = self.second_sum(now)
            a, b, c, d = now[:4]
            now = ((first + second) & self.mask, a, b, c, (d + first) & self.mask, *now[4:7])
        return tuple((old + new) & self.mask for old, new in zip(state, now, strict=True))

    def keyed(self, key: bytes, pad: int) -> State:
        """The state behind the block of a key of HMAC with a pad."""
        return self.compress(self.initial, _padded(self.name, self.block, key, pad))

    def first_sum(self, key: bytes, pad: int = INNER_PAD) -> int:
        """T1 without the message's word, in the first step behind a key with a pad."""
        return self.secret_of_sum(self.keyed(key, pad), self.constants[0])

    def first_e(self, key: bytes) -> int:
        """Word e of the state behind that step of the inner key, without the message's word."""
        return (self.keyed(key, INNER_PAD)[3] + self.first_sum(key)) & self.mask

    def first_a(self, key: bytes) -> int:
        """Word a of the state behind that step of the inner key, without the message's word."""
        return (self.second_sum(self.keyed(key, INNER_PAD)) + self.first_sum(key)) & self.mask


SHA256 = Sha2("sha256", 32, 64, ((2, 13, 22), (6, 11, 25)), ((7, 18, 3), (17, 19, 10)))
SHA512 = Sha2("sha512", 64, 80, ((28, 34, 39), (14, 18, 41)), ((1, 8, 7), (19, 61, 6)))

SHA1_INITIAL = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)
SHA1_CONSTANTS = (0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6)
_WORD, _BLOCK = 0xFFFFFFFF, 64


def _left(word: int, count: int) -> int:
    return (word << count | word >> (32 - count)) & _WORD


def _sha1_secret(state: State, step: int) -> int:
    """The next a of a step without the message's word (section 6.1.2)."""
    a, b, c, d, e = state
    majority = (b & c) ^ (b & d) ^ (c & d)
    mixed = ((b & c) ^ (~b & _WORD & d), b ^ c ^ d, majority, b ^ c ^ d)[step // 20]
    return (_left(a, 5) + mixed + e + SHA1_CONSTANTS[step // 20]) & _WORD


def sha1_compress(state: State, block: bytes) -> State:
    """The state of SHA-1 behind a block."""
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, _BLOCK, 4)]
    for step in range(16, 80):
        mixed = words[step - 3] ^ words[step - 8] ^ words[step - 14] ^ words[step - 16]
        words.append(_left(mixed, 1))
    now = state
    for step, word in enumerate(words):
        a, b, c, d, _ = now
        now = ((_sha1_secret(now, step) + word) & _WORD, a, _left(b, 30), c, d)
    return tuple((old + new) & _WORD for old, new in zip(state, now, strict=True))


def sha1_sum(key: bytes) -> int:
    """Word a of SHA-1 behind the first step behind the inner key, without the message's word."""
    return _sha1_secret(sha1_compress(SHA1_INITIAL, _padded("sha1", _BLOCK, key, INNER_PAD)), 0)
