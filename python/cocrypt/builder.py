"""From a study's workload and partition to an image: which units are linked is the partition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.measurement import function_names
from cocrypt.study import Coprocessor
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cocrypt.partition import Partition
    from cocrypt.study import Study, Workload


@dataclass(frozen=True)
class Built:
    """An image of a workload with some functions in hardware."""

    workload: Workload
    partition: Partition
    name: str
    path: Path
    coprocessors: tuple[Path, ...]
    driver_functions: frozenset[str]
    wait_functions: frozenset[str]

    @property
    def image(self) -> bytes:
        """The ELF file's bytes."""
        return self.path.read_bytes()


@dataclass(frozen=True)
class Builder:
    """Builds the images of one study."""

    study: Study

    def build(self, wanted: Sequence[tuple[Workload, Partition]]) -> list[Built]:
        """The images of these partitions; every unit is compiled once for all of them."""
        units = [unit for pair in wanted for unit in self._units(*pair)]
        objects = self._toolchain.compile(units)
        return [self._link(workload, partition, objects) for workload, partition in wanted]

    def description(self) -> dict[str, Any]:
        """What somebody needs to know to build the same images."""
        return self._toolchain.description(self.study.flags)

    @property
    def _toolchain(self) -> Toolchain:
        return Toolchain(self.study.device)

    def _link(self, workload: Workload, partition: Partition, objects: dict[Unit, Path]) -> Built:
        name = f"{self.study.name}/{workload.name} ({partition.name})"
        linked = [objects[unit] for unit in self._units(workload, partition)]
        drivers = [objects[unit] for unit in self._drivers(partition)]
        coprocessors = self.study.coprocessors(partition.hw)
        waits = (Coprocessor.load(path).wait_function for path in coprocessors)
        return Built(
            workload=workload,
            partition=partition,
            name=name,
            path=self._toolchain.link(linked, name),
            coprocessors=coprocessors,
            driver_functions=function_names(drivers),
            wait_functions=frozenset(wait for wait in waits if wait),
        )

    def _units(self, workload: Workload, partition: Partition) -> list[Unit]:
        software = [
            one.software for one in self.study.candidates if one.function not in partition.hw
        ]
        own = [self._unit(path) for path in (workload.source, *self.study.common, *software)]
        return [*self._toolchain.runtime(self.study.flags), *own, *self._drivers(partition)]

    def _drivers(self, partition: Partition) -> list[Unit]:
        if not partition.hw:
            return []
        used = [one for one in self.study.candidates if one.function in partition.hw]
        return [self._unit(path) for path in (*self.study.drivers, *(one.driver for one in used))]

    def _unit(self, source: Path) -> Unit:
        return Unit(source, self.study.flags, self.study.include)
