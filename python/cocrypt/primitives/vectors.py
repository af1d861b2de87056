"""Vectors as files state them: their values, with the lines that messages point to."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MOST_BYTES = 1 << 24
"""The most bytes that a vector may repeat or skip; no device takes Keccak's gigabyte."""
_HEADER = re.compile(r"\s*\[\[?\s*[\"']?([\w-]+)[\"']?\s*\]")
_VALUE = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")


class Vector(dict[str, Any]):
    """The values of a vector by name, its file, and the lines of its values by name.

    The line of the empty name is that where the vector begins.
    """

    def __init__(
        self, values: Mapping[str, Any], path: Path | None = None, lines: Mapping[str, int] = {}
    ) -> None:
        super().__init__(values)
        self.path, self.lines = path, dict(lines)

    def place(self, name: str | None = None) -> str:
        """File and line of a value, or of the vector if it has none; empty without a file."""
        if self.path is None:
            return ""
        line = self.lines.get(name or "", self.lines.get(""))
        return f"{self.path}:{line}" if line else str(self.path)


def wrong(vector: Mapping[str, Any], name: str | None, message: str, advice: str) -> InputError:
    """The error for a vector that has to be corrected, with file and line."""
    place = vector.place(name) if isinstance(vector, Vector) else ""
    return InputError(f"{place}: {message}" if place else message, advice)


def label(name: str, index: int, vector: Mapping[str, Any], table: str = "") -> str:
    """The name of a subject's vector in messages."""
    place = vector.place() if isinstance(vector, Vector) else ""
    prefix = f"{table} " if table else ""
    return f"{name} {prefix}vector {index + 1}" + (f" ({place})" if place else "")


def unhex(vector: Mapping[str, Any], name: str, default: str | None = None) -> bytes:
    """The bytes that a vector states in hexadecimal."""
    text = vector.get(name, default)
    if not isinstance(text, str):
        lacks = "lacks" if text is None else "has no text as"
        raise wrong(vector, name, f"a vector {lacks} `{name}`", "write it in hexadecimal digits")
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        problem = f"`{name}` of a vector is not hexadecimal: {_short(text)}"
        raise wrong(vector, name, problem, "write two digits for each byte") from error


def sized(vector: Mapping[str, Any], name: str, size: int) -> bytes:
    """The bytes that a vector states, which must be exactly so many."""
    content = unhex(vector, name)
    if len(content) != size:
        raise wrong(
            vector,
            name,
            f"`{name}` of a vector has {len(content)} bytes, where {size} are expected",
            "what is not whole proves nothing; give all of its bytes, or leave the vector out",
        )
    return content


def number(vector: Mapping[str, Any], name: str, default: int, least: int = 0) -> int:
    """A count of bytes or turns that a vector states."""
    value = vector.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MOST_BYTES:
        problem = f"`{name}` of a vector is {_short(value)}"
        raise wrong(vector, name, problem, f"write a whole number from {least} to {MOST_BYTES:,}")
    return value


def refused(vector: Mapping[str, Any]) -> bool:
    """Returns whether a vector is about something that must be refused."""
    value = vector.get("refused", False)
    if not isinstance(value, bool):
        problem = f"`refused` of a vector is {_short(value)}"
        raise wrong(vector, "refused", problem, "write true or false")
    return value


def _short(value: object) -> str:
    text = str(value)
    return f"`{text}`" if len(text) <= 40 else f"`{text[:37]}...`"


def read_toml(path: Path) -> dict[str, list[Vector]]:
    """The tables of a file of ours, each with its lines; any other table is refused."""
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
    vectors = {}
    for table, rows in tables.items():
        if isinstance(rows, str):
            # This text names the source of the vectors.
            continue
        table_lines = lines.get(table, [{}])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            place = Vector({}, path, table_lines[0]).place()
            raise InputError(f"{place}: `{table}` is no list of vectors", f"write [[{table}]]")
        row_lines = table_lines if len(table_lines) == len(rows) else table_lines[:1] * len(rows)
        vectors[table] = [
            Vector(row, path, places) for row, places in zip(rows, row_lines, strict=True)
        ]
    return vectors


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
                # All vectors of `table = [...]` have the line where the table begins.
                yield value[1], {"": line}
            places.setdefault(value[1], line)
    if table:
        yield table, places
