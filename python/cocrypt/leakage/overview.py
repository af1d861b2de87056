"""All that a trace set tells: differences of its groups, known bytes, a key, and source lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.errors import InputError
from cocrypt.leakage import assessment, records, signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cocrypt.leakage.assessment import Assessment, Attack
    from cocrypt.leakage.signal import Signal
    from cocrypt.leakage.statistics import Range
    from cocrypt.leakage.traces import TraceSet


@dataclass(frozen=True)
class Line:
    """A source line, or a sample where lines are not known, with what its samples show.

    `above` counts samples whose |t| or share of variance is above its threshold; `t` and `nicv`
    are the largest ones, None without groups or a model. An infinite |t| stays infinite.
    """

    function: str | None
    file: str | None
    line: int | None
    samples: tuple[int, ...]
    cycles: tuple[int, ...]
    above: int
    t: float | None
    nicv: float | None

    def record(self) -> dict[str, Any]:
        """The line as JSON; an infinite |t| is null, and `infinite` is true."""
        infinite = self.t is not None and bool(np.isinf(self.t))
        return {
            "function": self.function,
            "file": self.file,
            "line": self.line,
            "samples": list(self.samples),
            "cycles": list(self.cycles),
            "above": self.above,
            "max_t": None if infinite else self.t,
            "infinite": infinite,
            "max_nicv": self.nicv,
        }


@dataclass(frozen=True)
class Overview:
    """The results for a set; None where the set has no groups, or no column of the model."""

    traces: TraceSet
    chosen: Range
    model: str | None
    groups: Assessment | None
    known: Signal | None
    attack: Attack | None

    @property
    def verdicts(self) -> tuple[str, ...]:
        """A sentence for each result."""
        found = []
        if self.groups is not None:
            found.append(self.groups.verdict)
        if self.known is not None:
            found.append(_known_verdict(self.known))
        if self.attack is not None:
            found.append(records.verdict(self.attack, self.model))
        return tuple(found)

    def lines(self) -> list[Line]:
        """The lines whose samples are above a threshold, those with the most such samples first."""
        above, size, share = self._sizes()
        places: dict[tuple[Any, ...], list[int]] = {}
        known = records.locations(self.traces)
        first = self.chosen.samples[0]
        for index in range(self.chosen.width):
            at = records.location(known, first + index)
            # Without a line each sample stands for itself.
            key = (at["function"], at["file"], at["line"], None if at["line"] else first + index)
            places.setdefault(key, []).append(index)
        rows = []
        for (function, file, line, _), indices in places.items():
            leaking = [first + index for index in indices if above[index]]
            if leaking:
                t = None if size is None else float(size[indices].max())
                nicv = None if share is None else float(share[indices].max())
                cycles = _cycles(known, leaking)
                count = len(leaking)
                rows.append(Line(function, file, line, tuple(leaking), cycles, count, t, nicv))
        return sorted(rows, key=lambda row: (-row.above, -(row.t or 0), -(row.nicv or 0)))

    def _sizes(
        self,
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64] | None, NDArray[np.float64] | None]:
        """For each sample: whether it is above a threshold, the largest |t| and share."""
        above = np.zeros(self.chosen.width, bool)
        size = share = None
        if self.groups is not None:
            orders = range(1, len(self.groups.welch.t) + 1)
            size = np.max([self.groups.welch.sizes(order) for order in orders], axis=0)
            above |= size > self.groups.threshold
        if self.known is not None:
            shares = [np.nan_to_num(values) for values in self.known.shares]
            share = np.max(shares, axis=0)
            for number, values in enumerate(shares):
                above |= values > self.known.threshold(number)
        return above, size, share


def _cycles(known: list[dict[str, Any]] | None, samples: Sequence[int]) -> tuple[int, ...]:
    found = (records.location(known, sample)["cycle"] for sample in samples)
    return tuple(cycle for cycle in found if cycle is not None)


def _known_verdict(known: Signal) -> str:
    counts = [known.above(number) for number in range(len(known.selections))]
    if not any(counts):
        return (
            f"No sample depends on a known byte more than by chance with {known.chosen.count:,} "
            "traces, which does not show that none does"
        )
    peaks = [known.peak(number) for number in range(len(counts))]
    number = max(range(len(counts)), key=lambda part: peaks[part][0])
    share, sample = peaks[number]
    parts = sum(count > 0 for count in counts)
    return (
        f"{parts} of {len(counts)} known bytes explain more of a sample's variance than chance "
        f"does, {known.selections[number].name} {100 * share:.3g} % of it at sample {sample:,}"
    )


def overview(
    traces: TraceSet,
    chosen: Range,
    model: str | None,
    groups: Assessment | None,
    known: Signal | None,
    attack: Attack | None,
) -> Overview:
    """Joins the results of a set; raises `InputError` if there are none."""
    if groups is None and attack is None:
        raise InputError(
            f"{traces.path} has neither groups nor known bytes",
            f"add a column `{assessment.GROUP}` of 0 and 1, or `plaintext` or `ciphertext`",
        )
    return Overview(traces, chosen, model, groups, known, attack)


def record(result: Overview) -> dict[str, Any]:
    """The JSON output; docs/json.md describes the keys."""
    return {
        **records.about(result.traces, result.chosen),
        "model": result.model,
        "verdicts": list(result.verdicts),
        "tvla": None if result.groups is None else records.assessment(result.groups),
        "snr": None if result.known is None else signal.record(result.known, result.model),
        "attack": None if result.attack is None else records.attack(result.attack, result.model),
        "lines": [line.record() for line in result.lines()],
    }


def table(result: Overview) -> str:
    """The CSV output: a row for each line that is above a threshold."""
    rows = ["function,file,line,above,t,nicv"]
    for line in result.lines():
        texts = (line.function, line.file, line.line, line.above, line.t, line.nicv)
        rows.append(",".join(_cell(text) for text in texts))
    return "\n".join([*rows, ""])


def _cell(value: str | float | None) -> str:
    """A cell of CSV; texts stand in quotation marks."""
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return "" if value is None else repr(value)
