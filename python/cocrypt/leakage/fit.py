"""Energies of instructions by least squares over what linear models weigh.

The weights of bits come from what differs between runs: an instruction's energy less its mean where
it stands in the program. So energies of its code and its neighbours, which no weight is for, do not
go into the weights of operands that are the same in all runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.leakage.features import FEATURES, KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALLEST = 1e-6
"""What counts as no variation, of numbers of bits."""
LEAST = 10
"""Instructions of a kind for each of its weights; with fewer it has a constant alone."""


@dataclass(frozen=True)
class Fit:
    """The weights of a kind of instructions, in joules.

    `constant` is the energy of an instruction without any bit, `mean` that of an instruction of the
    programs, and `weights` those of `FEATURES`. `r_squared` is the share of the variance that the
    weights explain, `between_runs` that of the variance at the same position, both None where there
    is none, and `residual` the standard deviation of the rest.
    """

    kind: str
    instructions: int
    constant: float
    weights: NDArray[np.float64]
    mean: float
    deviation: float
    r_squared: float | None
    between_runs: float | None
    residual: float

    def predicted(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Energies of instructions with these values."""
        return self.constant + values @ self.weights


def fitted(
    kinds: NDArray[np.int64],
    values: NDArray[np.float64],
    energies: NDArray[np.float64],
    positions: NDArray[np.int64],
) -> dict[str, Fit]:
    """The weights of each kind of which there are instructions, in the order of `KINDS`.

    `positions` number the positions in programs from 0 on; instructions of one have the same kind.
    """
    rows = {name: kinds == number for number, name in enumerate(KINDS)}
    return {
        name: _fit(name, values[chosen], energies[chosen], positions[chosen])
        for name, chosen in rows.items()
        if chosen.any()
    }


def predicted(
    fits: dict[str, Fit], kinds: NDArray[np.int64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Energies by these weights; not a number for instructions of a kind without any."""
    total = np.full(len(kinds), np.nan)
    for number, name in enumerate(KINDS):
        if name in fits:
            chosen = kinds == number
            total[chosen] = fits[name].predicted(values[chosen])
    return total


def r_squared(energies: NDArray[np.float64], found: NDArray[np.float64]) -> float | None:
    """The share of the variance of energies that predictions explain; None without variance."""
    variance = float(((energies - energies.mean()) ** 2).sum())
    return None if variance == 0 else 1 - float(((energies - found) ** 2).sum()) / variance


def stated(share: float | None) -> str:
    """A share of a variance in words."""
    return "unknown" if share is None else f"{share:.3f}"


def centred(values: NDArray[np.float64], positions: NDArray[np.int64]) -> NDArray[np.float64]:
    """Values, in rows or columns of rows, less their mean at the same position."""
    if values.ndim > 1:
        return np.stack([centred(column, positions) for column in values.T], axis=1)
    means = np.bincount(positions, values) / np.maximum(np.bincount(positions), 1)
    return np.asarray(values - means[positions])


def _fit(
    kind: str,
    values: NDArray[np.float64],
    energies: NDArray[np.float64],
    positions: NDArray[np.int64],
) -> Fit:
    varied, differences = centred(values, positions), centred(energies, positions)
    varying = np.flatnonzero(varied.std(axis=0) > SMALLEST)
    if len(energies) < LEAST * (len(varying) + 1):
        varying = varying[:0]
    weights = np.zeros(len(FEATURES))
    # Columns that are the same, as a loaded value on the bus and in its register, share a weight.
    weights[varying], *_ = np.linalg.lstsq(varied[:, varying], differences, rcond=SMALLEST)
    constant = float((energies - values @ weights).mean())
    found = constant + values @ weights
    return Fit(
        kind=kind,
        instructions=len(energies),
        constant=constant,
        weights=weights,
        mean=float(energies.mean()),
        deviation=float(energies.std()),
        r_squared=r_squared(energies, found),
        between_runs=r_squared(differences, varied @ weights),
        residual=float((energies - found).std()),
    )
