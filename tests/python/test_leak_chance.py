"""The share of variance that chance explains, against tables of F, closed forms and draws."""

from __future__ import annotations

from math import isclose

import numpy as np
import pytest

from cocrypt.leakage.chance import exceeded, largest_share

# NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.3: degrees of freedom of
# numerator and denominator, the probability above, and F.
UPPER = [
    (1, 1, 0.05, 161.448),
    (10, 20, 0.05, 2.348),
    (20, 100, 0.05, 1.676),
    (5, 10, 0.01, 5.636),
    (10, 20, 0.01, 3.368),
    (20, 100, 0.01, 2.067),
]


@pytest.mark.parametrize(("above", "below", "risk", "f"), UPPER)
def test_the_share_is_that_of_tables_of_f(above: int, below: int, risk: float, f: float) -> None:
    share = largest_share(above + 1, above + below + 1, 1, risk)
    assert share / (1 - share) * below / above == pytest.approx(f, abs=5.1e-4)


@pytest.mark.parametrize("traces", [9, 50, 1_000, 1_000_000])
@pytest.mark.parametrize("risk", [0.5, 1e-3, 1e-12])
def test_three_classes_have_a_closed_form(traces: int, risk: float) -> None:
    # Beta(1, b) exceeds x with the probability (1 - x)^b.
    share = 1 - risk ** (2 / (traces - 3))
    assert largest_share(3, traces, 1, risk) == pytest.approx(share, rel=1e-9)
    assert largest_share(3, traces, 1_000, risk * 1_000) == pytest.approx(share, rel=1e-9)
    assert isclose(exceeded(share, 3, traces), risk, rel_tol=1e-8)


def test_shares_of_noise_exceed_it_as_often_as_stated() -> None:
    classes, traces, samples = 16, 400, 20_000
    draw = np.random.default_rng(7)
    values = draw.integers(0, classes, traces)
    noise = draw.standard_normal((traces, samples))
    groups = [noise[values == value] for value in range(classes)]
    means = np.array([group.mean(0) for group in groups])
    sizes = np.array([len(group) for group in groups])[:, None]
    between = (sizes * (means - noise.mean(0)) ** 2).sum(0) / traces
    share = between / noise.var(0)
    count = np.count_nonzero(share > largest_share(classes, traces, 1, 0.05))
    # Four standard deviations of a binomial count around 1,000.
    assert abs(count - 1_000) < 4 * (samples * 0.05 * 0.95) ** 0.5
    assert share.max() < largest_share(classes, traces, samples, 1e-6)


def test_few_traces_and_classes_have_their_bounds() -> None:
    assert largest_share(1, 100, 10) == 0
    assert largest_share(8, 8, 10) == 1
    assert 0.9999 < largest_share(8, 9, 10) <= 1
