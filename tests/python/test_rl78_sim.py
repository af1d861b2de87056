"""RL78's instructions and their cycles against the GNU simulator: random instructions and states.

What the simulator printed for the first states of each device is recorded; rl78_campaign.py
compares with the simulator itself, and records. Cycles are the simulator's and those of the rules
that it lacks.
"""

from __future__ import annotations

import pytest

from host import ROOT
from rl78_campaign import CORES, RECORDED, commands, differences, evaluated, recorded


@pytest.mark.parametrize("device", CORES)
def test_instructions_do_and_cost_what_the_simulator_says(device: str) -> None:
    text, code = commands(device, "0", RECORDED)
    theirs = recorded(ROOT / "tests/cases/rl78", device)
    assert len(theirs) == RECORDED
    found = differences(device, code, evaluated(device, text), theirs)
    assert not found, found[:8]
