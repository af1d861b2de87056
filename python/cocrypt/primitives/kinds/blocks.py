"""Block ciphers: key schedule, encryption and decryption of a block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import given
from cocrypt.primitives.script import Buffer, Check, Step, Timing, some_bytes
from cocrypt.primitives.vectors import label, sized, unhex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject


def checks(subject: Subject, vectors: Mapping[str, Any], context: int) -> list[Check]:
    """A check of each vector forwards and, where the implementation can, backwards."""
    checks, size = [], subject.sizes["block"]
    for index, vector in enumerate(vectors.get("encrypt", [])):
        text = unhex(vector, "text")
        if text and len(text) % size == 0:
            result = sized(vector, "result", len(text))
        else:
            text, result = (sized(vector, name, size) for name in ("text", "result"))
        if len(text) != size:
            # Files of a mode have texts of several blocks.
            continue
        name = label(subject.name, index, vector)
        for operation, texts in (("encrypt", (text, result)), ("decrypt", (result, text))):
            if operation in subject.functions:
                key = given(subject, expansion(subject, operation), vector, "key")
                checks.append(crypt(subject, operation, (key, *texts), name, context))
    return checks


def expansion(subject: Subject, operation: str) -> str:
    """The key schedule that an operation needs."""
    special = operation == "decrypt" and "expand_decrypt" in subject.functions
    return "expand_decrypt" if special else "expand"


def crypt(
    subject: Subject,
    operation: str,
    values: tuple[bytes, bytes, bytes],
    label: str,
    context: int,
) -> Check:
    """A check of a block in place: key, text and expected result."""
    key, text, result = values
    keys, block = Buffer(size=context), Buffer(text)
    schedule = Step(expansion(subject, operation), {"keys": keys, "key": Buffer(key)})
    step = Step(operation, {"keys": keys, "text": block, "result": block})
    return Check(f"{label}, {operation}", (schedule, step), ((block, result),))


def timings(
    subject: Subject, _vectors: Mapping[str, Any], _lengths: Sequence[int], context: int
) -> list[Timing]:
    """Times the key schedules, and a block each way."""
    key = Buffer(some_bytes(subject.sizes["key"], "key"))
    block = Buffer(some_bytes(subject.sizes["block"], "text"))
    timings = []
    for operation in ("expand", "expand_decrypt", "encrypt", "decrypt"):
        if operation not in subject.functions:
            continue
        keys = Buffer(size=context)
        is_schedule = operation.startswith("expand")
        schedule = operation if is_schedule else expansion(subject, operation)
        steps = [Step(schedule, {"keys": keys, "key": key})]
        if not is_schedule:
            steps.append(Step(operation, {"keys": keys, "text": block, "result": block}))
        counted = (len(steps) - 1,)
        needs = tuple(dict.fromkeys((schedule, operation)))
        size = key.size if is_schedule else block.size
        timings.append(Timing(operation, None, tuple(steps), counted, needs, size))
    return timings
