"""Measurements of primitives for others: JSON with provenance, CSV and Markdown."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import cocrypt
from cocrypt.primitives.measuring import ASSEMBLED, hash_of
from cocrypt.sdcc import compiling, tools
from cocrypt.toolchain import Toolchain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.primitives.measuring import Row
    from cocrypt.primitives.running import Unfit

COLUMNS = (
    *("primitive", "implementation", "operation", "device", "flags", "length", "cycles"),
    *("cycles_per_byte", "instructions", "rom", "ram", "stack", "stack_bound", "energy_J"),
    "verified",
    "constant_time",
)
"""The figures of a row, in the order in which CSV and Markdown have them."""


def record(row: Row) -> dict[str, Any]:
    """A row as JSON has it; sizes in bytes."""
    return {
        "primitive": row.subject.primitive,
        "implementation": row.subject.implementation,
        "operation": row.operation,
        "device": row.on,
        "length": row.length,
        "cycles": row.cycles,
        "cycles_per_byte": row.per_byte,
        "instructions": row.instructions,
        "rom": row.rom,
        "ram": row.ram,
        "stack": row.stack,
        "stack_bound": row.stack_bound,
        "energy_J": row.energy,
        "verified": row.verified,
        "vectors": row.vectors,
        "constant_time": row.subject.constant_time,
        "flags": row.build.name,
    }


def records(rows: Sequence[Row], unfit: Sequence[Unfit], seconds: float) -> dict[str, Any]:
    """The output of `measure --json`: rows, tasks that did not fit, and what repeats them."""
    return {
        "rows": [record(row) for row in rows],
        "unfit": [task.record() for task in unfit],
        "provenance": {
            "cocrypt": cocrypt.__version__,
            "subjects": {row.subject.name: hash_of(row.subject) for row in rows},
            "toolchains": {
                f"{row.on}, {row.build.name}": _toolchain(row)
                for row in rows
                if row.build != ASSEMBLED
            },
        },
        "host": {"seconds": seconds},
    }


def _toolchain(row: Row) -> dict[str, Any]:
    """The versions and flags that a row's code was made with."""
    if compiling.compiles(row.device):
        return tools.description(row.device, row.build.flags)
    return Toolchain(row.device, row.build.compiler).description(row.build.flags)


def csv_text(rows: Sequence[Row]) -> str:
    """The rows as comma-separated values; an unknown figure stays empty."""
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(record(row) for row in rows)
    return file.getvalue()


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a table in Markdown."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for row in rows:
        figures = record(row)
        lines.append("| " + " | ".join(_cell(figures[name]) for name in COLUMNS) + " |")
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
