"""The pages of trace sets: |t| over samples, correlations, and ranks against traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.leakage import overview as joint
from cocrypt.leakage import records
from cocrypt.report.axes import linear, logarithmic
from cocrypt.report.sheet import DOWNLOADS, chart, sheet, table, titled
from cocrypt.visible import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cocrypt.leakage.assessment import Assessment, Attack
    from cocrypt.leakage.overview import Overview

COLOURS = ("--software", "--driver", "--waiting")
"""The colours of the orders."""
MOST_POINTS = 8000
"""Points of a curve; of longer ones each point is the largest of its neighbours."""


def assessment(result: Assessment) -> str:
    """The page of a t-test."""
    record = records.assessment(result)
    parts, figures = _assessment(result, record)
    found = {"name": "tvla", "json": record, "csv": records.assessment_csv(result)}
    headline = "The groups differ" if result.differ else "No difference found"
    return sheet("Welch's t-test", headline, _summary(record), [*parts, DOWNLOADS], figures, found)


def _assessment(result: Assessment, record: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The parts of a t-test and their charts."""
    known = records.locations(result.traces)
    first = result.chosen.samples[0]
    orders = range(1, len(result.welch.t) + 1)
    sizes = [result.welch.sizes(order) for order in orders]
    finite = max(float(size[np.isfinite(size)].max(initial=0)) for size in sizes)
    # An infinite t is drawn above all others.
    top = 1.25 * max(finite, result.threshold)
    curves = [
        curve(f"order {order}", np.minimum(size, top), COLOURS[order - 1], first, known)
        for order, size in zip(orders, sizes, strict=True)
    ]
    highest = max(float(np.minimum(size, top).max()) for size in sizes)
    ends = list(result.chosen.samples)
    curves.append(line("threshold", ends, [result.threshold] * 2, "--bad"))
    figures = {"t": _figure(curves, ends, [0, highest, result.threshold], "|t|")}
    points = [
        (
            order["order"],
            f"{point['sample']:,}",
            "infinite" if point["t"] is None else f"{point['t']:+,.2f}",
            *(_shown(point[name]) for name in records.LOCATION),
        )
        for order in record["orders"]
        for point in order["points"]
    ]
    parts = [
        titled(
            "|t| over samples",
            "Point at the curve for the cycle and the source line of a sample, where they are "
            "known. An infinite t, of groups that do not vary and differ, is drawn above all "
            "others.",
            chart("t", 420, "the size of t over samples, by order, with the threshold"),
        ),
        titled(
            "Samples that differ most",
            "By order; a click on a heading sorts.",
            table(("order", "sample", "t", *records.LOCATION), points, 0, sortable=True),
        ),
    ]
    return parts, figures


def attack(result: Attack, model: str | None) -> str:
    """The page of an attack."""
    record = records.attack(result, model)
    parts, figures = _attack(result, record)
    found = {"name": "attack", "json": record, "csv": records.attack_csv(result)}
    return sheet("Attack", _found(record), _summary(record), [*parts, DOWNLOADS], figures, found)


