"""Vectors of other people, in the form of the primitives' own files, and what must be refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds import kind
from cocrypt.primitives.script import Buffer, Check, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cocrypt.primitives.subject import Subject

Given = dict[str, bytes]
Arguments = dict[str, Buffer | int | tuple[Buffer, int]]
"""Of a call, by role."""

# What functions make, where nothing else is said of it.
MADE = ("public", "shared", "signature")
# Tables of texts that have no tag behind them.
TEXTS = ("encrypt", "crypt")
# Bytes of an RSA block that are no text.
OVERHEAD = {"decrypt_pkcs1": 11, "decrypt_pkcs1_implicit": 11, "decrypt_oaep": 66}


@dataclass
class Vectors:
    """Tables as in a primitive's file; calls that must return -1; texts that have a length.

    An authenticated cipher's `refused` gives the size of the tag as `tag_size`, a byte.
    """

    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    refused: list[tuple[str, Given]] = field(default_factory=list)
    opened: list[tuple[str, Given, bytes]] = field(default_factory=list)

    def add(self, table: str, **values: bytes | int) -> None:
        """One vector; bytes are written in hexadecimal."""
        row = {name: one if isinstance(one, int) else one.hex() for name, one in values.items()}
        self.tables.setdefault(table, []).append(row)

    def extend(self, other: Vectors) -> None:
        """Those of another file."""
        for table, rows in other.tables.items():
            self.tables.setdefault(table, []).extend(rows)
        self.refused += other.refused
        self.opened += other.opened

    def once(self) -> Vectors:
        """Equal ones only once."""
        tables = {
            table: list({key_of(row): row for row in rows}.values())
            for table, rows in self.tables.items()
        }
        refused = {f"{operation} {given}": (operation, given) for operation, given in self.refused}
        return Vectors(tables, list(refused.values()), self.opened)

    def chosen(self, choose: Callable[[list[Any]], list[Any]]) -> Vectors:
        """Some of each table and of each operation."""
        refused: dict[str, list[tuple[str, Given]]] = {}
        for one in self.refused:
            refused.setdefault(one[0], []).append(one)
        return Vectors(
            {table: choose(rows) for table, rows in self.tables.items()},
            [one for rows in refused.values() for one in choose(rows)],
            choose(self.opened),
        )

    def __len__(self) -> int:
        return len(self.refused) + len(self.opened) + sum(map(len, self.tables.values()))


def key_of(row: Mapping[str, object]) -> str:
    """Equal for equal vectors; what is empty need not be said."""
    return " ".join(f"{name}={str(row[name]).lower()}" for name in sorted(row) if row[name] != "")


def checks(subject: Subject, vectors: Vectors, context: int) -> list[Check]:
    """All of them, for an implementation."""
    # Of an empty text comes an empty one: nothing that could be compared.
    tables = {
        table: [one for one in rows if table not in TEXTS or not _is_empty(one)]
        for table, rows in vectors.tables.items()
    }
    return [
        *kind(subject).checks(subject, tables, context),
        *(refusal(subject, operation, given) for operation, given in vectors.refused),
        *(opening(subject, operation, given, text) for operation, given, text in vectors.opened),
    ]


def _is_empty(row: Mapping[str, object]) -> bool:
    """Of numbers, as the toys of RSA have, none is."""
    return row.get("text") == "" and row.get("result") == ""


def refusal(subject: Subject, operation: str, given: Mapping[str, bytes]) -> Check:
    """A call that must return -1; an authenticated cipher must also clear what it has made."""
    arguments: Arguments = {role: Buffer(one) for role, one in given.items()}
    roles = subject.functions[operation].arguments
    for role in MADE:
        if role in roles and role not in given:
            arguments[role] = Buffer(size=subject.sizes[role])
    if "result_length" in roles:
        arguments["result_length"] = Buffer(size=8)
    if subject.kind == "rsa" and "result" in roles:
        arguments["result"] = Buffer(size=subject.sizes["modulus"])
    expected: tuple[tuple[Buffer, bytes], ...] = ()
    if subject.kind == "aead":
        arguments["tag_size"] = tag = given["tag_size"][0]
        size = max(0, len(given["text"]) - tag)
        arguments["result"] = out = Buffer(b"\xa5" * size)
        # Sizes that there are not are refused before anything is made.
        expected = ((out, bytes(size)),) if _is_size(len(given["nonce"]), tag, subject) else ()
    step = Step(operation, arguments)
    return Check(f"{subject.name}, {operation} refused", (step,), expected, ((step, -1),))


def opening(subject: Subject, operation: str, given: Mapping[str, bytes], text: bytes) -> Check:
    """A decryption that says how long the text is; as much room as its header asks for."""
    room = subject.sizes["modulus"] - OVERHEAD[operation]
    out, length = Buffer(size=room), Buffer(size=8)
    arguments = {role: Buffer(value) for role, value in given.items()}
    step = Step(operation, {**arguments, "result": out, "result_length": length})
    begins = ((out, text), (length, len(text).to_bytes(4, "little")))
    return Check(f"{subject.name}, {operation}", (step,), (), ((step, 0),), begins=begins)


def _is_size(nonce: int, tag: int, subject: Subject) -> bool:
    """Whether a nonce and a tag may have so many bytes; only CCM has a choice."""
    return not subject.over or (7 <= nonce <= 13 and tag in range(4, 17, 2))
