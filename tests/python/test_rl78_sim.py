"""RL78's instructions and their cycles against the GNU simulator: random instructions and states.

What the simulator printed for the first states of each device is recorded (rl78_campaign.py). A
simulator that `cocrypt toolchain rl78-elf --only simulator` has built runs others too;
`COCRYPT_RL78_INSTRUCTIONS=1000000` asks for so many of each device. Cycles are the simulator's and
those of the rules that it lacks.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import rl78_campaign
from host import ROOT
from rl78_campaign import (
    CORES,
    RECORDED,
    commands,
    compared,
    differences,
    evaluated,
    recorded,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

INSTRUCTIONS = int(os.environ.get("COCRYPT_RL78_INSTRUCTIONS", "4000"))


@pytest.fixture(scope="module")
def harness(
    need_part: Callable[[str, str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The program that runs instructions in the simulator."""
    simulator = need_part("rl78-elf", "simulator")
    return rl78_campaign.harness("sim", simulator, tmp_path_factory.mktemp("harness"))


@pytest.mark.parametrize("device", CORES)
def test_instructions_do_and_cost_what_the_simulator_says(device: str) -> None:
    text, code = commands(device, "0", RECORDED)
    theirs = recorded(ROOT / "tests/cases/rl78", device)
    assert len(theirs) == RECORDED
    found = differences(device, code, evaluated(device, text), theirs)
    assert not found, found[:8]


@pytest.mark.parametrize("device", CORES)
def test_other_instructions_agree_with_the_simulator_too(device: str, harness: Path) -> None:
    found = compared(device, INSTRUCTIONS, harness)
    assert not found, found[:8]
