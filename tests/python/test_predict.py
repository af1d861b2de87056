"""Predictions: exact where functions do not affect each other, and stated with their error."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cocrypt import paths
from cocrypt.calltree import CallTree
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.explore import explore
from cocrypt.explore.calls import Calls
from cocrypt.explore.costs import Asking, Bus, Cost
from cocrypt.explore.front import front, is_optimal
from cocrypt.explore.landscape import Selection, survey
from cocrypt.explore.model import Leaf, Model
from cocrypt.explore.search import searched
from cocrypt.explore.space import Space
from cocrypt.explore.surface import Sizes, Surface
from cocrypt.report import text
from cocrypt.study import Alternative, Candidate, Study, Sweep
from conftest import STUDY

if TYPE_CHECKING:
    from pathlib import Path


def node(name: str, parent: int | None, calls: int, cycles: int) -> dict[str, Any]:
    return {"name": name, "parent": parent, "calls": calls, "self_cycles": cycles}


# main calls a (10 times) and c (5 times); a calls b (20 times), and b calls c (40 times).
TREE = [
    node("main", None, 1, 1000),
    node("a", 0, 10, 500),
    node("b", 1, 20, 2000),
    node("c", 2, 40, 4000),
    node("c", 0, 5, 600),
]
TOTAL = 8100
FUNCTIONS = ("a", "b", "c")
BUS = Bus(1, 1, 1.0)
# Each a, b and c in hardware costs 30, 7 and 3 cycles a call.
BASE = (0, 0, 0)
COSTS: dict[Leaf, Cost] = {
    (BASE, 0, 1): Cost(10, 30.0),
    (BASE, 1, 1): Cost(20, 7.0),
    (BASE, 2, 1): Cost(45, 3.0),
}


def predicted(tree: list[dict[str, Any]], costs: dict[Leaf, Cost], *digits: int) -> float:
    total = sum(row["self_cycles"] for row in tree)
    calls = Calls.of(CallTree(total, tree), FUNCTIONS)
    model = Model({(0, 0, 0): calls}, costs, BUS)
    return float(model.cycles(np.array([digits], dtype=np.int64), [BUS])[0, 0])


@pytest.mark.parametrize(
    ("digits", "cycles"),
    [
        ((0, 0, 0), TOTAL),
        ((1, 0, 0), TOTAL - 6500 + 10 * 30),
        ((0, 0, 1), TOTAL - 4600 + 45 * 3),
        # b is called from a alone, and its calls vanish with it.
        ((1, 1, 0), TOTAL - 6500 + 10 * 30),
        # c is still called from main.
        ((1, 0, 1), 1000 + 10 * 30 + 5 * 3),
        ((0, 1, 1), 1000 + 500 + 20 * 7 + 5 * 3),
        ((1, 1, 1), 1000 + 10 * 30 + 5 * 3),
    ],
)
def test_what_is_called_from_what_vanishes_is_not_counted(
    digits: tuple[int, int, int], cycles: int
) -> None:
    assert predicted(TREE, COSTS, *digits) == cycles


def test_recursion_counts_once() -> None:
    tree = [node("main", None, 1, 10), node("a", 0, 2, 30), node("a", 1, 4, 60)]
    assert Calls.of(CallTree(100, tree), FUNCTIONS).calls(0) == 2
    assert predicted(tree, COSTS, 1, 0, 0) == 10 + 2 * 30


def test_what_was_not_calibrated_is_not_predicted() -> None:
    assert np.isnan(predicted(TREE, {(BASE, 0, 1): COSTS[BASE, 0, 1]}, 1, 1, 0))
    assert predicted(TREE, {(BASE, 0, 1): COSTS[BASE, 0, 1]}, 1, 0, 0) == TOTAL - 6500 + 10 * 30


def test_another_algorithm_brings_its_own_calls() -> None:
    """Option 1 of a calls c 7 times and b never; c in hardware is cheaper all the same."""
    own = [node("main", None, 1, 1000), node("a", 0, 10, 50), node("c", 1, 7, 700), TREE[4]]
    base, changed = Calls.of(CallTree(TOTAL, TREE), FUNCTIONS), CallTree(2350, own)
    model = Model(
        {(0, 0, 0): base, (1, 0, 0): Calls.of(changed, FUNCTIONS)},
        {(BASE, 2, 1): COSTS[BASE, 2, 1]},
        BUS,
    )
    assert model.shapes[1, 0, 0].leads_on(0)
    digits = np.array([(0, 0, 0), (1, 0, 0), (1, 0, 1)], dtype=np.int64)
    cycles = model.cycles(digits, [BUS])[0].tolist()
    assert cycles == [TOTAL, 2350, 1000 + 50 + (7 + 5) * 3]


def test_transfers_cost_what_the_bus_asks() -> None:
    """Ten transfers, six of them in bursts; works for 100 cycles, asked after 8, then every 10."""
    asking = Asking(times=1, first=8, turn=10, work=100, steady=True)
    cost = Cost(1, 50.0, transfers=10, following=6, asking=asking)
    # 13 + 15 t reaches 100 with six turns more.
    assert cost.at(Bus(5, 5, 1.0)) == 50 + 50 + 7 * 5 + 6 * 10
    assert cost.at(Bus(5, 1, 1.0)) == 50 + 4 * 5 + 6 * 1 + 7 * 5 + 6 * 10
    # The operation is done before the first read of the status.
    assert cost.at(Bus(95, 95, 1.0)) == 50 + 950 + 95
    # Half the clock: 13 + 15 t reaches 200 with thirteen.
    assert cost.at(Bus(5, 5, 0.5)) == 50 + 50 + 14 * 5 + 13 * 10


@pytest.mark.parametrize("width", [2, 3])
def test_the_front_is_what_nothing_beats(width: int) -> None:
    points = np.random.default_rng(width).integers(0, 12, size=(300, width)).astype(float)
    slow = [is_optimal(tuple(point), [tuple(rival) for rival in points]) for point in points]
    assert front(points).tolist() == slow
    assert 1 < sum(slow) < 300


def test_every_partition_of_the_study_is_predicted_within_one_percent() -> None:
    study = Study.load(STUDY)
    result = explore(study, study.workload())
    several = [row for row in result.rows if row.measurement.partition.replaced > 1]
    assert len(several) == 11
    for row in result.rows:
        if row in several:
            assert row.error is not None
            assert abs(row.error) < 0.01
        else:
            assert row.predicted is None


@pytest.mark.long
def test_other_buses_and_clocks_are_predicted_within_one_percent() -> None:
    study = Study.load(STUDY)
    sweep = Sweep(
        bus_wait=(1, 4, 19, 40), burst_wait=(1, 19), bus_width=(16, 32), clock=((1, 1), (1, 2))
    )
    study = replace(study, sweep=sweep, search=replace(study.search, sample=24))
    result = explore(study, study.workload("point_mul"))
    assert result.landscape is not None
    assert result.landscape.points == 16 * len(sweep.settings(study.device))
    assert len(result.swept) >= 24
    assert all(row.measurement.verified for row in result.swept)
    assert max(abs(row.error or 0.0) for row in result.swept) < 0.01
    points = {
        (point.partition.key, tuple(sorted(point.settings.items()))): point.figures
        for point in (*result.landscape.front, *result.landscape.sample)
    }
    for row in result.swept:
        measurement = row.measurement
        figures = points[
            measurement.partition.key, tuple(sorted(measurement.device.settings.items()))
        ]
        assert figures["mu"] == pytest.approx(measurement.split.communication, rel=0.02, abs=1)
        assert figures["gain"] == pytest.approx(row.gain, rel=0.01)
        assert figures["sigma"] + figures["mu"] == pytest.approx(figures["total"])
        assert figures["overhead"] == pytest.approx(figures["mu"] / figures["total"])


def test_a_million_points_are_predicted_at_once(tmp_path: Path) -> None:
    """Fifteen candidates on forty buses; `benches/points.py` measures the time that this takes."""
    study = Study.load(STUDY)
    names = [f"f{number}" for number in range(15)]
    option = Alternative("other", tmp_path / "none.c", None, library=False)
    large = replace(study, candidates=tuple(Candidate(name, None, (option,)) for name in names))
    tree = [node("main", None, 1, 10_000), *(node(name, 0, 100, 10_000) for name in names)]
    calls = Calls.of(CallTree(sum(row["self_cycles"] for row in tree), tree), names)
    width = len(names)
    base = (0,) * width
    costs = {(base, column, 1): Cost(100, float(column)) for column in range(width)}
    device = study.device
    devices = [device.having(bus_wait=wait) for wait in range(1, 41)]
    model = Model({base: calls}, costs, BUS)
    nothing = {"rom": 0.0, "ram": 0.0, "stack": 0.0}
    surface = Surface(Space.of(large), model, devices, Sizes(nothing, {}), None, {}, None)
    digits = surface.space.digits(np.arange(2**width, dtype=np.int64))
    landscape = survey(surface, digits, ("total", "hardware"), {}, Selection(10, 5, seed=1))
    assert landscape.points == 2**width * 40 > 10**6
    # Without cost of a transfer all buses are equal, and everything replaced is best.
    assert {point.digits for point in landscape.front} == {(1,) * width}
    best = 10_000 + 100 * sum(range(width))
    assert landscape.front[0].figures["total"] == best


@pytest.mark.long
def test_bounds_leave_out_what_is_above_them() -> None:
    study = Study.load(STUDY)
    sweep = Sweep(bus_wait=(1, 19))
    most = 30_000_000.0
    search = replace(study.search, at_most={"total": most}, minimise=("hardware", "total"))
    result = explore(replace(study, sweep=sweep, search=search), study.workload())
    assert result.landscape is not None
    assert result.landscape.feasible < result.landscape.points
    assert all(point.figures["total"] <= most for point in result.landscape.front)
    worth = [row for row in result.rows if row.pareto]
    assert worth
    assert all(row.measurement.split.total <= most for row in worth)
    assert [row.within for row in result.rows] == [
        row.measurement.split.total <= most for row in result.rows
    ]
    assert "bounds on T (3e+07)" in text.summary(result)
    nothing = replace(study, search=replace(study.search, at_most={"total": 1.0}))
    none = explore(nothing, study.workload())
    assert "no partition is within the bounds" in text.headline(none)
    assert not any(row.pareto for row in none.rows)
    # At least one function must be in hardware to meet the bound.
    assert min(len(row.measurement.partition.hw) for row in worth) == 1


@pytest.mark.long
@pytest.mark.parametrize("method", ["nsga2", "tpe"])
def test_searches_find_the_front_of_a_small_space(method: str) -> None:
    study = Study.load(STUDY)
    every = explore(study, study.workload("point_add"))
    front_of_all = {row.measurement.partition.key for row in every.rows if row.pareto}
    search = replace(study.search, method=method, seed=3)
    runs = [explore(replace(study, search=search), study.workload("point_add")) for _ in range(2)]
    for result in runs:
        assert result.landscape is not None
        assert result.landscape.method == method
        # Predictions of points that are nearly equal may put them in another order.
        near = {point.partition.key for point in result.landscape.front}
        assert len(near & front_of_all) >= len(front_of_all) - 1
    first, second = (run.landscape for run in runs)
    assert first is not None
    assert second is not None
    assert [point.digits for point in first.front] == [point.digits for point in second.front]


def test_numbers_and_options_of_partitions_are_the_same_thing() -> None:
    space = Space.of(Study.load(STUDY))
    digits = space.digits(np.arange(space.count, dtype=np.int64))
    assert [tuple(row) for row in digits] == list(itertools.product((0, 1), repeat=4))
    assert space.choice(digits[1]) == {
        "mod_add": "software",
        "mod_sub": "software",
        "mod_mul": "software",
        "mod_div": "coprocessor",
    }
    assert space.hardware(digits).tolist() == [sum(row) for row in digits]
    assert space.fits(digits).all()


@pytest.mark.long
def test_spaces_beyond_all_numbers_are_searched(tmp_path: Path) -> None:
    """Forty candidates with four options each: 5^40 partitions, of which a search sees a few."""
    study = Study.load(STUDY)
    names = [f"f{number}" for number in range(40)]
    options = tuple(Alternative(str(n), tmp_path / "none.c", None, library=False) for n in "abcd")
    large = replace(study, candidates=tuple(Candidate(name, None, options) for name in names))
    tree = [node("main", None, 1, 1000), *(node(name, 0, 10, 500) for name in names)]
    base = (0,) * len(names)
    costs = {
        (base, column, option): Cost(10, 60.0 - 10 * option)
        for column in range(len(names))
        for option in range(1, 5)
    }
    calls = Calls.of(CallTree(21_000, tree), names)
    nothing = {"rom": 0.0, "ram": 0.0, "stack": 0.0}
    model = Model({base: calls}, costs, BUS)
    surface = Surface(Space.of(large), model, [study.device], Sizes(nothing, {}), None, {}, None)
    assert surface.space.count == 5**40
    rows = searched(surface, ("total",), {}, "nsga2", 1, lambda _what, _done, _all: None)
    landscape = survey(surface, rows, ("total",), {}, Selection(5, 0, seed=1), "nsga2")
    # The best has 1000 + 40 x 10 x 20 cycles, all software 21,000.
    assert 9_000 <= landscape.front[0].figures["total"] < 13_000


def test_too_many_candidates_are_one_message(tmp_path: Path) -> None:
    study = Study.load(STUDY)
    option = Alternative("other", tmp_path / "none.c", None, library=False)
    many = tuple(Candidate(f"f{number}", None, (option,)) for number in range(64))
    with pytest.raises(InputError, match="64 candidates, 63 are possible"):
        Space.of(replace(study, candidates=many))


def test_bounds_that_nothing_meets_leave_an_empty_front() -> None:
    study = Study.load(STUDY)
    search = replace(study.search, at_most={"total": 1.0})
    study = replace(study, sweep=Sweep(bus_wait=(1, 19)), search=search)
    result = explore(study, study.workload("mod_mul"))
    assert result.landscape is not None
    assert (result.landscape.feasible, result.landscape.front, result.swept) == (0, (), ())
    assert "no partition is within the bounds" in text.headline(result)


def test_an_objective_that_is_unknown_leaves_the_others() -> None:
    """No device has figures of power: the front is that of T alone, measured and predicted."""
    study = Study.load(STUDY)
    search = replace(study.search, minimise=("energy_J", "total"))
    study = replace(study, sweep=Sweep(bus_wait=(1, 19)), search=search)
    result = explore(study, study.workload("mod_mul"))
    assert result.landscape is not None
    least = min(row.measurement.split.total for row in result.rows)
    assert {row.measurement.split.total for row in result.rows if row.pareto} == {least}
    assert len({point.figures["total"] for point in result.landscape.front}) == 1
    assert any("energy_J" in note for note in result.notes)


@pytest.mark.long
def test_a_device_without_windows_leaves_software_alone(tmp_path: Path) -> None:
    """A search among algorithms needs no coprocessor, and runs none for its calibration."""
    devices = paths.root() / "devices"
    (tmp_path / "cores").symlink_to(devices / "cores")
    description = (devices / "hau2011-soc.toml").read_text()
    bare = description[: description.index('[[peripheral]]\nkind = "coprocessor"')]
    (tmp_path / "bare.toml").write_text(bare)
    device = Device.load(tmp_path / "bare.toml")
    study = Study.load(paths.root() / "studies" / "ecdsa.toml").on(device)
    result = explore(study, study.workload())
    # Seven ways to multiply points, three to multiply numbers.
    assert len(result.rows) == 7 * 3
    assert result.verified
    assert all(row.measurement.partition.hw == () for row in result.rows)
    paper = Study.load(STUDY).on(device)
    rows = explore(paper, paper.workload("mod_add")).rows
    assert [row.measurement.partition.name for row in rows] == ["Arch. 1"]
