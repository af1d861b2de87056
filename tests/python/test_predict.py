"""Predictions: exact where functions do not affect each other, and stated with their error."""

from __future__ import annotations

from typing import Any

import pytest

from cocrypt.calltree import CallTree
from cocrypt.explore import explore
from cocrypt.partition import Partition
from cocrypt.predict import Predictor
from cocrypt.study import Study
from conftest import STUDY


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
# Each a, b and c in hardware costs 30, 7 and 3 cycles a call.
SINGLES = [
    ("a", "hw", TOTAL - 6500 + 10 * 30),
    ("b", "hw", TOTAL - 6000 + 20 * 7),
    ("c", "hw", TOTAL - 4600 + 45 * 3),
]


def partition(*functions: str) -> Partition:
    choice = {one: "hw" if one in functions else "software" for one in ("a", "b", "c")}
    return Partition("", tuple(functions), choice)


@pytest.mark.parametrize(
    ("functions", "cycles"),
    [
        ((), TOTAL),
        (("a",), SINGLES[0][2]),
        (("c",), SINGLES[2][2]),
        # b is only called from a, and vanishes with it.
        (("a", "b"), SINGLES[0][2]),
        # c is called from main still.
        (("a", "c"), 1000 + 10 * 30 + 5 * 3),
        (("b", "c"), 1000 + 500 + 20 * 7 + 5 * 3),
        (("a", "b", "c"), 1000 + 10 * 30 + 5 * 3),
    ],
)
def test_what_is_called_from_what_vanishes_is_not_counted(
    functions: tuple[str, ...], cycles: int
) -> None:
    assert (
        Predictor.calibrated(CallTree(TOTAL, TREE), SINGLES).cycles(partition(*functions)) == cycles
    )


def test_recursion_counts_once() -> None:
    tree = [node("main", None, 1, 10), node("a", 0, 2, 30), node("a", 1, 4, 60)]
    predictor = Predictor.calibrated(CallTree(100, tree), [("a", "hw", 10 + 2 * 5)])
    assert predictor.costs["a", "hw"] == 5


def test_what_was_not_calibrated_is_not_foreseen() -> None:
    predictor = Predictor.calibrated(CallTree(TOTAL, TREE), SINGLES[:1])
    assert predictor.cycles(partition("a", "b")) is None
    assert predictor.cycles(partition("a")) is not None


def test_a_function_that_is_never_called_costs_nothing() -> None:
    predictor = Predictor.calibrated(CallTree(TOTAL, TREE), [("d", "hw", TOTAL)])
    assert predictor.cycles(Partition("", ("d",), {"d": "hw"})) == TOTAL


def test_every_partition_of_the_study_is_foreseen_within_one_percent() -> None:
    study = Study.load(STUDY)
    found = explore(study, study.workload())
    several = [row for row in found.rows if row.measurement.partition.replaced > 1]
    assert len(several) == 11
    for row in found.rows:
        if row in several:
            assert row.error is not None
            assert abs(row.error) < 0.01
        else:
            assert row.predicted is None
