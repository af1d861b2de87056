"""Authenticated encryption: sealing a text, and opening it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import given, stated
from cocrypt.primitives.script import Buffer, Check, Numbers, Step, Timing, some_bytes, turned
from cocrypt.primitives.vectors import label, refused, sized, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Checks of each vector: sealed, opened, and refused with a bit of its tag turned."""
    checks = []
    for index, vector in enumerate(vectors.get("seal", [])):
        key, nonce = (given(subject, "seal", vector, role) for role in ("key", "nonce"))
        setup, name = (key, nonce, unhex(vector, "ad", "")), label(subject.name, index, vector)
        checks_of = _refused if refused(vector) else _good
        checks += checks_of(subject, vector, setup, name)
    return checks


def _refused(
    subject: Subject, vector: Mapping[str, Any], setup: Sequence[bytes], name: str
) -> list[Check]:
    """Checks of a text that must be refused, if the function takes tags of its size."""
    size, is_made = stated(subject, "open", vector, "tag")
    sealed = unhex(vector, "result")
    if len(sealed) < size:
        problem = f"`result` of a vector has {len(sealed)} bytes, its tag {size}"
        raise wrong(vector, "result", problem, "give the text with its whole tag")
    if not is_made or "open" not in subject.functions:
        return []
    return [refusal(subject, setup, sealed, name, size)]


def _good(
    subject: Subject, vector: Mapping[str, Any], setup: Sequence[bytes], name: str
) -> list[Check]:
    """Checks of a text: sealed, opened, and refused; a tag that is cut is only compared."""
    size, is_made = stated(subject, "seal", vector, "tag")
    text, usual = unhex(vector, "text", ""), subject.sizes["tag"]
    result = sized(vector, "result", len(text) + size)
    if not is_made and size > usual:
        problem = f"a vector has a tag of {size} bytes, where the function makes {usual}"
        raise wrong(vector, "tag_size", problem, "leave it out")
    checks = []
    if "seal" in subject.functions:
        checks.append(sealing(subject, setup, (text, result), name))
    if "open" in subject.functions and stated(subject, "open", vector, "tag")[1]:
        checks.append(opening(subject, setup, (result, text), name))
        checks.append(refusal(subject, setup, turned(result), name, size))
    return checks


def _setup(setup: Sequence[bytes]) -> dict[str, Buffer | int]:
    key, nonce, ad = (Buffer(content) for content in setup)
    return {"key": key, "nonce": nonce, "ad": ad, "zero": 0}


def _tag(text: bytes, result: bytes) -> int:
    return len(result) - len(text)


def sealing(
    subject: Subject, setup: Sequence[bytes], texts: tuple[bytes, bytes], label: str
) -> Check:
    """A check of sealing: key, nonce and associated data; text, and expected text and tag."""
    (text, result), label = texts, f"{label}, seal"
    is_told = subject.takes("seal", "tag_size")
    size = _tag(text, result) if is_told else subject.sizes["tag"]
    out = Buffer(size=len(text) + size)
    roles = {**_setup(setup), "text": Buffer(text), "result": out, "tag_size": size}
    step, length = _with_length(subject, "seal", roles, out.size)
    if out.size > len(result):
        return Check(label, (step,), begins=((out, result), *length))
    return Check(label, (step,), ((out, result),), begins=length)


def opening(
    subject: Subject, setup: Sequence[bytes], texts: tuple[bytes, bytes], label: str
) -> Check:
    """A check of opening: text and tag, and the expected text."""
    sealed, text = texts
    out = Buffer(size=len(text))
    roles = {**_setup(setup), "text": Buffer(sealed), "result": out, "tag_size": _tag(text, sealed)}
    step, length = _with_length(subject, "open", roles, len(text))
    return Check(f"{label}, open", (step,), ((out, text),), ((step, 0),), begins=length)


def refusal(
    subject: Subject, setup: Sequence[bytes], sealed: bytes, label: str, tag: int | None = None
) -> Check:
    """A check of a text with a wrong tag, which must be refused without a byte of it given away."""
    size = min(subject.sizes["tag"] if tag is None else tag, len(sealed))
    plain = len(sealed) - size
    out = Buffer(b"\xa5" * plain)
    roles = {**_setup(setup), "text": Buffer(sealed), "result": out, "tag_size": size}
    step, _ = _with_length(subject, "open", roles, plain)
    # Others' code must refuse, but need not clear its output.
    cleared = () if subject.discovered else ((out, bytes(plain)),)
    return Check(f"{label}, turned", (step,), cleared, ((step, -1),))


def _with_length(
    subject: Subject, operation: str, roles: dict[str, Buffer | int], size: int
) -> tuple[Step, tuple[tuple[Buffer, Numbers], ...]]:
    """The call with a buffer for the output's length, if the function returns one, and its value.

    The length has 32 bits or 64.
    """
    if not subject.takes(operation, "result_length"):
        return Step(operation, roles), ()
    length = Buffer(size=8)
    step = Step(operation, {**roles, "result_length": length})
    return step, ((length, Numbers((size,))),)


def timings(
    subject: Subject, _vectors: Mapping[str, Any], lengths: Sequence[int], _context: int
) -> list[Timing]:
    """Times texts of each length without associated data, both ways."""
    key, nonce = (some_bytes(subject.sizes[name], name) for name in ("key", "nonce"))
    tag = subject.sizes["tag"]
    parameters = len(key) + len(nonce) + tag
    timings = []
    for length in lengths:
        roles = _setup((key, nonce, b"")) | {"tag_size": tag}
        text, sealed = Buffer(some_bytes(length, "text")), Buffer(size=length + tag)
        seal, _ = _with_length(subject, "seal", {**roles, "text": text, "result": sealed}, 0)
        timings.append(Timing("seal", length, (seal,), (0,), ("seal",), parameters))
        if "open" in subject.functions:
            out = Buffer(size=length + tag)
            opened, _ = _with_length(subject, "open", {**roles, "text": sealed, "result": out}, 0)
            steps, needs = (seal, opened), ("seal", "open")
            results = ((opened, 0),)
            timings.append(Timing("open", length, steps, (1,), needs, parameters, results))
    return timings
