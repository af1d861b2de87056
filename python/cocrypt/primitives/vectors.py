"""Vectors as files state them: what each says, and in which line, for who has to look there."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MOST_BYTES = 1 << 24
"""What a vector may repeat or skip at most; Keccak's message of a gigabyte is for no device."""
_HEADER = re.compile(r"\s*\[\[?\s*[\"']?([\w-]+)[\"']?\s*\]")
_VALUE = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")


class Vector(dict[str, Any]):
    """What a vector says by name, its file, and the lines of the file by what stands there.

    The line by the empty name is that where the vector begins.
    """

    def __init__(
        self, values: Mapping[str, Any], path: Path | None = None, lines: Mapping[str, int] = {}
    ) -> None:
        super().__init__(values)
        self.path, self.lines = path, dict(lines)

    def place(self, name: str | None = None) -> str:
        """File and line of a value, or of the vector where it has none; empty without a file."""
        if self.path is None:
            return ""
        line = self.lines.get(name or "", self.lines.get(""))
        return f"{self.path}:{line}" if line else str(self.path)


def wrong(vector: Mapping[str, Any], name: str | None, message: str, advice: str) -> InputError:
    """What is said of a vector that a person has to correct."""
    place = vector.place(name) if isinstance(vector, Vector) else ""
    return InputError(f"{place}: {message}" if place else message, advice)


def label(name: str, index: int, vector: Mapping[str, Any], table: str = "") -> str:
    """How a vector of a subject is called in messages."""
    place = vector.place() if isinstance(vector, Vector) else ""
    of = f"{table} " if table else ""
    return f"{name} {of}vector {index + 1}" + (f" ({place})" if place else "")


def unhex(vector: Mapping[str, Any], name: str, default: str | None = None) -> bytes:
    """The bytes that a vector states in hexadecimal."""
    text = vector.get(name, default)
    if not isinstance(text, str):
        lacks = "lacks" if text is None else "has no text as"
        raise wrong(vector, name, f"a vector {lacks} `{name}`", "write it in hexadecimal digits")
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        said = f"`{name}` of a vector is not hexadecimal: {_short(text)}"
        raise wrong(vector, name, said, "write two digits for each byte") from error


def sized(vector: Mapping[str, Any], name: str, size: int) -> bytes:
    """The same where there must be so many bytes: no more, no fewer."""
    found = unhex(vector, name)
    if len(found) != size:
        raise wrong(
            vector,
            name,
            f"`{name}` of a vector has {len(found)} bytes, where {size} are expected",
            "what is not whole proves nothing; give all of its bytes, or leave the vector out",
        )
    return found


def number(vector: Mapping[str, Any], name: str, default: int, least: int = 0) -> int:
    """A count of bytes or turns that a vector states."""
    found = vector.get(name, default)
    if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= MOST_BYTES:
        said = f"`{name}` of a vector is {_short(found)}"
        raise wrong(vector, name, said, f"write a whole number from {least} to {MOST_BYTES:,}")
    return found


def refused(vector: Mapping[str, Any]) -> bool:
    """Whether a vector is about something that must be refused."""
    found = vector.get("refused", False)
    if not isinstance(found, bool):
        said = f"`refused` of a vector is {_short(found)}"
        raise wrong(vector, "refused", said, "write true or false")
    return found


def _short(value: object) -> str:
    text = str(value)
    return f"`{text}`" if len(text) <= 40 else f"`{text[:37]}...`"


def read_toml(path: Path) -> dict[str, list[Vector]]:
    """The tables of a file of ours, each with its lines; what is no table of vectors is refused."""
    try:
        text = path.read_text(encoding="utf-8")
        tables = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"{path} cannot be read as vectors: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read as vectors: {error}") from error
    lines: dict[str, list[dict[str, int]]] = {}
    for table, places in _places(text):
        lines.setdefault(table, []).append(places)
    found = {}
    for table, rows in tables.items():
        if isinstance(rows, str):
            # Where the vectors come from.
            continue
        known = lines.get(table, [{}])
        if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
            at = Vector({}, path, known[0]).place()
            raise InputError(f"{at}: `{table}` is no list of vectors", f"write [[{table}]]")
        each = known if len(known) == len(rows) else known[:1] * len(rows)
        found[table] = [Vector(row, path, place) for row, place in zip(rows, each, strict=True)]
    return found


def _places(text: str) -> Iterator[tuple[str, dict[str, int]]]:
    """The tables of a TOML file in their order, with the lines of their values."""
    table, places = "", dict[str, int]()
    for line, content in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(content):
            if table:
                yield table, places
            table, places = header[1], {"": line}
        elif value := _VALUE.match(content):
            if not table:
                # Written as `table = [...]`, all of it has the line where it begins.
                yield value[1], {"": line}
            places.setdefault(value[1], line)
    if table:
        yield table, places
