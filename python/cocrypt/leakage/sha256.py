"""The state of SHA-256 behind a key (FIPS 180-4, section 6.2.2; FIPS 198-1, section 4)."""

from __future__ import annotations

import hashlib
import math

WORDS, BLOCK, STEPS = 8, 64, 64
INNER_PAD = 0x36
_MASK = 0xFFFFFFFF


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


INITIAL = tuple(math.isqrt(prime << 64) & _MASK for prime in _primes(WORDS))
CONSTANTS = tuple(_cube_root(prime << 96) & _MASK for prime in _primes(STEPS))


def _right(word: int, *places: int) -> int:
    """The exclusive or of a word's right rotations."""
    value = 0
    for count in places:
        value ^= word >> count | word << (32 - count)
    return value & _MASK


def _secret_of_sum(state: tuple[int, ...], step: int) -> int:
    """T1 of a step without the message's word."""
    e, f, g, h = state[4:]
    choice = (e & f) ^ (~e & _MASK & g)
    return (h + _right(e, 6, 11, 25) + choice + CONSTANTS[step]) & _MASK


def _schedule(block: bytes) -> list[int]:
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, BLOCK, 4)]
    for step in range(16, STEPS):
        low, high = words[step - 15], words[step - 2]
        words.append(
            (
                words[step - 16]
                + (_right(low, 7, 18) ^ low >> 3)
                + words[step - 7]
                + (_right(high, 17, 19) ^ high >> 10)
            )
            & _MASK
        )
    return words


def compress(state: tuple[int, ...], block: bytes) -> tuple[int, ...]:
    """The state behind a block of 64 bytes."""
    now = state
    for step, word in enumerate(_schedule(block)):
        a, b, c, d = now[:4]
        first = (_secret_of_sum(now, step) + word) & _MASK
        most = (a & b) ^ (a & c) ^ (b & c)
        second = _right(a, 2, 13, 22) + most
        now = ((first + second) & _MASK, a, b, c, (d + first) & _MASK, *now[4:7])
    return tuple((old + new) & _MASK for old, new in zip(state, now, strict=True))


def first_sum(key: bytes) -> int:
    """T1 without the message's word, in the first step behind the inner key of HMAC."""
    short = key if len(key) <= BLOCK else hashlib.sha256(key).digest()
    block = bytes(byte ^ INNER_PAD for byte in short.ljust(BLOCK, b"\0"))
    return _secret_of_sum(compress(INITIAL, block), 0)
