"""Buses with bursts and coprocessors with slower clocks: the model's cycles are those of RTL."""

from __future__ import annotations

import pytest

from cocrypt import house
from cocrypt._native import DiagnosticError
from cocrypt.study import Choice, Device, Study, Sweep
from cocrypt.verify import verify

FUNCTIONS = ("mod_add", "mod_sub", "mod_mul", "mod_div")
SETTINGS = (
    {"bus_wait": 9, "burst_wait": 2},
    {"bus_wait": 7, "clock_divide": 3},
    {"bus_wait": 8, "burst_wait": 5, "clock_divide": 5},
)


@pytest.fixture(scope="module")
def study() -> Study:
    return Study.load(house.root() / "studies" / "hau2011.toml")


@pytest.mark.parametrize("core", ["hau2011-soc", "ibex-small", "serv"])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_model_and_rtl_count_the_same(study: Study, core: str, settings: dict[str, int]) -> None:
    device = Device.load(core).having(**settings)
    choices = [Choice(name, FUNCTIONS) for name in ("point_add", "mod_mul")]
    found = verify(study.on(device), choices)
    assert [one.difference for one in found.runs] == [0, 0]
    assert found.agrees


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"bus_wait": 2, "burst_wait": 3}, "a burst cannot wait 3 cycles"),
        ({"bus_wait": 2, "clock_divide": 3}, "would miss transfers"),
        ({"BARREL_SHIFT": 1}, "has no parameter `BARREL_SHIFT`"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, int], part: str) -> None:
    with pytest.raises(DiagnosticError) as wrong:
        Device.load("picorv32").having(**settings)
    assert part in wrong.value.rendered


def test_a_sweep_lists_what_is_possible_once() -> None:
    device = Device.load("hau2011-soc")
    sweep = Sweep(bus_wait=(1, 2, 19), bus_width=(16, 32), clock=((1, 1), (1, 2), (2, 2)))
    waits = [
        (one.get("bus_wait", 19), one.get("clock_divide", 1)) for one in sweep.settings(device)
    ]
    # 16 bits double each wait; a clock of 1/2 wants two cycles; 2/2 is 1.
    assert waits[0] == (19, 1)
    assert sorted(waits) == sorted(
        [(1, 1), (2, 1), (2, 2), (4, 1), (4, 2), (19, 1), (19, 2), (38, 1), (38, 2)]
    )
