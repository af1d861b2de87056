"""Authenticated encryption: sealing a text, and opening it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import some_bytes, unhex
from cocrypt.primitives.script import Buffer, Check, Step, Timing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Each vector sealed, opened, and refused with a bit of its tag turned."""
    found = []
    for index, one in enumerate(vectors.get("seal", [])):
        setup = tuple(unhex(one, name, "") for name in ("key", "nonce", "ad"))
        text, result = unhex(one, "text", ""), unhex(one, "result")
        label = f"{subject.name} vector {index + 1}"
        if one.get("refused"):
            found.append(refusal(subject, setup, result, label, one.get("tag_size")))
            continue
        found.append(sealing(subject, setup, (text, result), label))
        if "open" in subject.functions:
            found.append(opening(subject, setup, (result, text), label))
            turned = result[:-1] + bytes([result[-1] ^ 1])
            found.append(refusal(subject, setup, turned, label, _tag(text, result)))
    return found


def _given(setup: Sequence[bytes]) -> dict[str, Buffer | int]:
    key, nonce, ad = (Buffer(one) for one in setup)
    return {"key": key, "nonce": nonce, "ad": ad, "zero": 0}


def _tag(text: bytes, result: bytes) -> int:
    return len(result) - len(text)


def sealing(
    subject: Subject, setup: Sequence[bytes], texts: tuple[bytes, bytes], label: str
) -> Check:
    """Key, nonce and associated data; text, and text and tag that must come of it."""
    text, result = texts
    out = Buffer(size=len(result))
    given = {**_given(setup), "text": Buffer(text), "result": out, "tag_size": _tag(text, result)}
    return Check(f"{label}, seal", (_with_length(subject, "seal", given),), ((out, result),))


def opening(
    subject: Subject, setup: Sequence[bytes], texts: tuple[bytes, bytes], label: str
) -> Check:
    """The way back: text and tag, and the text that must come of it."""
    sealed, text = texts
    out = Buffer(size=len(text))
    given = {**_given(setup), "text": Buffer(sealed), "result": out, "tag_size": _tag(text, sealed)}
    step = _with_length(subject, "open", given)
    return Check(f"{label}, open", (step,), ((out, text),), ((step, 0),))


def refusal(
    subject: Subject, setup: Sequence[bytes], sealed: bytes, label: str, tag: int | None = None
) -> Check:
    """A text with a wrong tag, which must be refused without a byte of it given away."""
    size = min(subject.sizes["tag"] if tag is None else tag, len(sealed))
    plain = len(sealed) - size
    out = Buffer(b"\xa5" * len(sealed))
    given = {**_given(setup), "text": Buffer(sealed), "result": out, "tag_size": size}
    step = _with_length(subject, "open", given)
    # Others' code says no, but need not clear what it has made.
    cleared = () if subject.discovered else ((out, bytes(plain)),)
    return Check(f"{label}, turned", (step,), cleared, ((step, -1),))


def _with_length(subject: Subject, operation: str, given: dict[str, Buffer | int]) -> Step:
    """Where the function says how many bytes it has made, it needs a place for that."""
    if "result_length" in subject.functions[operation].arguments:
        given = {**given, "result_length": Buffer(size=8)}
    return Step(operation, given)


def timings(
    subject: Subject, _vectors: Mapping[str, Any], lengths: Sequence[int], _context: int
) -> list[Timing]:
    """Texts of each length without associated data, both ways."""
    key, nonce = (some_bytes(subject.sizes[name], name) for name in ("key", "nonce"))
    tag = subject.sizes["tag"]
    parameters = len(key) + len(nonce) + tag
    found = []
    for length in lengths:
        given = _given((key, nonce, b"")) | {"tag_size": tag}
        text, sealed = Buffer(some_bytes(length, "text")), Buffer(size=length + tag)
        seal = _with_length(subject, "seal", {**given, "text": text, "result": sealed})
        found.append(Timing("seal", length, (seal,), (0,), ("seal",), parameters))
        if "open" in subject.functions:
            out = Buffer(size=length + tag)
            back = _with_length(subject, "open", {**given, "text": sealed, "result": out})
            steps, needs = (seal, back), ("seal", "open")
            found.append(Timing("open", length, steps, (1,), needs, parameters))
    return found
