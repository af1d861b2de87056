"""The page of the reproduced paper: findings, tables beside ours, and figures 5 to 7 as charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.report.sheet import chart, sheet
from cocrypt.reproduce.compared import charts
from cocrypt.reproduce.duarte2010.tables import SOURCES, energies, per_byte, saved
from cocrypt.reproduce.paper import findings_table, parts
from cocrypt.visible import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.reproduce.duarte2010.experiment import Reproduction
    from cocrypt.reproduce.duarte2010.tables import Point

HEIGHT = 300
"""Height of a chart in pixels."""

LINES = (("--waiting", "square"), ("--front", "circle"), ("--series-2", "diamond"))
"""Colour and symbol of each source's line."""


def page(result: Reproduction) -> str:
    """The page, which refers to no other file."""
    shown = (findings_table(result.findings), *result.tables)
    figures = {
        "figure5": _lines(saved(result), "time saved, %"),
        "figure6": _lines(energies(result), "energy saved, %"),
        "figure7": _lines(per_byte(result), "energy of a byte", whole=False),
        "choices": _bars(result),
    }
    drawn = {table.title: _chart(table.title, figures) for table in result.tables}
    frames, compared = charts(
        (table for table in result.tables if not drawn[table.title]), SOURCES[1]
    )
    behind = {**drawn, **frames}
    summary = (
        "The experiment run again, by "
        f"<code>cocrypt reproduce {escape(result.study.name)}</code>: every figure of ours was "
        "measured for this page."
    )
    holding = sum(finding.holds for finding in result.findings)
    headline = f"{holding} of {len(result.findings)} findings hold"
    title = result.published["title"]
    return sheet(title, headline, summary, parts(shown, behind), {**figures, **compared})


def _chart(title: str, figures: dict[str, Any]) -> str:
    """The frame of the chart that belongs to a table; empty for most."""
    name = {"Figure 5": "figure5", "Figure 6": "figure6", "Figure 7": "figure7"}.get(title[:8])
    if title.startswith("What the choice"):
        name = "choices"
    if name is None:
        return ""
    height = HEIGHT if name != "choices" else 60 + 34 * len(figures[name]["data"][0]["y"])
    return chart(name, height, title)


def _lines(points: Sequence[Point], title: str, *, whole: bool = True) -> dict[str, Any]:
    """The figures of each source over the size of the text; `whole` shows the axis from 0 on."""
    sizes, *series = zip(*points, strict=True)
    labels = [f"{size:,}" for size in sizes]
    traces = [
        _line(source, labels, values, *look)
        for source, values, look in zip(SOURCES, series, LINES, strict=True)
    ]
    across = {"title": {"text": "bytes", "standoff": 8}, "type": "category", "automargin": True}
    up = {"title": {"text": title, "standoff": 8}, "automargin": True, "type": "linear"}
    return {
        "data": traces,
        "layout": {
            "margin": {"l": 8, "r": 24, "t": 8, "b": 8},
            "xaxis": across,
            "yaxis": {**up, "rangemode": "tozero"} if whole else up,
            "legend": _legend(),
        },
    }


def _line(
    name: str, sizes: Sequence[str], values: Sequence[float], color: str, symbol: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": list(sizes),
        "y": list(values),
        "line": {"color": color, "width": 2},
        "marker": {"color": color, "symbol": symbol, "size": 9},
        "hovertemplate": f"{name}: %{{y:.4f}}<extra>%{{x}} bytes</extra>",
    }


def _legend() -> dict[str, Any]:
    return {
        "orientation": "h",
        "x": 0,
        "y": 1.02,
        "xanchor": "left",
        "yanchor": "bottom",
        "traceorder": "normal",
    }


def _bars(result: Reproduction) -> dict[str, Any]:
    """The speed-ups of the choices as bars; the slowest at the bottom."""
    base = result.choices[0].cycles
    runs = sorted(result.choices, key=lambda run: -run.cycles)
    values = [base / run.cycles for run in runs]
    trace = {
        "type": "bar",
        "orientation": "h",
        "y": [run.partition.name for run in runs],
        "x": values,
        "text": [f"{value:.2f}" for value in values],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{x:.2f} times as fast<extra>%{y}</extra>",
        "marker": {"color": ["--front" if run.partition.hw else "--plain" for run in runs]},
        "showlegend": False,
    }
    title = "times as fast as the paper's program; coloured: with a coprocessor"
    return {
        "data": [trace],
        "layout": {
            "margin": {"l": 8, "r": 48, "t": 8, "b": 8},
            "xaxis": {"title": {"text": title, "standoff": 8}, "automargin": True},
            "yaxis": {"automargin": True, "ticksuffix": "  ", "type": "category"},
            "bargap": 0.35,
        },
    }
