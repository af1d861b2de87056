"""RSA: on numbers and with paddings; all from vectors, since no keys are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import from_vectors
from cocrypt.primitives.script import Buffer, Check, Step
from cocrypt.primitives.vectors import label, refused, sized, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.script import Timing
    from cocrypt.primitives.subject import Subject

# What an operation makes; all else goes in.
MADE = {"result", "result_length"}


# Sizes that go by another name; what is not among them may have any size.
SIZES: Mapping[str, str] = {
    **dict.fromkeys(("n", "d", "cipher", "signature"), "modulus"),
    **dict.fromkeys(("p", "q", "dp", "dq", "qinv"), "half"),
    **dict.fromkeys(("digest", "seed"), "digest"),
    "e": "exponent",
}
PADDED = (
    *("encrypt_pkcs1", "decrypt_pkcs1", "encrypt_oaep", "decrypt_oaep"),
    *("sign_pkcs1", "verify_pkcs1"),
)
NUMBERS = ("public", "private", "private_crt")
"""Operations on numbers, whose messages are as long as the modulus."""
TABLES = frozenset((*NUMBERS, *PADDED))


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Each vector of each operation; those with `refused` must be."""
    found = []
    for operation in subject.functions:
        for index, one in enumerate(vectors.get(operation, [])):
            name = label(subject.name, index, one, operation)
            step, made = _step(subject, operation, one)
            if refused(one):
                found.append(Check(name, (step,), (), ((step, -1),)))
            else:
                found.append(_right(subject, (step, made), one, name))
    return found


def _right(
    subject: Subject,
    called: tuple[Step, dict[str, Buffer]],
    vector: Mapping[str, Any],
    name: str,
) -> Check:
    """What must come out: all of it, or as many bytes as the function says that there are."""
    (step, made), good = called, ((called[0], 0),)
    size = subject.sizes["modulus"]
    length = made.get("result_length")
    if length is None:
        whole = tuple((made[role], sized(vector, role, size)) for role in made)
        return Check(name, (step,), whole, good)
    text = unhex(vector, "result")
    if len(text) > size:
        said = f"`result` of a vector has {len(text)} bytes, more than the modulus of {size}"
        raise wrong(vector, "result", said, "give the text that was encrypted")
    begins = ((made["result"], text), (length, len(text).to_bytes(4, "little")))
    return Check(name, (step,), (), good, begins=begins)


def _step(
    subject: Subject, operation: str, vector: Mapping[str, Any]
) -> tuple[Step, dict[str, Buffer]]:
    """The call, and the memory that it fills by role; none where it only says yes or no."""
    makes = MADE | ({"signature"} if operation == "sign_pkcs1" else set())
    roles: dict[str, Buffer | int | tuple[Buffer, int]] = {}
    made = {}
    for role in subject.functions[operation].arguments:
        if role in makes:
            size = 8 if role == "result_length" else subject.sizes["modulus"]
            roles[role] = made[role] = Buffer(size=size)
        elif not role.endswith("_size"):
            roles[role] = Buffer(_value(subject, operation, vector, role))
    return Step(operation, roles), made


def _value(subject: Subject, operation: str, vector: Mapping[str, Any], role: str) -> bytes:
    if role == "label":
        return unhex(vector, role, "")
    size = "modulus" if role == "message" and operation in NUMBERS else SIZES.get(role)
    return sized(vector, role, subject.sizes[size]) if size else unhex(vector, role)


def timings(
    subject: Subject, vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
) -> list[Timing]:
    """Each operation with the numbers of its first vector, since keys cannot be made up."""
    return from_vectors(subject, vectors, lambda operation, one: _step(subject, operation, one)[0])
