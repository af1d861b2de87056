"""Traces of a core and of its coprocessors on one axis: energies of gates, added to samples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt._native import DiagnosticError
from cocrypt.errors import InputError
from cocrypt.explore.ports import BATCH, OTHERWISE, Port, Runs
from cocrypt.gates import library as libraries

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from cocrypt.device import Device
    from cocrypt.gates.glitches import Delays
    from cocrypt.leakage.sampling import Campaign

FEMTO = 1e-15


@dataclass(frozen=True)
class Gates:
    """Coprocessors whose energies are added to a core's samples.

    `unit` is the energy in joules that counts as one unit of the core's model, and `begun` the
    cycle in which the sampled function begins.
    """

    ports: tuple[Port, ...]
    unit: float
    begun: int
    _runs: dict[str, Runs] = field(default_factory=dict, compare=False)

    @classmethod
    def of(
        cls,
        device: Device,
        coprocessors: Sequence[Path],
        dual_rails: frozenset[Path],
        model: tuple[str, Delays, float],
        begun: int,
    ) -> Gates:
        """The coprocessors of a program; `model` is a library's name, delays, and the unit.

        Raises `InputError` without coprocessors, and for a library that states no supply.
        """
        name, delays, unit = model
        library = libraries.load(name)
        if not coprocessors:
            raise InputError(
                "the program drives no coprocessor whose gates could be simulated",
                "choose a partition with one by --partition, or leave --gates out",
            )
        if library.values["volts"] is None:
            raise InputError(
                f"the library {library.name} states no supply, so that energies are unknown",
                "name another by --gates",
            )
        ports = tuple(
            Port(path, window, library, path in dual_rails, device, delays)
            for path, window in device.attached(tuple(coprocessors))
        )
        return cls(ports, unit, begun)

    def added(self, campaign: Campaign, begin: int, count: int, length: int) -> NDArray[np.float32]:
        """What all gates add to the samples of so many runs from a run on, as runs × samples."""
        total = np.zeros((count, length))
        for first in range(0, count, BATCH):
            rows = total[first : first + BATCH]
            for port in self.ports:
                self._add(rows, port, campaign, begin + first)
        return (total / self.unit).astype(np.float32)

    def _add(self, rows: NDArray[np.float64], port: Port, campaign: Campaign, begin: int) -> None:
        count, length = rows.shape
        cycles, span = self._cycles(port, length)
        if port.name not in self._runs:
            self._runs[port.name] = Runs(port, campaign, self.begun + length, span)
        try:
            energies, _ = port.batch(port.netlist, self._runs[port.name], begin, count)
        except DiagnosticError as error:
            raise InputError(
                f"{port.name} is not simulated as gates: {error.diagnostics[0]['message']}",
                "leave --gates out",
            ) from error
        if energies is None:
            raise InputError(
                f"{port.name}: {OTHERWISE}", "sample a function that loads all that it uses"
            )
        # Several cycles of a fast coprocessor may belong to one of the core.
        np.add.at(rows.T, cycles, energies.T)

    def _cycles(self, port: Port, length: int) -> tuple[NDArray[np.intp], tuple[int, int]]:
        """The sample of each of a coprocessor's cycles, with the first of them and their number.

        A cycle belongs to the sample of the core's cycle in which it begins, and the first one,
        which may begin before the function, to the first sample.
        """
        ratio = port.device.coprocessor_clock
        first = self.begun * ratio.multiply // ratio.divide
        last = (self.begun + length - 1) * ratio.multiply // ratio.divide
        steps = np.arange(first, last + 1)
        # A step is that of a cycle c where it is c × multiply / divide, rounded down.
        begins = -(-steps * ratio.divide // ratio.multiply) - self.begun
        return np.clip(begins, 0, length - 1), (first, len(steps))

    @property
    def record(self) -> dict[str, Any]:
        """The gates as `--json` prints them."""
        return {
            "library": self.ports[0].library.name,
            "delays": self.ports[0].delays.record,
            "unit_J": self.unit,
            "coprocessors": [{"name": port.name, "rails": port.rails} for port in self.ports],
        }

    @property
    def title(self) -> str:
        """The gates in words."""
        names = ", ".join(
            f"{port.name} with {'one rail' if port.rails == 1 else 'two rails'}"
            for port in self.ports
        )
        unit = f"{self.unit / FEMTO:g} fJ a unit"
        return f"{names}, {self.ports[0].library.name}, {unit}; {self.ports[0].delays.title}"
