"""Key encapsulation: a key pair, and a shared secret that is encapsulated and decapsulated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import given
from cocrypt.primitives.script import Buffer, Check, Step, Timing
from cocrypt.primitives.vectors import label, sized

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject


def _steps(subject: Subject) -> tuple[list[Step], Buffer, Buffer]:
    buffers = {
        role: Buffer(size=subject.sizes[role]) for role in ("public", "secret", "ciphertext")
    }
    ours, theirs = (Buffer(size=subject.sizes["shared"]) for _ in range(2))
    steps = [
        Step("keypair", {"public": buffers["public"], "secret": buffers["secret"]}),
        Step(
            "encapsulate",
            {"ciphertext": buffers["ciphertext"], "shared": ours, "public": buffers["public"]},
        ),
        Step(
            "decapsulate",
            {"shared": theirs, "ciphertext": buffers["ciphertext"], "secret": buffers["secret"]},
        ),
    ]
    return steps, ours, theirs


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Checks that both sides get the same secret, and of known answers without random bytes."""
    steps, ours, theirs = _steps(subject)
    name = f"{subject.name}, agreement"
    checks = [Check(name, tuple(steps), equal=((ours, theirs),), known=False)]
    for index, vector in enumerate(vectors.get("decapsulate", [])):
        shared = Buffer(size=subject.sizes["shared"])
        roles = {
            role: Buffer(given(subject, "decapsulate", vector, role))
            for role in ("ciphertext", "secret")
        }
        step = Step("decapsulate", {"shared": shared, **roles})
        expected = sized(vector, "shared", shared.size)
        checks.append(Check(label(subject.name, index, vector), (step,), ((shared, expected),)))
    return checks


def timings(
    subject: Subject, _vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
) -> list[Timing]:
    """Times the three operations, each with the outputs of those before it."""
    steps, _, _ = _steps(subject)
    timings = []
    for index, step in enumerate(steps):
        size = sum(value.size for value in step.arguments.values() if isinstance(value, Buffer))
        before = tuple(steps[: index + 1])
        timings.append(Timing(step.operation, None, before, (index,), (step.operation,), size))
    return timings
