"""Stream ciphers: key set-up, and a key stream over a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import given, same
from cocrypt.primitives.script import Buffer, Check, Step, Timing, some_bytes
from cocrypt.primitives.vectors import label, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject


def checks(subject: Subject, vectors: Mapping[str, Any], context: int) -> list[Check]:
    """A check of each vector in one piece, behind the bytes of the stream that it skips."""
    checks = []
    for index, vector in enumerate(vectors.get("crypt", [])):
        key = given(subject, "init", vector, "key")
        nonce = given(subject, "init", vector, "nonce") if "nonce" in subject.sizes else b""
        texts, skip = same(vector, "text", "result"), number(vector, "skip", 0)
        name = label(subject.name, index, vector)
        checks.append(crypt((key, nonce), texts, skip, name, context))
    return checks


def crypt(
    setup: tuple[bytes, bytes], texts: tuple[bytes, bytes], skip: int, label: str, context: int
) -> Check:
    """A check of key and nonce, text and result."""
    state, (text, result) = Buffer(size=context), texts
    steps, skipped = [_init(state, *setup)], Buffer(size=min(skip, 1024))
    while skip > 0:
        part = min(skip, skipped.size)
        steps.append(Step("crypt", {**_through(state, skipped), "text_size": part}))
        skip -= part
    block = Buffer(text)
    steps.append(Step("crypt", _through(state, block)))
    return Check(label, tuple(steps), ((block, result),))


def _init(state: Buffer, key: bytes, nonce: bytes) -> Step:
    return Step("init", {"state": state, "key": Buffer(key), "nonce": Buffer(nonce)})


def _through(state: Buffer, block: Buffer) -> dict[str, Buffer]:
    return {"state": state, "text": block, "result": block}


def timings(
    subject: Subject, _vectors: Mapping[str, Any], lengths: Sequence[int], context: int
) -> list[Timing]:
    """Times the set-up, and texts of each length."""
    key, nonce = (some_bytes(subject.sizes.get(name, 0), name) for name in ("key", "nonce"))
    state = Buffer(size=context)
    init = _init(state, key, nonce)
    timings = [Timing("init", None, (init,), (0,), ("init",), len(key) + len(nonce))]
    for length in lengths:
        text = Buffer(some_bytes(length, "text"))
        steps = (init, Step("crypt", _through(state, text)))
        timings.append(Timing("crypt", length, steps, (1,), ("init", "crypt"), 0))
    return timings
