"""What the kinds share: bytes of vectors, which must be so many, and timing of vectors."""

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
    """What a vector gives a function: of the primitive's size, unless the function is told one."""
    if subject.takes(operation, f"{role}_size") or (size or role) not in subject.sizes:
        return unhex(vector, role)
    return sized(vector, role, subject.sizes[size or role])


def stated(
    subject: Subject, operation: str, vector: Mapping[str, Any], role: str
) -> tuple[int, bool]:
    """How many bytes of a tag or digest a vector is about, and whether the function makes so many.

    They are the primitive's, unless the vector says otherwise by `tag_size` or `digest_size`: a
    cut answer is none that somebody shortened.
    """
    usual = subject.sizes[role]
    size = number(vector, f"{role}_size", usual, least=1)
    return size, size == usual or subject.takes(operation, f"{role}_size")


def same(vector: Mapping[str, Any], text: str, result: str) -> tuple[bytes, bytes]:
    """A text and what comes of it, which has as many bytes, and at least one."""
    before = unhex(vector, text)
    if not before:
        advice = "leave the vector out"
        raise wrong(vector, text, f"`{text}` of a vector is empty, which checks nothing", advice)
    return before, sized(vector, result, len(before))


def from_vectors(
    subject: Subject, vectors: Mapping[str, Any], call: Callable[[str, Mapping[str, Any]], Step]
) -> list[Timing]:
    """Each operation with the numbers of its first vector that is not refused."""
    found = []
    for operation in subject.functions:
        good = (one for one in vectors.get(operation, []) if not refused(one))
        first = next(good, None)
        if first is not None:
            step = call(operation, first)
            size = sum(one.size for one in step.arguments.values() if isinstance(one, Buffer))
            found.append(Timing(operation, None, (step,), (0,), (operation,), size))
    return found
