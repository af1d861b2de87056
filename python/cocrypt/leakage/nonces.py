"""Nonces of ECDSA from single traces: the bits of a scalar, one in each step of a multiplication.

A nonce is used once, so that no statistics over traces finds it. But a ladder repeats its step, and
all steps take the same cycles: the samples of one trace become rows, one for each bit. Templates
of traces with known nonces tell the bits (S. Chari, J. Rao and P. Rohatgi, CHES 2002); without
such traces a comparison of the rows finds samples that have two levels (C. D. Walter, CHES 2001).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

BLOCK = 1 << 14
"""The samples of a step that are compared at once."""
POINTS = 8
"""The samples of a template."""
APART = 3.0
"""Two levels are as far apart as so many of their standard deviations each."""
RARE = 0.1
"""The share of steps that each of two levels has at least."""
COMPARED = 64
"""The samples whose levels are read as bits."""

Bits = tuple[int, ...]


def period(trace: ArrayLike, steps: int) -> int:
    """The samples of a step: the lag at which a trace of so many steps is most like itself.

    At least half of the trace is that of the steps. Raises `InputError` for a trace that has fewer
    than two samples for each step.
    """
    values = np.asarray(trace, np.float64)
    longest = len(values) // steps
    if longest < 2:
        raise InputError(
            f"a trace of {len(values):,} samples has no {steps:,} steps",
            "take the whole multiplication into the trace",
        )
    size = 1 << (2 * len(values) - 1).bit_length()
    spectrum = np.fft.rfft(values - values.mean(), size)
    likeness = np.fft.irfft(spectrum * spectrum.conj(), size)
    first = max(1, longest // 2)
    return first + int(likeness[first : longest + 1].argmax())


def rows(trace: ArrayLike, steps: int, length: int) -> NDArray[np.float32]:
    """The samples of a trace by step, as a view: a column begins at each sample that a step may.

    Raises `InputError` for a trace that is shorter than the steps of this length.
    """
    values = np.ascontiguousarray(trace, np.float32)
    columns = len(values) - (steps - 1) * length
    if columns < 1:
        raise InputError(
            f"{steps:,} steps of {length:,} samples do not fit a trace of {len(values):,}",
            "take the whole multiplication into the trace, or compute the length by `period`",
        )
    (stride,) = values.strides
    shape, strides = (steps, columns), (length * stride, stride)
    return np.lib.stride_tricks.as_strided(values, shape, strides, writeable=False)


@dataclass(frozen=True)
class Template:
    """What samples tell of a bit: their means for 0 and 1, and how they vary together."""

    steps: int
    length: int
    columns: NDArray[np.intp]
    means: NDArray[np.float64]
    inverse: NDArray[np.float64]

    @classmethod
    def of(cls, traces: ArrayLike, bits: ArrayLike, length: int) -> Template:
        """The template of traces with known scalars, whose bits are rows, first step first.

        It takes the samples whose means differ most by Welch's t. Raises `InputError` where bits
        do not fit the traces or have one value alone.
        """
        known, values = np.asarray(bits, bool), np.asarray(traces, np.float32)
        if known.ndim != 2 or values.ndim != 2 or len(known) != len(values):
            raise InputError(
                f"{values.shape} samples have bits of the shape {known.shape}",
                "give a row of samples and a row of bits for each trace",
            )
        if min(known.sum(), (~known).sum()) < 2:
            raise InputError("a template needs both values of a bit", "give traces with both")
        steps = known.shape[1]
        views = [rows(trace, steps, length) for trace in values]
        columns = np.argsort(-_differences(views, known))[:POINTS]
        chosen = np.concatenate([view[:, columns] for view in views]).astype(np.float64)
        flat = known.ravel()
        means = np.stack([chosen[~flat].mean(axis=0), chosen[flat].mean(axis=0)])
        rest = chosen - means[flat.astype(np.intp)]
        spread = np.atleast_2d(np.cov(rest, rowvar=False))
        return cls(steps, length, columns, means, np.linalg.pinv(spread))

    def ratios(self, trace: ArrayLike) -> NDArray[np.float64]:
        """The logarithm of the likelihood of 1 over that of 0, for the bit of each step."""
        found = rows(trace, self.steps, self.length)[:, self.columns].astype(np.float64)
        weights = self.inverse @ (self.means[1] - self.means[0])
        return np.asarray((found - self.means.mean(axis=0)) @ weights)


def _differences(views: Sequence[NDArray[Any]], bits: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The absolute t of each column between steps whose bit is 0 and 1."""
    found = np.zeros(views[0].shape[1])
    flat = bits.ravel()
    for first in range(0, len(found), BLOCK):
        columns = slice(first, first + BLOCK)
        part = np.concatenate([view[:, columns] for view in views]).astype(np.float64)
        groups = part[~flat], part[flat]
        squares = sum(group.var(axis=0, ddof=1) / len(group) for group in groups)
        difference = groups[1].mean(axis=0) - groups[0].mean(axis=0)
        # Without variation there is no t: such a column is constant, or tells the bit exactly.
        with np.errstate(divide="ignore", invalid="ignore"):
            found[columns] = np.nan_to_num(np.abs(difference) / np.sqrt(squares), posinf=1e300)
    return found


