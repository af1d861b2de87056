"""Verdicts on trace sets: whether two groups differ, and how many traces disclose a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.errors import InputError
from cocrypt.leakage import statistics
from cocrypt.leakage.rank import key_rank, likelihoods
from cocrypt.leakage.statistics import Outcome, Range, Welch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cocrypt.leakage.selections import Selection
    from cocrypt.leakage.traces import TraceSet

THRESHOLD = 4.5
"""|t| that counts as a difference, as is usual (G. Goodwill et al., NIAT 2011)."""
GROUP = "group"
"""The column that says which group a trace is in."""


@dataclass(frozen=True)
class Assessment:
    """A t-test with its verdict; `names` are those of the two groups."""

    traces: TraceSet
    chosen: Range
    names: tuple[str, str]
    welch: Welch
    threshold: float

    def peak(self, order: int) -> tuple[float, int]:
        """The largest |t| of an order, and its sample; 0 where t is known nowhere.

        It is infinite where neither group varies and their values differ.
        """
        values = self.welch.sizes(order)
        index = int(np.argmax(values))
        return float(values[index]), index + self.chosen.samples[0]

    def above(self, order: int) -> int:
        """The number of samples whose |t| is above the threshold."""
        return int(np.count_nonzero(self.welch.sizes(order) > self.threshold))

    @property
    def differ(self) -> bool:
        """True if |t| is above the threshold anywhere, at any order."""
        return any(self.above(order + 1) for order in range(len(self.welch.t)))

    @property
    def verdict(self) -> str:
        """A sentence."""
        first, second = self.welch.counts
        sizes = f"{first:,} traces against {second:,}"
        orders = range(1, len(self.welch.t) + 1)
        found = [order for order in orders if self.above(order)]
        if not found:
            return (
                f"No |t| above {self.threshold:g} with {sizes}, up to order {orders[-1]}: no "
                "difference was found, which does not show that there is none"
            )
        peak, sample = self.peak(found[0])
        size = f"{peak:,.1f} at sample {sample:,}"
        if np.isinf(peak):
            size = f"infinite at sample {sample:,}, where the groups do not vary and differ"
        return (
            f"{self.names[0]} and {self.names[1]} differ at order {found[0]}: |t| is above "
            f"{self.threshold:g} at {self.above(found[0]):,} of {self.chosen.width:,} samples, and "
            f"{size}, with {sizes}"
        )


def assess(
    traces: TraceSet,
    chosen: Range,
    column: str = GROUP,
    values: tuple[int, int] = (0, 1),
    *,
    split: int | None = None,
    orders: int = 1,
    threshold: float = THRESHOLD,
    progress: Callable[[int], object] | None = None,
) -> Assessment:
    """Compares the traces whose `column` has the first value with those that have the second.

    With `split`, a seed, those that have the second value (all, if there is no such column) are
    split at random and compared with themselves: a test of the measurement, which should find
    nothing.
    Raises `InputError` if a group has less than two traces.
    """
    if split is None:
        entries = _column(traces, column)[slice(*chosen.traces)]
        groups = np.full(chosen.count, 2, np.uint8)
        groups[entries == values[0]], groups[entries == values[1]] = 0, 1
        names = (f"{column} {values[0]}", f"{column} {values[1]}")
    else:
        groups = np.random.default_rng(split).integers(0, 2, chosen.count, np.uint8)
        if column in traces.columns:
            groups[_column(traces, column)[slice(*chosen.traces)] != values[1]] = 2
        names = ("one half", "the other half")
    for name, group in zip(names, (0, 1), strict=True):
        if np.count_nonzero(groups == group) < 2:
            raise InputError(
                f"{name} has less than two of the traces",
                "name the column by --column and its values by --values",
            )
    welch = statistics.welch(traces, chosen, groups, orders, progress)
    return Assessment(traces, chosen, names, welch, threshold)


def _column(traces: TraceSet, name: str) -> NDArray[Any]:
    if name not in traces.columns or traces.columns[name][1] not in ((), (1,)):
        singles = [other for other, (_, shape) in traces.columns.items() if shape in ((), (1,))]
        raise InputError(
            f"{traces.path} has no column `{name}` with one number for each trace",
            f"name one by --column: {', '.join(singles)}" if singles else "add one to the set",
        )
    return traces.column(name).reshape(-1)


@dataclass(frozen=True)
class Step:
    """The state of an attack after a number of traces, over its repetitions.

    `right` is the mean number of parts whose right guess is the best; `entropy` the mean rank of a
    part, 1 if each guess is right; `success` the share of repetitions that have the whole key;
    `bits` the mean bounds of the key's rank, as powers of two.
    """

    traces: int
    right: float
    entropy: float
    success: float
    bits: tuple[float, float] | None


@dataclass(frozen=True)
class Attack:
    """An attack: `runs` has for each repetition, step and part of the key its outcome."""

    traces: TraceSet
    chosen: Range
    selections: tuple[Selection, ...]
    known: tuple[int, ...] | None
    after: tuple[int, ...]
    runs: tuple[list[list[Outcome]], ...]
    difference: bool

    @property
    def final(self) -> list[Outcome]:
        """The outcomes of the first repetition after all its traces."""
        return self.runs[0][-1]

    def disclosed(self, number: int) -> int | None:
        """The number of traces from which on the right guess of a part stays the best."""
        if self.known is None:
            return None
        found = None
        for traces, outcomes in zip(self.after, self.runs[0], strict=True):
            is_best = outcomes[number].rank(self.known[number]) == 1
            found = (found or traces) if is_best else None
        return found

    @property
    def found(self) -> int | None:
        """The number of parts whose right guess is the best; None if the key is not known."""
        if self.known is None:
            return None
        pairs = zip(self.final, self.known, strict=True)
        return sum(outcome.rank(guess) == 1 for outcome, guess in pairs)

    def margin(self, number: int) -> float:
        """The best guess's value over that of the second."""
        second, best = np.sort(self.final[number].peaks)[-2:]
        return float(best / second) if second else (float("inf") if best else 1.0)

    def steps(self) -> list[Step]:
        """Ranks after each number of traces; empty if the key is not known."""
        if self.known is None:
            return []
        return [self._step(number, traces) for number, traces in enumerate(self.after)]

    def _step(self, number: int, traces: int) -> Step:
        assert self.known is not None
        ranks = np.array(
            [
                [
                    outcome.rank(guess)
                    for outcome, guess in zip(run[number], self.known, strict=True)
                ]
                for run in self.runs
            ]
        )
        bits = None
        if not self.difference:
            scores = [
                [likelihoods(outcome.peaks, traces) for outcome in run[number]] for run in self.runs
            ]
            bounds = np.array([key_rank(parts, self.known) for parts in scores]).mean(0)
            bits = (float(bounds[0]), float(bounds[1]))
        return Step(
            traces,
            float((ranks == 1).sum(1).mean()),
            float(ranks.mean()),
            float((ranks == 1).all(1).mean()),
            bits,
        )


