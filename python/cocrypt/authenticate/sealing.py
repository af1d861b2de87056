"""Keys that are derived from secrets, and sealing with them by each suite."""

from __future__ import annotations

import hmac
from enum import IntEnum

from cocrypt.authenticate.ciphers import (
    aes128_ctr,
    ascon_open,
    ascon_seal,
    hmac_sha1,
    sha1,
    xor_stream,
)
from cocrypt.authenticate.layout import Suite

TAG = 16
CIPHER_KEY = 16


class Label(IntEnum):
    """The purpose of a derived key."""

    SEALS = 0
    SESSION = 1
    CIPHER = 2
    TAG = 3


class Direction(IntEnum):
    """The sender of a sealed text."""

    FROM_SERVER = 0
    FROM_TERMINAL = 1


def derive(label: Label, *pieces: bytes) -> bytes:
    """A key of 20 bytes."""
    return sha1(bytes([label]), *pieces)


def _sequence(direction: int, number: int) -> bytes:
    return bytes([direction]) + number.to_bytes(4)


def _nonce(direction: int, number: int) -> bytes:
    return _sequence(direction, number).ljust(16, b"\0")


def _crypt(suite: int, key: bytes, direction: int, number: int, text: bytes) -> bytes:
    if suite == Suite.XOR:
        return xor_stream(derive(Label.CIPHER, key, _sequence(direction, number)), text)
    inner = derive(Label.CIPHER, key)[:CIPHER_KEY]
    return aes128_ctr(inner, _nonce(direction, number), text)


def _tag(key: bytes, direction: int, number: int, associated: bytes, cipher: bytes) -> bytes:
    pieces = (_sequence(direction, number), len(associated).to_bytes(2), associated, cipher)
    return hmac_sha1(derive(Label.TAG, key), *pieces)[:TAG]


def seal(
    suite: int, key: bytes, direction: int, number: int, associated: bytes, plain: bytes
) -> bytes:
    """A text encrypted, with a tag of 16 bytes over it and the plain bytes before it."""
    if suite == Suite.ASCON:
        inner = derive(Label.CIPHER, key)[:CIPHER_KEY]
        return ascon_seal(inner, _nonce(direction, number), associated, plain)
    cipher = _crypt(suite, key, direction, number, plain)
    return cipher + _tag(key, direction, number, associated, cipher)


def unseal(
    suite: int, key: bytes, direction: int, number: int, associated: bytes, sealed: bytes
) -> bytes | None:
    """The inverse of `seal`; None if the tag is wrong."""
    if suite == Suite.ASCON:
        inner = derive(Label.CIPHER, key)[:CIPHER_KEY]
        return ascon_open(inner, _nonce(direction, number), associated, sealed)
    cipher, tag = sealed[:-TAG], sealed[-TAG:]
    if not hmac.compare_digest(_tag(key, direction, number, associated, cipher), tag):
        return None
    return _crypt(suite, key, direction, number, cipher)
