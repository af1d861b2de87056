"""What an exploration found: rows, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt import display

if TYPE_CHECKING:
    import polars

    from cocrypt.calltree import CallTree
    from cocrypt.explore.landscape import Landscape
    from cocrypt.explore.measured import Measurement
    from cocrypt.explore.transaction import Transaction
    from cocrypt.hardware.area import Area
    from cocrypt.hotspots import HotSpots
    from cocrypt.study import Study, Workload


@dataclass(frozen=True)
class Row:
    """A partition beside the others: what it was predicted to take, and what it took.

    `gain` is w over all software on the same device. `predicted` is the predicted T; None for the
    runs that the prediction rests upon. `areas` are those of its coprocessors and extensions;
    None where nobody asked for them. `clock_hz` is the core's clock, which follows the longest path
    of the coprocessors where that is known. `within` says that no figure is above its bound.
    """

    measurement: Measurement
    gain: float
    pareto: bool
    predicted: int | None = None
    areas: tuple[Area, ...] | None = None
    clock_hz: float | None = None
    within: bool = True

    def __repr__(self) -> str:
        split = self.measurement.split
        figures = f"T {split.total:,}, mu {split.communication:,}, w {self.gain:.2f}"
        return f"<Row {self.measurement.partition.name}: {figures}>"

    @property
    def seconds(self) -> float:
        """How long the run takes on the device."""
        clock = self.clock_hz or self.measurement.device.clock_hz
        return self.measurement.split.total / clock

    @property
    def gate_equivalents(self) -> float | None:
        """What its coprocessors take, in gate equivalents."""
        return None if self.areas is None else sum(area.gate_equivalents for area in self.areas)

    @property
    def luts(self) -> int | None:
        """What its coprocessors take, in look-up tables."""
        return None if self.areas is None else sum(area.luts for area in self.areas)

    @property
    def flip_flops(self) -> int | None:
        """What its coprocessors take, in flip-flops."""
        return None if self.areas is None else sum(area.flip_flops for area in self.areas)

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

    def figure(self, name: str) -> float | None:
        """A figure that a study may look for, by its name there; None where it is unknown."""
        measurement = self.measurement
        stack = measurement.stack
        known: dict[str, float | None] = {
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
        return known[name]

    @property
    def record(self) -> dict[str, Any]:
        """What `--json` prints of it; cycles, bytes, joules."""
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
            "predicted_total": self.predicted,
            "simulated": True,
            **measurement.output.record,
            "pareto": self.pareto,
            "within_bounds": self.within,
            "image": measurement.image_hash,
        }


@dataclass(frozen=True, kw_only=True)
class Exploration:
    """What `explore` found on one device, with everything needed to repeat it.

    `rows` are partitions on the device as it is, `swept` those on other buses and clocks, `natural`
    is the workload built without boundaries, where there are any, `hot` says where the cycles go,
    where the study names no candidates. `before` and `after` are the call trees of the software and
    of the fastest partition, whose first call of hardware is `transaction`. `notes` are sentences
    about what the figures are worth, and what was left out.
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
        place = f"{self.study.name}, {self.workload.name} on {self.study.device.name}"
        best = min(self.rows, key=lambda row: row.measurement.split.total)
        gain = f"{best.measurement.partition.name} gains {best.gain:.2f}"
        return f"<Exploration of {place}: {len(self.every_row)} rows, {gain}>"

    @property
    def every_row(self) -> tuple[Row, ...]:
        """All rows, those on other buses and clocks last."""
        return self.rows + self.swept

    @property
    def verified(self) -> bool:
        """Whether no partition gave another result than the expected one."""
        return all(row.measurement.verified is not False for row in self.every_row)

    @property
    def errors(self) -> list[float]:
        """How far off each prediction is, as a fraction of T."""
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
        # Only who asks for a frame pays for loading the library.
        import polars

        return polars.DataFrame([row.record for row in self.every_row])

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        return display.html("exploration", self)
