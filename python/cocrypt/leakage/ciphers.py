"""Tables and key schedules of the ciphers whose rounds are attacked.

Sources: FIPS 197 for AES; A. Bogdanov et al., "PRESENT: An Ultra-Lightweight Block Cipher",
CHES 2007.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BYTES = 256
ROUNDS = 10
"""Rounds of AES-128."""
PRESENT_SBOX = np.array([0xC, 5, 6, 0xB, 9, 0, 0xA, 0xD, 3, 0xE, 0xF, 8, 4, 7, 1, 2], np.uint8)
HAMMING = np.array([value.bit_count() for value in range(BYTES)], np.float64)
"""The number of ones of each byte."""
SHIFTED = np.array([(index + 4 * (index % 4)) % 16 for index in range(16)])
"""The byte of the state that ShiftRows moves to each place (FIPS 197, 5.1.2)."""


def _sbox() -> NDArray[np.uint8]:
    """The S-box of AES, by powers of the generator 3 (FIPS 197, 5.1.1)."""
    power, powers = 1, []
    for _ in range(BYTES - 1):
        powers.append(power)
        power ^= (power << 1) ^ (0x11B if power & 0x80 else 0)
    logarithm = {value: exponent for exponent, value in enumerate(powers)}
    box = []
    for value in range(BYTES):
        inverse = powers[-logarithm[value] % (BYTES - 1)] if value else 0
        rotated = inverse * 0x101
        box.append(
            (inverse ^ rotated >> 7 ^ rotated >> 6 ^ rotated >> 5 ^ rotated >> 4 ^ 0x63) & 0xFF
        )
    return np.array(box, np.uint8)


AES_SBOX = _sbox()
AES_INVERSE = np.argsort(AES_SBOX).astype(np.uint8)


def aes128_last_key(key: bytes) -> bytes:
    """The round key of the last round of AES-128."""
    words = [key[4 * index : 4 * index + 4] for index in range(4)]
    for round_number in range(1, ROUNDS + 1):
        words = _next_words(words, round_number)
    return b"".join(words)


def aes128_key(last: bytes) -> bytes:
    """The key of AES-128 whose last round key is given."""
    words = [last[4 * index : 4 * index + 4] for index in range(4)]
    for round_number in range(ROUNDS, 0, -1):
        later = [_xor(words[index], words[index - 1]) for index in (1, 2, 3)]
        words = [_xor(words[0], _mixed(later[2], round_number)), *later]
    return b"".join(words)


def _next_words(words: list[bytes], round_number: int) -> list[bytes]:
    following = [_xor(words[0], _mixed(words[3], round_number))]
    for word in words[1:]:
        following.append(_xor(word, following[-1]))
    return following


def _mixed(word: bytes, round_number: int) -> bytes:
    """A word rotated, substituted, and with the round constant added (FIPS 197, 5.2)."""
    constant = 1
    for _ in range(round_number - 1):
        constant = (constant << 1) ^ (0x11B if constant & 0x80 else 0)
    rotated = bytes(int(AES_SBOX[byte]) for byte in word[1:] + word[:1])
    return bytes([rotated[0] ^ constant]) + rotated[1:]


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(first ^ second for first, second in zip(left, right, strict=True))
