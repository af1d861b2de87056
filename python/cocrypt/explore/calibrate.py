"""Calibrates a model: the software's call tree, and the cost of each option."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.explore.bench import Trial
from cocrypt.explore.calls import Calls
from cocrypt.explore.costs import Bus, Cost
from cocrypt.explore.model import Model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.explore.bench import Bench, TrialResult
    from cocrypt.explore.measured import Measurement
    from cocrypt.explore.model import Leaf, Shape
    from cocrypt.explore.space import Space

MOST_SHAPES = 128
"""The most combinations of options that call others, and of others beside them, that are run."""


def calibrate(bench: Bench, space: Space, settings: Mapping[str, int]) -> Model:
    """A model from a run of the software and one of each option alone, with these settings."""
    functions = [candidate.function for candidate in space.study.candidates]
    width = len(functions)
    singles = [
        (column, option) for column, size in enumerate(space.sizes) for option in range(1, size)
    ]
    shapes = [(0,) * width, *(_shape(width, [single]) for single in singles)]
    runs = _run(bench, space, shapes, settings)
    trees = {shape: Calls.of(result.tree, functions) for shape, result in runs.items()}
    structural = [
        (column, option)
        for column, option in singles
        if trees[_shape(width, [(column, option)])].leads_on(column)
    ]
    base = (0,) * width
    calls_by_shape = {base: trees[base]} | {
        shape: trees[shape] for shape in (_shape(width, [option]) for option in structural)
    }
    further = _further_shapes(bench, space, structural, settings)
    calls_by_shape |= {shape: Calls.of(result.tree, functions) for shape, result in further.items()}
    bus = Bus.of(runs[base].device)
    leaves = [single for single in singles if single not in structural]
    before = {shape: result.measurement for shape, result in (*runs.items(), *further.items())}
    costs = _costs(bench, space, leaves, calls_by_shape, before, settings)
    return Model(calls_by_shape, costs, bus)


def _costs(
    bench: Bench,
    space: Space,
    leaves: list[tuple[int, int]],
    shapes: Mapping[Shape, Calls],
    before: Mapping[Shape, Measurement],
    settings: Mapping[str, int],
) -> dict[Leaf, Cost]:
    """The cost of a call of each option in each shape; in one shape only if there are many.

    `before` are the runs of the shapes without the options.
    """
    base = min(shapes)
    selected: list[tuple[Shape, int, int]] = []
    for column, option in leaves:
        calling = [shape for shape, calls in shapes.items() if calls.calls(column)]
        few = calling if len(shapes) * len(leaves) <= MOST_SHAPES else calling[:1]
        selected += [(shape, column, option) for shape in few]
    partitions = [
        space.partition(np.array(_with(shape, column, option), dtype=np.int64))
        for shape, column, option in selected
    ]
    # Single options were run with their call trees already.
    trials = [Trial(each, settings, contexts=each.replaced <= 1) for each in partitions]
    results = bench.run(trials, "calibrating")
    costs: dict[Leaf, Cost] = {(base, *leaf): Cost(0, 0.0) for leaf in leaves}
    for (shape, column, option), result in zip(selected, results, strict=True):
        calls = shapes[shape]
        remaining = float(calls.left(np.array([1 << column], dtype=np.uint64))[0])
        measurement = result.measurement
        spent = measurement.split.total - remaining
        bus = Bus.of(result.device)
        cost = Cost.learnt(calls.calls(column), spent, measurement, before[shape], bus)
        cost = replace(cost, dual=bool(result.dual_rails))
        costs[shape, column, option] = cost
        # If the software does not call it, its cost in another shape is the best estimate.
        if not shapes[base].calls(column):
            costs[base, column, option] = cost
    return costs


def _with(shape: Shape, column: int, option: int) -> Shape:
    return tuple(option if index == column else chosen for index, chosen in enumerate(shape))


def _shape(width: int, options: list[tuple[int, int]]) -> Shape:
    chosen = dict(options)
    return tuple(chosen.get(column, 0) for column in range(width))


def _run(
    bench: Bench, space: Space, shapes: list[Shape], settings: Mapping[str, int]
) -> dict[Shape, TrialResult]:
    """Runs of partitions with their call trees."""
    partitions = [space.partition(np.array(shape, dtype=np.int64)) for shape in shapes]
    trials = [Trial(partition, settings, contexts=True) for partition in partitions]
    return dict(zip(shapes, bench.run(trials, "calibrating"), strict=True))


def _further_shapes(
    bench: Bench, space: Space, structural: list[tuple[int, int]], settings: Mapping[str, int]
) -> dict[Shape, TrialResult]:
    """Programs with several options that call other candidates."""
    functions = [candidate.function for candidate in space.study.candidates]
    by_column: dict[int, list[int]] = {}
    for column, option in structural:
        by_column.setdefault(column, [0]).append(option)
    combined = [
        _shape(len(functions), list(zip(by_column, options, strict=True)))
        for options in product(*by_column.values())
    ]
    further = [shape for shape in combined if sum(map(bool, shape)) > 1][:MOST_SHAPES]
    return _run(bench, space, further, settings) if further else {}