def disclose(
    traces: TraceSet,
    chosen: Range,
    selections: Sequence[Selection],
    known: Sequence[int] | None,
    *,
    steps: int = 10,
    repeat: int = 1,
    difference: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Attack:
    """Attacks a key, and looks at its ranks at so many numbers of traces, in equal ratios.

    With `repeat`, the traces are divided into so many equal parts, each attacked for itself. Raises
    `InputError` if a part has less than two traces.
    """
    each = chosen.count // repeat
    if each < 2:
        raise InputError(
            f"{chosen.count:,} traces in {repeat:,} parts are too few", "give a smaller --repeat"
        )
    after = _after(each, steps)
    runs = []
    for number in range(repeat):
        first = chosen.traces[0] + number * each
        share = Range((first, first + each), chosen.samples)

        def step(done: int, before: int = number * each) -> None:
            if progress is not None:
                progress(before + done)

        runs.append(
            statistics.attack(
                traces, share, selections, after, known, difference=difference, progress=step
            )
        )
    right = None if known is None else tuple(known)
    return Attack(traces, chosen, tuple(selections), right, after, tuple(runs), difference)


def _after(traces: int, steps: int) -> tuple[int, ...]:
    """Numbers of traces in equal ratios, from all down to about a hundredth."""
    first = max(min(traces, 10), traces // 100, 2)
    return tuple(int(count) for count in np.unique(np.geomspace(traces, first, steps).round()))
