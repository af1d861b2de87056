"""Charts of a paper's tables: ours over the paper's, row by row, for every figure of both."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from cocrypt.report.axes import logarithmic
from cocrypt.report.sheet import chart
from cocrypt.visible import escape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.reproduce.paper import Shown

PAPER = ", paper"
ROW_HEIGHT = 34
FEW = 2
"""The least number of points in a chart."""
COLOURS = 8
NEAR = 2.0
"""The factor around 1 that an axis shows at least, so that a small difference looks small."""


def charts(tables: Iterable[Shown], ours: str = "ours") -> tuple[dict[str, str], dict[str, Any]]:
    """The frame of each table's chart by the table's title, and the figures by frames' names.

    `ours` is the source of our figures, as heads of columns name it.
    """
    frames: dict[str, str] = {}
    figures: dict[str, Any] = {}
    for table in tables:
        figure = compared(table, ours)
        if figure is None:
            continue
        name = f"compared-{len(figures)}"
        figures[name] = figure
        height = 120 + ROW_HEIGHT * len(table.rows)
        frames[table.title] = chart(name, height, f"{ours} over the paper's: {table.title}")
    return frames, figures


def compared(shown: Shown, ours: str = "ours") -> dict[str, Any] | None:
    """A table's figures of ours over those of the paper; None where it has no such pairs."""
    names = [head.removesuffix(PAPER) for head in shown.heads if head.endswith(PAPER)]
    names = [name for name in names if f"{name}, {ours}" in shown.heads]
    traces = [_trace(shown, name, ours, number) for number, name in enumerate(names)]
    ratios = [ratio for trace in traces for ratio in trace["x"]]
    if len(ratios) < FEW:
        return None
    across = logarithmic([*ratios, 1 / NEAR, NEAR], f"{ours} / the paper's; 1: the same")
    rows = list(reversed([_label(shown, row) for row in shown.rows]))
    layout = {
        "margin": {"l": 8, "r": 24, "t": 8, "b": 8},
        "xaxis": across,
        "yaxis": {
            "automargin": True,
            "ticksuffix": "  ",
            "type": "category",
            "categoryorder": "array",
            "categoryarray": rows,
            "range": [-0.6, len(rows) - 0.3],
        },
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"},
        "shapes": [
            {
                "type": "line",
                "x0": 1,
                "x1": 1,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "line": {"color": "--quiet", "width": 1.5, "dash": "dot"},
            }
        ],
        "meta": {"rows": rows},
    }
    return {"data": traces, "layout": layout}


def _trace(shown: Shown, name: str, source: str, number: int) -> dict[str, Any]:
    theirs, ours = shown.heads.index(name + PAPER), shown.heads.index(f"{name}, {source}")
    points = [
        (ratio, _label(shown, row), f"{row[ours]} / {row[theirs]}")
        for row in shown.rows
        if (ratio := _ratio(row[ours], row[theirs])) is not None
    ]
    # Figures that differ by the same factor overlap: the later ones are smaller.
    return {
        "type": "scatter",
        "mode": "markers",
        "name": escape(name, quote=False),
        "x": [ratio for ratio, _, _ in points],
        "y": [label for _, label, _ in points],
        "customdata": [words for _, _, words in points],
        "hovertemplate": f"{escape(name)}: %{{customdata}} = %{{x:.3f}}<extra>%{{y}}</extra>",
        "marker": {
            "size": max(6, 17 - 4 * number),
            "opacity": 1,
            "color": f"--series-{number % COLOURS + 1}",
        },
    }


def _label(shown: Shown, row: tuple[str, ...]) -> str:
    """The label of a row: its text cells."""
    return escape(", ".join(cell for cell in row[: shown.texts] if cell), quote=False)


def _ratio(ours: str, theirs: str) -> float | None:
    """Our figure over the paper's; None where one of them is no figure above 0."""
    try:
        values = [float(text.replace(",", "").rstrip(" %")) for text in (ours, theirs)]
    except ValueError:
        return None
    if not all(isfinite(value) and value > 0 for value in values):
        return None
    return values[0] / values[1]
