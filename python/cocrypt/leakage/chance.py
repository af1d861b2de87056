"""The share of variance that classes explain by chance, when samples do not depend on them.

With normal noise the share is distributed as Beta((classes - 1) / 2, (traces - classes) / 2), the
distribution behind the F-test of an analysis of variance (R. A. Fisher). The incomplete beta
function is the continued fraction 26.5.8 of M. Abramowitz and I. A. Stegun, *Handbook of
Mathematical Functions*, 1964, evaluated by Lentz's method.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p

RISK = 0.01
"""The probability that chance exceeds the largest share anywhere in a result."""
LEAST = 1e-300
"""Stands in for a denominator of 0 in Lentz's method."""
EXACT = 1e-15
"""The relative change of the continued fraction at which it ends."""
HALVINGS = 60
"""Halvings of the interval from 0 to 1, which end below the precision of its upper half."""


def largest_share(classes: int, traces: int, tests: int, risk: float = RISK) -> float:
    """The share that none of so many samples exceeds by chance, but with probability `risk`.

    `tests` is the number of samples, of all parts together; they may depend on one another
    (Bonferroni's bound). It is 0 for a single class, and 1 if there are no more traces than
    classes, which explain everything.
    """
    if classes < 2:
        return 0.0
    if traces <= classes:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if exceeded(middle, classes, traces) > risk / tests:
            low = middle
        else:
            high = middle
    return high


def exceeded(share: float, classes: int, traces: int) -> float:
    """The probability that so many classes explain more than a share of so many traces."""
    return _incomplete_beta(1 - share, (traces - classes) / 2, (classes - 1) / 2)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    # The fraction converges fast on this side; the function's symmetry leads to it.
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(1 - x, b, a)
    scale = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    return exp(scale) / (a * _fraction(x, a, b))


def _fraction(x: float, a: float, b: float) -> float:
    value = numerator = 1.0
    denominator = 0.0
    step, index = 0.0, 0
    while abs(step - 1) > EXACT:
        index += 1
        term = _coefficient(index, x, a, b)
        denominator = 1 / (1 + term * denominator or LEAST)
        numerator = 1 + term / numerator or LEAST
        step = numerator * denominator
        value *= step
    return value


def _coefficient(index: int, x: float, a: float, b: float) -> float:
    m, is_odd = divmod(index, 2)
    if is_odd:
        return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
