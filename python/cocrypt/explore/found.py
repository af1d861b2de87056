"""What was simulated so far, and what follows from it: predictions, fronts, rows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.coprocessor import Coprocessor
from cocrypt.energy import core_energy, trust
from cocrypt.errors import InputError
from cocrypt.explore.bench import Bench, Done, Trial
from cocrypt.explore.calibrate import calibrate
from cocrypt.explore.costs import Bus
from cocrypt.explore.front import is_optimal
from cocrypt.explore.landscape import Energies, Landscape, Sizes, Surface, survey
from cocrypt.explore.results import Row
from cocrypt.explore.search import searched
from cocrypt.partition import partition, partitions

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cocrypt.device import Device
    from cocrypt.explore.landscape import Point
    from cocrypt.explore.model import Model
    from cocrypt.explore.space import Space
    from cocrypt.hardware.area import Area
    from cocrypt.partition import Partition

FEW = 256
"""Partitions that are all simulated, where the study does not say how many."""
MOST_POINTS = 8_000_000
"""Points that are all foreseen, where the study does not ask for a search."""
TOO_MANY = 50_000_000
"""Points that memory has no room for."""
CALIBRATING = 16
"""Cycles that a transfer waits, and that a coprocessor's takes, where options are learnt."""
FRONT = 48
"""Points of a front that are simulated, where the study does not say how many."""


