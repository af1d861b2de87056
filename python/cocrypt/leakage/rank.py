"""The rank of a key among all, estimated from the scores of its parts by histograms.

Source: C. Glowacz et al., "Simpler and More Efficient Rank Estimation for Side-Channel Security
Assessment", FSE 2015.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BINS = 1024
"""Bins of the histogram of one part."""


def likelihoods(correlations: NDArray[np.float64], traces: int) -> NDArray[np.float64]:
    """The log-likelihood of each guess whose largest correlation is given, with normal noise."""
    squares = np.minimum(correlations**2, 1 - 1e-15)
    found: NDArray[np.float64] = -traces / 2 * np.log1p(-squares)
    return found


def key_rank(scores: Sequence[NDArray[Any]], right: Sequence[int]) -> tuple[float, float]:
    """Bounds of the key's rank as powers of two; 0 is the best key.

    `scores` has the score of each guess, part by part; a key's score is the sum of its parts'.
    """
    width = max(float(np.ptp(part)) for part in scores) / (BINS - 1) or 1.0
    bins = [np.floor((part - part.min()) / width).astype(int) for part in scores]
    counts = np.ones(1)
    for part in bins:
        counts = np.convolve(counts, np.bincount(part).astype(np.float64))
    # Each part loses less than a bin by rounding down, so a sum less than their number.
    index, loss = sum(part[guess] for part, guess in zip(bins, right, strict=True)), len(scores)
    certain = counts[index + loss :].sum()
    possible = counts[max(index - loss + 1, 0) :].sum()
    return log2(1 + certain), log2(possible)
