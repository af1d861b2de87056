"""RSA: the operations on numbers; paddings are tested, but what they take is hardly anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import unhex
from cocrypt.primitives.script import Buffer, Check, Step, Timing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject

OPERATIONS = ("public", "private", "private_crt")


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Each vector of each operation."""
    found = []
    for operation in OPERATIONS:
        if operation not in subject.functions:
            continue
        for index, one in enumerate(vectors.get(operation, [])):
            step, out = _step(subject, operation, one)
            label = f"{subject.name} {operation} vector {index + 1}"
            found.append(Check(label, (step,), ((out, unhex(one, "result")),)))
    return found


def _step(subject: Subject, operation: str, vector: Mapping[str, Any]) -> tuple[Step, Buffer]:
    out = Buffer(size=subject.sizes["modulus"])
    roles = subject.functions[operation].arguments
    given = {role: Buffer(unhex(vector, role)) for role in roles if role != "result"}
    return Step(operation, {**given, "result": out}), out


def timings(
    subject: Subject, vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
) -> list[Timing]:
    """Each operation with the numbers of its first vector, since keys cannot be made up."""
    found = []
    for operation in OPERATIONS:
        given = vectors.get(operation, [])
        if operation in subject.functions and given:
            step, _ = _step(subject, operation, given[0])
            size = sum(one.size for one in step.arguments.values() if isinstance(one, Buffer))
            found.append(Timing(operation, None, (step,), (0,), (operation,), size))
    return found
