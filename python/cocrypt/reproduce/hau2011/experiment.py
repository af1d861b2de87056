"""The paper's experiment: its partitions, its runs at register-transfer level, and four cores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.device import Device
from cocrypt.explore import explore
from cocrypt.explore.bench import Bench, Trial
from cocrypt.partition import partition
from cocrypt.reproduce.hau2011.findings import findings
from cocrypt.reproduce.hau2011.page import page
from cocrypt.reproduce.hau2011.record import record
from cocrypt.reproduce.hau2011.sentences import sentences
from cocrypt.reproduce.hau2011.tables import tables
from cocrypt.reproduce.paper import unheard
from cocrypt.study import Choice
from cocrypt.verify import verify

if TYPE_CHECKING:
    from cocrypt.calltree import CallTree
    from cocrypt.explore import Exploration, Row
    from cocrypt.reproduce.paper import Finding, Shown, Step
    from cocrypt.study import Study
    from cocrypt.verify import Comparison

CORES = {"hau2011-soc": True, "ibex-small": True, "serv": True, "vexriscv": False}
"""Devices of four cores on which the partitions are run.

The values say which get the paper's bus: the last one's timing is not known for a bus slower
than memory, so it keeps its own."""


@dataclass(frozen=True)
class Reproduction:
    """Pairs of the paper's figures and ours: partitions (tables 2 and 3), RTL runs (4 and 5).

    `cores` are the partitions on a device of each of four cores. `key` is the call tree of key
    generation with all arithmetic in hardware.
    """

    study: Study
    partitions: tuple[tuple[dict[str, Any], Row], ...]
    rtl: tuple[tuple[dict[str, Any], Comparison], ...]
    cores: tuple[Exploration, ...]
    key: CallTree

    @property
    def sentences(self) -> tuple[str, str, str]:
        """The agreement, the differences and their reasons, for each of the tables 3, 4, 5."""
        return sentences(self)

    @property
    def tables(self) -> tuple[Shown, ...]:
        """Tables 2 to 5, and table 3 on four cores."""
        return tables(self)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The paper's conclusions, one by one."""
        return findings(self)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Partitions and runs in which model, RTL and vectors do not agree."""
        runs = [run.workload for _, run in self.rtl if run.difference or not run.verified]
        rows = [row.measurement for _, row in self.partitions]
        return (
            *(measurement.partition.name for measurement in rows if not measurement.verified),
            *runs,
        )

    def record(self) -> dict[str, Any]:
        """The output of `--json`."""
        return record(self)

    def page(self) -> str:
        """The page, with documents in the manner of UML."""
        return page(self)


def reproduce(study: Study, step: Step = unheard) -> Reproduction:
    """Runs the experiments of the paper's tables 2 to 5, and its partitions on four cores."""
    published = study.published_figures()
    explored = explore(study, study.workload(), step=step)
    functions = tuple(candidate.function for candidate in study.candidates)
    choices = [Choice(name, functions) for name in published["rtl"]]
    verified = verify(study, choices, step)
    bus = {"bus_wait": study.device.bus.wait}
    other_devices = [
        Device.load(name).having(**(bus if on_its_bus else {}))
        for name, on_its_bus in list(CORES.items())[1:]
    ]
    cores = [explore(study.on(device), study.workload(), step=step) for device in other_devices]
    bench = Bench(study, study.workload("ecdsa_key"), step=step)
    (key,) = bench.run([Trial(partition(study, functions), contexts=True)])
    return Reproduction(
        study=study,
        partitions=tuple(
            (paper, _row(explored, tuple(paper["hw"]))) for paper in published["partition"]
        ),
        rtl=tuple(zip(published["rtl"].values(), verified.runs, strict=True)),
        cores=(explored, *cores),
        key=key.tree,
    )


def _row(explored: Exploration, hw: tuple[str, ...]) -> Row:
    return next(row for row in explored.rows if set(row.measurement.partition.hw) == set(hw))
