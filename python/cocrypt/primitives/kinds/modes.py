"""Modes of block ciphers: texts of whole blocks, or of any length, from a vector on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.blocks import expansion
from cocrypt.primitives.kinds.common import given, same
from cocrypt.primitives.script import Buffer, Check, Step, Timing, some_bytes
from cocrypt.primitives.vectors import label, unhex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject


def checks(subject: Subject, vectors: Mapping[str, Any], context: int) -> list[Check]:
    """A check of each vector forwards and backwards."""
    checks = []
    for index, vector in enumerate(vectors.get("encrypt", [])):
        text, result = same(vector, "text", "result")
        name, iv = label(subject.name, index, vector), unhex(vector, "iv", "")
        for operation, texts in (("encrypt", (text, result)), ("decrypt", (result, text))):
            if operation in subject.functions:
                key = given(subject, expansion(subject, operation), vector, "key")
                checks.append(crypt(subject, operation, (key, iv), texts, (name, context)))
    return checks


def crypt(
    subject: Subject,
    operation: str,
    setup: tuple[bytes, bytes],
    texts: tuple[bytes, bytes],
    called: tuple[str, int],
) -> Check:
    """A check of a text in place: key and vector, text and result, label and context size."""
    (text, result), (label, context) = texts, called
    block = Buffer(text)
    steps = _steps(subject, operation, setup, block, context)
    return Check(f"{label}, {operation}", steps, ((block, result),))


def _steps(
    subject: Subject, operation: str, setup: tuple[bytes, bytes], block: Buffer, context: int
) -> tuple[Step, ...]:
    keys, (key, iv) = Buffer(size=context), setup
    schedule = Step(expansion(subject, operation), {"keys": keys, "key": Buffer(key)})
    arguments = {"keys": keys, "iv": Buffer(iv), "text": block, "result": block}
    return (schedule, Step(operation, arguments))


def timings(
    subject: Subject, _vectors: Mapping[str, Any], lengths: Sequence[int], context: int
) -> list[Timing]:
    """Times texts of each length both ways, with the key schedule made before."""
    size = subject.sizes["block"]
    setup = (some_bytes(subject.sizes["key"], "key"), some_bytes(size, "iv"))
    whole_blocks = [length for length in lengths if length % size == 0]
    timings = []
    for operation in ("encrypt", "decrypt"):
        if operation not in subject.functions:
            continue
        for length in whole_blocks:
            block = Buffer(some_bytes(length, "text"))
            steps = _steps(subject, operation, setup, block, context)
            needs = (expansion(subject, operation), operation)
            timings.append(Timing(operation, length, steps, (1,), needs, size))
    return timings
