"""Flame graphs of a program before and after, as Plotly's icicles, which can be zoomed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.boundary import REPLACEMENT
from cocrypt.visible import escape

if TYPE_CHECKING:
    from cocrypt.calltree import CallTree

LEAST = 0.002
"""The share of a run below which a call is not drawn."""
LEGIBLE = {"minsize": 9, "mode": "hide"}
"""What would have to be smaller is left out."""
HUES = ("--flame-1", "--flame-2", "--flame-3", "--flame-4", "--flame-5")


def flame(tree: CallTree) -> dict[str, Any]:
    """A call tree as a figure: below each function what it calls, as wide as its cycles."""
    totals = _totals(tree)
    labels, parents, values, colors, ids = ["all"], [""], [tree.total], ["--stripe"], ["all"]
    drawn: set[int] = set()
    for number, node in enumerate(tree.nodes):
        above = node["parent"]
        if totals[number] < LEAST * tree.total or (above is not None and above not in drawn):
            continue
        drawn.add(number)
        name = str(node["name"] or "?").removeprefix(REPLACEMENT)
        ids.append(str(number))
        # What is drawn reads marks of HTML in its labels.
        labels.append(escape(name, quote=False))
        parents.append("all" if above is None else str(above))
        values.append(totals[number])
        colors.append(HUES[sum(map(ord, name)) % len(HUES)])
    trace = {
        "type": "icicle",
        "ids": ids,
        "labels": labels,
        "parents": parents,
        "values": values,
        "branchvalues": "total",
        "sort": False,
        "marker": {"colors": colors, "line": {"width": 1, "color": "--paper"}},
        "tiling": {"orientation": "v"},
        "hovertemplate": "%{label}: %{value:,} cycles, %{percentRoot:.2%}<extra></extra>",
        "textinfo": "label+percent root",
        "pathbar": {"visible": True, "thickness": 22},
    }
    return {
        "data": [trace],
        "layout": {"margin": {"l": 4, "r": 4, "t": 26, "b": 4}, "uniformtext": LEGIBLE},
    }


def _totals(tree: CallTree) -> list[int]:
    """Cycles of each node with all below it; callers stand before callees."""
    totals = [int(node["self_cycles"]) for node in tree.nodes]
    for number in range(len(totals) - 1, -1, -1):
        above = tree.nodes[number]["parent"]
        if above is not None:
            totals[above] += totals[number]
    return totals
