"""The page of a design in FDL: its state machines, and who drives whom in its datapaths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.report.diagrams import machines
from cocrypt.report.diagrams.connections import CONNECTIONS, connections, datapaths, script
from cocrypt.report.sheet import sheet, titled
from cocrypt.visible import escape

if TYPE_CHECKING:
    from pathlib import Path

STATES = (
    "A transition says its place among those of its state, its condition, and the signal flow "
    "graphs that run in that cycle."
)


def design_page(design: Path, top: str | None) -> str:
    """The page, which needs nothing but itself: of one datapath, or of all."""
    names = datapaths(design) if top is None else [top]
    states = "".join(
        f'<details open><summary>{escape(name)}</summary><div class="box plain" tabindex="0">'
        f"{drawn}</div></details>"
        for name, drawn in machines(design, None)
    )
    pictures = [(name, connections(design, name)) for name in names]
    drawn = "".join(f"<h3>{escape(name)}</h3>{place}" for name, place in pictures if place)
    parts = [
        titled("States", STATES, states) if states else "",
        titled("Connections", CONNECTIONS, drawn) if drawn else "",
        script() if drawn else "",
    ]
    count = f"{len(names)} datapath{'' if len(names) == 1 else 's'}"
    summary = escape(f"{count}; copies are drawn once.")
    return sheet("cocrypt fdl diagram", design.name, summary, parts)
