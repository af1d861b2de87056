"""A coprocessor of a study as gates with one rail and with two: costs, leakage and attacks."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.explore.bench import Bench, Trial
from cocrypt.explore.traced import STEPS, Traced
from cocrypt.explore.workers import Workers
from cocrypt.gates.rails import rails
from cocrypt.leakage import assessment, statistics
from cocrypt.leakage.traces import TraceSet
from cocrypt.partition import chosen, named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cocrypt.explore.ports import GateSamples, Port
    from cocrypt.leakage.assessment import Assessment, Attack
    from cocrypt.partition import Partition
    from cocrypt.study import Study, StudyLeakage, Workload


@dataclass(frozen=True)
class Side:
    """One netlist of a coprocessor while the program runs.

    `total` is T of the program, `interval_s` the time between two data at the shortest period,
    `energy_J` the mean of a datum, and `deviation` that of a datum's energy from the mean at the
    same cycle, over the mean energy, without noise. `groups` is the t-test of all cycles, None
    without groups; `window` is the part that counts. `attacks` are by the names of their models.
    """

    coprocessor: str
    rails: int
    total: int
    area_GE: float  # noqa: N815 - gate equivalents are GE.
    period_s: float
    interval_s: float
    energy_J: float  # noqa: N815 - a joule is a capital J.
    deviation: float
    cycles: int
    window: tuple[int, int]
    groups: Assessment | None
    attacks: tuple[tuple[str, Attack], ...]

    @property
    def t(self) -> float | None:
        """The largest |t| of first order within the window; None without groups."""
        if self.groups is None:
            return None
        return float(self.groups.welch.sizes(1)[slice(*self.window)].max())

    @property
    def disclosed(self) -> int | None:
        """The traces from which on the best attack has the whole key; None if none has it."""
        needed = []
        for _, attack in self.attacks:
            parts = [attack.disclosed(number) for number in range(len(attack.selections))]
            needed += [max(part or 0 for part in parts)] if all(parts) else []
        return min(needed, default=None)


@dataclass(frozen=True)
class Beside:
    """Each coprocessor of a partition with one rail and with two, and what both were made by."""

    study: Study
    workload: str
    partition: str
    described: StudyLeakage
    pairs: tuple[tuple[Side, Side], ...]
    doubts: tuple[str, ...]


def beside(
    study: Study,
    workload: Workload,
    asked: str | None,
    folder: Path,
    step: Callable[[str, int, int], None],
    orders: int = 1,
) -> Beside:
    """Samples both netlists of each coprocessor of a partition; sets are written to the folder.

    Raises `InputError` for a study without [leakage], and for a partition without coprocessors.
    """
    if study.leakage is None:
        raise InputError(
            f"{study.path} does not say what is sampled", "add a table [leakage] to the study"
        )
    partition = _partition(study, asked)
    doubts: list[str] = []
    found: list[list[Side]] = []
    with closing(Workers()) as workers:
        for dual in (False, True):
            changed = with_rails(study, dual=dual)
            bench = Bench(changed, workload, workers, step=step)
            (result,) = bench.run([Trial(partition)])
            traced = Traced(study.leakage, result)
            part = folder / ("dual" if dual else "single")
            total = result.measurement.split.total
            found.append(list(_sides(traced, total, part, step, orders, doubts)))
    by_name = [{side.coprocessor: side for side in sides} for sides in found]
    both = [name for name in by_name[0] if name in by_name[1]]
    pairs = tuple((by_name[0][name], by_name[1][name]) for name in both)
    if not pairs:
        raise InputError(
            f"no coprocessor of {partition.name} is simulated as gates with one rail and with two",
            "; ".join(doubts) or "choose another partition by --partition",
        )
    unique = tuple(dict.fromkeys(doubts))
    return Beside(study, workload.name, partition.name, study.leakage, pairs, unique)


def _partition(study: Study, asked: str | None) -> Partition:
    """The partition that is asked for, or that of the first option with a coprocessor."""
    if asked is not None:
        partition = named(study, asked)
    else:
        options = (
            (candidate.function, option.name)
            for candidate in study.candidates
            for option in candidate.options
            if option.coprocessor
        )
        first = next(options, None)
        partition = chosen(study, {} if first is None else dict([first]))
    if not study.coprocessors(partition.choice):
        raise InputError(
            f"the partition `{partition.name}` of {study.path} has no coprocessor",
            "choose one with a coprocessor by --partition",
        )
    return partition


def with_rails(study: Study, *, dual: bool) -> Study:
    """The study with all coprocessors in two rails, or all in one."""
    candidates = tuple(
        replace(
            candidate,
            options=tuple(
                replace(option, wddl=dual and option.coprocessor is not None)
                for option in candidate.options
            ),
        )
        for candidate in study.candidates
    )
    return replace(study, candidates=candidates)


def _sides(
    traced: Traced,
    total: int,
    folder: Path,
    step: Callable[[str, int, int], None],
    orders: int,
    doubts: list[str],
) -> Iterator[Side]:
    """A side for each coprocessor that is simulated; reasons for others go to the doubts."""
    folder.mkdir()
    compared: dict[str, GateSamples] = {}
    for campaign, port, sampled in traced.gates(folder, step):
        if isinstance(sampled, str):
            doubts.append(sampled)
        elif campaign.has_groups:
            compared[port.name] = sampled
        else:
            groups = compared.get(port.name)
            yield _side(traced, total, port, (groups, sampled), orders, step)


def _side(
    traced: Traced,
    total: int,
    port: Port,
    samples: tuple[GateSamples | None, GateSamples],
    orders: int,
    step: Callable[[str, int, int], None],
) -> Side:
    described = traced.described
    with_groups, free = samples
    groups = None
    if with_groups is not None:
        traces = TraceSet.open(with_groups.path)
        groups = assessment.assess(traces, statistics.part(traces), orders=orders)
    traces = TraceSet.open(free.path)
    attacks = tuple(
        (name, traced.attack(name, traces, STEPS, step)) for name in described.coprocessor_attacks
    )
    design, top = port.design
    size = rails(design, top, port.library, dual=port.is_dual)
    return Side(
        coprocessor=port.name,
        rails=port.rails,
        total=total,
        area_GE=size.area_GE,
        period_s=size.period_s,
        interval_s=port.rails * size.period_s,
        energy_J=free.mean_J,
        deviation=free.deviation,
        cycles=traces.samples,
        window=traced.window(traces.samples),
        groups=groups,
        attacks=attacks,
    )
