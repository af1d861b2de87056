"""Signatures with key pairs that are drawn: the interface of SUPERCOP and PQClean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import given
from cocrypt.primitives.script import Buffer, Check, Step, Timing, some_bytes, turned
from cocrypt.primitives.vectors import label, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject

MESSAGE = 59
"""Bytes of the message, as many as pqm4 signs."""


def steps(subject: Subject) -> tuple[Step, ...]:
    """A key pair, a signature by it, and the signature verified."""
    public, secret, signature = (
        Buffer(size=subject.sizes[role]) for role in ("public", "secret", "signature")
    )
    message, length = Buffer(some_bytes(MESSAGE, "message")), Buffer(size=8)
    given: dict[str, Buffer | int | tuple[Buffer, int]] = {
        "signature": signature,
        "message": message,
        "result_length": length,
    }
    return (
        Step("keypair", {"public": public, "secret": secret}),
        Step("sign", {**given, "secret": secret}),
        Step("verify", {**given, "public": public}),
    )


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """A signature is good for its message; and known answers, which are signed messages."""
    own = steps(subject)
    verify, name = own[-1], f"{subject.name}, own"
    # The signature is not good for another message.
    message = Buffer(turned(some_bytes(MESSAGE, "message")))
    other = Step("verify", {**verify.arguments, "message": message})
    # Of some schemes signatures differ in length; none is longer than the scheme says.
    length = own[1].arguments["result_length"]
    assert isinstance(length, Buffer)
    most = subject.sizes["signature"]
    says = ((length, most),) if subject.takes("sign", "result_length") else ()
    good, calls = ((verify, 0),), (*own, other)
    found = [Check(name, calls, (), good, most=says, refused=(other,), known=False)]
    for index, one in enumerate(vectors.get("verify", [])):
        step = _verify(subject, one)
        bad = _turned(step) if index == 0 else ()
        name = label(subject.name, index, one)
        found.append(Check(name, (step, *bad), (), ((step, 0),), refused=bad))
    return found


def _turned(step: Step) -> tuple[Step]:
    """The same verification with a bit of the signature turned."""
    signature = step.arguments["signature"]
    assert isinstance(signature, Buffer)
    given = {**step.arguments, "signature": Buffer(turned(signature.content))}
    return (Step(step.operation, given),)


def _verify(subject: Subject, vector: Mapping[str, Any]) -> Step:
    """A signature that stands in front of its message, as SUPERCOP's signed messages have it."""
    message, signed = unhex(vector, "message"), unhex(vector, "signed")
    size, most = len(signed) - len(message), subject.sizes["signature"]
    is_size = 0 < size <= most if subject.takes("verify", "signature_size") else size == most
    if not is_size or not signed.endswith(message):
        raise wrong(
            vector,
            "signed",
            f"the signed message of a vector has {len(signed)} bytes, and is not a signature of "
            f"{most} bytes with its message of {len(message)} behind it",
            "give both whole",
        )
    public = given(subject, "verify", vector, "public")
    values = {"public": public, "message": message, "signature": signed[:size]}
    return Step("verify", {role: Buffer(value) for role, value in values.items()})


def timings(
    subject: Subject, _vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
) -> list[Timing]:
    """The three operations, each with what those before it have made."""
    all_steps, found = steps(subject), []
    for index, step in enumerate(all_steps):
        size = sum(one.size for one in step.arguments.values() if isinstance(one, Buffer))
        before = all_steps[: index + 1]
        good = ((step, 0),) if step.operation == "verify" else ()
        needs = (step.operation,)
        found.append(Timing(step.operation, None, before, (index,), needs, size, good))
    return found
