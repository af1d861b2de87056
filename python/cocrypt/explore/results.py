"""What an exploration found: measurements, rows, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt import _native, records
from cocrypt.coprocessor import Coprocessor
from cocrypt.energy import coprocessor_energy, core_energy
from cocrypt.measurement import Split, awaited, placed

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars

    from cocrypt.builder import Built
    from cocrypt.calltree import CallTree
    from cocrypt.device import Device
    from cocrypt.explore.landscape import Landscape
    from cocrypt.explore.simulation import Outcome
    from cocrypt.explore.transaction import Transaction
    from cocrypt.hardware.area import Area
    from cocrypt.hotspots import HotSpots
    from cocrypt.partition import Partition
    from cocrypt.study import Study, Workload

ROLES = ("control", "status", "input", "output")
POLLING = ("firsts", "first_cycles", "again", "again_cycles")


@dataclass(frozen=True)
class Measurement:
    """One partition's figures on a device; cycles, bytes, joules.

    `verified` says that the result is the expected one, `bus` how many transfers there were to
    whatever peripheral and how many of them continued a burst, `polling` how coprocessors were
    waited for. `seconds` are the host's, `doubts` say why a figure is None that might be known.
    """

    partition: Partition
    device: Device
    split: Split
    instructions: int
    transfers: dict[str, int]
    bus: dict[str, int]
    polling: dict[str, int]
    rom: int
    ram: int
    stack: int | None
    energy: float | None
    verified: bool
    image_hash: str
    seconds: float
    doubts: tuple[str, ...] = ()

    @classmethod
    def of(cls, device: Device, built: Built, outcome: Outcome) -> Measurement:
        """The figures of a run."""
        info = placed(_native.image_info(built.image, built.name), device)
        split = Split.of(outcome, built.driver_functions)
        transfers = outcome["transfers"].values()
        return cls(
            partition=built.partition,
            device=device,
            split=split,
            instructions=outcome["instructions"],
            transfers={role: sum(one[role] for one in transfers) for role in ROLES},
            bus=outcome["bus"],
            polling={key: sum(one[key] for one in outcome["polling"]) for key in POLLING},
            rom=sum(segment["file_size"] for segment in info["segments"]),
            ram=sum(one["size"] for one in info["segments"] if one["writable"]),
            stack=outcome["stack"],
            energy=_energy(device, built, outcome, split),
            doubts=tuple(_doubts(device, built, outcome, split)),
            verified=bytes.fromhex(outcome["output"]) == built.workload.expect,
            image_hash=info["hash"],
            seconds=outcome["seconds"],
        )


def _energy(device: Device, built: Built, outcome: Outcome, split: Split) -> float | None:
    core = core_energy(device, split.total, outcome.get("classes", {}))
    if core is None:
        return None
    beside = coprocessor_energy(device, *_worked(built, outcome))
    return None if beside is None else core + beside


def _worked(
    built: Built, outcome: Outcome
) -> tuple[list[Coprocessor], list[int | None], list[int | None]]:
    """The coprocessors, how long each was waited for, and how many bits changed."""
    maps = [Coprocessor.load(path) for path in built.coprocessors]
    cycles = [awaited(outcome, number, one.name) for number, one in enumerate(maps)]
    return maps, cycles, outcome["toggles"]


def _doubts(device: Device, built: Built, outcome: Outcome, split: Split) -> Iterator[str]:
    """Why figures of a run are unknown that others have."""
    if split.doubt is not None:
        yield split.doubt
    if core_energy(device, split.total, {}) is None:
        return
    for one, cycles, changed in zip(*_worked(built, outcome), strict=True):
        if one.power_W is not None and cycles is None:
            yield f"energy_J: unknown with `{one.name}`, since nobody can tell how long it works"
        elif one.power_W is None and device.power.toggling and changed is None:
            yield (
                f"energy_J: unknown with `{one.name}`, whose bits cannot be counted; its register "
                "map can say `power_W`"
            )


@dataclass(frozen=True)
class Row:
    """A partition beside the others: what it was foreseen to take, and what it took.

    `gain` is w over all software on the same device. `predicted` is T as it was foreseen; None for
    the runs that the prediction rests upon. `areas` are those of its coprocessors and extensions;
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

    @property
    def seconds(self) -> float:
        """How long the run takes on the device."""
        clock = self.clock_hz or self.measurement.device.clock_hz
        return self.measurement.split.total / clock

    @property
    def gate_equivalents(self) -> float | None:
        """What its coprocessors take, in gate equivalents."""
        return None if self.areas is None else sum(one.gate_equivalents for one in self.areas)

    @property
    def luts(self) -> int | None:
        """What its coprocessors take, in look-up tables."""
        return None if self.areas is None else sum(one.luts for one in self.areas)

    @property
    def flip_flops(self) -> int | None:
        """What its coprocessors take, in flip-flops."""
        return None if self.areas is None else sum(one.flip_flops for one in self.areas)

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
        one = self.measurement
        memory = None if one.stack is None else one.ram + one.stack
        known: dict[str, float | None] = {
            "total": one.split.total,
            "seconds": self.seconds,
            "energy_J": one.energy,
            "hardware": one.partition.hardware,
            "area_GE": self.gate_equivalents,
            "luts": self.luts,
            "flip_flops": self.flip_flops,
            "rom": one.rom,
            "ram": one.ram,
            "stack": one.stack,
            "memory": memory,
        }
        return known[name]


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

    @property
    def every_row(self) -> tuple[Row, ...]:
        """All rows, those on other buses and clocks last."""
        return self.rows + self.swept

    @property
    def verified(self) -> bool:
        """Whether every partition gave the expected result."""
        return all(row.measurement.verified for row in self.every_row)

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

        return polars.DataFrame(records.exploration(self)["rows"])

    def _repr_html_(self) -> str:
        """The report, as a notebook shows it."""
        from cocrypt.report import framed

        return framed([self])
