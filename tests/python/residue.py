"""What calls of primitives leave behind of their secrets: in dead stack and in registers.

The same calls are made twice, with different secrets. What then differs below the caller's stack
pointer, or in a register, is made of secrets: keys and all that follows from them, as round keys,
key streams and states, in whichever form. Only what stands in a result as well may be left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cocrypt.primitives.calling import Calling
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.kinds.aead import refusal
from cocrypt.primitives.measuring import read_vectors
from cocrypt.primitives.script import Buffer, some_bytes
from cocrypt.primitives.secrecy import PUBLIC_OPERATIONS, SECRETS
from residue_keys import other_bytes, other_number, other_rsa

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cocrypt.primitives.calling import Left
    from cocrypt.primitives.measuring import Task
    from cocrypt.primitives.script import Step
    from residue_keys import Given

WORD = 4
LENGTHS = {"hash": 200, "mac": 200, "mode": 48, "aead": 77, "stream_cipher": 77}
"""Bytes of messages: more than a block, and where they may be, no whole number of blocks."""
RESULTS = ("result", "digest", "tag", "public", "shared", "signature")
MOVED = ("message", "text", "result")
"""What need not begin at a word."""


@dataclass(frozen=True)
class Finding:
    """What a call leaves: words of the dead stack, up to so many bytes below, or a register."""

    operation: str
    place: str

    def __str__(self) -> str:
        return f"{self.operation} leaves {self.place}"


def residue(task: Task, moved: int = 0) -> list[Finding]:
    """What the calls that are timed leave of secrets.

    Messages begin so many bytes behind a word.
    """
    search, subject = Search(task), task.subject
    plan = kind(subject).timings(
        subject,
        read_vectors(subject),
        (LENGTHS.get(subject.kind, 64),),
        search.calling.context_size,
    )
    steps = [_moved(one.steps, moved) for one in plan if one.operation not in PUBLIC_OPERATIONS]
    return list(dict.fromkeys(found for one in steps for found in search.behind(one)))


def residue_of_refusal(task: Task) -> list[Finding]:
    """What a call leaves that refuses a text; the right tag is a secret, with which one forges."""
    subject, search = task.subject, Search(task)
    key, nonce = (some_bytes(subject.sizes[name], name) for name in ("key", "nonce"))
    sealed = some_bytes(LENGTHS["aead"] + subject.sizes["tag"], "sealed")
    return search.behind(refusal(subject, (key, nonce, b"ad"), sealed, subject.name).steps)


def residue_of_operations(task: Task, word: str) -> list[Finding]:
    """What the timed calls leave of operations whose names have this word, and no others."""
    subject, search = task.subject, Search(task)
    plan = kind(subject).timings(
        subject, read_vectors(subject), (LENGTHS.get(subject.kind, 64),), 0
    )
    chosen = [one for one in plan if word in one.operation]
    assert chosen, f"{subject.name} has no {word}"
    return [found for one in chosen for found in search.behind(one.steps)]


@dataclass(frozen=True)
class Search:
    """The search behind calls of one subject on one device."""

    task: Task

    @cached_property
    def calling(self) -> Calling:
        """Its image on the device."""
        return Calling(self.task.device, self.task.subject, self.task.images.callable())

    def behind(self, steps: Sequence[Step]) -> list[Finding]:
        """What each of these calls leaves."""
        others = self._with_others(steps)
        pairs = list(zip(*self.calling.left(steps, others), strict=True))
        known = _words(_contents(steps, [one for one, _ in pairs]))
        return [
            finding
            for step, (left, other) in zip(steps, pairs, strict=True)
            if step.operation not in PUBLIC_OPERATIONS
            for finding in _findings(step.operation, left, other, known)
        ]

    def _with_others(self, steps: Sequence[Step]) -> list[Step]:
        """The same calls with other secrets; a text is its caller's to keep."""
        if self.task.subject.kind == "rsa":
            return [replace(step, arguments=other_rsa(step)) for step in steps]
        other_content = other_number if self.task.subject.kind == "ecdsa" else other_bytes
        roles = SECRETS[self.task.subject.kind] - {"text"}
        given = {value for step in steps for role, value in step.arguments.items() if role in roles}
        swapped: dict[Given, Given] = {}
        for one in given:
            if isinstance(one, int):
                continue
            buffer, at = one if isinstance(one, tuple) else (one, None)
            other = Buffer(other_content(buffer.content))
            swapped[one] = other if at is None else (other, at)
        return [
            replace(
                step,
                arguments={role: swapped.get(one, one) for role, one in step.arguments.items()},
            )
            for step in steps
        ]


def _findings(operation: str, left: Left, other: Left, known: set[bytes]) -> Iterable[Finding]:
    different = [
        at for at in _changed(left.stack, other.stack) if left.stack[at : at + WORD] not in known
    ]
    pairs = [at for at in different if at + WORD in different]
    if pairs:
        below = len(left.stack) - pairs[0]
        yield Finding(operation, f"{len(different)} words of stack, up to {below} bytes below")
    for name, value in left.registers.items():
        if value != other.registers[name] and value.to_bytes(WORD, "little") not in known:
            yield Finding(operation, f"{name} = {value:#x}")


def _changed(left: bytes, other: bytes) -> list[int]:
    """Where the words of a stack begin that differ; they end where it does."""
    if left == other:
        return []
    begin = len(left) % WORD
    pairs = zip(*(memoryview(one)[begin:].cast("I") for one in (left, other)), strict=True)
    return [begin + WORD * place for place, (one, another) in enumerate(pairs) if one != another]


def _moved(steps: Sequence[Step], by: int) -> list[Step]:
    """The same calls, with messages so many bytes behind a word."""
    if not by:
        return list(steps)
    buffers = {
        one: Buffer(bytes(by) + one.content, by + one.size)
        for step in steps
        for role in MOVED
        if isinstance(one := step.arguments.get(role), Buffer)
    }
    return [
        replace(
            step,
            arguments={
                role: (buffers[one], by) if isinstance(one, Buffer) and one in buffers else one
                for role, one in step.arguments.items()
            },
        )
        for step in steps
    ]


def _contents(steps: Sequence[Step], left: Sequence[Left]) -> list[bytes]:
    """The results of the calls."""
    given = [
        (one, value[0] if isinstance(value, tuple) else value)
        for step, one in zip(steps, left, strict=True)
        for role in RESULTS
        if (value := step.arguments.get(role)) is not None
    ]
    return [one.contents[value] for one, value in given if isinstance(value, Buffer)]


def _words(contents: Iterable[bytes]) -> set[bytes]:
    """All words of these, in either order of bytes."""
    words = {one[at : at + WORD] for one in contents for at in range(len(one) - WORD + 1)}
    return words | {one[::-1] for one in words}
