"""Figures from the partitions that were simulated on the device as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.energy import core_energy
from cocrypt.explore.surface import Energies, Sizes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cocrypt.explore.bench import TrialResult
    from cocrypt.explore.model import Leaf, Model
    from cocrypt.explore.space import Space

Option = tuple[int, int]
"""A candidate and its option, by their numbers."""


@dataclass(frozen=True)
class EvaluatedPartitions:
    """The simulated partitions of a space, by their keys; the software is among them."""

    space: Space
    by_key: Mapping[tuple[str, ...], TrialResult]

    @property
    def results(self) -> Collection[TrialResult]:
        """All of them."""
        return self.by_key.values()

    @property
    def software(self) -> TrialResult:
        """The run of the software as it is."""
        return next(result for result in self.results if result.trial.partition.is_software)

    @property
    def can_check_predictions(self) -> bool:
        """True if one of them has several options, as predicted partitions have.

        Bytecode has no calls that predictions could be computed from.
        """
        return self.space.study.java is None and any(
            result.trial.partition.replaced > 1 for result in self.results
        )

    def predicted(self, model: Model) -> dict[tuple[str, ...], int]:
        """T as a model predicts it, for the partitions that it was not calibrated with."""
        digits = {
            key: self.space.digits_of(result.trial.partition) for key, result in self.by_key.items()
        }
        several = {key: row for key, row in digits.items() if not model.rests_on(row)}
        if not several:
            return {}
        (totals,) = model.cycles(np.array(list(several.values()), dtype=np.int64), [model.bus])
        pairs = zip(several, totals, strict=True)
        return {key: round(total) for key, total in pairs if not np.isnan(total)}

    def sizes(self) -> Sizes:
        """Bytes of the software, and of it with each option alone."""
        options = {option: _sizes(result) for option, result in self._singles()}
        return Sizes(_sizes(self.software), options)

    def energies(self, model: Model) -> Energies | None:
        """Joules beside those of constant power, from the runs of single options."""
        device = self.space.study.device
        if core_energy(device, 0, {}) is None:
            return None
        base = min(model.shapes)
        calls = model.shapes[base]
        software = _added_energy(self.software)
        options: dict[Leaf, float] = {}
        for (column, option), result in self._singles():
            count = calls.calls(column)
            remaining = float(calls.left(np.array([1 << column], dtype=np.uint64))[0]) / calls.total
            added = _added_energy(result) - software * remaining
            options[base, column, option] = added / count if count else 0.0
        return Energies(device.power.active_W or 0.0, software, options)

    def _singles(self) -> list[tuple[Option, TrialResult]]:
        """The partitions with one option alone, beside that option."""
        singles = []
        for result in self.results:
            digits = self.space.digits_of(result.trial.partition)
            used = [(column, digit) for column, digit in enumerate(digits) if digit]
            if len(used) == 1:
                singles.append((used[0], result))
        return singles


def _sizes(result: TrialResult) -> dict[str, float]:
    measurement = result.measurement
    stack = float("nan") if measurement.stack is None else float(measurement.stack)
    return {"rom": float(measurement.rom), "ram": float(measurement.ram), "stack": stack}


def _added_energy(result: TrialResult) -> float:
    """Joules of a run beside those of the device's constant power."""
    measurement, device = result.measurement, result.device
    energy = float("nan") if measurement.energy is None else measurement.energy
    power = device.power.active_W or 0.0
    return energy - power * measurement.split.total / device.clock_hz
