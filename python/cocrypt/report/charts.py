"""The charts of the report, as Plotly figures; the page's script gives them the theme's colours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from cocrypt.report import text
from cocrypt.report.axes import linear, logarithmic, si
from cocrypt.report.flames import flame
from cocrypt.report.text import FIGURES, fastest, settings
from cocrypt.visible import escape

if TYPE_CHECKING:
    from cocrypt.explore import Exploration, Row

# Name, and the page's colour variable of each part of T.
PARTS = (
    ("software", "--software"),
    ("driver", "--driver"),
    ("waiting", "--waiting"),
    ("communication", "--communication"),
)
ROW_HEIGHT = 34
BESIDE = 1.32
"""The factor by which an axis is longer than the longest bar, as room for T and the gain."""
MOST = 30
"""The most partitions in a chart."""
LABELLED = 9
"""The number of points from which on names are left out, since they would overlap."""
LETTERS = 15
"""The length of a name, in letters, from which on names are left out."""


def figures(result: Exploration) -> dict[str, Any]:
    """The figures by the id of their place in the page; colours are names of CSS variables."""
    # The library draws the first row at the bottom, and the fastest should stand at the top.
    rows = sorted(_shown(result), key=lambda row: -row.measurement.split.total)
    charts = {
        "front": _front(result),
        "parts": _parts(rows),
    }
    if result.study.leakage is not None:
        charts["leakage"] = _leakage(result)
    if result.errors:
        charts["errors"] = _errors(result)
    if result.before is not None:
        charts["before"] = flame(result.before)
    if result.after is not None and not fastest(result).measurement.partition.is_software:
        charts["after"] = flame(result.after)
    return charts


def _front(result: Exploration) -> dict[str, Any]:
    """All simulated points by two objectives, and their Pareto front."""
    rows = result.every_row
    names = [name for name in result.objectives if name != "total"]
    across = names[0] if names else "hardware"
    worth = sorted(
        (row for row in result.rows if row.pareto), key=lambda row: row.figure(across) or 0
    )
    groups = (
        ("other partitions", [row for row in result.rows if not row.pareto], "--plain", 9),
        ("on the front", worth, "--front", 12),
        ("other bus or clock", list(result.swept), "--waiting", 8),
    )
    traces = [
        {
            "type": "scatter",
            "mode": "markers+text" if color == "--front" and _are_short(group) else "markers",
            "textposition": "top right",
            "name": name,
            "x": [row.figure(across) for row in group],
            "y": [row.measurement.split.total for row in group],
            "text": [_named(row) for row in group],
            "customdata": [f"{row.gain:.2f}" for row in group],
            "hovertemplate": "%{text}<br>T = %{y:,}, w = %{customdata}<extra></extra>",
            "marker": _marker(color, "circle", size),
        }
        for name, group, color, size in groups
        if group
    ]
    steps = {
        "type": "scatter",
        "mode": "lines",
        "x": [row.figure(across) for row in worth],
        "y": [row.measurement.split.total for row in worth],
        "line": {"color": "--front", "width": 1.5, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    totals = [row.measurement.split.total for row in rows]
    is_wide = max(totals) > 4 * min(totals)
    layout = _layout(FIGURES[across])
    counts = [row.figure(across) or 0 for row in rows]
    layout["xaxis"] |= linear(counts, FIGURES[across])
    if across == "hardware":
        ticks = list(range(int(max(counts)) + 1))
        layout["xaxis"] |= {"tickvals": ticks, "ticktext": [str(tick) for tick in ticks]}
        layout["xaxis"]["range"] = [-0.3, max(counts) + 0.7]
    layout["yaxis"] = (logarithmic if is_wide else linear)(totals, "T in cycles")
    return {"data": [steps, *traces], "layout": {**layout, "hovermode": "closest"}}


RAILS = (
    ("software", "circle", "--software"),
    ("one rail", "square", "--waiting"),
    ("two rails", "diamond", "--front"),
)
"""The groups of partitions by their coprocessors' rails, with symbol and colour."""
LEAKAGE_VIEWS = {
    "traces to disclosure": "disclosure_traces",
    "largest |t|": "leakage_t",
    "variation of energy": "leakage_deviation",
}
"""The views of the chart of leakage, with their figures."""


def _leakage(result: Exploration) -> dict[str, Any]:
    """Partitions by cycles and a figure of leakage, with gates and energy under the pointer."""
    grouped = [
        (group, [row for row in result.rows if _rails(row) == rails])
        for rails, group in enumerate(RAILS)
    ]
    grouped = [(group, rows) for group, rows in grouped if rows]
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": name,
            "y": [row.measurement.split.total for row in rows],
            "text": [_named(row) for row in rows],
            "customdata": [_leaks(row) for row in rows],
            "hovertemplate": "%{text}<br>T = %{y:,}<br>%{customdata}<extra></extra>",
            "marker": _marker(color, symbol, 11),
        }
        for (name, symbol, color), rows in grouped
    ]
    views = {}
    for view, figure in LEAKAGE_VIEWS.items():
        values = [[_plotted(row, figure) for row in rows] for _, rows in grouped]
        known = [value for group in values for value in group if value] or [1]
        views[view] = {"x": values, "xaxis": logarithmic(known, view)}
    totals = [row.measurement.split.total for row in result.rows]
    layout = _layout("traces to disclosure")
    layout["yaxis"] = logarithmic(totals, "T in cycles")
    return {"data": traces, "layout": {**layout, "hovermode": "closest"}, "views": views}


def _rails(row: Row) -> int:
    """The most rails of a partition's coprocessors; 0 without any."""
    return max((source.rails for source in row.leakage.sources), default=0) if row.leakage else 0


