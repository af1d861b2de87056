"""RSA: on numbers and with paddings; all from vectors, since no keys are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import from_vectors, unhex
from cocrypt.primitives.script import Buffer, Check, Step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.script import Timing
    from cocrypt.primitives.subject import Subject

# What an operation makes; all else goes in.
MADE = {"result", "result_length"}


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Each vector of each operation; those with `refused` must be."""
    found = []
    for operation in subject.functions:
        for index, one in enumerate(vectors.get(operation, [])):
            label = f"{subject.name} {operation} vector {index + 1}"
            step, made = _step(subject, operation, one)
            if one.get("refused"):
                found.append(Check(label, (step,), (), ((step, -1),)))
                continue
            expected = tuple((made[role], _wanted(role, one)) for role in made)
            found.append(Check(label, (step,), expected, ((step, 0),)))
    return found


def _wanted(role: str, vector: Mapping[str, Any]) -> bytes:
    """What must come out; of a length the four bytes that it has on every device."""
    if role == "result_length":
        return len(unhex(vector, "result")).to_bytes(4, "little")
    return unhex(vector, role)


def _step(
    subject: Subject, operation: str, vector: Mapping[str, Any]
) -> tuple[Step, dict[str, Buffer]]:
    """The call, and the memory that it fills by role; none where it only says yes or no."""
    makes = MADE | ({"signature"} if operation == "sign_pkcs1" else set())
    given: dict[str, Buffer | int | tuple[Buffer, int]] = {}
    made = {}
    for role in subject.functions[operation].arguments:
        if role in makes:
            size = 8 if role == "result_length" else subject.sizes["modulus"]
            given[role] = made[role] = Buffer(size=size)
        elif not role.endswith("_size"):
            given[role] = Buffer(unhex(vector, role, "" if role == "label" else None))
    return Step(operation, given), made


def timings(
    subject: Subject, vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
) -> list[Timing]:
    """Each operation with the numbers of its first vector, since keys cannot be made up."""
    return from_vectors(subject, vectors, lambda operation, one: _step(subject, operation, one)[0])
