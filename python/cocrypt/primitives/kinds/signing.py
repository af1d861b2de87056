"""Signatures with drawn key pairs: the interface of SUPERCOP and PQClean."""

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
    arguments: dict[str, Buffer | int | tuple[Buffer, int]] = {
        "signature": signature,
        "message": message,
        "result_length": length,
    }
    return (
        Step("keypair", {"public": public, "secret": secret}),
        Step("sign", {**arguments, "secret": secret}),
        Step("verify", {**arguments, "public": public}),
    )


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Checks that a signature is good for its message, and of known answers: signed messages."""
    own = steps(subject)
    verify, name = own[-1], f"{subject.name}, own"
    # The signature is not good for another message.
    message = Buffer(turned(some_bytes(MESSAGE, "message")))
    forged = Step("verify", {**verify.arguments, "message": message})
    # Signatures of some schemes differ in length; none is longer than the scheme states.
    length = own[1].arguments["result_length"]
    assert isinstance(length, Buffer)
    most = subject.sizes["signature"]
    limits = ((length, most),) if subject.takes("sign", "result_length") else ()
    results, calls = ((verify, 0),), (*own, forged)
    checks = [Check(name, calls, (), results, most=limits, refused=(forged,), known=False)]
    for index, vector in enumerate(vectors.get("verify", [])):
        step = _verify(subject, vector)
        forgeries = _turned(step) if index == 0 else ()
        name = label(subject.name, index, vector)
        checks.append(Check(name, (step, *forgeries), (), ((step, 0),), refused=forgeries))
    return checks


def _turned(step: Step) -> tuple[Step]:
    """The same verification with a bit of the signature turned."""
    signature = step.arguments["signature"]
    assert isinstance(signature, Buffer)
    arguments = {**step.arguments, "signature": Buffer(turned(signature.content))}
    return (Step(step.operation, arguments),)


def _verify(subject: Subject, vector: Mapping[str, Any]) -> Step:
    """The verification of a signed message of SUPERCOP: a signature in front of its message."""
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
    """Times the three operations, each with the outputs of those before it."""
    all_steps, timings = steps(subject), []
    for index, step in enumerate(all_steps):
        size = sum(value.size for value in step.arguments.values() if isinstance(value, Buffer))
        before = all_steps[: index + 1]
        results = ((step, 0),) if step.operation == "verify" else ()
        needs = (step.operation,)
        timings.append(Timing(step.operation, None, before, (index,), needs, size, results))
    return timings
