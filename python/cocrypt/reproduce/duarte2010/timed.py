"""Runs of the paper's program, and the cycles between its marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.builder import Builder
from cocrypt.calltree import CallTree
from cocrypt.errors import ProgramError
from cocrypt.machine import Machine, run_many
from cocrypt.measurement import require_clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.measurement import Run
    from cocrypt.partition import Partition
    from cocrypt.study import Study, Workload

MARKS = (1, 2, 3, 4)
"""The marks that the program writes around encryption, then around decryption."""


@dataclass(frozen=True)
class Timed:
    """A run: cycles of encryption and decryption, as the paper's timer counts, and the profile.

    `total` are the cycles of the whole run, key generation included, `waited` those in which the
    core waited on the bus for a coprocessor.
    """

    partition: Partition
    size: int
    encryption: int
    decryption: int
    total: int
    waited: int
    verified: bool
    tree: CallTree

    @property
    def cycles(self) -> int:
        """The cycles that the paper's tables count."""
        return self.encryption + self.decryption

    def calls(self, function: str) -> int:
        """The number of calls of a function."""
        return sum(node["calls"] for node in self.tree.functions if node["name"] == function)

    def spent(self, function: str) -> int:
        """Cycles in a function and below."""
        return sum(node["total_cycles"] for node in self.tree.functions if node["name"] == function)

    def each(self, function: str) -> float:
        """Cycles of a call of a function, on average."""
        return self.spent(function) / max(1, self.calls(function))

    def share(self, function: str) -> float:
        """The share of the counted cycles that a function takes, which only they call."""
        return self.spent(function) / self.cycles


@dataclass(frozen=True)
class Pair:
    """The program without and with the hot function in hardware."""

    without: Timed
    with_hardware: Timed

    @property
    def speedup(self) -> float:
        """The speed-up by the hardware."""
        return self.without.cycles / self.with_hardware.cycles


@dataclass(frozen=True)
class Program:
    """The image of a workload in a partition."""

    workload: Workload
    partition: Partition
    image: bytes


def timed(study: Study, pairs: Sequence[tuple[Workload, Partition]]) -> list[Timed]:
    """Builds and runs workloads in partitions on the study's device.

    Raises `InputError` on sources that do not compile, `ProgramError` if a program does not end
    well or omits marks.
    """
    built = Builder(study).build(pairs)
    return run_programs(
        study, [Program(each.workload, each.partition, each.image) for each in built]
    )


def run_programs(study: Study, programs: Sequence[Program]) -> list[Timed]:
    """Runs programs; raises `ProgramError` if one does not end well or omits marks."""
    machines = [
        Machine(
            study.device_of(program.partition.choice),
            program.image,
            name=f"{study.name}/{program.workload.name} ({program.partition.name})",
            coprocessors=study.coprocessors(program.partition.choice),
            contexts=True,
        )
        for program in programs
    ]
    runs = run_many(machines)
    return [_timed(*group) for group in zip(programs, machines, runs, strict=True)]


def _timed(program: Program, machine: Machine, run: Run) -> Timed:
    require_clean(run)
    marks = {value: cycle for cycle, value in machine.marks()}
    if tuple(marks) != MARKS:
        name = program.workload.name
        raise ProgramError(f"{name} sets the marks {list(marks)} instead of {list(MARKS)}")
    values = machine.profile().values
    workload = program.workload
    return Timed(
        partition=program.partition,
        size=_size(machine),
        encryption=marks[2] - marks[1],
        decryption=marks[4] - marks[3],
        total=run.cycles,
        waited=sum(transfer["waited"] for transfer in run.values["transfers"].values()),
        verified=run.output(workload.output, workload.size) == workload.expect,
        tree=CallTree(run.cycles, values["tree"], values["functions"]),
    )


def _size(machine: Machine) -> int:
    """Bytes of the program's text."""
    (size,) = (symbol["size"] for symbol in machine.info["symbols"] if symbol["name"] == "text")
    return int(size)
