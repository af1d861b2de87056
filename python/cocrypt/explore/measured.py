"""The figures of one simulated partition, from its image and its outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.coprocessor import Coprocessor
from cocrypt.energy import coprocessor_energy, core_energy
from cocrypt.measurement import Split, awaited, placed, ram, rom
from cocrypt.outcome import Output

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from cocrypt.builder import Built
    from cocrypt.device import Device
    from cocrypt.explore.simulation import Outcome
    from cocrypt.partition import Partition

ROLES = ("control", "status", "input", "output")
POLLING = ("firsts", "first_cycles", "again", "again_cycles")


@dataclass(frozen=True)
class Measurement:
    """One partition's figures on a device; cycles, bytes, joules.

    `output` is the result beside the expected one. `bus` counts transfers to any peripheral and
    those of them that continued a burst, `polling` the waits for coprocessors. `seconds` are the
    host's; `doubts` are the reasons for figures that are None, but might be known.
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
    output: Output
    image_hash: str
    seconds: float
    doubts: tuple[str, ...] = ()

    def __repr__(self) -> str:
        split = self.split
        figures = f"T {split.total:,}, mu {split.communication:,}"
        return f"<Measurement of {self.partition.name} on {self.device.name}: {figures}>"

    @classmethod
    def of(
        cls,
        device: Device,
        built: Built,
        outcome: Outcome,
        ratios: Mapping[Path, float | None] | None = None,
    ) -> Measurement:
        """The figures of a run.

        `ratios` are those of a datum's energy with two rails to that with one, by register map, of
        coprocessors that have two.
        """
        ratios = ratios or {}
        info = placed(_native.image_info(built.image, built.name), device)
        split = Split.of(outcome, built.driver_functions)
        transfers = outcome["transfers"].values()
        return cls(
            partition=built.partition,
            device=device,
            split=split,
            instructions=outcome["instructions"],
            transfers={role: sum(each[role] for each in transfers) for role in ROLES},
            bus=outcome["bus"],
            polling={key: sum(each[key] for each in outcome["polling"]) for key in POLLING},
            rom=rom(info),
            ram=ram(info),
            stack=outcome["stack"],
            energy=_energy(device, built, outcome, split, ratios),
            doubts=tuple(_doubts(device, built, outcome, split, ratios)),
            output=_output(built, outcome),
            image_hash=info["hash"],
            seconds=outcome["seconds"],
        )

    @property
    def verified(self) -> bool | None:
        """True if the result is the expected one; None if no result is stated."""
        return self.output.verified


def _output(built: Built, outcome: Outcome) -> Output:
    """The result, beside the expected one of the study or else of the software."""
    expected = built.workload.required(built.partition.is_software)
    return Output(built.workload.output, bytes.fromhex(outcome["output"]), expected)


def _energy(
    device: Device,
    built: Built,
    outcome: Outcome,
    split: Split,
    ratios: Mapping[Path, float | None],
) -> float | None:
    core_joules = core_energy(device, split.total, outcome.get("classes", {}))
    if core_joules is None:
        return None
    total = core_joules
    for coprocessor, cycles, changed in zip(*_worked(built, outcome), strict=True):
        joules = coprocessor_energy(device, [coprocessor], [cycles], [changed])
        if joules and coprocessor.path in ratios:
            # Its power is that of one rail, which would have worked half as long.
            halved = 0.5 if coprocessor.power_W is not None else 1.0
            ratio = ratios[coprocessor.path]
            joules = None if ratio is None else joules * halved * ratio
        if joules is None:
            return None
        total += joules
    return total


def _worked(
    built: Built, outcome: Outcome
) -> tuple[list[Coprocessor], list[int | None], list[int | None]]:
    """The coprocessors, the cycles that each was waited for, and the bits that changed."""
    maps = [Coprocessor.load(path) for path in built.coprocessors]
    cycles = [awaited(outcome, number, each.name) for number, each in enumerate(maps)]
    return maps, cycles, outcome["toggles"]


def _doubts(
    device: Device,
    built: Built,
    outcome: Outcome,
    split: Split,
    ratios: Mapping[Path, float | None],
) -> Iterator[str]:
    """The reasons why figures of a run are unknown that others have."""
    if split.doubt is not None:
        yield split.doubt
    if core_energy(device, split.total, {}) is None:
        return
    for coprocessor, cycles, changed in zip(*_worked(built, outcome), strict=True):
        name, power = coprocessor.name, coprocessor.power_W
        if ratios.get(coprocessor.path, 1.0) is None:
            yield f"energy_J: unknown with two rails of `{name}`, which are not simulated as gates"
        if power is not None and cycles is None:
            yield f"energy_J: unknown with `{name}`, since nobody can tell how long it works"
        elif power is None and device.power.toggling and changed is None:
            yield (
                f"energy_J: unknown with `{name}`, whose bits cannot be counted; its register "
                "map can say `power_W`"
            )
