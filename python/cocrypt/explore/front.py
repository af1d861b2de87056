"""Which points are worth it: no other is at least as good in every figure and better in one."""

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
        # In ascending order of the first figure, those are worth it that lower the second.
        lowest = np.minimum.accumulate(distinct[:, 1])
        better = np.concatenate(([True], distinct[1:, 1] < lowest[:-1]))
    else:
        better = _by_elimination(distinct)
    worth[order] = better[np.cumsum(is_new) - 1]
    return worth


def _by_elimination(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The front of distinct points in ascending order: each that is left removes what it beats."""
    left = np.arange(len(points))
    kept: list[int] = []
    while len(left):
        first = points[left[0]]
        kept.append(int(left[0]))
        beaten = np.all(points[left] >= first, axis=1)
        left = left[~beaten]
    # In this order nothing is beaten by what comes after it.
    worth = np.zeros(len(points), dtype=bool)
    worth[kept] = True
    return worth


def is_optimal(point: tuple[float, ...], points: Sequence[tuple[float, ...]]) -> bool:
    """Whether a point of a few is on their front."""
    return not any(
        other != point and all(theirs <= own for theirs, own in zip(other, point, strict=True))
        for other in points
    )
