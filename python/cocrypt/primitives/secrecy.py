"""A primitive's secrecy: secrets that its branches, addresses and times give away.

The functions run on a model that records for every bit whether it depends on a secret. Keys and
input texts are secret; a function marks what it gives away on purpose, as whether a tag is right,
with `revealed` of `bytes.h`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt.errors import ProgramError
from cocrypt.primitives.calling import HARNESS
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
"""The limit of a run; a longer one most likely never ends."""
# By kind: the secret roles. A signature's message is known to those who verify it.
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
# Operations without secrets in any kind: a verifier knows all inputs.
PUBLIC_OPERATIONS = frozenset({"verify", "verify_pkcs1"})


@dataclass(frozen=True)
class SourceLocation:
    """The function, file and line that an instruction comes from."""

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
    places: tuple[SourceLocation, ...]
    calls: tuple[SourceLocation, ...]

    @property
    def place(self) -> SourceLocation:
        """The innermost function and its line."""
        return self.places[-1]


@dataclass(frozen=True)
class Verdict:
    """The findings about one subject on one device."""

    task: Task
    findings: tuple[Finding, ...]
    instructions: int
    operations: tuple[str, ...]

    @property
    def keeps(self) -> bool:
        """True if nothing was found."""
        return not self.findings


def examine(task: Task) -> Verdict:
    """Runs each operation once with its secrets marked; raises `ProgramError` where it fails."""
    subject = task.subject
    calling = task.calling()
    vectors = read_vectors(subject)
    plan = kind(subject).timings(subject, vectors, (LENGTH,), calling.context_size)
    findings: dict[tuple[int, str], Finding] = {}
    instructions, names = 0, []
    for timing in plan:
        if timing.operation in PUBLIC_OPERATIONS:
            continue
        names.append(timing.operation)
        steps = _needed(timing)
        report = calling.follow(steps, _secrets(subject.kind, steps), INSTRUCTIONS)
        if report["halt"] is not None:
            raise ProgramError(f"{subject.name}: {timing.operation} does not end: {report['halt']}")
        instructions += report["instructions"]
        for values in report["found"]:
            # The harness calls the function itself; it is left out.
            finding = found_at(timing.operation, values, HARNESS)
            findings.setdefault((finding.address, finding.kind), finding)
    return Verdict(task, tuple(findings.values()), instructions, tuple(names))


def _needed(timing: Timing) -> list[Step]:
    """The calls that count, and those that fill memory for them; others show nothing more."""
    steps = [timing.steps[index] for index in timing.counted]
    for step in reversed(timing.steps[: min(timing.counted)]):
        used = {buffer for later in steps for buffer in _empty(later)}
        if step.operation not in PUBLIC_OPERATIONS and used & _empty(step):
            steps.insert(0, step)
    return steps


def _empty(step: Step) -> set[Buffer]:
    """The buffers of a call that are empty at first."""
    values = (value[0] if isinstance(value, tuple) else value for value in step.arguments.values())
    return {value for value in values if isinstance(value, Buffer) and not value.content}


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
    return list(dict.fromkeys(value for value in values if isinstance(value, Buffer)))


def found_at(operation: str, values: dict[str, Any], harness: Sequence[str] = ()) -> Finding:
    """A finding of the native module, without the calls from the harness."""
    calls = (place for call in values["calls"] for place in map(place_of, call))
    return Finding(
        operation=operation,
        kind=values["kind"],
        address=values["address"],
        text=values["text"] or "",
        count=values["count"],
        places=tuple(place_of(place) for place in values["places"]),
        calls=tuple(place for place in calls if place.function not in harness),
    )


def place_of(values: dict[str, Any]) -> SourceLocation:
    """A place in the sources, from the values of the native module."""
    return SourceLocation(values["function"], values["file"], values["line"])
