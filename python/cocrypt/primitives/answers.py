"""Known answers in the forms of NIST's `.rsp` files and of SUPERCOP's KAT files.

Both are records of `Name = value`, with an empty line between them. A line in brackets holds for
the records behind it, and so does a block with neither text nor answer, as the key in NIST's
files of CCM. Names differ between makers; what they mean is one table here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.primitives.vectors import Vector, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

# What is called how, in lower case, by the role that it has here.
NAMES: Mapping[str, tuple[str, ...]] = {
    "key": ("key", "keys"),
    "iv": ("iv", "nonce"),
    "text": ("plaintext", "pt", "payload", "p"),
    "result": ("ciphertext", "ct", "c"),
    "ad": ("ad", "aad", "adata"),
    "message": ("msg", "message", "m"),
    "digest": ("md", "digest", "squeezed", "output"),
    "tag": ("mac", "tag"),
    "public": ("pk",),
    "secret": ("sk",),
    "shared": ("ss",),
    "signed": ("sm",),
}
# A block without any of these is about the records behind it.
ANSWERS = {name for role in ("result", "digest", "tag", "shared", "signed") for name in NAMES[role]}
# A block that states one of these is a record of its own, never about those behind it.
ASKED = {name for role in ("text", "message") for name in NAMES[role]}
# The table of a kind's vectors, and what each must have, by role.
NEEDED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "block_cipher": ("encrypt", ("key", "text", "result")),
    "mode": ("encrypt", ("key", "text", "result")),
    "stream_cipher": ("crypt", ("key", "text", "result")),
    "hash": ("hash", ("message", "digest")),
    "mac": ("mac", ("key", "message", "tag")),
    "aead": ("seal", ("key", "iv", "text", "result")),
    "kem": ("decapsulate", ("secret", "result", "shared")),
    "signing": ("verify", ("public", "message", "signed")),
}
# By kind: how a record says how long something is, of what, and how many bits its unit has.
LENGTHS: Mapping[str, tuple[tuple[str, str, int], ...]] = {
    "hash": (("len", "message", 1), ("outputlen", "digest", 1)),
    "mac": (
        *(("len", "message", 1), ("mlen", "message", 8)),
        *(("klen", "key", 8), ("tlen", "tag", 8)),
    ),
    "aead": (
        *(("alen", "ad", 8), ("plen", "text", 8), ("tlen", "tag", 8)),
        *(("aadlen", "ad", 1), ("ptlen", "text", 1), ("taglen", "tag", 1)),
    ),
    "signing": (("mlen", "message", 8), ("smlen", "signed", 8)),
}
MOST_BITS = 1 << 32
# How the makers' comments and names of files say that records go on from one another.
MONTE_CARLO = re.compile(r"(?i)(?:monte|mct)\d*\b")


def read(path: Path, kind: str) -> dict[str, list[Vector]]:
    """The vectors of a file, as those of a kind of primitive, with their lines.

    Raises `InputError` where it holds no record that such a primitive could be checked with, for
    a record that is not whole, and for Monte Carlo tests, whose answers are those of thousands of
    calls.
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
    found = [_vector(one, kind) for one in records(path, text)] if kind in NEEDED else []
    vectors = [one for one in found if one is not None]
    if not vectors:
        raise InputError(
            f"{path} holds no known answers for a primitive of kind `{kind}`",
            "records of `Name = value` are expected, as in NIST's .rsp files",
        )
    return {NEEDED[kind][0]: vectors}


def _comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.lstrip().startswith("#")]


def records(path: Path, text: str) -> Iterator[Vector]:
    """The records of a text, with what holds for them; names are in lower case."""
    settings, one = Vector({}, path), Vector({}, path)
    for line, raw in enumerate([*text.splitlines(), ""], start=1):
        content = raw.strip()
        if content.startswith("#"):
            continue
        if content.startswith("["):
            # Behind a section's name or setting, the earlier ones of the same name are over.
            for name, value in re.findall(r"(\w+)\s*(?:=\s*(\w+))?", content):
                if value:
                    _state(settings, name, value.lower(), line)
        elif content == "FAIL":
            # NIST's files of GCM say so of what must be refused, where those of CCM name it.
            _state(one, "result", content, line)
        elif "=" in content:
            name, value = (part.strip() for part in content.split("=", 1))
            _require_first(one, name, line)
            _state(one, name, value, line)
        elif ANSWERS.isdisjoint(one):
            _require_answer(one)
            for name in one:
                _state(settings, name, one[name], one.lines[name])
            one = Vector({}, path)
        else:
            # A record begins with its own first line, not with what holds for it.
            lines = {**settings.lines, **one.lines, "": min(one.lines.values())}
            yield Vector({**settings, **one}, path, lines)
            one = Vector({}, path)


