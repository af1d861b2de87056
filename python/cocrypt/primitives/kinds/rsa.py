"""RSA: on numbers and with paddings; all from vectors, since no keys are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import from_vectors
from cocrypt.primitives.script import Buffer, Check, Numbers, Step, some_bytes, turned
from cocrypt.primitives.vectors import Vector, label, refused, sized, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.script import Timing
    from cocrypt.primitives.subject import Subject

# Roles that an operation writes; all others are inputs.
MADE = {"result", "result_length"}
FURTHER = {"sign_pkcs1": {"signature"}, "blind": {"blinding"}}


# Roles whose size has another name; a role that is not among them may have any size.
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
    """A check of each vector of each operation; vectors with `refused` must be refused."""
    checks, is_judged = [], False
    for operation in subject.functions:
        for index, vector in enumerate(vectors.get(operation, [])):
            name = label(subject.name, index, vector, operation)
            step, outputs = _step(subject, operation, vector)
            if refused(vector):
                checks.append(Check(name, (step,), (), ((step, -1),)))
                continue
            checks.append(_right(subject, (step, outputs), vector, name))
            if operation == "verify_pkcs1" and not is_judged:
                # One check is enough to see that the operation does not accept everything.
                is_judged = True
                checks.append(_turned(subject, vector, name))
    return checks


def _turned(subject: Subject, vector: Mapping[str, Any], name: str) -> Check:
    """The same verification with a bit of the signature turned."""
    signature = turned(unhex(vector, "signature")).hex()
    step, _ = _step(subject, "verify_pkcs1", {**vector, "signature": signature})
    return Check(f"{name}, turned", (step,), (), ((step, -1),))


def _right(
    subject: Subject,
    called: tuple[Step, dict[str, Buffer]],
    vector: Mapping[str, Any],
    name: str,
) -> Check:
    """A check of a valid vector: of whole outputs, or of the bytes that the function counts."""
    (step, outputs), results = called, ((called[0], 0),)
    size = subject.sizes["modulus"]
    length = outputs.get("result_length")
    if length is None:
        expected = tuple(
            (buffer, sized(vector, role, buffer.size)) for role, buffer in outputs.items()
        )
        return Check(name, (step,), expected, results)
    text = unhex(vector, "result")
    if len(text) > size:
        problem = f"`result` of a vector has {len(text)} bytes, more than the modulus of {size}"
        raise wrong(vector, "result", problem, "give the text that was encrypted")
    begins = ((outputs["result"], text), (length, Numbers((len(text),))))
    return Check(name, (step,), (), results, begins=begins)


def _step(
    subject: Subject, operation: str, vector: Mapping[str, Any]
) -> tuple[Step, dict[str, Buffer]]:
    """The call, and the memory that it fills by role; none if it only accepts or refuses."""
    written = MADE | FURTHER.get(operation, set())
    vector = _complete(subject, vector) if operation == "private_crt" else vector
    roles: dict[str, Buffer | int | tuple[Buffer, int]] = {}
    outputs = {}
    for role in subject.functions[operation].arguments:
        if role in written:
            roles[role] = outputs[role] = _output(subject, role)
        elif not role.endswith("_size"):
            roles[role] = Buffer(_value(subject, operation, vector, role))
    return Step(operation, roles), outputs


def _value(subject: Subject, operation: str, vector: Mapping[str, Any], role: str) -> bytes:
    if role == "label":
        return unhex(vector, role, "")
    size = "modulus" if role == "message" and operation in NUMBERS else SIZES.get(role)
    return sized(vector, role, subject.sizes[size]) if size else unhex(vector, role)


def _output(subject: Subject, role: str) -> Buffer:
    """Memory to be filled. A length has two, four or eight bytes, with zeros behind it."""
    modulus = subject.sizes["modulus"]
    if role == "result_length":
        return Buffer(bytes(8))
    return Buffer(size=2 * modulus if role == "blinding" else modulus)


def _complete(subject: Subject, vector: Mapping[str, Any]) -> Vector:
    """The vector with public exponent and blinding, derived from the others if not given."""
    half, modulus = subject.sizes["half"], subject.sizes["modulus"]
    p, q, dp = (int.from_bytes(sized(vector, role, half)) for role in ("p", "q", "dp"))
    exponent = sized(vector, "e", 4) if "e" in vector else _exponent(dp, p).to_bytes(4)
    e, r = int.from_bytes(exponent), int.from_bytes(some_bytes(modulus - 1, "blinding"))
    pair = (pow(r, e, p * q), _inverse(r, p * q) or 0) if p * q > 0 else (0, 0)
    blinding = b"".join(number.to_bytes(modulus) for number in pair)
    completed = Vector({"e": exponent.hex(), "blinding": blinding.hex(), **vector})
    if isinstance(vector, Vector):
        completed.path, completed.lines = vector.path, vector.lines
    return completed


def _exponent(dp: int, p: int) -> int:
    """The public exponent of a part of the private exponent; the usual one if there is none."""
    exponent = _inverse(dp, p - 1)
    return exponent if exponent is not None and 0 < exponent < 1 << 32 else 65537


def _inverse(number: int, modulus: int) -> int | None:
    """The inverse of a number modulo another; None if there is none."""
    try:
        return pow(number, -1, modulus)
    except ValueError:
        return None


def timings(
    subject: Subject, vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
) -> list[Timing]:
    """Times each operation with the numbers of its first vector, since no keys are made here."""
    return from_vectors(
        subject, vectors, lambda operation, vector: _step(subject, operation, vector)[0]
    )
