"""Signatures with key pairs that are drawn: the interface of SUPERCOP and PQClean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import some_bytes, unhex
from cocrypt.primitives.script import Buffer, Check, Step, Timing

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
    all_steps = steps(subject)
    found = [Check(f"{subject.name}, own", all_steps, (), ((all_steps[-1], 0),))]
    for index, one in enumerate(vectors.get("verify", [])):
        message, signed = unhex(one, "message"), unhex(one, "signed")
        signature = signed[: len(signed) - len(message)]
        given = {"public": unhex(one, "public"), "message": message, "signature": signature}
        step = Step("verify", {role: Buffer(value) for role, value in given.items()})
        found.append(Check(f"{subject.name} vector {index + 1}", (step,), (), ((step, 0),)))
    return found


def timings(
    subject: Subject, _vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
) -> list[Timing]:
    """The three operations, each with what those before it have made."""
    all_steps, found = steps(subject), []
    for index, step in enumerate(all_steps):
        size = sum(one.size for one in step.arguments.values() if isinstance(one, Buffer))
        before = all_steps[: index + 1]
        found.append(Timing(step.operation, None, before, (index,), (step.operation,), size))
    return found
