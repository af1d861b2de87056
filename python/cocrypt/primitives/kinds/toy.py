"""The RSA of 32 bits of a paper: functions of numbers, whose results are what they return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import from_vectors, unhex
from cocrypt.primitives.script import Buffer, Check, Step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.script import Timing
    from cocrypt.primitives.subject import Subject

# Of what `keys` fills, in the order in which the context has them.
KEYS = ("n", "e", "d")
MEMORY = ("keys", "text", "result")


def checks(subject: Subject, vectors: Mapping[str, Any], context: int) -> list[Check]:
    """Each vector of each operation."""
    return [
        _check(subject, operation, one, (f"{subject.name} {operation} vector {index + 1}", context))
        for operation in subject.functions
        for index, one in enumerate(vectors.get(operation, []))
    ]


def _check(
    subject: Subject, operation: str, vector: Mapping[str, Any], called: tuple[str, int]
) -> Check:
    label, context = called
    step = _step(subject, operation, vector, context)
    if vector.get("refused"):
        return Check(label, (step,), (), ((step, -1),))
    filled = step.arguments.get("keys" if operation == "keys" else "result")
    if not isinstance(filled, Buffer):
        wanted = int.from_bytes(unhex(vector, "result"), signed=True)
        return Check(label, (step,), (), ((step, wanted),))
    words = (unhex(vector, one)[::-1] for one in KEYS) if operation == "keys" else ()
    content = b"".join(words) or unhex(vector, "result")
    return Check(label, (step,), ((filled, content),), ((step, 0),))


def _step(subject: Subject, operation: str, vector: Mapping[str, Any], context: int) -> Step:
    """A call with the numbers of a vector."""
    given: dict[str, Buffer | int | tuple[Buffer, int]] = {}
    for role in subject.functions[operation].arguments:
        if role == "keys":
            given[role] = Buffer(size=context)
        elif role == "result":
            given[role] = Buffer(size=len(unhex(vector, "text")))
        elif role == "text":
            given[role] = Buffer(unhex(vector, role))
        elif not role.endswith("_size"):
            given[role] = int.from_bytes(unhex(vector, role))
    return Step(operation, given)


def timings(
    subject: Subject, vectors: Mapping[str, Any], _lengths: Sequence[int], context: int
) -> list[Timing]:
    """Each operation with the numbers of its first vector that is not refused."""
    return from_vectors(
        subject, vectors, lambda operation, one: _step(subject, operation, one, context)
    )
