"""Statistics over trace sets: t-tests, attacks, signal-to-noise ratios. The sums are in `_native`.

All read a set chunk by chunk, on all cores. Sums of whole samples are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt import _native
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cocrypt.leakage.selections import Selection
    from cocrypt.leakage.traces import TraceSet

MEMORY = 1 << 30
"""Bytes of sums that are kept at a time; more samples are worked on in several passes."""
ROUNDING = 1e-12
"""The share of a variance that roundings alone may leave unexplained."""


@dataclass(frozen=True)
class Range:
    """The part of a set that a statistic is computed of: traces and samples, each [first, last)."""

    traces: tuple[int, int]
    samples: tuple[int, int]

    @property
    def count(self) -> int:
        """The number of traces."""
        return self.traces[1] - self.traces[0]

    @property
    def width(self) -> int:
        """The number of samples."""
        return self.samples[1] - self.samples[0]


def part(
    traces: TraceSet,
    count: int | None = None,
    samples: tuple[int | None, int | None] = (None, None),
) -> Range:
    """The first `count` traces, or all, and a range of samples.

    Raises `InputError` if the set has fewer.
    """
    first, last = samples[0] or 0, traces.samples if samples[1] is None else samples[1]
    if not 0 <= first < last <= traces.samples:
        raise InputError(
            f"a trace of {traces.path} has {traces.samples:,} samples, not {first}:{last}",
            "give --samples FROM:TO within them",
        )
    available = len(traces)
    if count is not None and count > available:
        raise InputError(
            f"{traces.path} has {available:,} traces, not {count:,}", "ask for fewer by --traces"
        )
    if not (available if count is None else count):
        raise InputError(f"{traces.path} has no traces", "append some")
    return Range((0, available if count is None else count), (first, last))


@dataclass(frozen=True)
class Welch:
    """A t-test: the traces of both groups, and t of each sample, by order."""

    counts: tuple[int, int]
    t: tuple[NDArray[np.float64], ...]

    def sizes(self, order: int) -> NDArray[np.float64]:
        """|t| of each sample: 0 where t is NaN, infinite where t is."""
        sizes = np.abs(self.t[order - 1])
        return np.where(np.isnan(sizes), 0.0, sizes)


def welch(
    traces: TraceSet,
    chosen: Range,
    groups: NDArray[np.uint8],
    orders: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Welch:
    """Welch's t-test of the traces with group 0 against those with 1, up to an order.

    `groups` has an entry for each trace of the range; traces with other entries are left out. Of
    first order t is infinite where neither group varies and their values differ. t is NaN where a
    group has less than two traces, where neither varies otherwise, and of third order where one
    does not vary.
    """
    counts, statistics = _native.leak_welch(
        traces.path,
        chosen.traces,
        chosen.samples,
        np.ascontiguousarray(groups, np.uint8).tobytes(),
        orders,
        progress,
    )
    return Welch((counts[0], counts[1]), tuple(np.frombuffer(order) for order in statistics))


@dataclass(frozen=True)
class Outcome:
    """The outcome for one selection: the largest |value| of each guess, and its sample.

    `curves` has the value over samples for the best guess and the right one.
    """

    peaks: NDArray[np.float64]
    positions: NDArray[np.int64]
    curves: dict[int, NDArray[np.float64]]

    @property
    def best(self) -> int:
        """The guess with the largest value."""
        return int(np.argmax(self.peaks))

    def rank(self, guess: int) -> int:
        """1 for the best guess; guesses with the same value count as better."""
        better = self.peaks >= self.peaks[guess]
        return int(np.count_nonzero(better))


def attack(
    traces: TraceSet,
    chosen: Range,
    selections: Sequence[Selection],
    after: Sequence[int],
    known: Sequence[int | None] | None = None,
    *,
    difference: bool = False,
    progress: Callable[[int], object] | None = None,
) -> list[list[Outcome]]:
    """The outcomes of all selections after each number of traces, in rising order.

    Values are correlations with the model, or with `difference` the change of a sample per unit of
    the model, which for a model of one bit is the difference of means. Curves are those after all
    traces.
    """
    asked = list(known) if known is not None else [None] * len(selections)
    targets = _targets(selections, traces, chosen)
    windows = _windows(chosen, selections)

    def run(first: int, last: int, at: Sequence[int], ask: Sequence[int | None]) -> Any:  # noqa: ANN401 - as the native module has it.
        return _native.leak_attack(
            traces.path, chosen.traces, (first, last), targets, difference, at, ask, progress
        )

    pieces = [run(first, last, after, asked) for first, last in windows]
    merged = [
        [
            _merged([piece[step][number] for piece in pieces], windows)
            for number in range(len(selections))
        ]
        for step in range(len(after))
    ]
    if len(windows) > 1:
        # The best guess of a window need not be the best of all: its curve takes another pass.
        best = [outcome.best for outcome in merged[-1]]
        again = [run(first, last, after[-1:], best)[0] for first, last in windows]
        for number, outcome in enumerate(merged[-1]):
            parts = [np.frombuffer(piece[number][2][best[number]]) for piece in again]
            outcome.curves[best[number]] = np.concatenate(parts)
    return merged


def _targets(
    selections: Sequence[Selection], traces: TraceSet, chosen: Range
) -> list[tuple[Any, ...]]:
    read: dict[str, NDArray[Any]] = {}
    return [
        _target(selection, selection.classes(traces, *chosen.traces, read))
        for selection in selections
    ]


def _target(selection: Selection, classes: NDArray[np.uint16]) -> tuple[Any, ...]:
    terms = [
        (
            np.ascontiguousarray(term.classes, np.uint16).tobytes(),
            term.table.shape[1],
            np.ascontiguousarray(term.table, np.float64).tobytes(),
        )
        for term in selection.terms
    ]
    return classes.tobytes(), selection.guesses, terms


def _windows(chosen: Range, selections: Sequence[Selection]) -> list[tuple[int, int]]:
    """Ranges of samples whose sums fit the memory."""
    sums = sum(term.table.shape[1] for selection in selections for term in selection.terms)
    width = max(MEMORY // (16 * sums), 64)
    first, last = chosen.samples
    return [(start, min(start + width, last)) for start in range(first, last, width)]


def _merged(
    pieces: Sequence[tuple[bytes, list[int], dict[int, bytes]]],
    windows: Sequence[tuple[int, int]],
) -> Outcome:
    """The outcome over all windows; positions are samples of the set."""
    peaks = np.stack([np.frombuffer(peaks) for peaks, _, _ in pieces])
    positions = np.stack(
        [
            np.array(samples) + start
            for (_, samples, _), (start, _) in zip(pieces, windows, strict=True)
        ]
    )
    winner = np.argmax(peaks, axis=0)
    shared = set.intersection(*(set(curves) for _, _, curves in pieces))
    curves = {
        guess: np.concatenate([np.frombuffer(curves[guess]) for _, _, curves in pieces])
        for guess in shared
    }
    columns = np.arange(peaks.shape[1])
    return Outcome(peaks[winner, columns], positions[winner, columns], curves)


def explained(
    traces: TraceSet,
    chosen: Range,
    selections: Sequence[Selection],
    progress: Callable[[int], object] | None = None,
) -> list[NDArray[np.float64]]:
    """The share of each sample's variance that the classes of a selection explain (NICV).

    Variances are those of all traces, not estimates, so that n traces in c classes without any
    dependence have a share near (c - 1) / (n - 1). The classes are those of the selection's table.
    Raises `InputError` for a selection of several terms, such as those of `aes-last` without a bit,
    since their classes are not one partition of the traces.
    """
    for selection in selections:
        if len(selection.terms) != 1:
            raise InputError(
                f"{selection.name} has {len(selection.terms)} terms, each with classes of its own",
                "name a selection by one table, such as those of aes-last-value",
            )
    targets = _targets(selections, traces, chosen)
    pieces = [
        _native.leak_explained(traces.path, chosen.traces, window, targets, progress)
        for window in _windows(chosen, selections)
    ]
    return [
        np.concatenate([np.frombuffer(piece[number]) for piece in pieces])
        for number in range(len(selections))
    ]


def signal_to_noise(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ratio of the variance between classes to that within them, from the share explained.

    It is infinite where less than 1e-12 is not explained, which roundings alone may leave.
    """
    rest = np.where(1.0 - share < ROUNDING, 0.0, 1.0 - share)
    with np.errstate(divide="ignore"):
        return share / rest
