"""Axes of charts whose ticks read as values: 1 k, 10 k, 2.5 M, on linear and logarithmic scales."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
WIDE = 2.2
"""Decades from which on each has one tick; an axis of fewer has ticks at 1, 2 and 5."""
FEWEST = 3
"""The fewest ticks of an axis."""
TICKS = 5
"""The approximate number of ticks of a linear axis."""


def si(value: float) -> str:
    """A value with three digits at most and the prefix of its unit."""
    for unit, prefix in UNITS:
        # A value that rounds up to the next unit is written in that.
        if abs(value) >= unit * 0.9995:
            return f"{_digits(value / unit)} {prefix}"
    return _digits(value)


def _digits(value: float) -> str:
    if value == 0:
        return "0"
    digits = max(0, 2 - floor(log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def logarithmic(values: Iterable[float], title: str) -> dict[str, Any]:
    """An axis on which equal steps are equal factors; only positive values are on it."""
    positive = [value for value in values if value > 0] or [1.0]
    low, high = log10(min(positive)), log10(max(positive))
    room = 0.06 * (high - low) + 0.06
    low, high = low - room, high + room
    ticks = _factors(low, high, (1,))
    if len(ticks) < FEWEST or high - low < WIDE:
        ticks = _factors(low, high, (1, 2, 5))
    if len(ticks) < FEWEST:
        # Within a decade, ticks in equal steps are easier to read.
        step = _step((10**high - 10**low) / TICKS)
        multiples = range(ceil(10**low / step), floor(10**high / step) + 1)
        ticks = [step * multiple for multiple in multiples]
    return {"type": "log", "range": [low, high], **_ticks(ticks), **_titled(title)}


def _factors(low: float, high: float, factors: tuple[int, ...]) -> list[float]:
    """The powers of ten between two exponents, times each of some factors."""
    decades = range(floor(low), ceil(high) + 1)
    ticks = [factor * 10.0**decade for decade in decades for factor in factors]
    return [tick for tick in ticks if low <= log10(tick) <= high]


def linear(values: Iterable[float], title: str, room: float = 1.05) -> dict[str, Any]:
    """An axis that has 0 and all values; `room` is the factor by which it goes beyond them."""
    shown = list(values) or [1.0]
    low, high = min(0.0, *shown), max(0.0, *shown)
    span = (high - low) or 1.0
    step = _step(span / TICKS)
    ticks = [step * multiple for multiple in range(floor(low / step), ceil(high / step) + 1)]
    ticks = [tick for tick in ticks if low - step / 1e6 <= tick <= high + step / 1e6]
    ends = [low * room if low < 0 else 0.0, high * room if high > 0 else 0.0]
    if ends[0] == ends[1]:
        ends[1] = 1.0
    return {"type": "linear", "range": ends, **_ticks(ticks), **_titled(title)}


def _step(least: float) -> float:
    """The next of 1, 2, 5, 10, … that is not less."""
    decade = 10.0 ** floor(log10(least))
    return next(factor * decade for factor in (1, 2, 5, 10) if factor * decade >= least * 0.999)


def _ticks(values: list[float]) -> dict[str, Any]:
    return {"tickvals": values, "ticktext": [si(value) for value in values]}


def _titled(title: str) -> dict[str, Any]:
    return {"title": {"text": title, "standoff": 8}, "automargin": True}
