"""Readers of other libraries' vectors in columns, and in chains."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forms import unhex
from placing import CURVES, Answer, Values

if TYPE_CHECKING:
    from collections.abc import Iterator


def columns(text: str, cipher: str) -> Iterator[Answer]:
    """Key, text and result in turn, with spaces between them."""
    words = text.split()
    for at in range(0, len(words), 3):
        key, plain, result = (unhex(word) for word in words[at : at + 3])
        yield Answer(cipher, {"key": key, "text": plain, "result": result})


def des3_columns(text: str) -> Iterator[Answer]:
    """Two and three keys; the third line is of DES-XEX3."""
    *lines, title = text.splitlines()
    for line in lines:
        yield from columns(line, "3des")
    assert title.split()[0].startswith("01234567")
    yield Answer("3des", why="DES-XEX3")


def rc2_columns(text: str) -> Iterator[Answer]:
    """Bytes of the key, effective bits, key, text and result, broken at any column."""
    words, at = text.split(), 0
    while at < len(words):
        size, bits = int(words[at], 16), int(words[at + 1], 16)
        parts, at = [], at + 2
        for length in (size, 8, 8):
            part = b""
            while len(part) < length:
                part, at = part + unhex(words[at]), at + 1
            parts.append(part)
        values: Values = dict(zip(("key", "text", "result"), parts, strict=True))
        yield Answer("rc2", values, "" if bits == 128 else "other effective bits of a key")


# LibTomCrypt: the result of a step is an input of the next one.


def _counted(size: int) -> bytes:
    return bytes(index % 256 for index in range(size))


def _titled(text: str) -> Iterator[tuple[str, list[str]]]:
    """A title, and the lines below it that are numbered or in columns."""
    title, lines = "", list[str]()
    for raw in [*text.splitlines(), "end-"]:
        line = raw.strip()
        if re.match(r"\d+: |[0-9A-F]+, ", line):
            lines.append(line)
        elif line:
            if lines:
                yield title, lines
            title, lines = line, []


def tomcrypt_ciphers(text: str) -> Iterator[Answer]:
    """The result of a block is the next text and, repeated, the next key."""
    cipher = ""
    for part in re.split(r"(?m)^(?=Cipher: |Key Size: )", text)[1:]:
        title, *lines = part.strip().splitlines()
        if title.startswith("Cipher: "):
            cipher = title.removeprefix("Cipher: ")
            continue
        results = [unhex(line.split(": ")[1]) for line in lines if re.match(r"\s*\d+: ", line)]
        key, block = _counted(int(title.split()[2])), _counted(len(results[0]))
        for result in results:
            yield Answer(cipher, {"key": key, "text": block, "result": result})
            key, block = (result * len(key))[: len(key)], result


def tomcrypt_hashes(text: str) -> Iterator[Answer]:
    """Messages of increasing length."""
    for title, lines in _titled(text):
        for line in lines:
            size, digest = line.split(": ")
            message = _counted(int(size))
            values: Values = {"message": message, "digest": unhex(digest)}
            yield Answer(title.removeprefix("Hash: "), values)


def tomcrypt_macs(text: str) -> Iterator[Answer]:
    """A tag is the next key."""
    for title, lines in _titled(text):
        key = b""
        for line in lines:
            size, tag = line.split(": ")
            key = key or _counted(len(tag) // 2)
            yield Answer(title, {"key": key, "message": _counted(int(size)), "tag": unhex(tag)})
            key = unhex(tag)


def tomcrypt_ccm(text: str) -> Iterator[Answer]:
    """A tag is the next key; as much associated data as text."""
    for title, lines in _titled(text):
        key = _counted(16)
        for line in lines:
            size, result = line.split(":")
            sealed, tag = result.split(",")
            plain = _counted(int(size))
            values: Values = {"key": key, "nonce": _counted(13), "ad": plain, "text": plain}
            yield Answer(title.split()[0], {**values, "result": unhex(sealed), "tag": unhex(tag)})
            key = unhex(tag)


def tomcrypt_curves(text: str) -> Iterator[Answer]:
    """Multiples of the base point; only some of the sizes identify the curve."""
    names = {"ECC-192": "secp192r1", "ECC-256": "secp256r1"}
    for title, lines in _titled(text):
        curve = names.get(title, title)
        for line in lines:
            if curve not in CURVES:
                yield Answer(curve)
                break
            size = CURVES[curve][1]
            secret, x, y = (int(number, 16).to_bytes(size) for number in line.split(", "))
            yield Answer(curve, {"secret": secret, "public": x + y})
