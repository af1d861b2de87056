"""The runs of an exploration beside its first simulations: calibration, front and sample."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.errors import InputError
from cocrypt.explore.bench import Trial
from cocrypt.explore.calibrate import calibrate
from cocrypt.explore.costs import Bus
from cocrypt.explore.landscape import Selection, settings_key, survey
from cocrypt.explore.leakage import FIGURES as LEAKAGE_FIGURES
from cocrypt.explore.ranking import Ranking
from cocrypt.explore.search import searched
from cocrypt.explore.surface import Surface
from cocrypt.partition import partition, partitions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cocrypt.device import Device
    from cocrypt.explore.bench import Bench, TrialResult
    from cocrypt.explore.evaluated import EvaluatedPartitions
    from cocrypt.explore.hardware import HardwareFigures
    from cocrypt.explore.landscape import Landscape, Point, SettingsKey
    from cocrypt.explore.leakage import Leakage
    from cocrypt.explore.model import Model
    from cocrypt.explore.results import Row
    from cocrypt.partition import Partition

FEW = 256
"""The most partitions that are all simulated, if the study does not state a number."""
MOST_POINTS = 8_000_000
"""The most points that are all predicted, if the study does not ask for a search."""
TOO_MANY = 50_000_000
"""The most points that fit into memory."""
CALIBRATING = 16
"""Cycles that a transfer waits, and core cycles of a coprocessor's cycle, in calibration."""
FRONT = 48
"""The most points of a front that are simulated, if the study does not state a number."""


class Explorer:
    """Extends an exploration from the partitions simulated on the device as it is."""

    def __init__(
        self,
        bench: Bench,
        evaluated: EvaluatedPartitions,
        hardware: HardwareFigures,
        objectives: tuple[str, ...],
        leakages: Mapping[tuple[str, ...], Leakage],
    ) -> None:
        self.bench, self.study, self.space = bench, bench.study, evaluated.space
        self.evaluated, self.hardware = evaluated, hardware
        # Leakage is not predicted.
        predicted = tuple(name for name in objectives if name not in LEAKAGE_FIGURES)
        self.objectives = predicted or ("total",)
        at_most = self.study.search.at_most.items()
        self.bounds = {name: most for name, most in at_most if name not in LEAKAGE_FIGURES}
        self.ranking = Ranking(objectives, self.study.search, hardware, leakages)

    def profiled(self, partition: Partition) -> TrialResult:
        """A partition with its call tree; runs it again if it was run without one."""
        result = self.evaluated.by_key.get(partition.key)
        if result is None or not result.trial.contexts:
            (result,) = self.bench.run([Trial(partition, contexts=True)], "profiling")
        return result

    def compared(self) -> tuple[tuple[Row, ...], tuple[Row, ...], Landscape | None]:
        """Rows on the device as it is, rows on other buses and clocks, and the predictions."""
        evaluated = self.evaluated
        settings = self.study.sweep.settings(self.study.device)
        is_whole = len(evaluated.results) >= self._fitting()
        predicted = {}
        if evaluated.can_check_predictions or not is_whole:
            predicted = evaluated.predicted(calibrate(self.bench, self.space, {}))
        landscape: Landscape | None = None
        swept: tuple[Row, ...] = ()
        if self.study.candidates and (len(settings) > 1 or not is_whole):
            landscape = self._surveyed(settings)
            swept = self._swept(landscape)
        return self.ranking.rows(evaluated, predicted), swept, landscape

    def _fitting(self) -> int:
        """The number of partitions that fit the device; a large number is not counted exactly."""
        if self.space.count > FEW:
            return self.space.count
        return len(partitions(self.study))

    def _surveyed(self, settings: Sequence[Mapping[str, int]]) -> Landscape:
        """Predicts every point, or those that a search finds."""
        search = self.study.search
        surface = self._surface(settings)
        method = _method(search.method, self.space.count * len(settings))
        digits = self._points(surface, method)
        selection = Selection(search.simulations or FRONT, search.sample, search.seed)
        self.bench.step("predicting", 0, 1)
        return survey(surface, digits, self.objectives, self.bounds, selection, method)

    def _points(self, surface: Surface, method: str) -> NDArray[np.int64]:
        """The partitions that are predicted, a row of digits each."""
        if method == "all":
            return self.space.digits(np.arange(self.space.count, dtype=np.int64))
        search, step = self.study.search, self.bench.step
        return searched(surface, self.objectives, self.bounds, method, search.seed, step)

    def _surface(self, settings: Sequence[Mapping[str, int]]) -> Surface:
        device = self.study.device
        calibrated = calibrate(self.bench, self.space, _calibrating(settings, device))
        model = self._with_slope(calibrated, device)
        return Surface(
            space=self.space,
            model=model,
            devices=[device.having(**each) for each in settings],
            sizes=self.evaluated.sizes(),
            areas=self.hardware.areas,
            paths=self.hardware.paths,
            energy=self.evaluated.energies(model),
        )

    def _with_slope(self, model: Model, device: Device) -> Model:
        """The model with the slope of the software's cycles, if it ran on two buses."""
        waits = Bus.of(device).wait - model.bus.wait
        if not waits:
            return model
        total = self.evaluated.software.measurement.split.total
        base_total = model.shapes[min(model.shapes)].total
        return replace(model, slope=(total - base_total) / waits)

    def _swept(self, landscape: Landscape) -> tuple[Row, ...]:
        """Rows of the selected points, without those that are rows already."""
        points = (*landscape.front, *landscape.sample)
        results = self.bench.run([Trial(point.partition, point.settings) for point in points])
        by_key = {point.key: result for point, result in zip(points, results, strict=True)}
        evaluated = self.evaluated.by_key
        further = [
            point for point in points if point.settings or point.partition.key not in evaluated
        ]
        return self.ranking.swept_rows(further, landscape, by_key, self._software_on(points))

    def _software_on(self, points: Sequence[Point]) -> dict[SettingsKey, int]:
        """T of the software on each bus and clock that points were simulated on."""
        settings = {settings_key(point.settings): point.settings for point in points}
        trials = [Trial(partition(self.study, ()), each) for each in settings.values()]
        results = zip(settings, self.bench.run(trials), strict=True)
        return {key: result.measurement.split.total for key, result in results}


def _method(method: str, points: int) -> str:
    """The method that finds points: the study's, or the one that their number allows."""
    if method == "all" and points > TOO_MANY:
        raise InputError(
            f"{points:,} points are too many to look at each", 'let `method` be "nsga2" or "tpe"'
        )
    if method != "auto":
        return method
    return "all" if points <= MOST_POINTS else "nsga2"


def _calibrating(settings: Sequence[Mapping[str, int]], device: Device) -> Mapping[str, int]:
    """The settings for calibration: a slow clock of coprocessors shows best how long they work.

    A device without a sweep is not changed, since its core may be known for one wait alone.
    """
    buses = [Bus.of(device.having(**setting)) for setting in settings]
    if len({(bus.wait, bus.clock) for bus in buses}) == 1 or all(bus.wait == 1 for bus in buses):
        return {}
    slow = CALIBRATING
    return {"bus_wait": slow, "burst_wait": slow, "clock_multiply": 1, "clock_divide": slow}