class Found:
    """What was simulated so far, and what follows from it."""

    def __init__(
        self,
        bench: Bench,
        space: Space,
        objectives: tuple[str, ...],
        areas: Mapping[Any, Area | None] | None,
        done: dict[tuple[str, ...], Done],
    ) -> None:
        self.bench, self.space, self.study = bench, space, bench.study
        self.objectives, self.areas, self.done = objectives, areas, done
        self.paths = _paths(space, areas)

    @property
    def software(self) -> Done:
        """The run of the software as it is."""
        return next(one for one in self.done.values() if one.trial.partition.is_software)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about what the figures are worth, and what was not looked at."""
        device = self.study.device
        said: list[str | None] = [trust(device), self._trust_of_clocks()]
        asked = {*self.objectives, *self.study.search.at_most}
        if "energy_J" in asked and said[0] is None:
            said.append(f"energy_J: {device.name} has no figures of power, so it is not looked at")
        said += [doubt for one in self.done.values() for doubt in one.measurement.doubts]
        return tuple(dict.fromkeys(one for one in said if one))

    def _trust_of_clocks(self) -> str | None:
        """What clocks are worth, where gates were counted for them."""
        counted = [path for path in self.paths if Coprocessor.load(path).critical_path_s is None]
        if not counted:
            return None
        return (
            "clock: an estimate for coprocessors by the generic gates on their longest paths, each "
            "with the device's delay; a cell library's gates may differ by a factor of two"
        )

    def profiled(self, partition: Partition) -> Done:
        """A partition with its call tree, which is run again for it where it was run without."""
        known = self.done.get(partition.key)
        if known is None or not known.trial.contexts:
            (known,) = self.bench.run([Trial(partition, contexts=True)], "profiling")
        return known

    def compared(self) -> tuple[tuple[Row, ...], tuple[Row, ...], Landscape | None]:
        """Rows on the device as it is, rows on other buses and clocks, and what was foreseen."""
        settings = self.study.sweep.settings(self.study.device)
        is_whole = len(self.done) >= self._fitting()
        needs_model = any(one.trial.partition.replaced > 1 for one in self.done.values())
        model = calibrate(self.bench, self.space, {}) if needs_model or not is_whole else None
        landscape: Landscape | None = None
        swept: dict[tuple[Any, ...], Done] = {}
        if self.space.study.candidates and (len(settings) > 1 or not is_whole):
            landscape, swept = self._surveyed(settings)
        rows = self._rows(self.done.values(), self._foreseen(model))
        return rows, self._swept(landscape, swept), landscape

    def _fitting(self) -> int:
        """How many partitions the device has room for; many are not counted one by one."""
        if self.space.count > FEW:
            return self.space.count
        return len(partitions(self.study))

    def _foreseen(self, model: Model | None) -> dict[tuple[str, ...], int]:
        """T of the partitions with several options, as it was foreseen."""
        if model is None:
            return {}
        every = self.done.values()
        several = [one for one in every if not model.rests_on(self._digits(one.trial.partition))]
        if not several:
            return {}
        digits = np.array([self._digits(one.trial.partition) for one in several], dtype=np.int64)
        (cycles,) = model.cycles(digits, [model.bus])
        pairs = zip(several, cycles, strict=True)
        return {one.trial.partition.key: round(t) for one, t in pairs if not np.isnan(t)}

    def _digits(self, partition: Partition) -> list[int]:
        names = [[one.name if one else None for one in some] for some in self.space.options]
        return [
            known.index(chosen) if chosen in known else 0
            for known, chosen in zip(names, partition.choice.values(), strict=True)
        ]

    def _surveyed(
        self, settings: Sequence[Mapping[str, int]]
    ) -> tuple[Landscape, dict[tuple[Any, ...], Done]]:
        """Foresees everything, and simulates what is worth it."""
        search = self.study.search
        surface = self._surface(settings)
        method = _method(search.method, self.space.count * len(settings))
        bounds = search.at_most
        if method == "all":
            digits = self.space.digits(np.arange(self.space.count, dtype=np.int64))
        else:
            digits = searched(
                surface, self.objectives, bounds, method, search.seed, self.bench.step
            )
        chosen = (search.simulations or FRONT, search.sample, search.seed)
        self.bench.step("foreseeing", 0, 1)
        landscape = survey(surface, digits, self.objectives, bounds, chosen, method)
        points = (*landscape.front, *landscape.sample)
        trials = [Trial(point.partition, point.settings) for point in points]
        done = self.bench.run(trials)
        return landscape, dict(zip(map(_place, points), done, strict=True))

    def _surface(self, settings: Sequence[Mapping[str, int]]) -> Surface:
        device = self.study.device
        devices = [device.having(**one) for one in settings]
        learnt = calibrate(self.bench, self.space, _calibrating(settings, device))
        if Bus.of(device).wait != learnt.bus.wait:
            slower = self.software.measurement.split.total
            faster = learnt.shapes[min(learnt.shapes)].total
            waits = Bus.of(device).wait - learnt.bus.wait
            learnt = replace(learnt, slope=(slower - faster) / waits)
        return Surface(
            self.space,
            learnt,
            devices,
            self._sizes(),
            self.areas,
            self.paths,
            self._energies(learnt),
        )

    def _singles(self) -> list[tuple[tuple[int, int], Done]]:
        found = []
        for one in self.done.values():
            digits = self._digits(one.trial.partition)
            used = [(column, digit) for column, digit in enumerate(digits) if digit]
            if len(used) == 1:
                found.append((used[0], one))
        return found

    def _sizes(self) -> Sizes:
        def sizes(one: Done) -> dict[str, float]:
            found = one.measurement
            stack = float("nan") if found.stack is None else float(found.stack)
            return {"rom": float(found.rom), "ram": float(found.ram), "stack": stack}

        return Sizes(sizes(self.software), {place: sizes(one) for place, one in self._singles()})

    def _energies(self, model: Model) -> Energies | None:
        """Joules beside what is drawn all the time, learnt from the runs of single options."""
        device = self.study.device
        if core_energy(device, 0, {}) is None:
            return None
        power = device.power.active_W or 0.0

        def beside(one: Done) -> float:
            energy = one.measurement.energy
            total = float("nan") if energy is None else energy
            return total - power * one.measurement.split.total / device.clock_hz

        software = beside(self.software)
        base = model.shapes[min(model.shapes)]
        options = {}
        for (column, option), one in self._singles():
            calls = base.calls(column)
            left = float(base.left(np.array([1 << column], dtype=np.uint64))[0]) / base.total
            each = (beside(one) - software * left) / calls if calls else 0.0
            options[min(model.shapes), column, option] = each
        return Energies(power, software, options)

    def _rows(
        self, done: Collection[Done], foreseen: Mapping[tuple[str, ...], int]
    ) -> tuple[Row, ...]:
        """Rows beside each other; gain is over all software."""
        software = self.software.measurement.split.total
        rows = [
            Row(
                one.measurement,
                software / one.measurement.split.total,
                pareto=False,
                predicted=foreseen.get(one.trial.partition.key),
                areas=self._areas_of(one.trial.partition),
                clock_hz=self._clock(one.trial.partition, one.device),
            )
            for one in done
        ]
        return tuple(_judged(rows, self.objectives, self.study.search.at_most))

    def _swept(
        self, landscape: Landscape | None, swept: Mapping[tuple[Any, ...], Done]
    ) -> tuple[Row, ...]:
        """Rows of what was foreseen and then simulated, where they are not there already."""
        if landscape is None:
            return ()
        software = self._software_on(landscape)
        worth = {_place(point) for point in landscape.front}
        rows = []
        for point in (*landscape.front, *landscape.sample):
            one = swept[_place(point)]
            if not point.settings and point.partition.key in self.done:
                continue
            total = one.measurement.split.total
            rows.append(
                Row(
                    one.measurement,
                    software[_settled(point.settings)] / total,
                    pareto=_place(point) in worth,
                    predicted=round(point.figures["total"]),
                    areas=self._areas_of(point.partition),
                    clock_hz=self._clock(point.partition, one.device),
                )
            )
        bounds = self.study.search.at_most
        return tuple(replace(row, within=meets(row, bounds)) for row in rows)

    def _software_on(self, landscape: Landscape) -> dict[tuple[Any, ...], int]:
        """T of the software in each setting that was simulated."""
        settings = {
            _settled(one.settings): one.settings for one in (*landscape.front, *landscape.sample)
        }
        trials = [Trial(partition(self.study, ()), one) for one in settings.values()]
        done = self.bench.run(trials)
        return {
            place: one.measurement.split.total for place, one in zip(settings, done, strict=True)
        }

    def _needs(self, partition: Partition) -> list[Any]:
        chosen = [
            candidate.option(partition.choice[candidate.function])
            for candidate in self.study.candidates
        ]
        needs = [one.coprocessor for one in chosen if one and one.coprocessor]
        return list(
            dict.fromkeys([*needs, *(name for one in chosen if one for name in one.extensions)])
        )

    def _areas_of(self, partition: Partition) -> tuple[Area, ...] | None:
        if self.areas is None:
            return None
        used = [self.areas[what] for what in self._needs(partition)]
        # Extensions of one unit are there together.
        units = {id(one): one for one in used if one is not None}
        return None if None in used else tuple(units.values())

    def _clock(self, partition: Partition, device: Device) -> float:
        paths = [self.paths[what] for what in self._needs(partition) if what in self.paths]
        clock = Bus.of(device).clock
        return min([float(device.clock_hz), *(1 / (path * clock) for path in paths)])


def _paths(space: Space, areas: Mapping[Any, Area | None] | None) -> dict[Any, float]:
    """The longest path of each coprocessor in seconds, as its register map states it.

    Else it is estimated, where the delay of a gate and how many there are on the path are known.
    """
    paths = {}
    delay = space.study.device.gate_delay_s
    for path in space.coprocessors:
        known = Coprocessor.load(path).critical_path_s
        area = areas[path] if areas is not None else None
        if known is None and delay and area is not None:
            known = delay * area.levels
        if known:
            paths[path] = known
    return paths


def _judged(
    rows: Sequence[Row], objectives: Sequence[str], bounds: Mapping[str, float]
) -> list[Row]:
    """Rows with their place on the front of those that are within the bounds."""
    within = [row for row in rows if meets(row, bounds)]
    figures = [[row.figure(name) for name in objectives] for row in within]
    # What is not known of a row is no reason to take it.
    points = [tuple(math.inf if one is None else float(one) for one in some) for some in figures]
    worth = {
        id(row) for row, point in zip(within, points, strict=True) if is_optimal(point, points)
    }
    kept = {id(row) for row in within}
    return [replace(row, pareto=id(row) in worth, within=id(row) in kept) for row in rows]


def meets(row: Row, bounds: Mapping[str, float]) -> bool:
    """Whether a row is within all bounds; a figure that is not known meets every bound."""
    figures = ((row.figure(name), most) for name, most in bounds.items())
    return all(figure is None or figure <= most for figure, most in figures)


def _method(asked: str, points: int) -> str:
    if asked == "all" and points > TOO_MANY:
        raise InputError(
            f"{points:,} points are too many to look at each", 'let `method` be "nsga2" or "tpe"'
        )
    if asked != "auto":
        return asked
    return "all" if points <= MOST_POINTS else "nsga2"


def _calibrating(settings: Sequence[Mapping[str, int]], device: Device) -> Mapping[str, int]:
    """Where options are learnt: a slow clock of coprocessors shows best how long they work.

    A device on which nothing is tried is left as it is: its core may be known for one wait alone.
    """
    buses = [Bus.of(device.having(**one)) for one in settings]
    if len({(bus.wait, bus.clock) for bus in buses}) == 1 or all(bus.wait == 1 for bus in buses):
        return {}
    slow = CALIBRATING
    return {"bus_wait": slow, "burst_wait": slow, "clock_multiply": 1, "clock_divide": slow}


def _settled(settings: Mapping[str, int]) -> tuple[Any, ...]:
    return tuple(sorted(settings.items()))


def _place(point: Point) -> tuple[Any, ...]:
    return point.partition.key, _settled(point.settings)
