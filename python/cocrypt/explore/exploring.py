"""The exploration itself: simulations, predictions, and the best points of both."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.builder import Builder
from cocrypt.energy import trust
from cocrypt.errors import InputError
from cocrypt.explore.bench import Bench, Trial
from cocrypt.explore.evaluated import EvaluatedPartitions
from cocrypt.explore.explorer import FEW, Explorer
from cocrypt.explore.hardware import HardwareFigures
from cocrypt.explore.leakage import Leakage, doubts, leakages
from cocrypt.explore.rails import areas_by_cells
from cocrypt.explore.results import Exploration
from cocrypt.explore.space import Space
from cocrypt.explore.transaction import first_transaction
from cocrypt.explore.workers import Workers
from cocrypt.hardware.area import areas_of
from cocrypt.hotspots import hot_spots
from cocrypt.java import frames
from cocrypt.machine import Machine
from cocrypt.measurement import MAX_CYCLES
from cocrypt.partition import partition, partitions
from cocrypt.serving import judge
from cocrypt.study import SOFTWARE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from cocrypt.calltree import CallTree
    from cocrypt.explore.results import Row
    from cocrypt.hardware.area import Area
    from cocrypt.hotspots import HotSpots
    from cocrypt.partition import Partition
    from cocrypt.serving import Judgement
    from cocrypt.study import Study, Workload

AREAS = frozenset({"area_GE", "luts", "flip_flops"})
"""The figures that need a synthesis."""
ESTIMATED_CLOCK = (
    "clock: an estimate for coprocessors by the generic gates on their longest paths, each "
    "with the device's delay; a cell library's gates may differ by a factor of two"
)


def explore(
    study: Study,
    workload: Workload,
    *,
    jobs: int | None = None,
    max_cycles: int = MAX_CYCLES,
    step: Callable[[str, int, int], None] = lambda _what, _done, _all: None,
    with_area: bool = False,
    workers: Workers | None = None,
) -> Exploration:
    """Explores a study on its device; `step` is called with the progress.

    Few partitions are all simulated; of many, and of all on other buses and clocks, only those on
    the predicted Pareto front and a random sample. With `with_area`, coprocessors are synthesised,
    and the front is that of T against their area instead of the number of functions in hardware,
    unless the study names objectives.

    Raises `InputError` on sources that do not compile and `ProgramError` if a program does not end
    well.
    """
    if workers is not None:
        return _explored(Bench(study, workload, workers, max_cycles, step), with_area)
    with closing(Workers(jobs)) as own:
        return _explored(Bench(study, workload, own, max_cycles, step), with_area)


def _explored(bench: Bench, with_area: bool) -> Exploration:
    _learn(bench)
    study, workload, step = bench.study, bench.workload, bench.step
    space = Space.of(study)
    _require_simulations(study, space)
    objectives = objectives_of(study, with_area)
    wanted = AREAS & {*objectives, *study.search.at_most} or space.dual_rails
    areas = _areas(study, space, step) if wanted else None
    results = bench.run(_trials(study, space))
    evaluated = EvaluatedPartitions(space, {each.trial.partition.key: each for each in results})
    hardware = HardwareFigures.of(space, areas)
    leakage = leakages(bench, results)
    explorer = Explorer(bench, evaluated, hardware, objectives, leakage)
    rows, swept, landscape = explorer.compared()
    fastest = explorer.profiled(_fastest(rows).measurement.partition)
    builder = Builder(study)
    has_sources = not builder.is_program(workload)
    has_boundaries = has_sources and bool(study.bounded)
    before = evaluated.software.tree
    notes = (*_notes(objectives, evaluated, hardware), *_leakage_notes(study, leakage, swept))
    return Exploration(
        study=study,
        workload=workload,
        rows=rows,
        toolchain=builder.description(),
        host={"seconds": sum(row.measurement.seconds for row in (*rows, *swept))},
        natural=bench.run_built(builder.natural(workload)) if has_boundaries else None,
        hot=None if study.candidates else _hot_spots(bench, before),
        swept=swept,
        landscape=landscape,
        objectives=objectives,
        before=before,
        after=fastest.tree,
        transaction=first_transaction(fastest),
        notes=notes if has_sources else (*notes, _jumps(evaluated)),
    )


def _require_simulations(study: Study, space: Space) -> None:
    """Raises `InputError` if points of a study in Java had to be predicted.

    Predictions are computed from the calls of functions, and the machine's bytecode has none.
    """
    is_small = space.count <= (study.search.simulations or FEW)
    if study.java is None or (is_small and len(study.sweep.settings(study.device)) == 1):
        return
    raise InputError(
        f"{study.path}: a study in Java is explored by simulation alone, on the device's own bus "
        f"and clock, and with at most {FEW} partitions",
        "leave [sweep] out, and give fewer candidates or options",
    )


def _hot_spots(bench: Bench, tree: CallTree) -> HotSpots:
    """The functions of a program that could be candidates; of one in Java, its methods."""
    main = bench.workload.main
    if main is None:
        return hot_spots(tree, _judge(bench))
    return hot_spots(tree, may_be_replaced=lambda name: frames.may_be_replaced(name, main))


def _judge(bench: Bench) -> Callable[[str], Judgement]:
    """A function that names the coprocessors of the library that compute the same as a function.

    The program is built with debug information for that, which describes parameters.
    """
    study, workload = bench.study, bench.workload
    described = replace(study, flags=(*study.flags, "-g"))
    (built,) = Builder(described).build([(workload, partition(study, ()))])
    content = built.image
    fresh = Machine(study.device_of(built.partition.choice), content, name=built.name)
    fresh.type_in(workload.input)

    def judged(function: str) -> Judgement:
        bench.step(f"trying {function}", 0, 1)
        return judge(fresh.copy(), function, content)

    return judged


def _learn(bench: Bench) -> None:
    """Takes the software's output as the expected one, if the study states none."""
    if bench.workload.expect is None:
        (software,) = bench.run([Trial(partition(bench.study, ()), contexts=True)])
        bench.workload = bench.workload.learning(software.measurement.output.got)


