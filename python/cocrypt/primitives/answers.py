"""Known answers in the forms of NIST's `.rsp` files and of SUPERCOP's KAT files.

Both are records of `Name = value`, with an empty line between them. A line in brackets holds for
the records behind it, and so does a block of lines that has no answer in it, as the key in NIST's
files of CCM. Names differ between makers; what they mean is one table here.
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
# A block without any of these is about the records behind it.
ANSWERS = {name for role in ("result", "digest", "tag", "shared") for name in NAMES[role]} | {"sm"}
# How the makers' comments and names of files say that records go on from one another.
MONTE_CARLO = re.compile(r"(?i)(?:monte|mct)\d*\b")


def read(path: Path, kind: str) -> dict[str, list[dict[str, Any]]]:
    """The vectors of a file, as those of a kind of primitive.

    Raises `InputError` where it holds no record that such a primitive could be checked with, and
    for Monte Carlo tests, whose answers are those of thousands of calls.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    if MONTE_CARLO.search("\n".join([path.name, *_comments(text)])):
        raise InputError(
            f"{path} is a Monte Carlo test, where an answer is what thousands of calls have made",
            "give files whose records stand by themselves, as those of NIST's other tests",
        )
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


def _comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.lstrip().startswith("#")]


def records(text: str) -> Iterator[Record]:
    """The records of a text, with what holds for them; names are in lower case."""
    settings: Record = {}
    one: Record = {}
    for raw in [*text.splitlines(), ""]:
        line = raw.strip()
        if line.startswith("#"):
            continue
        if line.startswith("["):
            # Behind a section's name or setting, the earlier ones of the same name are over.
            inside = re.findall(r"(\w+)\s*(?:=\s*(\w+))?", line)
            settings |= {name.lower(): value.lower() for name, value in inside if value}
        elif line == "FAIL":
            # NIST's files of GCM say so of what must be refused, where those of CCM name it.
            one["result"] = line
        elif "=" in line:
            name, value = (part.strip() for part in line.split("=", 1))
            one[name.lower()] = value
        elif ANSWERS.isdisjoint(one):
            # A message belongs to its own answer.
            settings |= {name: one[name] for name in one if name not in NAMES["message"]}
            one = {}
        else:
            yield {**settings, **one}
            one = {}


def _vectors(one: Record, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a record says of a primitive of a kind."""
    got = {
        role: one[name] for role, names in NAMES.items() for name in reversed(names) if name in one
    }
    if "key1" in one:
        # Of Triple DES.
        got["key"] = "".join(one[f"key{index}"] for index in (1, 2, 3))
    if kind == "aead" and one.get("result", "").startswith(("F", "f")):
        got["text"] = ""
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
    if kind in ("block_cipher", "mode") and "keys" in one:
        # Three keys of Triple DES that are the same.
        vector["key"] = got["key"] * 3
    if one.get("offset", "0") not in ("", "0") or "initial_block_counter" in one:
        # These begin within a stream, where a vector of ours begins at its start.
        return
    if kind == "aead":
        vector |= _sealed(one, got)
    if kind in ("aead", "stream_cipher"):
        vector["nonce"] = vector.pop("iv", "")
    if kind == "signing":
        if "sm" not in one:
            return
        vector["signed"] = one["sm"]
    if kind == "kem":
        vector["ciphertext"] = vector.pop("result")
    yield table, vector


def _sealed(one: Record, got: dict[str, str]) -> dict[str, Any]:
    """What authenticated ciphers have of their own: sizes in bytes, and texts to be refused."""
    made: dict[str, Any] = {"result": got["result"] + got.get("tag", "")}
    for role, name in (("ad", "alen"), ("text", "plen")):
        if name in one and role in got:
            # Where there is nothing, NIST writes a zero.
            made[role] = got[role][: 2 * int(one[name])]
    if one.get("result", "").startswith(("F", "f")):
        tag = int(one["tlen"]) if "tlen" in one else len(got.get("tag", "")) // 2
        made |= {"refused": True, "tag_size": tag}
    return made
