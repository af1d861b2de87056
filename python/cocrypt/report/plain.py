"""An exploration's rows for other programs: comma-separated values, and a table in Markdown."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from cocrypt.report.text import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.device import Device
    from cocrypt.explore import Exploration, Row

COLUMNS = (
    *("name", "device", "hw", "sigma", "software", "driver", "waiting", "mu", "total"),
    *("overhead", "gain", "instructions", "rom", "ram", "stack", "energy_J", "predicted_total"),
    *("seconds", "area_GE", "luts", "flip_flops", "settings"),
    *("verified", "pareto", "image"),
)
"""The keys of `--json` that become columns."""


def csv_text(results: Sequence[Exploration]) -> str:
    """A line for each partition; functions in hardware are joined by `+`, unknowns are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in (row for result in results for row in result.every_row):
        record = row.record
        writer.writerow([_cell(record[column]) for column in COLUMNS])
    return text.getvalue()


def markdown(results: Sequence[Exploration]) -> str:
    """A heading and a table for each device."""
    return "\n".join(_section(result) for result in results)


def _section(result: Exploration) -> str:
    heads = ("partition", "in hardware", "sigma", "mu", "T", "gamma", "w", "error")
    lines = [
        f"### {result.study.title}: {result.workload.title} on {result.study.device.name}",
        "",
        f"| {' | '.join(heads)} |",
        "|---|---|" + "--:|" * (len(heads) - 2),
        *(f"| {' | '.join(_cells(row))} |" for row in result.every_row),
    ]
    return "\n".join([*lines, ""])


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return " ".join(f"{key}={item}" for key, item in value.items())
    if isinstance(value, list):
        return "+".join(map(str, value))
    return "" if value is None else value


def _on(device: Device) -> str:
    """The bus and the clock, if these are not the device's own."""
    return f" ({settings(device)})" if device.settings else ""


def _cells(row: Row) -> list[str]:
    measurement, split = row.measurement, row.measurement.split
    mark = "**" if row.pareto else ""
    return [
        f"{mark}{measurement.partition.name}{mark}{_on(measurement.device)}",
        ", ".join(measurement.partition.hw) or "–",
        f"{split.computation:,}",
        f"{split.communication:,}",
        f"{split.total:,}",
        f"{100 * row.overhead:.2f} %",
        f"{row.gain:.2f}",
        "–" if row.error is None else f"{100 * row.error:+.3f} %",
    ]
