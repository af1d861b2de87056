"""The RSA of 32 bits of a paper: functions of numbers that return their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import from_vectors, same
from cocrypt.primitives.script import Buffer, Check, Numbers, Step
from cocrypt.primitives.vectors import label, refused, sized, unhex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.script import Timing
    from cocrypt.primitives.subject import Subject

# The numbers that `keys` writes, in the order in which the context has them.
KEYS = ("n", "e", "d")
MEMORY = ("keys", "text", "result")


WORD = 4
"""Bytes of a number."""
TABLES = frozenset({"prime", "gcd", "power", "encrypt", "keys", "crypt"})


def checks(subject: Subject, vectors: Mapping[str, Any], context: int) -> list[Check]:
    """A check of each vector of each operation."""
    return [
        _check(subject, operation, vector, (label(subject.name, index, vector, operation), context))
        for operation in subject.functions
        for index, vector in enumerate(vectors.get(operation, []))
    ]


def _check(
    subject: Subject, operation: str, vector: Mapping[str, Any], called: tuple[str, int]
) -> Check:
    name, context = called
    step = _step(subject, operation, vector, context)
    if refused(vector):
        return Check(name, (step,), (), ((step, -1),))
    filled = step.arguments.get("keys" if operation == "keys" else "result")
    if not isinstance(filled, Buffer):
        expected = int.from_bytes(sized(vector, "result", WORD), signed=True)
        return Check(name, (step,), (), ((step, expected),))
    if operation == "keys":
        keys = Numbers(tuple(int.from_bytes(sized(vector, role, WORD)) for role in KEYS))
        return Check(name, (step,), begins=((filled, keys),), results=((step, 0),))
    content = same(vector, "text", "result")[1]
    return Check(name, (step,), ((filled, content),), ((step, 0),))


def _step(subject: Subject, operation: str, vector: Mapping[str, Any], context: int) -> Step:
    """A call with the numbers of a vector."""
    roles: dict[str, Buffer | int | tuple[Buffer, int]] = {}
    for role in subject.functions[operation].arguments:
        if role == "keys":
            roles[role] = Buffer(size=context)
        elif role == "result":
            roles[role] = Buffer(size=len(unhex(vector, "text")))
        elif role == "text":
            roles[role] = Buffer(unhex(vector, role))
        elif not role.endswith("_size"):
            roles[role] = int.from_bytes(sized(vector, role, WORD))
    return Step(operation, roles)


def timings(
    subject: Subject, vectors: Mapping[str, Any], _lengths: Sequence[int], context: int
) -> list[Timing]:
    """Times each operation with the numbers of its first vector that is not refused."""
    return from_vectors(
        subject, vectors, lambda operation, vector: _step(subject, operation, vector, context)
    )
