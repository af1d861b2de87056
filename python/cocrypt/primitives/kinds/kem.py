"""Key encapsulation: a key pair, a shared secret for its owner, and the owner's way to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import given
from cocrypt.primitives.script import Buffer, Check, Step, Timing
from cocrypt.primitives.vectors import label, sized

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject


def _steps(subject: Subject) -> tuple[list[Step], Buffer, Buffer]:
    made = {role: Buffer(size=subject.sizes[role]) for role in ("public", "secret", "ciphertext")}
    ours, theirs = (Buffer(size=subject.sizes["shared"]) for _ in range(2))
    steps = [
        Step("keypair", {"public": made["public"], "secret": made["secret"]}),
        Step(
            "encapsulate",
            {"ciphertext": made["ciphertext"], "shared": ours, "public": made["public"]},
        ),
        Step(
            "decapsulate",
            {"shared": theirs, "ciphertext": made["ciphertext"], "secret": made["secret"]},
        ),
    ]
    return steps, ours, theirs


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Both sides get the same secret; and known answers, as far as they need no random bytes."""
    steps, ours, theirs = _steps(subject)
    name = f"{subject.name}, agreement"
    found = [Check(name, tuple(steps), equal=((ours, theirs),), known=False)]
    for index, one in enumerate(vectors.get("decapsulate", [])):
        shared = Buffer(size=subject.sizes["shared"])
        roles = {
            role: Buffer(given(subject, "decapsulate", one, role))
            for role in ("ciphertext", "secret")
        }
        step = Step("decapsulate", {"shared": shared, **roles})
        wanted = sized(one, "shared", shared.size)
        found.append(Check(label(subject.name, index, one), (step,), ((shared, wanted),)))
    return found


def timings(
    subject: Subject, _vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
) -> list[Timing]:
    """The three operations, each with what those before it have made."""
    steps, _, _ = _steps(subject)
    found = []
    for index, step in enumerate(steps):
        size = sum(one.size for one in step.arguments.values() if isinstance(one, Buffer))
        before = tuple(steps[: index + 1])
        found.append(Timing(step.operation, None, before, (index,), (step.operation,), size))
    return found
