"""Whether a primitive keeps its secrets: what of them branches, addresses and times give away.

The functions run on a model that carries, beside every bit, whether it depends on a secret. What
is secret are keys, and texts that go in; what a function gives away on purpose, as whether a tag is
right, it says by `revealed` of `bytes.h`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt.errors import ProgramError
from cocrypt.primitives.calling import HARNESS, Calling
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import read_vectors
from cocrypt.primitives.script import Buffer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.primitives.measuring import Task
    from cocrypt.primitives.script import Step, Timing

LENGTH = 64
"""Bytes of messages."""
INSTRUCTIONS = 4_000_000_000
"""A run of more most likely never ends."""
# By kind: what is secret there. Where a signature is made, the message is known to who checks it.
SECRETS: dict[str, frozenset[str]] = {
    "block_cipher": frozenset({"key", "text"}),
    "stream_cipher": frozenset({"key", "text"}),
    "mode": frozenset({"key", "text"}),
    "hash": frozenset({"message"}),
    "mac": frozenset({"key", "message"}),
    "aead": frozenset({"key", "text"}),
    "key_exchange": frozenset({"secret"}),
    "signature": frozenset({"secret"}),
    "ecdsa": frozenset({"secret", "nonce"}),
    "rsa": frozenset({"d", "p", "q", "dp", "dq", "qinv", "blinding"}),
    "rsa_toy": frozenset({"y"}),
    "kem": frozenset({"secret"}),
    "signing": frozenset({"secret"}),
}
# What an operation may show whatever the kind says: who verifies knows all that goes in.
PUBLIC_OPERATIONS = frozenset({"verify", "verify_pkcs1"})


@dataclass(frozen=True)
class Place:
    """Where in the sources an instruction comes from."""

    function: str
    file: str | None
    line: int | None

    def __str__(self) -> str:
        if self.file is None:
            return f"`{self.function}`"
        return f"{Path(self.file).name}:{self.line} in `{self.function}`"


@dataclass(frozen=True)
class Finding:
    """An instruction that gives a secret away.

    `kind` is `branch`, `jump`, `load`, `store` or `time`; `places` are the functions that it stands
    in, the outermost first and the others inlined; `calls` how the run got there.
    """

    operation: str
    kind: str
    address: int
    text: str
    count: int
    places: tuple[Place, ...]
    calls: tuple[Place, ...]

    @property
    def place(self) -> Place:
        """The innermost function and its line."""
        return self.places[-1]


@dataclass(frozen=True)
class Verdict:
    """What was found of one subject on one device."""

    task: Task
    findings: tuple[Finding, ...]
    instructions: int
    operations: tuple[str, ...]

    @property
    def keeps(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def examine(task: Task) -> Verdict:
    """Runs each operation once with its secrets marked; raises `ProgramError` where it fails."""
    subject = task.subject
    calling = Calling(task.device, subject, task.images.callable())
    vectors = read_vectors(subject)
    plan = kind(subject).timings(subject, vectors, (LENGTH,), calling.context_size)
    found: dict[tuple[int, str], Finding] = {}
    instructions, names = 0, []
    for one in plan:
        if one.operation in PUBLIC_OPERATIONS:
            continue
        names.append(one.operation)
        steps = _needed(one)
        report = calling.follow(steps, _secrets(subject.kind, steps), INSTRUCTIONS)
        if report["halt"] is not None:
            raise ProgramError(f"{subject.name}: {one.operation} does not end: {report['halt']}")
        instructions += report["instructions"]
        for values in report["found"]:
            # What leads to the function itself is the harness.
            finding = found_at(one.operation, values, HARNESS)
            found.setdefault((finding.address, finding.kind), finding)
    return Verdict(task, tuple(found.values()), instructions, tuple(names))


def _needed(timing: Timing) -> list[Step]:
    """The calls that count, and those that fill memory for them: others show nothing more."""
    found = [timing.steps[index] for index in timing.counted]
    for step in reversed(timing.steps[: min(timing.counted)]):
        used = {buffer for later in found for buffer in _empty(later)}
        if step.operation not in PUBLIC_OPERATIONS and used & _empty(step):
            found.insert(0, step)
    return found


def _empty(step: Step) -> set[Buffer]:
    """The memory of a call in which nothing stands at first."""
    values = (one[0] if isinstance(one, tuple) else one for one in step.arguments.values())
    return {one for one in values if isinstance(one, Buffer) and not one.content}


def _secrets(kind_name: str, steps: Sequence[Step]) -> list[Buffer]:
    """The memory that holds secrets before the calls."""
    roles = SECRETS[kind_name]
    values = (
        value
        for step in steps
        if step.operation not in PUBLIC_OPERATIONS
        for role, value in step.arguments.items()
        if role in roles
    )
    return list(dict.fromkeys(one for one in values if isinstance(one, Buffer)))


def found_at(operation: str, values: dict[str, Any], harness: Sequence[str] = ()) -> Finding:
    """What the model found, as the native module has it; calls from the harness are left out."""
    calls = (place for call in values["calls"] for place in map(place_of, call))
    return Finding(
        operation=operation,
        kind=values["kind"],
        address=values["address"],
        text=values["text"] or "",
        count=values["count"],
        places=tuple(place_of(one) for one in values["places"]),
        calls=tuple(one for one in calls if one.function not in harness),
    )


def place_of(values: dict[str, Any]) -> Place:
    """A place in the sources, as the native module has it."""
    return Place(values["function"], values["file"], values["line"])
