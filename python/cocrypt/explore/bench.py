"""Builds of partitions and their simulations by workers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cocrypt.builder import Builder
from cocrypt.calltree import CallTree
from cocrypt.explore.measured import Measurement
from cocrypt.explore.ratios import energy_ratios
from cocrypt.explore.simulation import Job
from cocrypt.explore.workers import Workers
from cocrypt.measurement import MAX_CYCLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from cocrypt.builder import Built
    from cocrypt.device import Device
    from cocrypt.explore.simulation import Outcome
    from cocrypt.partition import Partition
    from cocrypt.study import Study, Workload


@dataclass(frozen=True)
class Trial:
    """A partition to simulate; `settings` override those of the device's file."""

    partition: Partition
    settings: Mapping[str, int] = field(default_factory=dict)
    contexts: bool = False


@dataclass(frozen=True)
class TrialResult:
    """A trial with its device, its built program and its outcome.

    `ratios` are those of a datum's energy with two rails to that with one, by register map.
    """

    trial: Trial
    device: Device
    built: Built
    outcome: Outcome
    study: Study
    ratios: Mapping[Path, float | None] = field(default_factory=dict)

    @property
    def measurement(self) -> Measurement:
        """Its figures."""
        return Measurement.of(self.device, self.built, self.outcome, self.ratios)

    @property
    def dual_rails(self) -> frozenset[Path]:
        """The register maps of its coprocessors that have two rails."""
        return self.study.dual_rails(self.trial.partition.choice)

    @property
    def tree(self) -> CallTree:
        """Its call tree, if the trial has `contexts`."""
        outcome = self.outcome
        return CallTree(outcome["cycles"], outcome["tree"], outcome["tree_functions"])


@dataclass
class Bench:
    """A workload of a study with its workers; `step` is called with the progress."""

    study: Study
    workload: Workload
    workers: Workers = field(default_factory=Workers)
    max_cycles: int = MAX_CYCLES
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None

    def run(self, trials: Sequence[Trial], what: str = "running") -> list[TrialResult]:
        """Simulates all trials.

        Raises `InputError` on sources that do not compile, `ProgramError` where a program does not
        end well.
        """
        self.step("building", 0, len(trials))
        pairs = [(self.workload, trial.partition) for trial in trials]
        built = Builder(self.study).build(pairs)
        devices = [self._device(trial) for trial in trials]
        jobs = [
            Job.of(device, program, self.max_cycles, trial.contexts)
            for device, program, trial in zip(devices, built, trials, strict=True)
        ]
        outcomes = self.workers.run(jobs, lambda done, every: self.step(what, done, every))
        groups = zip(trials, devices, built, outcomes, strict=True)
        results = [TrialResult(*group, self.study) for group in groups]
        return [
            replace(result, ratios=energy_ratios(self, result)) if result.dual_rails else result
            for result in results
        ]

    def run_built(self, built: Built) -> Measurement:
        """Simulates a built program on the study's device."""
        device = self.study.device
        (outcome,) = self.workers.run([Job.of(device, built, self.max_cycles)])
        return Measurement.of(device, built, outcome)

    def _device(self, trial: Trial) -> Device:
        """The study's device with the extensions and the settings of a trial."""
        return self.study.device_of(trial.partition.choice, trial.settings)
