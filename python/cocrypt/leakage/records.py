"""The JSON and CSV output of assessments and attacks; docs/json.md describes the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.leakage.selections import MODELS, PARTS

if TYPE_CHECKING:
    from cocrypt.leakage.assessment import Assessment, Attack
    from cocrypt.leakage.statistics import Range
    from cocrypt.leakage.traces import TraceSet

POINTS = 20
"""Samples of an order that are listed, those with the largest |t|."""
LOCATION = ("cycle", "pc", "function", "file", "line")
"""Columns of `samples.csv` that say where a sample is in a program."""


def locations(traces: TraceSet) -> list[dict[str, Any]] | None:
    """The origin of each sample, by the names in `LOCATION`; None if nothing is."""
    axis = traces.axis()
    if axis is None:
        return None
    return axis.select([name for name in LOCATION if name in axis.columns]).to_dicts()


def location(known: list[dict[str, Any]] | None, sample: int) -> dict[str, Any]:
    """The origin of a sample; null where it is not known."""
    found = known[sample] if known is not None and sample < len(known) else {}
    return {name: found.get(name) for name in LOCATION}


def about(traces: TraceSet, chosen: Range) -> dict[str, Any]:
    """The set, and the part of it that was used."""
    return {
        "set": str(traces.path),
        "source": traces.source,
        "traces": chosen.count,
        "samples": list(chosen.samples),
    }


def assessment(result: Assessment) -> dict[str, Any]:
    """A t-test: the largest |t| by order, and the samples with the largest."""
    known = locations(result.traces)
    orders = []
    for number, values in enumerate(result.welch.t, 1):
        size = result.welch.sizes(number)
        highest = [int(index) for index in np.argsort(-size, kind="stable")[:POINTS]]
        first = result.chosen.samples[0]
        orders.append(
            {
                "order": number,
                "max_t": _finite(size.max()),
                "above": result.above(number),
                "infinite": int(np.count_nonzero(np.isinf(size))),
                "points": [
                    {"sample": first + index, "t": _finite(values[index])}
                    | location(known, first + index)
                    for index in highest
                    if size[index] > 0
                ],
            }
        )
    groups = [
        {"name": name, "traces": count}
        for name, count in zip(result.names, result.welch.counts, strict=True)
    ]
    return about(result.traces, result.chosen) | {
        "groups": groups,
        "threshold": result.threshold,
        "orders": orders,
        "differ": result.differ,
        "verdict": result.verdict,
    }


def _finite(value: float) -> float | None:
    """A number that JSON has; an infinite t, of groups that do not vary and differ, is null."""
    return float(value) if np.isfinite(value) else None


def assessment_csv(result: Assessment) -> str:
    """The statistic of every sample, a column for each order; `inf` and `nan` as `welch` says."""
    orders = range(1, len(result.welch.t) + 1)
    lines = [",".join(["sample", *(f"t{order}" for order in orders)])]
    columns = zip(*result.welch.t, strict=True)
    for sample, values in enumerate(columns, result.chosen.samples[0]):
        lines.append(",".join([str(sample), *(repr(float(value)) for value in values)]))
    return "\n".join(lines) + "\n"


def whole_key(result: Attack, model: str | None) -> str | None:
    """The key that the best guesses make, in hexadecimal; None where they do not make one."""
    compute = MODELS[model].whole_key if model in MODELS else None
    if compute is None or len(result.selections) != PARTS:
        return None
    return compute([outcome.best for outcome in result.final]).hex()


def attack(result: Attack, model: str | None) -> dict[str, Any]:
    """An attack: the best guess of each part, and the ranks after each number of traces."""
    known = locations(result.traces)
    parts = []
    for number, (selection, outcome) in enumerate(
        zip(result.selections, result.final, strict=True)
    ):
        sample = int(outcome.positions[outcome.best])
        right = None if result.known is None else result.known[number]
        margin = result.margin(number)
        parts.append(
            {
                "name": selection.name,
                "guess": outcome.best,
                "value": float(outcome.peaks[outcome.best]),
                "margin": margin if np.isfinite(margin) else None,
                "sample": sample,
                "right": right,
                "rank": None if right is None else outcome.rank(right),
                "disclosed": result.disclosed(number),
            }
            | location(known, sample)
        )
    return about(result.traces, result.chosen) | {
        "model": model,
        "statistic": "difference" if result.difference else "correlation",
        "repetitions": len(result.runs),
        "parts": parts,
        "key": whole_key(result, model),
        "found": result.found,
        "steps": [
            {
                "traces": step.traces,
                "right": step.right,
                "guessing_entropy": step.entropy,
                "success_rate": step.success,
                "rank_bits": None if step.bits is None else list(step.bits),
            }
            for step in result.steps()
        ],
        "verdict": verdict(result, model),
    }


def attack_csv(result: Attack) -> str:
    """The value of every guess of every part after each number of traces, and its sample."""
    lines = ["repetition,traces,part,guess,value,sample"]
    for repetition, run in enumerate(result.runs):
        for traces, outcomes in zip(result.after, run, strict=True):
            for selection, outcome in zip(result.selections, outcomes, strict=True):
                lines += [
                    f"{repetition},{traces},{selection.name},{guess},{float(value)!r},{position}"
                    for guess, (value, position) in enumerate(
                        zip(outcome.peaks, outcome.positions, strict=True)
                    )
                ]
    return "\n".join(lines) + "\n"


def verdict(result: Attack, model: str | None) -> str:
    """A sentence about what an attack found."""
    traces = f"{result.after[-1]:,} traces"
    if result.known is None:
        key = whole_key(result, model)
        guesses = f"the key {key}" if key else "no key by themselves"
        least = min(result.margin(number) for number in range(len(result.selections)))
        return (
            f"The best guesses after {traces} make {guesses}; the least certain part is "
            f"{least:.2f} times its second guess. Without --key nothing says whether they are right"
        )
    whole = len(result.selections)
    if not result.found:
        return (
            f"No part of the key ranks first after {traces} under this model, which does not show "
            "that more traces or another model would not find it"
        )
    counts = [result.disclosed(number) for number in range(whole)]
    enough = max((count for count in counts if count), default=None)
    since = f", from {enough:,} traces on" if enough and result.found == whole else ""
    return f"{result.found} of {whole} parts of the key rank first after {traces}{since}"
