"""Flame graphs of a program before and after; a click makes a function as wide as the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.boundary import REPLACEMENT
from cocrypt.visible import escape

if TYPE_CHECKING:
    from cocrypt.calltree import CallTree

LEAST = 0.002
"""The share of a run below which a call is not drawn."""
LEGIBLE = {"minsize": 9, "mode": "hide"}
"""Labels that would have to be smaller are left out."""
HUES = ("--flame-1", "--flame-2", "--flame-3", "--flame-4", "--flame-5")


def flame(tree: CallTree) -> dict[str, Any]:
    """A call tree as a figure: callees below their callers, each as wide as its cycles."""
    totals = _totals(tree)
    # Label, level, start, width and colour of each box.
    boxes = [("all", 0, 0, tree.total, "--stripe")]
    level: dict[int | None, int] = {None: 0}
    begins: dict[int | None, int] = {None: 0}
    for number, node in enumerate(tree.nodes):
        parent = node["parent"]
        if totals[number] < LEAST * tree.total or parent not in level:
            continue
        start, level[number] = begins[parent], level[parent] + 1
        begins[parent], begins[number] = start + totals[number], start
        name = str(node["name"] or "?").removeprefix(REPLACEMENT)
        hue = HUES[sum(map(ord, name)) % len(HUES)]
        # The chart library reads HTML in its labels.
        boxes.append((escape(name, quote=False), level[number], start, totals[number], hue))
    labels, levels, starts, widths, hues = map(list, zip(*boxes, strict=True))
    trace = {
        "type": "bar",
        "orientation": "h",
        "text": labels,
        "y": levels,
        "base": starts,
        "x": widths,
        "width": 0.96,
        "customdata": [f"{100 * width / max(1, tree.total):.2f} %" for width in widths],
        "marker": {"color": hues, "line": {"width": 1, "color": "--paper"}},
        "textposition": "inside",
        "insidetextanchor": "start",
        "textangle": 0,
        "hovertemplate": "%{text}: %{value:,} cycles, %{customdata}<extra></extra>",
    }
    bare = {"visible": False, "fixedrange": True}
    layout = {
        "margin": {"l": 4, "r": 4, "t": 4, "b": 4},
        "uniformtext": LEGIBLE,
        "xaxis": {**bare, "range": [0, tree.total]},
        "yaxis": {**bare, "range": [max(levels) + 0.5, -0.5]},
        "showlegend": False,
        "meta": "flame",
    }
    return {"data": [trace], "layout": layout}


def levels(tree: CallTree) -> int:
    """The number of levels of a flame graph."""
    return int(max(flame(tree)["data"][0]["y"])) + 1


def _totals(tree: CallTree) -> list[int]:
    """Cycles of each node with all below it; callers stand before callees."""
    totals = [int(node["self_cycles"]) for node in tree.nodes]
    for number in range(len(totals) - 1, -1, -1):
        parent = tree.nodes[number]["parent"]
        if parent is not None:
            totals[parent] += totals[number]
    return totals