def _attack(result: Attack, record: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The parts of an attack and their charts."""
    figures = {"curves": _curves(result)}
    name = "the difference" if result.difference else "the correlation"
    parts = [
        titled(
            f"{name[4:].capitalize()} over samples",
            f"The largest size of {name} among all parts of the key, of the right guesses where "
            "the key is known and of the best guesses otherwise.",
            chart("curves", 380, f"{name} over samples"),
        )
    ]
    if record["steps"]:
        figures["ranks"] = _ranks(result)
        parts.append(
            titled(
                "Rank against traces",
                "The rank of the right guess of each part; 1 is the best. The thick line is the "
                "mean over all parts and repetitions.",
                chart("ranks", 420, "rank of the right guesses against the number of traces"),
            )
        )
    heads = ("part", "guess", "value", "over second", "sample", "right", "rank", "from traces")
    rows = [_row(part) for part in record["parts"]]
    parts.append(titled("Parts of the key", "After all traces.", table(heads, rows)))
    return parts, figures


def _found(record: dict[str, Any]) -> str:
    if record["found"] is None:
        return "The best guesses"
    return f"{record['found']} of {len(record['parts'])} parts of the key found"


def overview(result: Overview) -> str:
    """The page with all that a set tells."""
    record = joint.record(result)
    heads = ("file", "line", "function", "samples above", "largest |t|", "largest NICV")
    rows = [_line_row(line) for line in record["lines"]]
    note = (
        "The lines, or the samples where lines are not known, with samples above a threshold of "
        "|t| or of the variance that known bytes explain; a click on a heading sorts."
    )
    parts = [titled("Where it leaks", note, table(heads, rows, 3, sortable=True) + DOWNLOADS)]
    figures: dict[str, Any] = {}
    if result.groups is not None:
        more, charts = _assessment(result.groups, record["tvla"])
        parts += more
        figures |= charts
    if result.known is not None:
        parts.append(_known(record["snr"]))
    if result.attack is not None:
        more, charts = _attack(result.attack, record["attack"])
        parts += more
        figures |= charts
    found = {"name": "leakage", "json": record, "csv": joint.table(result)}
    count = len(rows)
    headline = f"{count:,} line{'' if count == 1 else 's'} above a threshold"
    sentences = ". ".join(record["verdicts"])
    return sheet(
        "Leakage", headline, _summary({**record, "verdict": sentences}), parts, figures, found
    )


def _line_row(line: dict[str, Any]) -> tuple[str, ...]:
    where = line["file"] or f"sample {line['samples'][0]:,}"
    t = "infinite" if line["infinite"] else _shown(line["max_t"])
    cells = (_shown(line["line"]), _shown(line["function"]), f"{line['above']:,}")
    return (where, *cells, t, _shown(line["max_nicv"]))


def _known(record: dict[str, Any]) -> str:
    """The table of the variance that known bytes explain."""
    heads = ("part", "classes", "SNR", "NICV", "of chance", "samples above", "sample")
    rows = [
        (
            part["name"],
            f"{part['classes']:,}",
            "infinite" if part["snr"] is None else _shown(part["snr"]),
            *(_shown(part[name]) for name in ("nicv", "threshold")),
            *(f"{part[name]:,}" for name in ("above", "sample")),
        )
        for part in record["parts"]
    ]
    note = (
        "The largest share of a sample's variance that a known byte explains, without a guess of "
        "the key; chance alone exceeds its NICV in one of 100 results."
    )
    return titled("Known bytes", note, table(heads, rows))


def _row(part: dict[str, Any]) -> tuple[str, ...]:
    figures = [_shown(part[key]) for key in ("value", "margin", "sample")]
    ends = [_shown(part[key]) for key in ("rank", "disclosed")]
    right = "–" if part["right"] is None else f"{part['right']:02x}"
    return (part["name"], f"{part['guess']:02x}", *figures, right, *ends)


def _summary(record: dict[str, Any]) -> str:
    source = f" Source: {escape(record['source'])}." if record["source"] else ""
    return f"{escape(record['verdict'])}. Set: <code>{escape(record['set'])}</code>.{source}"


def _shown(value: Any) -> str:  # noqa: ANN401 - a value of a record.
    if value is None:
        return "–"
    return f"{value:,.4g}" if isinstance(value, float) else str(value)


def curve(
    name: str,
    values: NDArray[np.float64],
    colour: str,
    first: int = 0,
    known: Sequence[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """A curve over samples, with their locations in the program."""
    indices = _kept(values)
    samples = [first + int(index) for index in indices]
    drawn = line(name, samples, [round(float(values[index]), 6) for index in indices], colour)
    drawn["text"] = [_told(known, sample) for sample in samples]
    drawn["hovertemplate"] = "sample %{x:,}: %{y:.4g}%{text}<extra>" + name + "</extra>"
    return drawn


def _kept(values: NDArray[np.float64]) -> list[int]:
    """The indices that are drawn: the largest of each few neighbours."""
    step = -(-len(values) // MOST_POINTS)
    starts = range(0, len(values), step)
    return [start + int(np.argmax(values[start : start + step])) for start in starts]


def _told(known: Sequence[dict[str, Any]] | None, sample: int) -> str:
    """The location of a sample, as it is shown under the pointer."""
    location = records.location(list(known) if known is not None else None, sample)
    parts = [f"cycle {location['cycle']:,}"] if location["cycle"] is not None else []
    parts += [str(location["function"])] if location["function"] else []
    parts += [f"{location['file']}:{location['line']}"] if location["file"] else []
    return "".join(f"<br>{escape(part)}" for part in parts)


def line(name: str, x: Sequence[int], y: Sequence[float], colour: str) -> dict[str, Any]:
    """A curve as plotly.js takes it; `colour` is a variable of the style sheet."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(x),
        "y": list(y),
        "line": {"color": colour, "width": 1.4},
    }


def _figure(
    curves: list[dict[str, Any]], ends: Sequence[int], heights: Sequence[float], title: str
) -> dict[str, Any]:
    # An axis of samples begins where the samples do, not at 0.
    across = {"title": {"text": "sample", "standoff": 8}, "range": list(ends), "automargin": True}
    layout = {"xaxis": across, "yaxis": linear(heights, title)}
    return {"data": curves, "layout": layout | LEGEND}


LEGEND = {
    "showlegend": True,
    "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    "margin": {"l": 10, "r": 20, "t": 10, "b": 10},
}


def highest_curve(result: Attack) -> NDArray[np.float64]:
    """The largest size of the value over samples, among the right guesses, else the best ones."""
    right = result.known or tuple(outcome.best for outcome in result.final)
    pairs = zip(result.final, right, strict=True)
    highest: NDArray[np.float64] = np.max(
        [np.abs(outcome.curves[guess]) for outcome, guess in pairs], axis=0
    )
    return highest


def _curves(result: Attack) -> dict[str, Any]:
    highest = highest_curve(result)
    name = "right guesses" if result.known else "best guesses"
    known = records.locations(result.traces)
    drawn = curve(name, highest, "--software", result.chosen.samples[0], known)
    title = "|difference|" if result.difference else "|correlation|"
    heights = [0.0, float(highest.max())]
    return _figure([drawn], list(result.chosen.samples), heights, title)


def _ranks(result: Attack) -> dict[str, Any]:
    assert result.known is not None
    after = list(result.after)
    curves = []
    for number, (selection, guess) in enumerate(zip(result.selections, result.known, strict=True)):
        ranks = [float(outcomes[number].rank(guess)) for outcomes in result.runs[0]]
        drawn = line(selection.name, after, ranks, "--plain")
        drawn["showlegend"] = False
        drawn["hovertemplate"] = "%{x:,} traces: rank %{y}<extra>" + selection.name + "</extra>"
        curves.append(drawn)
    means = [step.entropy for step in result.steps()]
    mean = line("mean", after, means, "--front")
    mean["line"]["width"] = 3
    mean["mode"] = "lines+markers"
    highest = float(max(selection.guesses for selection in result.selections))
    layout = {
        "xaxis": logarithmic(after, "traces"),
        "yaxis": logarithmic([1.0, highest], "rank"),
    }
    return {"data": [*curves, mean], "layout": layout | LEGEND}
