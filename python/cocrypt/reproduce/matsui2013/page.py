"""The page of the reproduced paper: findings, tables beside ours, and curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.report.sheet import chart, sheet
from cocrypt.reproduce.compared import COLOURS, charts
from cocrypt.reproduce.matsui2013.chosen import count
from cocrypt.reproduce.matsui2013.tables import per_byte
from cocrypt.reproduce.paper import findings_table, parts

if TYPE_CHECKING:
    from cocrypt.reproduce.matsui2013.experiment import Reproduction
    from cocrypt.reproduce.paper import Shown

HEIGHT = 420
"""Height of the curves in pixels."""


def page(result: Reproduction) -> str:
    """The page, which refers to no other file."""
    frames, figures = charts(result.tables)
    curves = per_byte(result)
    frames[curves.title] = chart("curves", HEIGHT, curves.title)
    figures["curves"] = _curves(curves)
    shown = (findings_table(result.findings), *result.tables)
    reached, counted = count(result.categories)
    summary = (
        "The experiment run again, by <code>cocrypt reproduce matsui2013</code>: every figure of "
        "ours was measured for this page, on the model of an RL78/G13."
    )
    headline = f"{reached} of {counted} categories reached"
    return sheet(result.published["title"], headline, summary, parts(shown, frames), figures)


def _curves(shown: Shown) -> dict[str, Any]:
    """Cycles of a byte over the length, a line for each subroutine and operation."""
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": f"{row[0]}, {row[1]}",
            "x": list(shown.heads[shown.texts :]),
            "y": [float(cell) for cell in row[shown.texts :]],
            "line": {"color": f"--series-{number % COLOURS + 1}", "width": 2},
            "marker": {"size": 7},
        }
        for number, row in enumerate(shown.rows)
    ]
    across = {"title": {"text": "bytes", "standoff": 8}, "type": "category", "automargin": True}
    up = {"title": {"text": "cycles of a byte", "standoff": 8}, "type": "log", "automargin": True}
    return {
        "data": traces,
        "layout": {
            "margin": {"l": 8, "r": 24, "t": 8, "b": 8},
            "xaxis": across,
            "yaxis": up,
            "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        },
    }
