"""Every way to split a study's work between software and hardware, and which are worth it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cocrypt import measurement, records, rtl
from cocrypt.builder import Builder
from cocrypt.calltree import profiled
from cocrypt.hardware.area import area
from cocrypt.hotspots import hot_spots
from cocrypt.measurement import MAX_CYCLES, Split
from cocrypt.partition import Partition, partitions
from cocrypt.predict import Predictor
from cocrypt.study import SOFTWARE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import polars

    from cocrypt.builder import Built
    from cocrypt.hardware.area import Area
    from cocrypt.hotspots import HotSpots
    from cocrypt.study import Study, Workload


@dataclass(frozen=True)
class Measurement:
    """One partition's figures, in cycles; `verified` says that the result is the expected one."""

    partition: Partition
    split: Split
    instructions: int
    transfers: dict[str, int]
    rom: int
    ram: int
    stack: int | None
    energy: float | None
    verified: bool
    image_hash: str
    seconds: float


@dataclass(frozen=True)
class Row:
    """A measurement beside the others: gain over all software, and whether it is on the front.

    `predicted` is T as it was foreseen; None for the runs that the prediction rests upon. `areas`
    are those of its coprocessors; None where nobody asked for them.
    """

    measurement: Measurement
    gain: float
    pareto: bool
    predicted: int | None = None
    areas: tuple[Area, ...] | None = None

    @property
    def gate_equivalents(self) -> float | None:
        """What its coprocessors take, in gate equivalents."""
        return None if self.areas is None else sum(one.gate_equivalents for one in self.areas)

    @property
    def error(self) -> float | None:
        """By how much the prediction is off, as a fraction of T."""
        total = self.measurement.split.total
        return None if self.predicted is None else self.predicted / total - 1

    @property
    def overhead(self) -> float:
        """Gamma: mu / T."""
        split = self.measurement.split
        return split.communication / split.total


@dataclass(frozen=True)
class Exploration:
    """What `explore` found, with everything needed to repeat it."""

    study: Study
    workload: Workload
    rows: tuple[Row, ...]
    toolchain: dict[str, Any]
    host: dict[str, float] = field(default_factory=dict)
    natural: Measurement | None = None
    """The workload built without boundaries, where there are any."""
    hot: HotSpots | None = None
    """Where the cycles go, where the study names no candidates."""

    @property
    def verified(self) -> bool:
        """Whether every partition gave the expected result."""
        return all(row.measurement.verified for row in self.rows)

    @property
    def errors(self) -> list[float]:
        """How far off each prediction is, as a fraction of T."""
        return [abs(row.error) for row in self.rows if row.error is not None]

    @property
    def software(self) -> Row:
        """The row of the software as it is."""
        return next(row for row in self.rows if row.measurement.partition.is_software)

    def by_hardware(self, hw: tuple[str, ...]) -> Row:
        """The row of a partition."""
        return next(row for row in self.rows if row.measurement.partition.hw == hw)

    def frame(self) -> polars.DataFrame:
        """The rows as a table for notebooks, with the columns that `--json` names."""
        # Only who asks for a frame pays for loading the library.
        import polars

        return polars.DataFrame(records.exploration(self)["rows"])

    def _repr_html_(self) -> str:
        from cocrypt.report import tables

        return tables.partitions(self)


def explore(
    study: Study,
    workload: Workload,
    jobs: int | None = None,
    max_cycles: int = MAX_CYCLES,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
    with_area: bool = False,
) -> Exploration:
    """Builds and runs all partitions, `jobs` at a time; `step` hears how far it is.

    With `with_area` the coprocessors are synthesised, and the front is that of T against their area
    instead of the number of functions in hardware.

    Raises `InputError` on sources that do not compile and `ProgramError` where a program does not
    end well.
    """
    chosen = partitions(study)
    builder = Builder(study)
    step("building", 0, len(chosen))
    built = builder.build([(workload, partition) for partition in chosen])
    measured = _measured(study, built, jobs, max_cycles, step)
    step("predicting", len(chosen), len(chosen))
    predicted = _predicted(study, built, measured, max_cycles)
    compared = rows(measured, _areas(built, step) if with_area else None)
    foreseen = (predicted.get(row.measurement.partition.key) for row in compared)
    pairs = zip(compared, foreseen, strict=True)
    natural = measure(study, builder.natural(workload), max_cycles) if study.bounded else None
    return Exploration(
        study,
        workload,
        tuple(replace(row, predicted=cycles) for row, cycles in pairs),
        builder.description(),
        {"seconds": sum(one.seconds for one in measured)},
        natural,
        None if study.candidates else hot_spots(profiled(study.device, built[0], max_cycles)),
    )


