"""All partitions on all buses and clocks as arrays of predicted figures, and their Pareto front."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.explore.costs import Bus
from cocrypt.explore.front import front

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from cocrypt.device import Device
    from cocrypt.explore.model import Leaf, Model
    from cocrypt.explore.space import Space
    from cocrypt.hardware.area import Area
    from cocrypt.partition import Partition


FIGURES = (
    *("total", "sigma", "mu", "overhead", "gain", "seconds", "energy_J", "hardware"),
    *("area_GE", "luts", "flip_flops", "rom", "ram", "stack", "memory"),
)
"""What is predicted of a point."""


@dataclass(frozen=True)
class Sizes:
    """Bytes of the software alone, and by how much each option changes them."""

    software: Mapping[str, float]
    options: Mapping[tuple[int, int], Mapping[str, float]]


@dataclass(frozen=True)
class Surface:
    """Predicts all figures of partitions on several buses.

    `devices` are the device in each of its settings; `areas` those of coprocessors by register map
    and of extensions by name, where they are known; `paths` are the longest paths of coprocessors
    in seconds. `energies` are joules that a call of an option takes, `power` watts while it runs.
    """

    space: Space
    model: Model
    devices: Sequence[Device]
    sizes: Sizes
    areas: Mapping[Any, Area | None] | None
    paths: Mapping[Any, float]
    energy: Energies | None

    def figures(
        self, digits: NDArray[np.int64], names: Sequence[str]
    ) -> dict[str, NDArray[np.float64]]:
        """Figures by name, each of shape (settings, partitions); not a number where unknown."""
        buses = [Bus.of(device) for device in self.devices]
        total = self.model.cycles(digits, buses)
        software = self.model.cycles(np.zeros((1, digits.shape[1]), dtype=np.int64), buses)
        makers = {
            "total": lambda: total,
            "mu": lambda: self.model.communication(digits, buses),
            "sigma": lambda: total - self.model.communication(digits, buses),
            "overhead": lambda: self.model.communication(digits, buses) / total,
            "gain": lambda: software / total,
            "seconds": lambda: total / self._clocks(digits, buses),
            "energy_J": lambda: self._energy(digits, total, buses),
            "hardware": lambda: self._alike(self.space.hardware(digits)),
            "area_GE": lambda: self._area(digits, "gate_equivalents"),
            "luts": lambda: self._area(digits, "luts"),
            "flip_flops": lambda: self._area(digits, "flip_flops"),
            "rom": lambda: self._size(digits, "rom"),
            "ram": lambda: self._size(digits, "ram"),
            "stack": lambda: self._size(digits, "stack"),
            "memory": lambda: self._size(digits, "ram") + self._size(digits, "stack"),
        }
        return {name: np.asarray(makers[name](), dtype=np.float64) for name in names}

    def _alike(self, of_partition: NDArray[Any]) -> NDArray[np.float64]:
        """A figure that no bus changes."""
        return np.broadcast_to(
            of_partition.astype(np.float64), (len(self.devices), len(of_partition))
        )

    def _used(self, digits: NDArray[np.int64]) -> list[tuple[Any, NDArray[np.bool_]]]:
        needs = (*self.space.coprocessors, *self.space.extensions)
        return [(what, self.space.uses(digits, what)) for what in needs]

    def _area(self, digits: NDArray[np.int64], which: str) -> NDArray[np.float64]:
        if self.areas is None:
            return np.full((len(self.devices), len(digits)), np.nan)
        total = np.zeros(len(digits))
        # Extensions of one unit are there together.
        seen: dict[int, NDArray[np.bool_]] = {}
        for what, used in self._used(digits):
            area = self.areas[what]
            if area is None:
                total[used] = np.nan
                continue
            before = seen.get(id(area), np.zeros(len(digits), dtype=bool))
            total += getattr(area, which) * (used & ~before)
            seen[id(area)] = before | used
        return self._alike(total)

    def _clocks(self, digits: NDArray[np.int64], buses: Sequence[Bus]) -> NDArray[np.float64]:
        """The core's clock in hertz, which follows the longest path of what is used."""
        clocks = np.full((len(buses), len(digits)), float(self.space.study.device.clock_hz))
        for what, used in self._used(digits):
            path = self.paths.get(what)
            if path:
                for number, bus in enumerate(buses):
                    most = 1 / (path * bus.clock)
                    clocks[number] = np.where(
                        used, np.minimum(clocks[number], most), clocks[number]
                    )
        return clocks

    def _size(self, digits: NDArray[np.int64], which: str) -> NDArray[np.float64]:
        """Bytes: an option adds to ROM and RAM what it adds alone; the deepest stack counts."""
        software = self.sizes.software[which]
        size = np.full(len(digits), software)
        for (column, option), sizes in self.sizes.options.items():
            more = np.where(digits[:, column] == option, sizes[which] - software, 0.0)
            size = np.maximum(size, software + more) if which == "stack" else size + more
        return self._alike(size)

    def _energy(
        self, digits: NDArray[np.int64], total: NDArray[np.float64], buses: Sequence[Bus]
    ) -> NDArray[np.float64]:
        if self.energy is None:
            return np.full_like(total, np.nan)
        device = self.space.study.device
        drawn = total * self.energy.power / device.clock_hz
        beside = self.model.added(digits, self.energy.software, self.energy.options)
        return drawn + beside[None, :] * np.ones((len(buses), 1))


