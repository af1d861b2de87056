"""Monte Carlo tests: the result of each call goes into the next one, a thousand times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.primitives.kinds.blocks import expansion
from cocrypt.primitives.script import Buffer, Step

if TYPE_CHECKING:
    from cavp import Monte
    from cocrypt.primitives.script import Runner
    from cocrypt.primitives.subject import Subject
    from vectors import Arguments

TURNS = 1000
PART = 250
"""Turns at once: more calls do not fit a device's memory."""


def outcome(runner: Runner, subject: Subject, case: Monte) -> bytes:
    """The result of the last turn."""
    return _hashed(runner, case) if case.operation == "hash" else _chained(runner, subject, case)


def _hashed(runner: Runner, case: Monte) -> bytes:
    """Digests side by side in memory: the last of them are the next message."""
    size, last = len(case.begin), case.begin * case.back
    for _ in range(TURNS // PART):
        digests, state = (
            Buffer(last, size=len(last) + PART * size),
            Buffer(size=runner.context_size),
        )
        steps = []
        for at in range(0, PART * size, size):
            message: Arguments = {"message": (digests, at), "message_size": len(last)}
            steps += [
                Step("init", {"state": state}),
                Step("update", {"state": state, **message}),
                Step("final", {"state": state, "digest": (digests, at + len(last))}),
            ]
        last = runner.run(steps).contents[digests][-len(last) :]
    return last[-size:]


def _chained(runner: Runner, subject: Subject, case: Monte) -> bytes:
    """Texts side by side: the vector is the second text, each result the next but one."""
    size, last, iv = len(case.begin), case.text + case.begin, case.begin
    for _ in range(TURNS // PART):
        texts, vector = Buffer(last, size=(PART + 2) * size), Buffer(iv)
        keys = Buffer(size=runner.context_size)
        schedule = expansion(subject, case.operation)
        steps = [Step(schedule, {"keys": keys, "key": Buffer(case.key)})]
        for at in range(0, PART * size, size):
            given: Arguments = {"keys": keys, "iv": vector, "text_size": size}
            buffers: Arguments = {"text": (texts, at), "result": (texts, at + 2 * size)}
            steps.append(Step(case.operation, {**given, **buffers}))
        contents = runner.run(steps).contents
        last, iv = contents[texts][-2 * size :], contents[vector]
    return last[-size:]
