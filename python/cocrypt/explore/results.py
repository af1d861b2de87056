"""The results of an exploration: rows, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt import display
from cocrypt.explore.leakage import FIGURES as LEAKAGE_FIGURES

if TYPE_CHECKING:
    import polars

    from cocrypt.calltree import CallTree
    from cocrypt.explore.landscape import Landscape
    from cocrypt.explore.leakage import Leakage
    from cocrypt.explore.measured import Measurement
    from cocrypt.explore.transaction import Transaction
    from cocrypt.hardware.area import Area
    from cocrypt.hotspots import HotSpots
    from cocrypt.study import Study, Workload


@dataclass(frozen=True)
class Row:
    """A partition with its predicted and its measured figures.

    `gain` is w over all software on the same device. `predicted` is the predicted T, None for the
    runs that predictions are computed from. `areas` are those of its coprocessors and extensions,
    None if they were not asked for. `clock_hz` is the core's clock, which follows the longest path
    of the coprocessors if that is known. `within` is true if no figure is beyond its bound.
    `leakage` is None if the study does not ask for it, and for other buses and clocks.
    """

    measurement: Measurement
    gain: float
    pareto: bool
    predicted: int | None = None
    areas: tuple[Area, ...] | None = None
    clock_hz: float | None = None
    within: bool = True
    leakage: Leakage | None = None

    def __repr__(self) -> str:
        split = self.measurement.split
        figures = f"T {split.total:,}, mu {split.communication:,}, w {self.gain:.2f}"
        return f"<Row {self.measurement.partition.name}: {figures}>"

    @property
    def seconds(self) -> float:
        """The time of the run on the device, in seconds."""
        clock = self.clock_hz or self.measurement.device.clock_hz
        return self.measurement.split.total / clock

    @property
    def gate_equivalents(self) -> float | None:
        """The area of its coprocessors, in gate equivalents."""
        return None if self.areas is None else sum(area.gate_equivalents for area in self.areas)

    @property
    def luts(self) -> int | None:
        """The area of its coprocessors, in look-up tables."""
        return _summed(None if self.areas is None else [area.luts for area in self.areas])

    @property
    def flip_flops(self) -> int | None:
        """The area of its coprocessors, in flip-flops."""
        return _summed(None if self.areas is None else [area.flip_flops for area in self.areas])

    @property
    def error(self) -> float | None:
        """The error of the prediction, as a fraction of T."""
        total = self.measurement.split.total
        return None if self.predicted is None else self.predicted / total - 1

    @property
    def overhead(self) -> float:
        """Gamma: mu / T."""
        split = self.measurement.split
        return split.communication / split.total

    def figure(self, name: str) -> float | None:
        """A figure by its name in studies; None if it is unknown, infinite without a limit."""
        if name in LEAKAGE_FIGURES:
            return None if self.leakage is None else self.leakage.figure(name)
        measurement = self.measurement
        stack = measurement.stack
        figures: dict[str, float | None] = {
            "total": measurement.split.total,
            "seconds": self.seconds,
            "energy_J": measurement.energy,
            "hardware": measurement.partition.hardware,
            "area_GE": self.gate_equivalents,
            "luts": self.luts,
            "flip_flops": self.flip_flops,
            "rom": measurement.rom,
            "ram": measurement.ram,
            "stack": stack,
            "memory": None if stack is None else measurement.ram + stack,
        }
        return figures[name]

    @property
    def record(self) -> dict[str, Any]:
        """The row as `--json` prints it; cycles, bytes, joules."""
        measurement, split = self.measurement, self.measurement.split
        return {
            "name": measurement.partition.name,
            "device": measurement.device.name,
            "settings": dict(measurement.device.settings),
            "choice": measurement.partition.choice,
            "hw": list(measurement.partition.hw),
            "sigma": split.computation,
            "software": split.software,
            "driver": split.driver,
            "waiting": split.waiting,
            "mu": split.communication,
            "total": split.total,
            "overhead": self.overhead,
            "gain": self.gain,
            "transfers": measurement.transfers,
            "instructions": measurement.instructions,
            "rom": measurement.rom,
            "ram": measurement.ram,
            "stack": measurement.stack,
            "energy_J": measurement.energy,
            "clock_hz": self.clock_hz,
            "seconds": self.seconds,
            "area_GE": self.gate_equivalents,
            "luts": self.luts,
            "flip_flops": self.flip_flops,
            "leakage": None if self.leakage is None else self.leakage.record,
            "predicted_total": self.predicted,
            "simulated": True,
            **measurement.output.record,
            "pareto": self.pareto,
            "within_bounds": self.within,
            "image": measurement.image_hash,
        }


def _summed(sizes: list[int | None] | None) -> int | None:
    """A sum; None if any of its parts is unknown."""
    if sizes is None or None in sizes:
        return None
    return sum(size for size in sizes if size is not None)


@dataclass(frozen=True, kw_only=True)
class Exploration:
    """The result of `explore` on one device, with everything needed to repeat it.

    `rows` are partitions on the device as it is, `swept` those on other buses and clocks. `natural`
    is the workload built without boundaries, if there are any; `hot` has the cycles of functions,
    if the study names no candidates. `before` and `after` are the call trees of the software and
    of the fastest partition, whose first call of hardware is `transaction`. `notes` are sentences
    about the accuracy of figures, and about figures that were left out.
    """

    study: Study
    workload: Workload
    rows: tuple[Row, ...]
    toolchain: dict[str, Any]
    host: dict[str, float] = field(default_factory=dict)
    natural: Measurement | None = None
    hot: HotSpots | None = None
    swept: tuple[Row, ...] = ()
    landscape: Landscape | None = None
    objectives: tuple[str, ...] = ("total", "hardware")
    before: CallTree | None = None
    after: CallTree | None = None
    transaction: Transaction | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        subject = f"{self.study.name}, {self.workload.name} on {self.study.device.name}"
        best = min(self.rows, key=lambda row: row.measurement.split.total)
        gain = f"{best.measurement.partition.name} gains {best.gain:.2f}"
        return f"<Exploration of {subject}: {len(self.every_row)} rows, {gain}>"

    @property
    def every_row(self) -> tuple[Row, ...]:
        """All rows, those on other buses and clocks last."""
        return self.rows + self.swept

    @property
    def verified(self) -> bool:
        """True if no partition gave another result than the expected one."""
        return all(row.measurement.verified is not False for row in self.every_row)

    @property
    def errors(self) -> list[float]:
        """The error of each prediction, as a fraction of T."""
        return [abs(row.error) for row in self.every_row if row.error is not None]

    @property
    def software(self) -> Row:
        """The row of the software as it is."""
        return next(row for row in self.rows if row.measurement.partition.is_software)

    def by_hardware(self, hw: tuple[str, ...]) -> Row:
        """The row of a partition."""
        return next(row for row in self.rows if row.measurement.partition.hw == hw)

    def frame(self) -> polars.DataFrame:
        """The rows as a table for notebooks, with the columns that `--json` names."""
        # Only a caller that wants a frame pays for loading the library.
        import polars

        return polars.DataFrame([row.record for row in self.every_row])

    def _repr_html_(self) -> str:
        """The HTML that a notebook shows."""
        return display.html("exploration", self)
