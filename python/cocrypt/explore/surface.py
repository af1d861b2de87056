"""All figures of partitions on several buses and clocks, predicted at once as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.explore.costs import Bus
from cocrypt.explore.space import DualRail

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cocrypt.device import Device
    from cocrypt.explore.model import Leaf, Model
    from cocrypt.explore.space import Space
    from cocrypt.hardware.area import Area

FIGURES = (
    *("total", "sigma", "mu", "overhead", "gain", "seconds", "energy_J", "hardware"),
    *("area_GE", "luts", "flip_flops", "rom", "ram", "stack", "memory"),
)
"""The figures that are predicted for a point."""


@dataclass(frozen=True)
class Sizes:
    """Bytes of the software alone, and of it with each option alone."""

    software: Mapping[str, float]
    options: Mapping[tuple[int, int], Mapping[str, float]]


@dataclass(frozen=True)
class Energies:
    """Joules beside those of constant power: of the software, and of one call of each option."""

    power: float
    software: float
    options: Mapping[Leaf, float]


@dataclass(frozen=True)
class Surface:
    """Predicts all figures of partitions on several buses.

    `devices` are the device in each of its settings; `areas` those of coprocessors by register map
    and of extensions by name, where they are known; `paths` are the longest paths of coprocessors
    in seconds.
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
        """A figure that does not depend on the bus."""
        return np.broadcast_to(
            of_partition.astype(np.float64), (len(self.devices), len(of_partition))
        )

    def _used(self, digits: NDArray[np.int64]) -> list[tuple[Any, NDArray[np.bool_]]]:
        needs = (*self.space.coprocessors, *self.space.extensions)
        used: list[tuple[Any, NDArray[np.bool_]]] = []
        for need in needs:
            uses = self.space.uses(digits, need)
            if need in self.space.dual_rails:
                dual = self.space.uses(digits, DualRail(need))
                used.append((DualRail(need), dual))
                uses &= ~dual
            used.append((need, uses))
        return used

    def _area(self, digits: NDArray[np.int64], which: str) -> NDArray[np.float64]:
        if self.areas is None:
            return np.full((len(self.devices), len(digits)), np.nan)
        total = np.zeros(len(digits))
        # Extensions of one unit share its area.
        seen: dict[int, NDArray[np.bool_]] = {}
        for need, used in self._used(digits):
            area = self.areas[need]
            if area is None:
                total[used] = np.nan
                continue
            before = seen.get(id(area), np.zeros(len(digits), dtype=bool))
            size = getattr(area, which)
            total += np.where(used & ~before, np.nan if size is None else size, 0)
            seen[id(area)] = before | used
        return self._alike(total)

    def _clocks(self, digits: NDArray[np.int64], buses: Sequence[Bus]) -> NDArray[np.float64]:
        """The core's clock in hertz, limited by the longest path of the hardware in use."""
        clocks = np.full((len(buses), len(digits)), float(self.space.study.device.clock_hz))
        for need, used in self._used(digits):
            path = self.paths.get(need)
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
            added = np.where(digits[:, column] == option, sizes[which] - software, 0.0)
            size = np.maximum(size, software + added) if which == "stack" else size + added
        return self._alike(size)

    def _energy(
        self, digits: NDArray[np.int64], total: NDArray[np.float64], buses: Sequence[Bus]
    ) -> NDArray[np.float64]:
        if self.energy is None:
            return np.full_like(total, np.nan)
        device = self.space.study.device
        constant = total * self.energy.power / device.clock_hz
        added = self.model.added(digits, self.energy.software, self.energy.options)
        return constant + added[None, :] * np.ones((len(buses), 1))
