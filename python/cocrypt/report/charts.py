"""The charts of the report, as Plotly figures; the page's script gives them the theme's colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.report.flames import flame
from cocrypt.report.text import FIGURES, fastest, settings, short
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
MOST = 30
"""Partitions that a chart has room for."""
LABELLED = 9
"""Points of a front that have names beside them; more would cover each other."""
LETTERS = 15
"""The same for long names."""


def figures(result: Exploration) -> dict[str, Any]:
    """The figures by the id of their place in the page; colours are names of CSS variables."""
    # Plotly draws the first row at the bottom.
    rows = list(reversed(_shown(result)))
    found = {
        "front": _front(result),
        "cycles": _cycles(rows),
        "shares": _shares(rows),
        "gain": _gain(rows),
    }
    if result.errors:
        found["errors"] = _errors(result)
    if result.before is not None:
        found["before"] = flame(result.before)
    if result.after is not None and not fastest(result).measurement.partition.is_software:
        found["after"] = flame(result.after)
    return found


def _front(result: Exploration) -> dict[str, Any]:
    """All that was simulated by two figures that are looked for, and the front of that."""
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
            "mode": "markers+text" if color == "--front" and _are_short(some) else "markers",
            "textposition": "top right",
            "name": name,
            "x": [row.figure(across) for row in some],
            "y": [row.measurement.split.total for row in some],
            "text": [_named(row) for row in some],
            "customdata": [f"{row.gain:.2f}" for row in some],
            "hovertemplate": "%{text}<br>T = %{y:,}, w = %{customdata}<extra></extra>",
            "marker": _marker(color, "circle", size),
        }
        for name, some, color, size in groups
        if some
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
    scale = "log" if max(totals) > 4 * min(totals) else "linear"
    ticks = {"dtick": 1} if across == "hardware" else {}
    layout = _layout(FIGURES[across], rangemode="tozero", **ticks)
    layout["yaxis"] = {
        "automargin": True,
        "type": scale,
        **({"dtick": "D2"} if scale == "log" else {}),
        "title": {"text": "T in cycles", "standoff": 8},
        "exponentformat": "SI",
    }
    return {"data": [steps, *traces], "layout": {**layout, "hovermode": "closest"}}


def _are_short(rows: list[Row]) -> bool:
    """Whether names can stand beside points."""
    return len(rows) < LABELLED and max(len(_named(row)) for row in rows) < LETTERS


def _errors(result: Exploration) -> dict[str, Any]:
    """How far off each prediction was, against what was simulated."""
    known = [row for row in result.every_row if row.error is not None]
    groups = (
        ("on the device as it is", [row for row in known if row in result.rows], "--front"),
        ("on other buses and clocks", [row for row in known if row not in result.rows], "--driver"),
    )
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": name,
            "x": [row.measurement.split.total for row in some],
            "y": [100 * (row.error or 0.0) for row in some],
            "text": [_named(row) for row in some],
            "customdata": [f"{row.predicted:,}" for row in some],
            "hovertemplate": "%{text}<br>predicted %{customdata}, simulated %{x:,}: "
            "%{y:+.3f} %<extra></extra>",
            "marker": _marker(color, "circle", 9),
        }
        for name, some, color in groups
        if some
    ]
    layout = _layout("T simulated, cycles", exponentformat="SI")
    layout["yaxis"] = {
        "automargin": True,
        "title": {"text": "error, %", "standoff": 8},
        "zeroline": True,
    }
    return {"data": traces, "layout": {**layout, "hovermode": "closest"}}


def _named(row: Row) -> str:
    one = row.measurement
    own = f" ({settings(one.device)})" if one.device.settings else ""
    return f"{escape(one.partition.name, quote=False)}{own}"


def height(result: Exploration) -> int:
    """Pixels that a chart of all partitions takes."""
    return ROW_HEIGHT * len(_shown(result)) + 110


def shown(result: Exploration) -> str:
    """Which partitions a chart of them shows, in words."""
    every = len(result.rows) == len(_shown(result))
    return "each partition" if every else f"the software and the {MOST} fastest partitions"


def _shown(result: Exploration) -> list[Row]:
    """All partitions, or of many the software and the fastest, in the order of the table."""
    if len(result.rows) <= MOST + 1:
        return list(result.rows)
    fast = sorted(result.rows, key=lambda row: row.measurement.split.total)[:MOST]
    return [row for row in result.rows if row in fast or row is result.software]


def _cycles(rows: list[Row]) -> dict[str, Any]:
    """Each part on a logarithmic axis, where a part of a thousandth still has a place."""
    names = _names(rows)
    traces = [
        _dots(name, color, names, [_part(row, name) or None for row in rows])
        for name, color in PARTS
    ]
    totals = [row.measurement.split.total for row in rows]
    traces.append({**_dots("T", "--ink", names, totals), "marker": _marker("--ink", "line-ns", 18)})
    return {"data": traces, "layout": _layout("cycles, logarithmic", type="log", dtick=1)}


def _shares(rows: list[Row]) -> dict[str, Any]:
    """What T consists of, each bar the whole."""
    names = _names(rows)
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "y": names,
            "x": [_share(row, name) for row in rows],
            "customdata": [_part(row, name) for row in rows],
            "hovertemplate": f"{name}: %{{customdata:,}} cycles, %{{x:.2f}} %<extra>%{{y}}</extra>",
            "marker": {"color": color},
        }
        for name, color in PARTS
    ]
    layout = _layout("% of T", range=[0, 100])
    return {"data": traces, "layout": {**layout, "barmode": "stack"}}


def _gain(rows: list[Row]) -> dict[str, Any]:
    gains = [row.gain for row in rows]
    trace = {
        "type": "bar",
        "orientation": "h",
        "y": _names(rows),
        "x": gains,
        "text": [f"{gain:.2f}" for gain in gains],
        "textposition": "outside",
        "cliponaxis": False,
        "customdata": [short(row.measurement.split.total) for row in rows],
        "hovertemplate": "w = %{x:.2f}, T = %{customdata} cycles<extra>%{y}</extra>",
        "marker": {"color": ["--front" if row.pareto else "--plain" for row in rows]},
        "showlegend": False,
    }
    return {"data": [trace], "layout": _layout("gain w over all software", rangemode="tozero")}


def _dots(
    name: str, color: str, names: list[str], values: list[int] | list[int | None]
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "y": names,
        "x": values,
        "hovertemplate": f"{name}: %{{x:,}} cycles<extra>%{{y}}</extra>",
        "marker": _marker(color, "circle", 10),
    }


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
