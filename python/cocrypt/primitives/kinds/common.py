"""Functions that the kinds share: bytes of vectors, with their sizes, and timing of vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.script import Buffer, Timing
from cocrypt.primitives.vectors import number, refused, sized, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cocrypt.primitives.script import Step
    from cocrypt.primitives.subject import Subject


def given(
    subject: Subject, operation: str, vector: Mapping[str, Any], role: str, size: str | None = None
) -> bytes:
    """An input of a vector, of the primitive's size unless the function takes a size."""
    if subject.takes(operation, f"{role}_size") or (size or role) not in subject.sizes:
        return unhex(vector, role)
    return sized(vector, role, subject.sizes[size or role])


def stated(
    subject: Subject, operation: str, vector: Mapping[str, Any], role: str
) -> tuple[int, bool]:
    """The bytes of a tag or digest that a vector states, and whether the function makes so many.

    The size is the primitive's, unless the vector has a `tag_size` or `digest_size`: an answer
    that is too short by mistake is not taken for one that is cut.
    """
    usual = subject.sizes[role]
    size = number(vector, f"{role}_size", usual, least=1)
    return size, size == usual or subject.takes(operation, f"{role}_size")


def same(vector: Mapping[str, Any], text: str, result: str) -> tuple[bytes, bytes]:
    """A text and its result, which have the same number of bytes, and at least one."""
    before = unhex(vector, text)
    if not before:
        advice = "leave the vector out"
        raise wrong(vector, text, f"`{text}` of a vector is empty, which checks nothing", advice)
    return before, sized(vector, result, len(before))


def from_vectors(
    subject: Subject, vectors: Mapping[str, Any], call: Callable[[str, Mapping[str, Any]], Step]
) -> list[Timing]:
    """Times each operation with the numbers of its first vector that is not refused."""
    timings = []
    for operation in subject.functions:
        good = (vector for vector in vectors.get(operation, []) if not refused(vector))
        first = next(good, None)
        if first is not None:
            step = call(operation, first)
            size = sum(value.size for value in step.arguments.values() if isinstance(value, Buffer))
            timings.append(Timing(operation, None, (step,), (0,), (operation,), size))
    return timings
