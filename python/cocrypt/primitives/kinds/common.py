"""What the kinds share: bytes from vectors, and bytes for timing."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


def unhex(vector: Mapping[str, Any], key: str, default: str | None = None) -> bytes:
    """The bytes that a vector states in hexadecimal."""
    text = vector.get(key, default)
    if not isinstance(text, str):
        raise InputError(f"a vector lacks `{key}`, which is text in hexadecimal: {vector}")
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise InputError(f"`{key}` of a vector is not hexadecimal: {text}") from error


def some_bytes(size: int, what: str) -> bytes:
    """Bytes without a pattern, the same ones every time."""
    return hashlib.shake_128(what.encode()).digest(size)