def compared(trace: ArrayLike, steps: int, length: int) -> list[Bits]:
    """The steps' levels at samples of a single trace that have two, clearest first, each once.

    Nothing else is known, so that 1 is the upper level, whatever the bit is.
    """
    view = rows(trace, steps, length)
    clear = np.zeros(view.shape[1])
    for first in range(0, len(clear), BLOCK):
        part = view[:, first : first + BLOCK]
        clear[first : first + BLOCK] = _apart(part, _upper(part))
    best = np.argsort(-clear)[:COMPARED]
    best = best[clear[best] > APART]
    return list(dict.fromkeys(tuple(map(int, _upper(view[:, column]))) for column in best))


def _upper(part: NDArray[Any]) -> NDArray[np.bool_]:
    """True for steps whose sample is nearer to the largest of its column than to the smallest."""
    return np.asarray(part > (part.min(axis=0) + part.max(axis=0)) / 2)


def _apart(part: NDArray[Any], upper: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The distance of two levels over the sum of their deviations; 0 where one is rare."""
    high = upper.sum(axis=0)
    low = len(part) - high
    is_rare = np.minimum(high, low) < RARE * len(part)
    sums = [(part * chosen).sum(axis=0, dtype=np.float64) for chosen in (upper, ~upper)]
    means = [total / np.maximum(count, 1) for total, count in zip(sums, (high, low), strict=True)]
    rest = part - np.where(upper, means[0], means[1])
    squares = [(rest**2 * chosen).sum(axis=0) for chosen in (upper, ~upper)]
    spread = sum(
        np.sqrt(total / np.maximum(count, 1))
        for total, count in zip(squares, (high, low), strict=True)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.nan_to_num((means[0] - means[1]) / spread, posinf=1e300)
    return np.where(is_rare, 0.0, found)


def readings(levels: Bits) -> list[int]:
    """The scalars that levels may stand for, highest bit first.

    They are the bits or their complements, or tell where a bit differs from the one before it.
    """
    opposite = tuple(1 - level for level in levels)
    found = []
    for bits in (levels, _sums(levels), _sums(opposite)):
        number = int("".join(map(str, bits)), 2)
        found += [number, number ^ (1 << len(bits)) - 1]
    return found


def _sums(levels: Bits) -> Bits:
    """The bits that change where a level is 1, behind a 0."""
    return tuple(int(total) & 1 for total in np.cumsum(levels))


def likely(ratios: ArrayLike, count: int) -> Iterator[int]:
    """The most likely scalars, first bit highest, from the ratios of a template.

    The first has the likelier value of each bit; others flip the bits that are least certain.
    """
    values = np.asarray(ratios, np.float64)
    best = int("".join("1" if ratio > 0 else "0" for ratio in values), 2)
    order = np.argsort(np.abs(values))
    costs = np.abs(values)[order]
    places = [1 << (len(values) - 1 - int(index)) for index in order]
    for flipped in islice(_subsets(costs), count):
        yield best ^ sum(places[index] for index in flipped)


def _subsets(costs: NDArray[np.float64]) -> Iterator[tuple[int, ...]]:
    """Sets of indices by their sum of costs, which ascend; the empty one first."""
    yield ()
    waiting: list[tuple[float, tuple[int, ...]]] = [(float(costs[0]), (0,))]
    while waiting:
        total, chosen = heapq.heappop(waiting)
        yield chosen
        last = chosen[-1]
        if last + 1 < len(costs):
            more = float(costs[last + 1])
            heapq.heappush(waiting, (total + more, (*chosen, last + 1)))
            heapq.heappush(waiting, (total + more - float(costs[last]), (*chosen[:-1], last + 1)))


def private_key(order: int, signature: tuple[int, int], digest: int, nonce: int) -> int:
    """The private key of a signature (r, s) of a digest, by its nonce (SEC 1, section 4.1.3)."""
    r, s = signature
    return (s * nonce - digest) * pow(r, -1, order) % order
