"""The Pareto front: points that no other equals in every figure and beats in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def front(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The Pareto front of points, a row each with figures of which less is better.

    Points that are equal are on it together.
    """
    worth = np.zeros(len(points), dtype=bool)
    if not len(points):
        return worth
    order = np.lexsort(points.T[::-1])
    ranked = points[order]
    is_new = np.concatenate(([True], (ranked[1:] != ranked[:-1]).any(axis=1)))
    distinct = ranked[is_new]
    if points.shape[1] == 2:
        # In ascending order of the first figure, points on the front lower the second.
        lowest = np.minimum.accumulate(distinct[:, 1])
        better = np.concatenate(([True], distinct[1:, 1] < lowest[:-1]))
    else:
        better = _by_elimination(distinct)
    worth[order] = better[np.cumsum(is_new) - 1]
    return worth


def _by_elimination(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The front of distinct points in ascending order; each point removes those that it beats."""
    remaining = np.arange(len(points))
    optimal: list[int] = []
    while len(remaining):
        first = points[remaining[0]]
        optimal.append(int(remaining[0]))
        beaten = np.all(points[remaining] >= first, axis=1)
        remaining = remaining[~beaten]
    # In this order no point is beaten by a later one.
    worth = np.zeros(len(points), dtype=bool)
    worth[optimal] = True
    return worth


def is_optimal(point: tuple[float, ...], points: Sequence[tuple[float, ...]]) -> bool:
    """Returns true if a point is on the front of a few points."""
    return not any(
        other != point and all(theirs <= own for theirs, own in zip(other, point, strict=True))
        for other in points
    )
