"""What the kinds share: bytes from vectors, bytes for timing, and timing of vectors."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError
from cocrypt.primitives.script import Buffer, Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cocrypt.primitives.script import Step
    from cocrypt.primitives.subject import Subject


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


def from_vectors(
    subject: Subject, vectors: Mapping[str, Any], call: Callable[[str, Mapping[str, Any]], Step]
) -> list[Timing]:
    """Each operation with the numbers of its first vector that is not refused."""
    found = []
    for operation in subject.functions:
        good = (one for one in vectors.get(operation, []) if not one.get("refused"))
        first = next(good, None)
        if first is not None:
            step = call(operation, first)
            size = sum(one.size for one in step.arguments.values() if isinstance(one, Buffer))
            found.append(Timing(operation, None, (step,), (0,), (operation,), size))
    return found
