"""Vectors of other people, in the form of the primitives' files, and calls to be refused."""

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
"""The arguments of a call, by role."""

# Roles that functions write, unless a vector gives them.
MADE = ("public", "shared", "signature")
# Tables of texts that have no tag behind them.
TEXTS = ("encrypt", "crypt")
# Bytes of an RSA block that are not part of the text.
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
        """Adds a vector; bytes are written in hexadecimal."""
        row = {
            name: value if isinstance(value, int) else value.hex() for name, value in values.items()
        }
        self.tables.setdefault(table, []).append(row)

    def extend(self, vectors: Vectors) -> None:
        """Adds the vectors of another file."""
        for table, rows in vectors.tables.items():
            self.tables.setdefault(table, []).extend(rows)
        self.refused += vectors.refused
        self.opened += vectors.opened

    def once(self) -> Vectors:
        """The vectors, equal ones only once."""
        tables = {
            table: list({key_of(row): row for row in rows}.values())
            for table, rows in self.tables.items()
        }
        refused = {f"{operation} {given}": (operation, given) for operation, given in self.refused}
        return Vectors(tables, list(refused.values()), self.opened)

    def chosen(self, choose: Callable[[list[Any]], list[Any]]) -> Vectors:
        """Some vectors of each table and of each operation."""
        refused: dict[str, list[tuple[str, Given]]] = {}
        for call in self.refused:
            refused.setdefault(call[0], []).append(call)
        return Vectors(
            {table: choose(rows) for table, rows in self.tables.items()},
            [call for rows in refused.values() for call in choose(rows)],
            choose(self.opened),
        )

    def __len__(self) -> int:
        return len(self.refused) + len(self.opened) + sum(map(len, self.tables.values()))


def key_of(row: Mapping[str, object]) -> str:
    """A key that is equal for equal vectors; empty values may be absent."""
    return " ".join(f"{name}={str(row[name]).lower()}" for name in sorted(row) if row[name] != "")


def checks(subject: Subject, vectors: Vectors, context: int) -> list[Check]:
    """All checks of the operations that an implementation provides."""
    # An empty text gives an empty result: nothing that could be compared.
    tables = {
        table: [row for row in rows if table not in TEXTS or not _is_empty(row)]
        for table, rows in vectors.tables.items()
    }
    return [
        *kind(subject).checks(subject, tables, context),
        *(
            refusal(subject, operation, given)
            for operation, given in vectors.refused
            if _provides(subject, operation)
        ),
        *(opening(subject, operation, given, text) for operation, given, text in vectors.opened),
    ]


def _provides(subject: Subject, operation: str) -> bool:
    """Returns whether a curve's implementation has an operation; other kinds must have all."""
    return subject.kind != "ecdsa" or operation in subject.functions


def _is_empty(row: Mapping[str, object]) -> bool:
    """Returns whether text and result are empty; numbers, as the toys of RSA have, are not."""
    return row.get("text") == "" and row.get("result") == ""


def refusal(subject: Subject, operation: str, given: Mapping[str, bytes]) -> Check:
    """A call that must return -1; an authenticated cipher must also clear its result."""
    arguments: Arguments = {role: Buffer(value) for role, value in given.items()}
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
        # Sizes that do not exist are refused before anything is written.
        expected = ((out, bytes(size)),) if _is_size(len(given["nonce"]), tag, subject) else ()
    step = Step(operation, arguments)
    return Check(f"{subject.name}, {operation} refused", (step,), expected, ((step, -1),))


def opening(subject: Subject, operation: str, given: Mapping[str, bytes], text: bytes) -> Check:
    """A decryption that returns the text's length; the buffer is as long as its header asks for."""
    room = subject.sizes["modulus"] - OVERHEAD[operation]
    out, length = Buffer(size=room), Buffer(size=8)
    arguments = {role: Buffer(value) for role, value in given.items()}
    step = Step(operation, {**arguments, "result": out, "result_length": length})
    begins = ((out, text), (length, len(text).to_bytes(4, "little")))
    return Check(f"{subject.name}, {operation}", (step,), (), ((step, 0),), begins=begins)


def _is_size(nonce: int, tag: int, subject: Subject) -> bool:
    """Returns whether a nonce and a tag may have these sizes in bytes; only CCM has a choice."""
    return not subject.over or (7 <= nonce <= 13 and tag in range(4, 17, 2))
