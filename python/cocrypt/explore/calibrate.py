"""Learns what a model needs to know: the software's call tree, and what each option costs."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.explore.bench import Trial
from cocrypt.explore.calls import Calls
from cocrypt.explore.costs import Bus, Cost
from cocrypt.explore.model import Model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.explore.bench import Bench, Done
    from cocrypt.explore.model import Shape
    from cocrypt.explore.space import Space

MOST_SHAPES = 128
"""How many combinations of options that call other candidates are run for a prediction."""


def calibrate(bench: Bench, space: Space, settings: Mapping[str, int]) -> Model:
    """A model from a run of the software and one of each option alone, on a device so set."""
    functions = [candidate.function for candidate in space.study.candidates]
    width = len(functions)
    singles = [
        (column, option) for column, size in enumerate(space.sizes) for option in range(1, size)
    ]
    shapes = [(0,) * width, *(_shape(width, [single]) for single in singles)]
    runs = _run(bench, space, shapes, settings)
    trees = {shape: Calls.of(done.tree, functions) for shape, done in runs.items()}
    structural = [
        (column, option)
        for column, option in singles
        if trees[_shape(width, [(column, option)])].leads_on(column)
    ]
    base = (0,) * width
    kept = {base: trees[base]} | {
        shape: trees[shape] for shape in (_shape(width, [one]) for one in structural)
    }
    kept |= _further_shapes(bench, space, structural, settings)
    bus = Bus.of(runs[base].device)
    leaves = [single for single in singles if single not in structural]
    costs = {
        (column, option): _cost(bench, space, (column, option), kept, runs, settings)
        for column, option in leaves
    }
    return Model(kept, costs, bus)


def _shape(width: int, options: list[tuple[int, int]]) -> Shape:
    chosen = dict(options)
    return tuple(chosen.get(column, 0) for column in range(width))


def _run(
    bench: Bench, space: Space, shapes: list[Shape], settings: Mapping[str, int]
) -> dict[Shape, Done]:
    """Runs of partitions with their call trees."""
    partitions = [space.partition(np.array(shape, dtype=np.int64)) for shape in shapes]
    trials = [Trial(partition, settings, contexts=True) for partition in partitions]
    return dict(zip(shapes, bench.run(trials, "calibrating"), strict=True))


def _further_shapes(
    bench: Bench, space: Space, structural: list[tuple[int, int]], settings: Mapping[str, int]
) -> dict[Shape, Calls]:
    """The trees of programs with several options that call other candidates."""
    functions = [candidate.function for candidate in space.study.candidates]
    by_column: dict[int, list[int]] = {}
    for column, option in structural:
        by_column.setdefault(column, [0]).append(option)
    every = [
        _shape(len(functions), list(zip(by_column, options, strict=True)))
        for options in product(*by_column.values())
    ]
    further = [shape for shape in every if sum(map(bool, shape)) > 1][:MOST_SHAPES]
    if not further:
        return {}
    runs = _run(bench, space, further, settings)
    return {shape: Calls.of(done.tree, functions) for shape, done in runs.items()}


def _cost(
    bench: Bench,
    space: Space,
    leaf: tuple[int, int],
    shapes: Mapping[Shape, Calls],
    runs: Mapping[Shape, Done],
    settings: Mapping[str, int],
) -> Cost:
    """What a call of an option costs, learnt where it is called at all."""
    column, option = leaf
    width = len(space.sizes)
    shape, calls = next(
        ((shape, calls) for shape, calls in shapes.items() if calls.calls(column)),
        ((0,) * width, shapes[(0,) * width]),
    )
    single = tuple(option if place == column else one for place, one in enumerate(shape))
    done = runs.get(single) or _run(bench, space, [single], settings)[single]
    left = float(calls.left(np.array([1 << column], dtype=np.uint64))[0])
    one = done.measurement
    return Cost.learnt(calls.calls(column), one.split.total - left, one, Bus.of(done.device))
