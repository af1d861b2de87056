"""The residue of secrets that calls of primitives leave in dead stack and in registers.

The same calls are made twice, with different secrets. Words that then differ below the caller's
stack pointer, or in a register, are made of secrets: of keys and all that follows from them, such
as round keys, key streams and states, in whichever form. Only words of a result may be left.
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

    from cocrypt.primitives.calling import Residue
    from cocrypt.primitives.measuring import Task
    from cocrypt.primitives.script import Step
    from residue_keys import Given

WORD = 4
LENGTHS = {"hash": 200, "mac": 200, "mode": 48, "aead": 77, "stream_cipher": 77}
"""Bytes of messages: more than a block and, where a kind allows it, no whole number of blocks."""
RESULTS = ("result", "digest", "tag", "public", "shared", "signature")
MOVED = ("message", "text", "result")
"""Arguments that need not begin at a word."""


@dataclass(frozen=True)
class Finding:
    """A call's residue: words of the dead stack, down to a depth in bytes, or a register."""

    operation: str
    place: str

    def __str__(self) -> str:
        return f"{self.operation} leaves {self.place}"


def residue(task: Task, moved: int = 0) -> list[Finding]:
    """The residue of secrets that the timed calls leave.

    Messages begin `moved` bytes behind a word.
    """
    search, subject = Search(task), task.subject
    plan = kind(subject).timings(
        subject,
        read_vectors(subject),
        (LENGTHS.get(subject.kind, 64),),
        search.calling.context_size,
    )
    steps = [
        _moved(timing.steps, moved) for timing in plan if timing.operation not in PUBLIC_OPERATIONS
    ]
    return list(dict.fromkeys(finding for calls in steps for finding in search.behind(calls)))


def residue_of_refusal(task: Task) -> list[Finding]:
    """The residue of a call that refuses a text; the right tag is a secret, since it forges."""
    subject, search = task.subject, Search(task)
    key, nonce = (some_bytes(subject.sizes[name], name) for name in ("key", "nonce"))
    sealed = some_bytes(LENGTHS["aead"] + subject.sizes["tag"], "sealed")
    return search.behind(refusal(subject, (key, nonce, b"ad"), sealed, subject.name).steps)


def residue_of_operations(task: Task, word: str) -> list[Finding]:
    """The residue of the timed calls of those operations whose names have this word."""
    subject, search = task.subject, Search(task)
    plan = kind(subject).timings(
        subject, read_vectors(subject), (LENGTHS.get(subject.kind, 64),), 0
    )
    chosen = [timing for timing in plan if word in timing.operation]
    assert chosen, f"{subject.name} has no {word}"
    return [finding for timing in chosen for finding in search.behind(timing.steps)]


@dataclass(frozen=True)
class Search:
    """The search behind calls of one subject on one device."""

    task: Task

    @cached_property
    def calling(self) -> Calling:
        """The subject's image on the device."""
        return Calling(self.task.device, self.task.subject, self.task.images.callable())

    def behind(self, steps: Sequence[Step]) -> list[Finding]:
        """The findings of each of these calls."""
        others = self._with_others(steps)
        pairs = list(zip(*self.calling.residues(steps, others), strict=True))
        results = _words(_contents(steps, [first for first, _ in pairs]))
        return [
            finding
            for step, (first, second) in zip(steps, pairs, strict=True)
            if step.operation not in PUBLIC_OPERATIONS
            for finding in _findings(step.operation, first, second, results)
        ]

    def _with_others(self, steps: Sequence[Step]) -> list[Step]:
        """The same calls with other secrets; texts stay, since their callers keep them."""
        if self.task.subject.kind == "rsa":
            return [replace(step, arguments=other_rsa(step)) for step in steps]
        other_content = other_number if self.task.subject.kind == "ecdsa" else other_bytes
        roles = SECRETS[self.task.subject.kind] - {"text"}
        given = {value for step in steps for role, value in step.arguments.items() if role in roles}
        swapped: dict[Given, Given] = {}
        for argument in given:
            if isinstance(argument, int):
                continue
            buffer, at = argument if isinstance(argument, tuple) else (argument, None)
            replacement = Buffer(other_content(buffer.content))
            swapped[argument] = replacement if at is None else (replacement, at)
        return [
            replace(
                step,
                arguments={
                    role: swapped.get(argument, argument)
                    for role, argument in step.arguments.items()
                },
            )
            for step in steps
        ]


def _findings(
    operation: str, first: Residue, second: Residue, results: set[bytes]
) -> Iterable[Finding]:
    different = [
        at
        for at in _changed(first.stack, second.stack)
        if first.stack[at : at + WORD] not in results
    ]
    pairs = [at for at in different if at + WORD in different]
    if pairs:
        below = len(first.stack) - pairs[0]
        yield Finding(operation, f"{len(different)} words of stack, up to {below} bytes below")
    for name, value in first.registers.items():
        if value != second.registers[name] and value.to_bytes(WORD, "little") not in results:
            yield Finding(operation, f"{name} = {value:#x}")


def _changed(first: bytes, second: bytes) -> list[int]:
    """The offsets of the words of a stack that differ; the last word ends where the stack does."""
    if first == second:
        return []
    begin = len(first) % WORD
    pairs = zip(*(memoryview(stack)[begin:].cast("I") for stack in (first, second)), strict=True)
    return [
        begin + WORD * index for index, (word, other_word) in enumerate(pairs) if word != other_word
    ]


def _moved(steps: Sequence[Step], by: int) -> list[Step]:
    """The same calls, with messages that begin some bytes behind a word."""
    if not by:
        return list(steps)
    buffers = {
        argument: Buffer(bytes(by) + argument.content, by + argument.size)
        for step in steps
        for role in MOVED
        if isinstance(argument := step.arguments.get(role), Buffer)
    }
    return [
        replace(
            step,
            arguments={
                role: (buffers[argument], by)
                if isinstance(argument, Buffer) and argument in buffers
                else argument
                for role, argument in step.arguments.items()
            },
        )
        for step in steps
    ]


def _contents(steps: Sequence[Step], left: Sequence[Residue]) -> list[bytes]:
    """The results of the calls."""
    given = [
        (state, value[0] if isinstance(value, tuple) else value)
        for step, state in zip(steps, left, strict=True)
        for role in RESULTS
        if (value := step.arguments.get(role)) is not None
    ]
    return [state.contents[value] for state, value in given if isinstance(value, Buffer)]


def _words(contents: Iterable[bytes]) -> set[bytes]:
    """All words of these contents, in either order of bytes."""
    words = {
        content[at : at + WORD] for content in contents for at in range(len(content) - WORD + 1)
    }
    return words | {word[::-1] for word in words}