def _fastest(rows: Sequence[Row]) -> Row:
    """The fastest row within the bounds, or of all rows if none is."""
    within = [row for row in rows if row.within] or rows
    return min(within, key=lambda row: row.measurement.split.total)


def _notes(
    objectives: tuple[str, ...], evaluated: EvaluatedPartitions, hardware: HardwareFigures
) -> tuple[str, ...]:
    """Sentences about the accuracy of figures, and about figures that were left out."""
    study = evaluated.space.study
    of_energy = trust(study.device)
    notes = [of_energy] if of_energy else []
    if hardware.has_estimated_paths:
        notes.append(ESTIMATED_CLOCK)
    if of_energy is None and "energy_J" in {*objectives, *study.search.at_most}:
        name = study.device.name
        notes.append(f"energy_J: {name} has no figures of power, so it is not looked at")
    notes += [doubt for result in evaluated.results for doubt in result.measurement.doubts]
    return tuple(dict.fromkeys(notes))


def _leakage_notes(
    study: Study, leakage: Mapping[tuple[str, ...], Leakage], swept: Sequence[Row]
) -> tuple[str, ...]:
    """Sentences about figures of leakage that are not known, and what could not be evaluated."""
    if study.leakage is None:
        return ()
    notes = list(dict.fromkeys(doubts(leakage, study.search)))
    if swept:
        notes.append("leakage: examined on the device as it is, and not predicted")
    return tuple(notes)


def _jumps(evaluated: EvaluatedPartitions) -> str:
    """The cost of jumps at the entries of replaced functions, in a program without sources."""
    cycles = []
    for result in evaluated.results:
        choice = result.trial.partition.choice.items()
        replaced = {name for name, option in choice if option != SOFTWARE}
        functions = result.outcome["functions"]
        cycles.append(
            sum(function["self_cycles"] for function in functions if function["name"] in replaced)
        )
    limit = f"at most {max(cycles):,} cycles of T"
    return f"the program was built already: calls of replaced functions take a jump more, {limit}"


def objectives_of(study: Study, with_area: bool = False) -> tuple[str, ...]:
    """The objectives: those of the study, or else T and hardware."""
    search = study.search
    if search.minimise or search.maximise:
        return (*search.minimise, *search.maximise)
    return ("total", "area_GE" if with_area else "hardware")


def _trials(study: Study, space: Space) -> list[Trial]:
    """The partitions that are always simulated on the device as it is."""
    most = study.search.simulations or FEW
    wants_all = study.search.method in ("auto", "all") and space.count <= most
    selected = partitions(study) if wants_all else _singles(study, space)
    # Partitions that predictions are computed from are profiled.
    return [Trial(each, contexts=each.replaced <= 1) for each in selected]


def _singles(study: Study, space: Space) -> list[Partition]:
    """The software, each option alone, and the partitions that have names."""
    width = len(space.sizes)
    rows = [np.zeros(width, dtype=np.int64)]
    for column, size in enumerate(space.sizes):
        for option in range(1, size):
            rows.append(rows[0].copy())
            rows[-1][column] = option
    named = [partition(study, hw) for hw in study.names]
    listed = [*named, *(space.partition(row) for row in rows)]
    return list({each.key: each for each in listed}.values())


def _areas(
    study: Study, space: Space, step: Callable[[str, int, int], None]
) -> dict[Any, Area | None]:
    """The areas of coprocessors by register map and of extensions by name, each computed once."""
    needs: list[Path | str] = [*space.coprocessors, *space.extensions]
    areas: dict[Any, Area | None] = {}
    for number, need in enumerate(needs):
        step("synthesising", number, len(needs))
        areas[need] = areas_of(study.device, need)
    return areas_by_cells(study, space, areas, step) if space.dual_rails else areas
