"""RSA: on numbers and with paddings; all from vectors, since no keys are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import from_vectors
from cocrypt.primitives.script import Buffer, Check, Step, some_bytes, turned
from cocrypt.primitives.vectors import Vector, label, refused, sized, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.script import Timing
    from cocrypt.primitives.subject import Subject

# What an operation makes; all else goes in.
MADE = {"result", "result_length"}
FURTHER = {"sign_pkcs1": {"signature"}, "blind": {"blinding"}}


# Sizes that go by another name; what is not among them may have any size.
SIZES: Mapping[str, str] = {
    **dict.fromkeys(("n", "d", "cipher", "signature"), "modulus"),
    **dict.fromkeys(("p", "q", "dp", "dq", "qinv"), "half"),
    **dict.fromkeys(("digest", "seed"), "digest"),
    "e": "exponent",
}
PADDED = (
    *("encrypt_pkcs1", "decrypt_pkcs1", "decrypt_pkcs1_implicit"),
    *("encrypt_oaep", "decrypt_oaep", "sign_pkcs1", "verify_pkcs1"),
)
NUMBERS = ("public", "private", "private_crt")
"""Operations on numbers, whose messages are as long as the modulus."""
TABLES = frozenset((*NUMBERS, *PADDED, "blind"))


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Each vector of each operation; those with `refused` must be."""
    found, is_judged = [], False
    for operation in subject.functions:
        for index, one in enumerate(vectors.get(operation, [])):
            name = label(subject.name, index, one, operation)
            step, made = _step(subject, operation, one)
            if refused(one):
                found.append(Check(name, (step,), (), ((step, -1),)))
                continue
            found.append(_right(subject, (step, made), one, name))
            if operation == "verify_pkcs1" and not is_judged:
                # One is enough to see that not everything is taken for right.
                is_judged = True
                found.append(_turned(subject, one, name))
    return found


def _turned(subject: Subject, vector: Mapping[str, Any], name: str) -> Check:
    """A verification of the same with a bit of the signature turned."""
    signature = turned(unhex(vector, "signature")).hex()
    step, _ = _step(subject, "verify_pkcs1", {**vector, "signature": signature})
    return Check(f"{name}, turned", (step,), (), ((step, -1),))


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
        whole = tuple((one, sized(vector, role, one.size)) for role, one in made.items())
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
    makes = MADE | FURTHER.get(operation, set())
    vector = _complete(subject, vector) if operation == "private_crt" else vector
    roles: dict[str, Buffer | int | tuple[Buffer, int]] = {}
    made = {}
    for role in subject.functions[operation].arguments:
        if role in makes:
            roles[role] = made[role] = _made(subject, role)
        elif not role.endswith("_size"):
            roles[role] = Buffer(_value(subject, operation, vector, role))
    return Step(operation, roles), made


def _value(subject: Subject, operation: str, vector: Mapping[str, Any], role: str) -> bytes:
    if role == "label":
        return unhex(vector, role, "")
    size = "modulus" if role == "message" and operation in NUMBERS else SIZES.get(role)
    return sized(vector, role, subject.sizes[size]) if size else unhex(vector, role)


def _made(subject: Subject, role: str) -> Buffer:
    """Memory to be filled. A length has two, four or eight bytes, behind which zeros must stay."""
    modulus = subject.sizes["modulus"]
    if role == "result_length":
        return Buffer(bytes(8))
    return Buffer(size=2 * modulus if role == "blinding" else modulus)


def _complete(subject: Subject, vector: Mapping[str, Any]) -> Vector:
    """With public exponent and blinding, which follow from the others, where they are not given."""
    half, modulus = subject.sizes["half"], subject.sizes["modulus"]
    p, q, dp = (int.from_bytes(sized(vector, role, half)) for role in ("p", "q", "dp"))
    exponent = sized(vector, "e", 4) if "e" in vector else _exponent(dp, p).to_bytes(4)
    e, r = int.from_bytes(exponent), int.from_bytes(some_bytes(modulus - 1, "blinding"))
    pair = (pow(r, e, p * q), _inverse(r, p * q) or 0) if p * q > 0 else (0, 0)
    blinding = b"".join(one.to_bytes(modulus) for one in pair)
    found = Vector({"e": exponent.hex(), "blinding": blinding.hex(), **vector})
    if isinstance(vector, Vector):
        found.path, found.lines = vector.path, vector.lines
    return found


def _exponent(dp: int, p: int) -> int:
    """The public exponent that belongs to a part of the private one; the usual one for none."""
    found = _inverse(dp, p - 1)
    return found if found is not None and 0 < found < 1 << 32 else 65537


def _inverse(number: int, modulus: int) -> int | None:
    """Modulo another number; None where there is none."""
    try:
        return pow(number, -1, modulus)
    except ValueError:
        return None


def timings(
    subject: Subject, vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
) -> list[Timing]:
    """Each operation with the numbers of its first vector, since keys cannot be made up."""
    return from_vectors(subject, vectors, lambda operation, one: _step(subject, operation, one)[0])
