"""Known answers in the forms of NIST's `.rsp` files and of SUPERCOP's KAT files.

Both are records of `Name = value`, with an empty line between them; a line in brackets holds for
the records behind it. Names differ between makers; what they mean is one table here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Record = dict[str, str]

# What is called how, in lower case, by the role that it has here.
NAMES: Mapping[str, tuple[str, ...]] = {
    "key": ("key", "keys"),
    "iv": ("iv", "nonce"),
    "text": ("plaintext", "pt", "payload", "p"),
    "result": ("ciphertext", "ct", "c"),
    "ad": ("ad", "aad", "adata"),
    "message": ("msg", "message", "m"),
    "digest": ("md", "digest", "squeezed"),
    "tag": ("mac", "tag"),
    "public": ("pk",),
    "secret": ("sk",),
    "shared": ("ss",),
}


def read(path: Path, kind: str) -> dict[str, list[dict[str, Any]]]:
    """The vectors of a file, as those of a kind of primitive.

    Raises `InputError` where it holds no record that such a primitive could be checked with.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    found: dict[str, list[dict[str, Any]]] = {}
    for one in records(text):
        for table, vector in _vectors(one, kind):
            found.setdefault(table, []).append(vector)
    if not found:
        raise InputError(
            f"{path} holds no known answers for a primitive of kind `{kind}`",
            "records of `Name = value` are expected, as in NIST's .rsp files",
        )
    return found


def records(text: str) -> Iterator[Record]:
    """The records of a text; names are in lower case."""
    section: Record = {}
    one: Record = {}
    for raw in [*text.splitlines(), ""]:
        line = raw.strip()
        if line.startswith("#"):
            continue
        if line.startswith("["):
            # Behind a section's name or setting, the earlier ones of the same name are over.
            inside = re.findall(r"(\w+)\s*(?:=\s*(\w+))?", line)
            section |= {name.lower(): value.lower() for name, value in inside if value}
        elif "=" in line:
            name, value = (part.strip() for part in line.split("=", 1))
            one[name.lower()] = value
        elif one:
            yield {**section, **one}
            one = {}
    if one:
        yield {**section, **one}


def _vectors(one: Record, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a record says of a primitive of a kind."""
    got = {
        role: one[name] for role, names in NAMES.items() for name in reversed(names) if name in one
    }
    needed = NEEDED.get(kind, {})
    for table, roles in needed.items():
        if all(role in got for role in roles):
            yield from _finished(table, kind, one, got)


NEEDED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "block_cipher": {"encrypt": ("key", "text", "result")},
    "mode": {"encrypt": ("key", "text", "result")},
    "stream_cipher": {"crypt": ("key", "text", "result")},
    "hash": {"hash": ("message", "digest")},
    "mac": {"mac": ("key", "message", "tag")},
    "aead": {"seal": ("key", "iv", "text", "result")},
    "kem": {"decapsulate": ("secret", "result", "shared")},
    "signing": {"verify": ("public", "message")},
}


def _finished(
    table: str, kind: str, one: Record, got: dict[str, str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """A vector in our form."""
    vector: dict[str, Any] = dict(got)
    if kind in ("hash", "mac") and "len" in one:
        bits = int(one["len"])
        if bits % 8:
            # Messages that end within a byte are none of ours.
            return
        vector["message"] = got["message"][: bits // 4]
    if kind == "block_cipher" and "keys" in one:
        # Three keys of Triple DES that are the same.
        vector["key"] = got["key"] * 3
    if one.get("offset", "0") not in ("", "0") or "initial_block_counter" in one:
        # These begin within a stream, where a vector of ours begins at its start.
        return
    if kind == "aead" and "tag" in got:
        vector["result"] = got["result"] + vector.pop("tag")
    if kind in ("aead", "stream_cipher"):
        vector["nonce"] = vector.pop("iv", "")
    if kind == "signing":
        if "sm" not in one:
            return
        vector["signed"] = one["sm"]
    if kind == "kem":
        vector["ciphertext"] = vector.pop("result")
    yield table, vector
