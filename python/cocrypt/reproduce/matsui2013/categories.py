"""The paper's categories: budgets of ROM and RAM, with the figures that it prints in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SATIATED, IMPOSSIBLE, DRAWN = "-", "x", "drawn"
BLOCK = "block"
"""The operation of hash functions that the paper draws without figures."""
ONLY, BOTH = "encrypt_only", "encrypt_decrypt"
_ROW = re.compile(r"(min_rom|rom|fast)_(\d+)B?")
_FIGURE = re.compile(r"ram_(\d+)(?:_(enc|dec))?")


@dataclass(frozen=True)
class Printed:
    """The paper's figure in a category for an operation of a primitive.

    `rom` and `ram` are budgets in bytes; `row` is `min_rom`, `rom` or `fast`. `figure` is cycles
    of a block, `SATIATED`, `IMPOSSIBLE`, or `DRAWN` for a curve without figures. `scope` is `ONLY`,
    `BOTH` or, for hash functions, empty.
    """

    primitive: str
    scope: str
    row: str
    rom: int
    ram: int
    operation: str
    figure: int | str

    def is_within(self, other: Printed) -> bool:
        """Returns whether this is a smaller category of the same primitive and operation."""
        mine, others = (
            (figure.primitive, figure.scope, figure.operation) for figure in (self, other)
        )
        smaller = (self.rom, self.ram) != (other.rom, other.ram)
        return mine == others and smaller and self.rom <= other.rom and self.ram <= other.ram


def printed(published: Mapping[str, Any]) -> Iterator[Printed]:
    """All figures of the paper's tables, in its order."""
    for primitive, tables in published.items():
        if not isinstance(tables, dict):
            continue
        scopes = {ONLY: tables[ONLY], BOTH: tables[BOTH]} if ONLY in tables else {"": tables}
        for scope, table in scopes.items():
            yield from _table(primitive, scope, table)


def _table(primitive: str, scope: str, table: Mapping[str, Any]) -> Iterator[Printed]:
    for name, figures in table.items():
        row = _ROW.fullmatch(name)
        if row is None:
            continue
        for column, value in figures.items():
            ram = _FIGURE.fullmatch(column)
            if ram is None:
                raise ValueError(f"{primitive}: {name} has an unknown column {column}")
            for operation, figure in _operations(scope, ram[2], value):
                yield Printed(primitive, scope, row[1], int(row[2]), int(ram[1]), operation, figure)


def _operations(scope: str, column: str | None, value: Any) -> Iterator[tuple[str, int | str]]:  # noqa: ANN401 - TOML.
    if not scope and isinstance(value, list):
        yield from zip(("first variant", "second variant"), value, strict=True)
    elif not scope:
        yield BLOCK, value
    elif column == "dec":
        yield from zip(("decrypt", "decrypt_last"), value, strict=True)
    elif column is None and scope == BOTH:
        # A category without operations holds for all of them.
        yield from ((name, value) for name in ("encrypt", "decrypt", "decrypt_last"))
    else:
        yield "encrypt", value