def _leaks(row: Row) -> str:
    figures = [f"{name}: {text.leakage(row, key)}" for name, key in LEAKAGE_VIEWS.items()]
    gates, energy = row.gate_equivalents, row.measurement.energy
    figures += [] if gates is None else [f"{gates:,.0f} GE"]
    figures += [] if energy is None else [f"{energy:.3g} J"]
    return "<br>".join(figures)


def _plotted(row: Row, figure: str) -> float | None:
    """A figure for a chart; where no attack found the key, the traces that there were."""
    value = row.figure(figure)
    if value is None or row.leakage is None:
        return None
    return value if math.isfinite(value) else float(row.leakage.traces)


def _are_short(rows: list[Row]) -> bool:
    """Returns true if there is room for names beside points."""
    return len(rows) < LABELLED and max(len(_named(row)) for row in rows) < LETTERS


def _errors(result: Exploration) -> dict[str, Any]:
    """The error of each prediction against the simulated cycles."""
    predicted = [row for row in result.every_row if row.error is not None]
    groups = (
        ("on the device as it is", [row for row in predicted if row in result.rows], "--front"),
        (
            "on other buses and clocks",
            [row for row in predicted if row not in result.rows],
            "--driver",
        ),
    )
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "cliponaxis": False,
            "name": name,
            "x": [row.measurement.split.total for row in group],
            "y": [100 * (row.error or 0.0) for row in group],
            "text": [_named(row) for row in group],
            "customdata": [f"{row.predicted:,}" for row in group],
            "hovertemplate": "%{text}<br>predicted %{customdata}, simulated %{x:,}: "
            "%{y:+.3f} %<extra></extra>",
            "marker": _marker(color, "circle", 9),
        }
        for name, group, color in groups
        if group
    ]
    layout = _layout("T simulated, cycles")
    layout["xaxis"] |= linear(
        (row.measurement.split.total for row in predicted), "T simulated, cycles"
    )
    errors = [100 * (row.error or 0.0) for row in predicted]
    layout["yaxis"] = {**linear(errors, "error, %", 1.15), "zeroline": True}
    return {"data": traces, "layout": {**layout, "hovermode": "closest"}}


def _named(row: Row) -> str:
    measurement = row.measurement
    own = f" ({settings(measurement.device)})" if measurement.device.settings else ""
    return f"{escape(measurement.partition.name, quote=False)}{own}"


def height(result: Exploration) -> int:
    """Pixels that a chart of all partitions takes."""
    return ROW_HEIGHT * len(_shown(result)) + 110


def shown(result: Exploration) -> str:
    """The partitions that a chart shows, in words."""
    shows_all = len(result.rows) == len(_shown(result))
    return "each partition" if shows_all else f"the software and the {MOST} fastest partitions"


def _shown(result: Exploration) -> list[Row]:
    """All partitions, or of many the software and the fastest, in the order of the table."""
    if len(result.rows) <= MOST + 1:
        return list(result.rows)
    fast = sorted(result.rows, key=lambda row: row.measurement.split.total)[:MOST]
    return [row for row in result.rows if row in fast or row is result.software]


def _parts(rows: list[Row]) -> dict[str, Any]:
    """The parts of T, in cycles or as shares, with T and the gain beside each bar."""
    names = _names(rows)
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "y": names,
            "customdata": [_words(row, name) for row in rows],
            "hovertemplate": f"{name}: %{{customdata}}<extra>%{{y}}</extra>",
            "marker": {"color": color},
        }
        for name, color in PARTS
    ]
    totals = [row.measurement.split.total for row in rows]
    labels = {
        "type": "scatter",
        "mode": "text",
        "y": names,
        "text": [f" {si(total)}, {row.gain:.1f}×" for total, row in zip(totals, rows, strict=True)],
        "textposition": "middle right",
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
    }
    cycles: list[list[Any]] = [[_part(row, name) for row in rows] for name, _ in PARTS]
    shares: list[list[Any]] = [[_share(row, name) for row in rows] for name, _ in PARTS]
    views = {
        "cycles": {
            "x": [*cycles, totals],
            "xaxis": linear(totals, "cycles; T and w beside the bar", BESIDE),
        },
        "share of T": {
            "x": [*shares, [100.0] * len(rows)],
            "xaxis": linear([100.0], "% of T; T and w beside the bar", BESIDE),
        },
    }
    worth = [
        f"<b>{name}</b>" if row.pareto else name for name, row in zip(names, rows, strict=True)
    ]
    layout = {**_layout("cycles"), "barmode": "stack", "meta": {"names": worth}}
    return {"data": [*traces, labels], "layout": layout, "views": views}


def _words(row: Row, name: str) -> str:
    part, share = _part(row, name), _share(row, name)
    return "unknown" if part is None else f"{part:,} cycles, {share:.2f} %"


def _marker(color: str, symbol: str, size: int) -> dict[str, Any]:
    return {"color": color, "symbol": symbol, "size": size, "line": {"width": 2, "color": color}}


def _layout(title: str, **axis: object) -> dict[str, Any]:
    return {
        "margin": {"l": 8, "r": 24, "t": 8, "b": 8},
        "xaxis": {"title": {"text": title, "standoff": 8}, "automargin": True, **axis},
        "yaxis": {"automargin": True, "ticksuffix": "  ", "type": "category"},
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "xanchor": "left",
            "yanchor": "bottom",
            "traceorder": "normal",
        },
        "bargap": 0.35,
    }


def _names(rows: list[Row]) -> list[str]:
    return [escape(row.measurement.partition.name, quote=False) for row in rows]


def _part(row: Row, name: str) -> int | None:
    value: int | None = getattr(row.measurement.split, name)
    return value


def _share(row: Row, name: str) -> float | None:
    part = _part(row, name)
    return None if part is None else 100 * part / row.measurement.split.total
