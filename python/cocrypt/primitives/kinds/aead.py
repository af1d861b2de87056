"""Authenticated encryption: sealing a text, and opening it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import given, stated
from cocrypt.primitives.script import Buffer, Check, Step, Timing, some_bytes, turned
from cocrypt.primitives.vectors import label, refused, sized, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject


def checks(subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
    """Each vector sealed, opened, and refused with a bit of its tag turned."""
    found = []
    for index, one in enumerate(vectors.get("seal", [])):
        key, nonce = (given(subject, "seal", one, role) for role in ("key", "nonce"))
        setup, name = (key, nonce, unhex(one, "ad", "")), label(subject.name, index, one)
        make = _refused if refused(one) else _good
        found += make(subject, one, setup, name)
    return found


def _refused(
    subject: Subject, vector: Mapping[str, Any], setup: Sequence[bytes], name: str
) -> list[Check]:
    """A text that must be refused, as far as the function takes tags of its size."""
    size, is_made = stated(subject, "open", vector, "tag")
    sealed = unhex(vector, "result")
    if len(sealed) < size:
        said = f"`result` of a vector has {len(sealed)} bytes, its tag {size}"
        raise wrong(vector, "result", said, "give the text with its whole tag")
    if not is_made or "open" not in subject.functions:
        return []
    return [refusal(subject, setup, sealed, name, size)]


def _good(
    subject: Subject, vector: Mapping[str, Any], setup: Sequence[bytes], name: str
) -> list[Check]:
    """A text sealed, opened, and refused; a tag that is cut can only be looked at."""
    size, is_made = stated(subject, "seal", vector, "tag")
    text, usual = unhex(vector, "text", ""), subject.sizes["tag"]
    result = sized(vector, "result", len(text) + size)
    if not is_made and size > usual:
        said = f"a vector has a tag of {size} bytes, where the function makes {usual}"
        raise wrong(vector, "tag_size", said, "leave it out")
    found = []
    if "seal" in subject.functions:
        found.append(sealing(subject, setup, (text, result), name))
    if "open" in subject.functions and stated(subject, "open", vector, "tag")[1]:
        found.append(opening(subject, setup, (result, text), name))
        found.append(refusal(subject, setup, turned(result), name, size))
    return found


def _setup(setup: Sequence[bytes]) -> dict[str, Buffer | int]:
    key, nonce, ad = (Buffer(one) for one in setup)
    return {"key": key, "nonce": nonce, "ad": ad, "zero": 0}


def _tag(text: bytes, result: bytes) -> int:
    return len(result) - len(text)


def sealing(
    subject: Subject, setup: Sequence[bytes], texts: tuple[bytes, bytes], label: str
) -> Check:
    """Key, nonce and associated data; text, and text and tag that must come of it."""
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
    """The way back: text and tag, and the text that must come of it."""
    sealed, text = texts
    out = Buffer(size=len(text))
    roles = {**_setup(setup), "text": Buffer(sealed), "result": out, "tag_size": _tag(text, sealed)}
    step, length = _with_length(subject, "open", roles, len(text))
    return Check(f"{label}, open", (step,), ((out, text),), ((step, 0),), begins=length)


def refusal(
    subject: Subject, setup: Sequence[bytes], sealed: bytes, label: str, tag: int | None = None
) -> Check:
    """A text with a wrong tag, which must be refused without a byte of it given away."""
    size = min(subject.sizes["tag"] if tag is None else tag, len(sealed))
    plain = len(sealed) - size
    out = Buffer(b"\xa5" * plain)
    roles = {**_setup(setup), "text": Buffer(sealed), "result": out, "tag_size": size}
    step, _ = _with_length(subject, "open", roles, plain)
    # Others' code says no, but need not clear what it has made.
    cleared = () if subject.discovered else ((out, bytes(plain)),)
    return Check(f"{label}, turned", (step,), cleared, ((step, -1),))


def _with_length(
    subject: Subject, operation: str, roles: dict[str, Buffer | int], made: int
) -> tuple[Step, tuple[tuple[Buffer, bytes], ...]]:
    """Where the function says how many bytes it has made, it needs a place, and must be right.

    Its size is 32 bits or 64, of which the lower ones come first.
    """
    if not subject.takes(operation, "result_length"):
        return Step(operation, roles), ()
    place = Buffer(size=8)
    step = Step(operation, {**roles, "result_length": place})
    return step, ((place, made.to_bytes(4, "little")),)


def timings(
    subject: Subject, _vectors: Mapping[str, Any], lengths: Sequence[int], _context: int
) -> list[Timing]:
    """Texts of each length without associated data, both ways."""
    key, nonce = (some_bytes(subject.sizes[name], name) for name in ("key", "nonce"))
    tag = subject.sizes["tag"]
    parameters = len(key) + len(nonce) + tag
    found = []
    for length in lengths:
        roles = _setup((key, nonce, b"")) | {"tag_size": tag}
        text, sealed = Buffer(some_bytes(length, "text")), Buffer(size=length + tag)
        seal, _ = _with_length(subject, "seal", {**roles, "text": text, "result": sealed}, 0)
        found.append(Timing("seal", length, (seal,), (0,), ("seal",), parameters))
        if "open" in subject.functions:
            out = Buffer(size=length + tag)
            back, _ = _with_length(subject, "open", {**roles, "text": sealed, "result": out}, 0)
            steps, needs = (seal, back), ("seal", "open")
            good = ((back, 0),)
            found.append(Timing("open", length, steps, (1,), needs, parameters, good))
    return found
