"""Implicit rejection of PKCS #1 v1.5 in Python, from draft-irtf-cfrg-rsa-guidance, section 7.2."""

from __future__ import annotations

import hashlib
import hmac


def opened(n: int, d: int, cipher: bytes) -> bytes:
    """The message of a cipher, or the message that replaces it for a wrong padding."""
    size = len(cipher)
    block = pow(int.from_bytes(cipher), d, n).to_bytes(size)
    end = block.find(b"\0", 2)
    if block[:2] == b"\0\2" and end >= 10:
        return block[end + 1 :]
    key = _hmac(hashlib.sha256(d.to_bytes(size)).digest(), cipher)
    message = _expanded(key, b"message", size)
    return message[size - _length(key, size) :]


def _length(key: bytes, size: int) -> int:
    """The last of 128 candidates that is a possible length of a message."""
    most = size - 11
    mask = (1 << (size - 10).bit_length()) - 1
    drawn = _expanded(key, b"length", 256)
    candidates = [int.from_bytes(drawn[at : at + 2]) & mask for at in range(0, 256, 2)]
    return [0, *(candidate for candidate in candidates if candidate <= most)][-1]


def _expanded(key: bytes, label: bytes, size: int) -> bytes:
    end = label + (8 * size).to_bytes(2)
    parts = (_hmac(key, number.to_bytes(2) + end) for number in range(-(-size // 32)))
    return b"".join(parts)[:size]


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")
