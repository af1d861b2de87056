"""The page of a coprocessor's netlists with one rail and with two, beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.report import leakage
from cocrypt.report.axes import linear, logarithmic
from cocrypt.report.sheet import DOWNLOADS, chart, sheet, table, titled
from cocrypt.visible import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.explore.beside import Beside, Side
    from cocrypt.leakage.assessment import Attack

    Pair = tuple[Side, Side]

RAILS = {1: "one rail", 2: "two rails"}
COLOURS = {1: "--software", 2: "--driver"}
ORDERS = ("--waiting", "--plain")
"""The colours of t-tests of second and third order."""
NANO, PICO, PERCENT = 1e9, 1e12, 100.0


def page(result: Beside) -> str:
    """The page; the trace sets need not be there any more."""
    parts: list[str] = []
    figures_by_name: dict[str, Any] = {}
    for number, pair in enumerate(result.pairs):
        more, charts = _pair(result, pair, f"c{number}")
        parts += more
        figures_by_name |= charts
    names = ", ".join(pair[0].coprocessor for pair in result.pairs)
    summary = escape(
        ". ".join([*(verdict(result, pair) for pair in result.pairs), *result.doubts]) + "."
    )
    source = (
        f" Study: <code>{escape(str(result.study.name))}</code>, workload {escape(result.workload)}"
        f", partition {escape(result.partition)}; library {escape(result.described.library)}."
    )
    found = {"name": "rails", "json": record(result), "csv": csv(result)}
    title = "One rail beside two"
    return sheet(title, names, summary + source, parts, figures_by_name, found)


def figures(result: Beside, pair: Pair) -> list[tuple[str, str, str, str]]:
    """The rows of the table of costs and leakage: a name, both figures, and their ratio."""
    described = result.described
    first, last = described.window
    part = "all cycles" if (first, last) == (0, 100) else f"{first} to {last} % of the cycles"
    rows = [
        _row("area, GE", [side.area_GE for side in pair], ",.0f"),
        _row("longest path, ns", [NANO * side.period_s for side in pair], ".2f"),
        _row("time between data, ns", [NANO * side.interval_s for side in pair], ".2f"),
        _row("energy of a datum, pJ", [PICO * side.energy_J for side in pair], ".3f"),
        _row("variation of energy, %", [PERCENT * side.deviation for side in pair], ".4g"),
        _row("T of the program, cycles", [float(side.total) for side in pair], ",.0f"),
    ]
    if all(side.t is not None for side in pair):
        rows.append(_row(f"largest |t|, {part}", [side.t or 0.0 for side in pair], ",.1f"))
    if pair[0].attacks:
        one, two = (_disclosed(result, side) for side in pair)
        rows.append(("traces to disclosure", one, two, ""))
    return rows


def _row(name: str, values: Sequence[float], form: str) -> tuple[str, str, str, str]:
    one, two = values
    ratio = f"{two / one:.3g} ×" if one and np.isfinite([one, two]).all() else "–"
    texts = [f"{value:{form}}" if np.isfinite(value) else "infinite" for value in values]
    return name, texts[0], texts[1], ratio


def _disclosed(result: Beside, side: Side) -> str:
    if side.disclosed is None:
        return f"more than {result.described.traces:,}"
    return f"{side.disclosed:,}"


def verdict(result: Beside, pair: Pair) -> str:
    """A sentence; it never says that a netlist is safe."""
    one, two = pair
    area, energy = two.area_GE / one.area_GE, two.energy_J / one.energy_J
    text = f"Two rails of {one.coprocessor} cost {area:.2f} times the area and {energy:.2f} times"
    text += " the energy of a datum"
    if two.deviation:
        text += f", whose variation is {one.deviation / two.deviation:,.0f} times smaller"
    found = [side for side in pair if side.t is not None]
    if not found:
        return text
    above = [f"with {RAILS[side.rails]}" for side in found if (side.t or 0) > _threshold(side)]
    count = f"{result.described.traces:,} traces"
    if above:
        return f"{text}. In {count} the groups differ {' and '.join(above)}"
    return f"{text}. No difference was found in {count}, which shows nothing beyond them"


def _threshold(side: Side) -> float:
    assert side.groups is not None
    return side.groups.threshold


def _pair(result: Beside, pair: Pair, name: str) -> tuple[list[str], dict[str, Any]]:
    heads = ("figure", *RAILS.values(), "ratio")
    coprocessor = pair[0].coprocessor
    note = (
        "Both netlists have the cells of the same library and the data of the same program. A "
        "datum takes one cycle with one rail, and with two rails one that evaluates and one that "
        "precharges. The variation is without noise, t and attacks are with it."
    )
    parts = [titled(f"{coprocessor}: cost and leakage", note, table(heads, figures(result, pair)))]
    charts: dict[str, Any] = {}
    if all(side.groups is not None for side in pair):
        titles, more = _t_curves(pair, name)
        parts.append(titles)
        charts |= more
    for number, (model, _) in enumerate(pair[0].attacks):
        attacks = [side.attacks[number][1] for side in pair]
        part, more = _attacks(model, pair, attacks, f"{name}-{number}")
        parts.append(part)
        charts |= more
    parts.append(DOWNLOADS)
    return parts, charts


def _t_curves(pair: Pair, name: str) -> tuple[str, dict[str, Any]]:
    """The charts of |t| over cycles, both with the same height of scale."""
    tops = [_highest(side) for side in pair]
    charts = {}
    places = []
    for side in pair:
        assert side.groups is not None
        curves = [
            leakage.curve(f"order {order}", np.minimum(sizes, 1.25 * max(tops)), colour)
            for order, (sizes, colour) in enumerate(
                zip(_sizes(side), (COLOURS[side.rails], *ORDERS), strict=False), 1
            )
        ]
        threshold = side.groups.threshold
        curves.append(leakage.line("threshold", [0, side.cycles - 1], [threshold] * 2, "--bad"))
        key = f"{name}-t{side.rails}"
        heights = [0.0, max(tops), threshold]
        charts[key] = _figure(curves, side.cycles, heights, f"|t|, {RAILS[side.rails]}", "datum")
        places.append(chart(key, 340, f"the size of t over data with {RAILS[side.rails]}"))
    note = (
        "Of all data from the first transfer of the sampled function to the last. Inputs and "
        "results differ between the groups in every netlist. An infinite t is drawn above all."
    )
    title = f"{pair[0].coprocessor}: |t| over time"
    return titled(title, note, f'<div class="pair">{"".join(places)}</div>'), charts


def _sizes(side: Side) -> list[Any]:
    assert side.groups is not None
    return [side.groups.welch.sizes(order + 1) for order in range(len(side.groups.welch.t))]


def _highest(side: Side) -> float:
    """The largest finite |t|, or the threshold if that is more."""
    finite = [float(sizes[np.isfinite(sizes)].max(initial=0)) for sizes in _sizes(side)]
    return max(*finite, _threshold(side))


def _attacks(
    model: str, pair: Pair, attacks: Sequence[Attack], name: str
) -> tuple[str, dict[str, Any]]:
    """The correlations over time of both netlists, and their ranks against traces on one chart."""
    curves = [leakage.highest_curve(attack) for attack in attacks]
    top = max(float(values.max()) for values in curves)
    charts, places = {}, []
    for side, values in zip(pair, curves, strict=True):
        key = f"{name}-r{side.rails}"
        drawn = [leakage.curve("right guesses", values, COLOURS[side.rails])]
        title = f"|correlation|, {RAILS[side.rails]}"
        charts[key] = _figure(drawn, side.cycles, [0.0, top], title, "datum")
        places.append(chart(key, 300, f"correlations over data with {RAILS[side.rails]}"))
    ranks = []
    for side, attack in zip(pair, attacks, strict=True):
        means = [step.entropy for step in attack.steps()]
        drawn_line = leakage.line(RAILS[side.rails], list(attack.after), means, COLOURS[side.rails])
        ranks.append(drawn_line | {"mode": "lines+markers"})
    most = float(max(selection.guesses for selection in attacks[0].selections))
    charts[f"{name}-ranks"] = {
        "data": ranks,
        "layout": {
            "xaxis": logarithmic(attacks[0].after, "traces"),
            "yaxis": logarithmic([1.0, most], "mean rank"),
        }
        | leakage.LEGEND,
    }
    places.append(chart(f"{name}-ranks", 300, "the mean rank of key parts against traces"))
    found = " and ".join(
        f"{attack.found} of {len(attack.selections)} with {RAILS[side.rails]}"
        for side, attack in zip(pair, attacks, strict=True)
    )
    note = (
        f"Parts of the key whose right guess is the best after all traces: {found}. The last chart "
        "has the mean rank of the right guesses against the number of traces; 1 is the best."
    )
    title = f"{pair[0].coprocessor}: attack {model}"
    return titled(title, note, f'<div class="pair">{"".join(places)}</div>'), charts


def _figure(
    curves: list[dict[str, Any]], count: int, heights: Sequence[float], title: str, across: str
) -> dict[str, Any]:
    axis = {"title": {"text": across, "standoff": 8}, "range": [0, count], "automargin": True}
    return {
        "data": curves,
        "layout": {"xaxis": axis, "yaxis": linear(heights, title)} | leakage.LEGEND,
    }


def record(result: Beside) -> dict[str, Any]:
    """The JSON output; docs/json.md describes the keys."""
    return {
        "study": result.study.name,
        "workload": result.workload,
        "partition": result.partition,
        "library": result.described.library,
        "traces": result.described.traces,
        "window": list(result.described.window),
        "coprocessors": [
            {
                "name": pair[0].coprocessor,
                "single": _side(pair[0]),
                "double": _side(pair[1]),
                "verdict": verdict(result, pair),
            }
            for pair in result.pairs
        ],
        "notes": list(result.doubts),
    }


def _side(side: Side) -> dict[str, Any]:
    t = side.t
    return {
        "total": side.total,
        "area_GE": side.area_GE,
        "period_s": side.period_s,
        "interval_s": side.interval_s,
        "energy_J": side.energy_J,
        "deviation": side.deviation,
        "data": side.cycles,
        "max_t": None if t is None or not np.isfinite(t) else t,
        "infinite": t is not None and not np.isfinite(t),
        "disclosed": side.disclosed,
        "attacks": [
            {
                "model": model,
                "found": attack.found,
                "parts": len(attack.selections),
                "steps": [
                    {"traces": step.traces, "guessing_entropy": step.entropy}
                    for step in attack.steps()
                ],
            }
            for model, attack in side.attacks
        ],
    }


def csv(result: Beside) -> str:
    """The statistic of every datum, a row for each netlist, order and datum."""
    rows = ["coprocessor,rails,order,datum,t"]
    for side in (side for pair in result.pairs for side in pair):
        if side.groups is None:
            continue
        for order, values in enumerate(side.groups.welch.t, 1):
            name = '"' + side.coprocessor.replace('"', '""') + '"'
            rows += [
                f"{name},{side.rails},{order},{datum},{float(value)!r}"
                for datum, value in enumerate(values)
            ]
    return "\n".join([*rows, ""])
