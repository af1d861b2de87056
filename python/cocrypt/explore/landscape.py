"""The Pareto front of all predicted points, and the selection that is simulated."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.explore.front import front
from cocrypt.explore.surface import FIGURES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from cocrypt.explore.surface import Surface
    from cocrypt.partition import Partition

SettingsKey = tuple[tuple[str, int], ...]
"""Settings of a device, so that they can be a key."""
PointKey = tuple[tuple[str, ...], SettingsKey]
"""A partition's options and the settings of the device that it is on."""


@dataclass(frozen=True)
class Point:
    """A partition in one of the device's settings, with its predicted figures."""

    digits: tuple[int, ...]
    partition: Partition
    settings: Mapping[str, int]
    figures: Mapping[str, float]

    @property
    def key(self) -> PointKey:
        """The key that identifies the point."""
        return self.partition.key, settings_key(self.settings)


def settings_key(settings: Mapping[str, int]) -> SettingsKey:
    """The settings in an order that does not depend on how they were given."""
    return tuple(sorted(settings.items()))


@dataclass(frozen=True)
class Landscape:
    """The predictions about all points; `front` are those on the Pareto front."""

    points: int
    method: str
    seconds: float
    front: tuple[Point, ...]
    sample: tuple[Point, ...]
    feasible: int


@dataclass(frozen=True)
class Selection:
    """The points that are simulated: the most of the front, and a sample of others by a seed."""

    front: int
    sample: int
    seed: int


def survey(
    surface: Surface,
    digits: NDArray[np.int64],
    objectives: Sequence[str],
    bounds: Mapping[str, float],
    selection: Selection,
    method: str = "all",
) -> Landscape:
    """Predicts these partitions in every setting, and finds the front; `method` found them."""
    started = time.monotonic()
    names = list(dict.fromkeys(("total", *objectives, *bounds)))
    digits = digits[surface.space.fits(digits)]
    figures = {name: rows.ravel() for name, rows in surface.figures(digits, names).items()}
    is_predicted = ~np.isnan(figures["total"])
    feasible = np.flatnonzero(is_predicted & _within(figures, bounds))
    best = _thinned(_best(figures, feasible, objectives), selection.front)
    drawn = _drawn(np.setdiff1d(feasible, best), selection)
    seconds = time.monotonic() - started
    point_of = _point_maker(surface, digits)
    return Landscape(
        points=int(is_predicted.sum()),
        method=method,
        seconds=seconds,
        front=tuple(map(point_of, best)),
        sample=tuple(map(point_of, drawn)),
        feasible=len(feasible),
    )


def _within(
    figures: Mapping[str, NDArray[np.float64]], bounds: Mapping[str, float]
) -> NDArray[np.bool_]:
    """A mask of the points that are within all bounds."""
    within = np.ones(len(figures["total"]), dtype=bool)
    for name, most in bounds.items():
        # An unknown figure meets every bound; a note tells the user.
        within &= ~(figures[name] > most)
    return within


def _best(
    figures: Mapping[str, NDArray[np.float64]],
    feasible: NDArray[np.int64],
    objectives: Sequence[str],
) -> NDArray[np.int64]:
    """The front of these points, the fewest cycles first."""
    # An unknown figure counts as the worst.
    sought = [np.nan_to_num(figures[name][feasible], nan=np.inf) for name in objectives]
    best = feasible[front(np.stack(sought, 1))]
    return best[np.argsort(figures["total"][best], kind="stable")]


def _thinned(points: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """At most so many of the points, spread over all of them."""
    if len(points) <= most:
        return points
    return points[np.unique(np.linspace(0, len(points) - 1, most).round().astype(np.int64))]


def _drawn(points: NDArray[np.int64], selection: Selection) -> NDArray[np.int64]:
    """A random sample of the points."""
    random = np.random.default_rng(selection.seed)
    count = min(selection.sample, len(points))
    return np.sort(random.choice(points, count, replace=False))


def _point_maker(surface: Surface, digits: NDArray[np.int64]) -> Callable[[np.int64], Point]:
    """A function from a point's number to the point with all its figures."""

    def make(number: np.int64) -> Point:
        setting, partition = divmod(int(number), len(digits))
        row = digits[partition]
        figures = surface.figures(row[None, :], FIGURES)
        return Point(
            tuple(map(int, row)),
            surface.space.partition(row),
            surface.devices[setting].settings,
            {name: float(values[setting, 0]) for name, values in figures.items()},
        )

    return make