def _state(one: Vector, name: str, value: str, line: int) -> None:
    one[name.lower()], one.lines[name.lower()] = value, line


def _require_first(one: Vector, name: str, line: int) -> None:
    """Sees to it that a record has one answer, and not that of the next one too."""
    if name.lower() in ANSWERS and name.lower() in one:
        raise InputError(
            f"{one.path}:{line}: a record states `{name}` a second time",
            "put an empty line between records",
        )


def _require_answer(one: Vector) -> None:
    """Sees to it that no record is passed over whose answer is not there."""
    for name in one:
        if name in ASKED:
            raise wrong(
                one,
                name,
                f"a record states `{name}`, and no answer to it",
                "give the answer before the next empty line, or leave the record out",
            )


def _vector(one: Vector, kind: str) -> Vector | None:
    """A record as a vector in our form; None for one that is about something else."""
    if one.get("offset", "0") not in ("", "0") or "initial_block_counter" in one:
        # These begin within a stream, where a vector of ours begins at its start.
        return None
    found = Vector({}, one.path, one.lines)
    for role, names in NAMES.items():
        first = next((name for name in names if name in one), None)
        if first is not None:
            _put(found, role, one[first], first)
    _put_keys(one, kind, found)
    if kind == "aead" and one.get("result", "").startswith(("F", "f")):
        found |= {"refused": True, "text": ""}
        found |= {"tag_size": len(found["tag"]) // 2} if "tag" in found else {}
    for role in NEEDED[kind][1]:
        if role not in found:
            lacks = f"a record lacks `{NAMES[role][0]}`"
            raise wrong(one, None, lacks, f"give all that a vector of a `{kind}` has")
    if not all(_is_whole(one, found, *stated) for stated in LENGTHS.get(kind, ())):
        return None
    return _renamed(found, kind)


def _put(found: Vector, role: str, value: str, name: str) -> None:
    """Takes a value over, and its line with it."""
    found[role] = value
    if name in found.lines:
        found.lines[role] = found.lines[name]


def _put_keys(one: Vector, kind: str, found: Vector) -> None:
    """The key of Triple DES, which is three, be they stated one by one or the same."""
    names = ("key1", "key2", "key3")
    lacking = [name.upper() for name in names if name not in one]
    if len(lacking) == len(names):
        if kind in ("block_cipher", "mode") and "keys" in one:
            found["key"] = one["keys"] * 3
        return
    if lacking:
        said = f"a record states keys one by one, and lacks {' and '.join(lacking)}"
        raise wrong(one, None, said, "state KEY1, KEY2 and KEY3, or the same for all as KEYs")
    _put(found, "key", "".join(one[name] for name in names), "key1")


def _is_whole(one: Vector, found: Vector, name: str, role: str, unit: int) -> bool:
    """Whether something has whole bytes; raises `InputError` unless it has as many as it says.

    Where there is nothing, NIST writes a zero. What ends within a byte is none of ours. Of what
    must be refused no text is stated, but its length is.
    """
    if name not in one or (role not in found and role != "tag"):
        return True
    bits = unit * _count(one, name)
    if bits % 8:
        return False
    size = bits // 8
    if role in ("tag", "digest"):
        found[f"{role}_size"], found.lines[f"{role}_size"] = size, one.lines[name]
        return True
    if size == 0 and found[role] in ("", "00"):
        found[role] = ""
    elif not ("refused" in found and role == "text") and len(unhex(found, role)) != size:
        said = f"a record gives {len(unhex(found, role))} bytes, where `{name}` says {size}"
        raise wrong(found, role, said, f"give as many as it says, or correct `{name}`")
    return True


def _count(one: Vector, name: str) -> int:
    text = one[name]
    if not (text.isascii() and text.isdecimal() and len(text) < 12 and int(text) <= MOST_BITS):
        raise wrong(one, name, f"`{name} = {text[:40]}` is no number", "write decimal digits alone")
    return int(text)


def _renamed(found: Vector, kind: str) -> Vector:
    """What some kinds call otherwise than the files' makers."""
    if kind == "aead":
        found["result"] += found.pop("tag", "")
    if kind in ("aead", "stream_cipher"):
        _put(found, "nonce", found.pop("iv", ""), "iv")
    if kind == "kem":
        _put(found, "ciphertext", found.pop("result"), "result")
    return found
