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

# The names in the files, in lower case, by their role here.
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
# A block without any of these names holds for the records behind it.
ANSWERS = {name for role in ("result", "digest", "tag", "shared", "signed") for name in NAMES[role]}
# A block with one of these names is a record of its own and holds for no other.
ASKED = {name for role in ("text", "message") for name in NAMES[role]}
# The table of a kind's vectors, and the roles that each vector must have.
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
# By kind: the name of a length in a record, the role that has it, and the bits of its unit.
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
# Comments and file names that announce records of which each continues the one before.
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
    converted = [_vector(record, kind) for record in records(path, text)] if kind in NEEDED else []
    vectors = [vector for vector in converted if vector is not None]
    if not vectors:
        raise InputError(
            f"{path} holds no known answers for a primitive of kind `{kind}`",
            "records of `Name = value` are expected, as in NIST's .rsp files",
        )
    return {NEEDED[kind][0]: vectors}


def _comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.lstrip().startswith("#")]


def records(path: Path, text: str) -> Iterator[Vector]:
    """The records of a text, with the settings that hold for them; names are in lower case."""
    settings, record = Vector({}, path), Vector({}, path)
    for line, raw in enumerate([*text.splitlines(), ""], start=1):
        content = raw.strip()
        if content.startswith("#"):
            continue
        if content.startswith("["):
            # A section's name or setting replaces an earlier one of the same name.
            for name, value in re.findall(r"(\w+)\s*(?:=\s*(\w+))?", content):
                if value:
                    _state(settings, name, value.lower(), line)
        elif content == "FAIL":
            # NIST's GCM files mark input that must be refused so; its CCM files name the result.
            _state(record, "result", content, line)
        elif "=" in content:
            name, value = (part.strip() for part in content.split("=", 1))
            _require_first(record, name, line)
            _state(record, name, value, line)
        elif ANSWERS.isdisjoint(record):
            _require_answer(record)
            for name in record:
                _state(settings, name, record[name], record.lines[name])
            record = Vector({}, path)
        else:
            # A record begins with its own first line, not with that of a setting.
            lines = {**settings.lines, **record.lines, "": min(record.lines.values())}
            yield Vector({**settings, **record}, path, lines)
            record = Vector({}, path)


def _state(record: Vector, name: str, value: str, line: int) -> None:
    record[name.lower()], record.lines[name.lower()] = value, line


def _require_first(record: Vector, name: str, line: int) -> None:
    """Raises `InputError` if a record states an answer twice, as where no empty line follows."""
    if name.lower() in ANSWERS and name.lower() in record:
        raise InputError(
            f"{record.path}:{line}: a record states `{name}` a second time",
            "put an empty line between records",
        )


def _require_answer(record: Vector) -> None:
    """Raises `InputError` for a record that has an input but no answer."""
    for name in record:
        if name in ASKED:
            raise wrong(
                record,
                name,
                f"a record states `{name}`, and no answer to it",
                "give the answer before the next empty line, or leave the record out",
            )


def _vector(record: Vector, kind: str) -> Vector | None:
    """A record as a vector in our form; None for a record that no vector can express."""
    if record.get("offset", "0") not in ("", "0") or "initial_block_counter" in record:
        # Such a record begins within a stream; our vectors begin at its start.
        return None
    vector = Vector({}, record.path, record.lines)
    for role, names in NAMES.items():
        first = next((name for name in names if name in record), None)
        if first is not None:
            _put(vector, role, record[first], first)
    _put_keys(record, kind, vector)
    if kind == "aead" and record.get("result", "").startswith(("F", "f")):
        vector |= {"refused": True, "text": ""}
        vector |= {"tag_size": len(vector["tag"]) // 2} if "tag" in vector else {}
    for role in NEEDED[kind][1]:
        if role not in vector:
            lacks = f"a record lacks `{NAMES[role][0]}`"
            raise wrong(record, None, lacks, f"give all that a vector of a `{kind}` has")
    if not all(_is_whole(record, vector, *stated) for stated in LENGTHS.get(kind, ())):
        return None
    return _renamed(vector, kind)


def _put(vector: Vector, role: str, value: str, name: str) -> None:
    """Stores a value under its role, with its line."""
    vector[role] = value
    if name in vector.lines:
        vector.lines[role] = vector.lines[name]


def _put_keys(record: Vector, kind: str, vector: Vector) -> None:
    """Joins the three keys of Triple DES, stated separately or as one for all."""
    names = ("key1", "key2", "key3")
    lacking = [name.upper() for name in names if name not in record]
    if len(lacking) == len(names):
        if kind in ("block_cipher", "mode") and "keys" in record:
            vector["key"] = record["keys"] * 3
        return
    if lacking:
        problem = f"a record states keys one by one, and lacks {' and '.join(lacking)}"
        raise wrong(record, None, problem, "state KEY1, KEY2 and KEY3, or the same for all as KEYs")
    _put(vector, "key", "".join(record[name] for name in names), "key1")


def _is_whole(record: Vector, vector: Vector, name: str, role: str, unit: int) -> bool:
    """Returns whether a value has whole bytes; raises `InputError` if its length is not as stated.

    NIST writes a zero for an empty value. A value that ends within a byte is left out. A record
    that must be refused states the length of its text, but no text.
    """
    if name not in record or (role not in vector and role != "tag"):
        return True
    bits = unit * _count(record, name)
    if bits % 8:
        return False
    size = bits // 8
    if role in ("tag", "digest"):
        vector[f"{role}_size"], vector.lines[f"{role}_size"] = size, record.lines[name]
        return True
    if size == 0 and vector[role] in ("", "00"):
        vector[role] = ""
    elif not ("refused" in vector and role == "text") and len(unhex(vector, role)) != size:
        problem = f"a record gives {len(unhex(vector, role))} bytes, where `{name}` says {size}"
        raise wrong(vector, role, problem, f"give as many as it says, or correct `{name}`")
    return True


def _count(record: Vector, name: str) -> int:
    text = record[name]
    if not (text.isascii() and text.isdecimal() and len(text) < 12 and int(text) <= MOST_BITS):
        raise wrong(
            record, name, f"`{name} = {text[:40]}` is no number", "write decimal digits alone"
        )
    return int(text)


def _renamed(vector: Vector, kind: str) -> Vector:
    """Renames the values that a kind calls otherwise than the files do."""
    if kind == "aead":
        vector["result"] += vector.pop("tag", "")
    if kind in ("aead", "stream_cipher"):
        _put(vector, "nonce", vector.pop("iv", ""), "iv")
    if kind == "kem":
        _put(vector, "ciphertext", vector.pop("result"), "result")
    return vector
