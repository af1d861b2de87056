"""Generated programs on the cycle model and on the core's RTL: everything must be equal."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from cocrypt.fuzz import coverage, devices
from cocrypt.fuzz.compare import compare, schedule
from cocrypt.fuzz.cores.picorv32 import CONFIGURATIONS, CORE, WAITS
from cocrypt.fuzz.encoder import ALL, SYSTEM
from cocrypt.fuzz.endings import ENDINGS
from cocrypt.rtl import Configuration, Job, Waits, build, run_batch

if TYPE_CHECKING:
    from pathlib import Path

SEED = 1
PROGRAMS = 600


@pytest.fixture(scope="module")
def simulator() -> Path:
    return build(CONFIGURATIONS)


@pytest.mark.long
def test_model_and_rtl_agree(simulator: Path) -> None:
    runs = schedule(CORE, SEED, PROGRAMS)
    assert {run.program.ending for run in runs} == set(ENDINGS)
    met = Counter((run.configuration, run.waits) for run in runs)
    assert set(met) == set(product(CONFIGURATIONS, WAITS))
    differences = compare(runs, simulator)
    assert not differences, "\n".join(
        [f"{len(differences)} of {len(runs)} runs differ", *map(str, differences[:5])]
    )


def test_the_programs_execute_every_instruction_and_every_kind_of_branch(simulator: Path) -> None:
    runs = schedule(CORE, SEED, 200, each=1)
    jobs = [Job(run.program.image, run.configuration, run.waits, trace=True) for run in runs]
    executed: Counter[str] = Counter()
    branches: set[tuple[int, ...]] = set()
    for run, result in zip(runs, run_batch(simulator, jobs), strict=True):
        executed += coverage.executed(run.program, result.issues or ())
        branches |= coverage.branch_ways(run.program, result.issues or ())
    assert ALL | set(SYSTEM) <= set(executed)
    # Branch of two or four bytes at either alignment, not taken or taken, to an instruction of
    # either size at either alignment.
    taken = set(product((2, 4), (0, 2), (1,), (2, 4), (0, 2)))
    not_taken = {
        (size, at, 0, following, (at + size) % 4)
        for size, at, following in product((2, 4), (0, 2), (2, 4))
    }
    assert branches == taken | not_taken


def test_a_model_that_is_wrong_is_found(simulator: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = devices.device_text

    def slower(name: str, configuration: Configuration, waits: Waits) -> str:
        return right(name, configuration, Waits(waits.fetch + 1, waits.data, waits.bus))

    monkeypatch.setattr(devices, "device_text", slower)
    run = schedule(CORE, SEED, 1, each=1)
    (difference,) = compare(run, simulator)
    text = str(difference)
    assert f"seed {SEED} index 0" in text
    assert "cycles: model " in text
    assert re.search(
        r"instruction 0: model 0x0 \(\S+\) in cycle 4, RTL 0x0 \(\S+\) in cycle 3$", text
    )


def test_any_two_parameters_meet_in_every_way() -> None:
    parameters = [
        {
            name: on
            for name, on in configuration.core_parameters().items()
            if "MUL" not in name and "IRQ" not in name and name != "EXTENSIONS"
        }
        for configuration in CONFIGURATIONS[:8]
    ]
    for first, second in combinations(parameters[0], 2):
        met = {(values[first], values[second]) for values in parameters}
        assert len(met) == 4, (first, second)


def test_every_multiplier_is_there() -> None:
    kinds = {
        (configuration["ENABLE_MUL"], configuration["ENABLE_FAST_MUL"])
        for configuration in CONFIGURATIONS
    }
    assert kinds == {(False, False), (True, False), (False, True)}