@dataclass(frozen=True)
class Energies:
    """Joules beside what is drawn all the time: of the software, and by option of one call."""

    power: float
    software: float
    options: Mapping[Leaf, float]


SettingsKey = tuple[tuple[str, int], ...]
"""Settings of a device, so that they can be a key."""
PointKey = tuple[tuple[str, ...], SettingsKey]
"""A partition's options and the settings of the device that it is on."""


@dataclass(frozen=True)
class Point:
    """A partition in one of the device's settings, with its predicted figures."""

    digits: tuple[int, ...]
    partition: Partition
    settings: Mapping[str, int]
    figures: Mapping[str, float]

    @property
    def key(self) -> PointKey:
        """What no other point has."""
        return self.partition.key, settings_key(self.settings)


def settings_key(settings: Mapping[str, int]) -> SettingsKey:
    """The settings in an order that does not depend on how they were given."""
    return tuple(sorted(settings.items()))


@dataclass(frozen=True)
class Landscape:
    """What was predicted of all points; `front` are those on the Pareto front."""

    points: int
    method: str
    seconds: float
    front: tuple[Point, ...]
    sample: tuple[Point, ...]
    feasible: int


def survey(
    surface: Surface,
    digits: NDArray[np.int64],
    objectives: Sequence[str],
    bounds: Mapping[str, float],
    chosen: tuple[int, int, int],
    method: str = "all",
) -> Landscape:
    """Predicts these partitions in every setting, and finds the front.

    `chosen` are how many points of the front are taken, how many others at random, and the seed.
    """
    started = time.monotonic()
    names = list(dict.fromkeys(("total", *objectives, *bounds)))
    digits = digits[surface.space.fits(digits)]
    figures = {name: one.ravel() for name, one in surface.figures(digits, names).items()}
    known = ~np.isnan(figures["total"])
    within = known.copy()
    for name, most in bounds.items():
        # A figure that is not known meets every bound; who asked for it is told.
        within &= ~(figures[name] > most)
    where = np.flatnonzero(within)
    # What is not known of a point is no reason to take it.
    sought = np.stack([np.nan_to_num(figures[name][where], nan=np.inf) for name in objectives], 1)
    best = where[front(sought)]
    best = best[np.argsort(figures["total"][best], kind="stable")]
    most, sample, seed = chosen
    if len(best) > most:
        best = best[np.unique(np.linspace(0, len(best) - 1, most).round().astype(np.int64))]
    others = np.setdiff1d(where, best)
    random = np.random.default_rng(seed)
    drawn = np.sort(random.choice(others, min(sample, len(others)), replace=False))
    seconds = time.monotonic() - started
    make = _maker(surface, digits)
    return Landscape(
        points=int(known.sum()),
        method=method,
        seconds=seconds,
        front=tuple(make(place) for place in best),
        sample=tuple(make(place) for place in drawn),
        feasible=len(where),
    )


def _maker(surface: Surface, digits: NDArray[np.int64]) -> Callable[[int], Point]:
    """What makes a point of its place, with all its figures."""

    def make(place: int) -> Point:
        setting, partition = divmod(int(place), len(digits))
        row = digits[partition]
        figures = surface.figures(row[None, :], FIGURES)
        return Point(
            tuple(int(one) for one in row),
            surface.space.partition(row),
            surface.devices[setting].settings,
            {name: float(values[setting, 0]) for name, values in figures.items()},
        )

    return make
