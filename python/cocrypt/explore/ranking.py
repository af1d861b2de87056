"""Results as rows, marked if they are on the Pareto front."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cocrypt.explore.front import is_optimal
from cocrypt.explore.landscape import settings_key
from cocrypt.explore.leakage import MORE
from cocrypt.explore.results import Row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.explore.bench import TrialResult
    from cocrypt.explore.evaluated import EvaluatedPartitions
    from cocrypt.explore.hardware import HardwareFigures
    from cocrypt.explore.landscape import Landscape, Point, PointKey, SettingsKey
    from cocrypt.explore.leakage import Leakage
    from cocrypt.study import Search


@dataclass(frozen=True)
class Ranking:
    """Makes rows, with objectives, the bounds of figures, and the figures of hardware.

    `leakages` are those of partitions on the device as it is, by their keys.
    """

    objectives: tuple[str, ...]
    search: Search
    hardware: HardwareFigures
    leakages: Mapping[tuple[str, ...], Leakage]

    def rows(
        self, evaluated: EvaluatedPartitions, predicted: Mapping[tuple[str, ...], int]
    ) -> tuple[Row, ...]:
        """Rows on the device as it is, with T as it was predicted; gain is over all software."""
        software = evaluated.software.measurement.split.total
        rows = [
            replace(
                self._row(result, software, predicted=predicted.get(result.trial.partition.key)),
                leakage=self.leakages.get(result.trial.partition.key),
            )
            for result in evaluated.results
        ]
        within = [row for row in rows if self._is_within(row)]
        best_ids = {id(row) for row in _optimal(within, self.objectives)}
        within_ids = {id(row) for row in within}
        return tuple(
            replace(row, pareto=id(row) in best_ids, within=id(row) in within_ids) for row in rows
        )

    def swept_rows(
        self,
        points: Sequence[Point],
        landscape: Landscape,
        results: Mapping[PointKey, TrialResult],
        software: Mapping[SettingsKey, int],
    ) -> tuple[Row, ...]:
        """Rows of predicted points that were simulated, on the predicted front or not.

        `software` are its cycles on each of the buses and clocks.
        """
        best = {point.key for point in landscape.front}
        rows = [
            self._row(
                results[point.key],
                software[settings_key(point.settings)],
                pareto=point.key in best,
                predicted=round(point.figures["total"]),
            )
            for point in points
        ]
        return tuple(replace(row, within=self._is_within(row)) for row in rows)

    def _row(
        self, result: TrialResult, software: int, *, predicted: int | None, pareto: bool = False
    ) -> Row:
        partition, measurement = result.trial.partition, result.measurement
        return Row(
            measurement,
            software / measurement.split.total,
            pareto,
            predicted=predicted,
            areas=self.hardware.areas_of(partition),
            clock_hz=self.hardware.clock(partition, result.device),
        )

    def _is_within(self, row: Row) -> bool:
        """Returns true if a row is within all bounds; an unknown figure meets every bound."""
        figures = ((row.figure(name), most) for name, most in self.search.at_most.items())
        if not all(figure is None or figure <= most for figure, most in figures):
            return False
        figures = ((row.figure(name), least) for name, least in self.search.at_least.items())
        return all(figure is None or figure >= least for figure, least in figures)


def _optimal(rows: Sequence[Row], objectives: Sequence[str]) -> list[Row]:
    """The rows on the Pareto front."""
    points = [tuple(_cost(name, row.figure(name)) for name in objectives) for row in rows]
    return [row for row, point in zip(rows, points, strict=True) if is_optimal(point, points)]


def _cost(name: str, figure: float | None) -> float:
    """A figure of which less is better."""
    # An unknown figure counts as the worst.
    if figure is None:
        return math.inf
    return -float(figure) if name in MORE else float(figure)
