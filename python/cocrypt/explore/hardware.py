"""The hardware of partitions: its area, and the clock that its longest path allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.coprocessor import Coprocessor
from cocrypt.explore.costs import Bus
from cocrypt.explore.rails import Price
from cocrypt.explore.space import DualRail

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.device import Device
    from cocrypt.explore.space import Space
    from cocrypt.hardware.area import Area
    from cocrypt.partition import Partition
    from cocrypt.study import Study


@dataclass(frozen=True)
class HardwareFigures:
    """Figures of coprocessors, by register map, and of extensions, by name.

    `areas` is None if areas were not asked for, and has None for an unknown area; `paths` are the
    longest paths of coprocessors in seconds, as far as they are known.
    """

    study: Study
    areas: Mapping[Any, Area | None] | None
    paths: Mapping[Any, float]

    @classmethod
    def of(cls, space: Space, areas: Mapping[Any, Area | None] | None) -> HardwareFigures:
        """The figures of all coprocessors and extensions of a space."""
        paths = _paths(space, areas)
        for path in space.dual_rails:
            if path in paths:
                period = Price.of(space.study, path).period
                paths[DualRail(path)] = paths[path] * period
        return cls(space.study, areas, paths)

    @property
    def has_estimated_paths(self) -> bool:
        """True if a path was estimated by its gates, since its register map states none."""
        maps = [path for path in self.paths if not isinstance(path, DualRail)]
        return any(Coprocessor.load(path).critical_path_s is None for path in maps)

    def areas_of(self, partition: Partition) -> tuple[Area, ...] | None:
        """The areas of the hardware of a partition; None if any of them is unknown."""
        if self.areas is None:
            return None
        used = [self.areas[need] for need in self._needs(partition)]
        # Extensions of one unit share its area.
        units = {id(area): area for area in used if area is not None}
        return None if None in used else tuple(units.values())

    def clock(self, partition: Partition, device: Device) -> float:
        """The core's clock in hertz, limited by the longest path of a partition's hardware."""
        paths = [self.paths[need] for need in self._needs(partition) if need in self.paths]
        ratio = Bus.of(device).clock
        if self.study.dual_rails(partition.choice):
            # A step of the coprocessor is two of its clocks.
            ratio *= 2
        return min([float(device.clock_hz), *(1 / (path * ratio) for path in paths)])

    def _needs(self, partition: Partition) -> list[Any]:
        """Coprocessors and extensions of a partition, each once."""
        options = [
            option
            for candidate in self.study.candidates
            if (option := candidate.option(partition.choice[candidate.function]))
        ]
        dual = self.study.dual_rails(partition.choice)
        coprocessors = [
            DualRail(option.coprocessor) if option.coprocessor in dual else option.coprocessor
            for option in options
            if option.coprocessor
        ]
        extensions = [name for option in options for name in option.extensions]
        return list(dict.fromkeys([*coprocessors, *extensions]))


def _paths(space: Space, areas: Mapping[Any, Area | None] | None) -> dict[Any, float]:
    """The longest path of each coprocessor in seconds, as its register map states it.

    Else it is estimated, if the delay of a gate and the number of gates on the path are known.
    """
    paths = {}
    delay = space.study.device.gate_delay_s
    for register_map in space.coprocessors:
        path = Coprocessor.load(register_map).critical_path_s
        area = areas[register_map] if areas is not None else None
        if path is None and delay and area is not None:
            path = delay * area.levels
        if path:
            paths[register_map] = path
    return paths