def _measured(
    study: Study,
    built: Sequence[Built],
    jobs: int | None,
    max_cycles: int,
    step: Callable[[str, int, int], None],
) -> list[Measurement]:
    """Runs all images, so many at a time; the measurements stand in their order."""
    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        waiting = [pool.submit(measure, study, one, max_cycles) for one in built]
        try:
            for number, done in enumerate(as_completed(waiting), 1):
                done.result()
                step("running", number, len(built))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [done.result() for done in waiting]


def _predicted(
    study: Study, built: list[Built], measured: list[Measurement], max_cycles: int
) -> dict[tuple[str, ...], int]:
    """What the partitions with several options were foreseen to take."""
    if all(one.partition.replaced <= 1 for one in measured):
        return {}
    software = next(one for one in built if one.partition.is_software)
    singles = [
        (function, option, one.split.total)
        for one in measured
        if one.partition.replaced == 1
        for function, option in one.partition.choice.items()
        if option != SOFTWARE
    ]
    tree = profiled(study.device, software, max_cycles)
    predictor = Predictor.calibrated(tree, singles)
    several = (one.partition for one in measured if one.partition.replaced > 1)
    found = {partition.key: predictor.cycles(partition) for partition in several}
    return {key: cycles for key, cycles in found.items() if cycles is not None}


def measure(study: Study, built: Built, max_cycles: int = MAX_CYCLES) -> Measurement:
    """Runs one partition's image on the model."""
    result = measurement.run(study.device, built.image, built.name, built.coprocessors, max_cycles)
    measurement.require_clean(result)
    split = measurement.split(result, built.driver_functions, built.wait_functions)
    expect = built.workload.expect
    return Measurement(
        partition=built.partition,
        split=split,
        instructions=result.values["instructions"],
        transfers=_by_role(result.values["transfers"]),
        rom=result.rom,
        ram=result.ram,
        stack=result.values["stack"],
        energy=study.device.energy(split.total),
        verified=result.output(built.workload.output, len(expect)) == expect,
        image_hash=result.info["hash"],
        seconds=result.values["seconds"],
    )


def rows(
    measurements: list[Measurement],
    areas: Mapping[tuple[str, ...], tuple[Area, ...]] | None = None,
) -> tuple[Row, ...]:
    """Measurements beside each other; the one without hardware is what gain is relative to.

    Where the areas of each partition's coprocessors are known, the front is of T against these.
    """
    software = next(one for one in measurements if one.partition.is_software)
    known = [None if areas is None else areas[one.partition.key] for one in measurements]
    pairs = list(zip(measurements, known, strict=True))
    points = [(float(one.split.total), _size(one, area)) for one, area in pairs]
    return tuple(
        Row(one, software.split.total / one.split.total, is_optimal(point, points), areas=area)
        for one, point, area in zip(measurements, points, known, strict=True)
    )


def _size(one: Measurement, areas: tuple[Area, ...] | None) -> float:
    """What a partition's hardware is weighed by."""
    if areas is None:
        return len(one.partition.hw)
    return sum(area.gate_equivalents for area in areas)


def _areas(
    built: list[Built], step: Callable[[str, int, int], None]
) -> dict[tuple[str, ...], tuple[Area, ...]]:
    """The areas of each partition's coprocessors; every design is synthesised once."""
    maps = list(dict.fromkeys(path for one in built for path in one.coprocessors))
    found = {}
    for number, path in enumerate(maps):
        step("synthesising", number, len(maps))
        found[path] = area(*rtl.coprocessor_verilog(path))
    return {one.partition.key: tuple(found[path] for path in one.coprocessors) for one in built}


def is_optimal(point: tuple[float, float], points: Sequence[tuple[float, float]]) -> bool:
    """Whether no other point is at least as good in both figures and better in one."""
    return not any(
        other != point and other[0] <= point[0] and other[1] <= point[1] for other in points
    )


def _by_role(transfers: dict[str, dict[str, int]]) -> dict[str, int]:
    roles = ("control", "status", "input", "output")
    return {role: sum(one[role] for one in transfers.values()) for role in roles}
