"""Interpreter and compiled code on the same programs: everything must be equal."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt._native import Machine
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.fuzz.compare import DUMP, schedule
from cocrypt.fuzz.cores import CORES
from cocrypt.fuzz.cores.picorv32 import CORE
from cocrypt.fuzz.devices import DeviceFolder
from cocrypt.fuzz.generate import generate
from cocrypt.partition import partition, partitions
from cocrypt.study import Study
from conftest import STUDY
from elf import elf_image

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cocrypt.fuzz.cores import Core
    from cocrypt.fuzz.straight import Features

MAX_CYCLES = 30_000_000


def observed(machine: Machine, limits: Sequence[int], dump: tuple[int, int]) -> list[Any]:
    """Everything by which runs can differ, at each limit."""
    states = []
    for limit in limits:
        result = machine.run(limit)
        del result["seconds"]
        states.append((result, machine.registers(), machine.read(*dump)))
    return states


@pytest.mark.long
@pytest.mark.parametrize("limits", [(MAX_CYCLES,), (1000, 1700, MAX_CYCLES)], ids=["whole", "cut"])
def test_generated_programs_run_alike(limits: Sequence[int], tmp_path: Path) -> None:
    devices = DeviceFolder(tmp_path)
    for run in schedule(CORE, 11, 120, each=1):
        device = devices.device(run.configuration, run.waits)
        built = elf_image(run.program.image)
        interpreted, compiled = (
            observed(Machine(device, built, str(run), engine=engine), limits, DUMP)
            for engine in ("interpreter", "compiled")
        )
        assert compiled == interpreted, str(run)


@pytest.mark.parametrize("core", CORES.values(), ids=lambda core: core.name)
def test_bytes_that_mean_nothing_end_alike_on_both_engines(core: Core, tmp_path: Path) -> None:
    """Random bytes as code: nothing panics or hangs, and both engines agree."""
    random, devices = Random(core.name), DeviceFolder(tmp_path)
    for number in range(60):
        configuration = core.configurations[number % len(core.configurations)]
        waits = random.choice(core.waits(configuration))
        device = devices.device(configuration, waits)
        content = random_code(random, core.features(configuration))
        interpreted, compiled = (
            observed(
                Machine(device, elf_image(content), str(number), engine=engine), (40_000,), DUMP
            )
            for engine in ("interpreter", "compiled")
        )
        assert compiled == interpreted, f"{core.name}, {configuration}, number {number}"


def random_code(random: Random, features: Features) -> bytes:
    """Random bytes, or instructions with a few errors, which run for longer."""
    if random.random() < 0.3:
        return random.randbytes(2048)
    content = bytearray(generate(random.randrange(1 << 30), 0, features).image)
    for _ in range(random.randint(1, 12)):
        content[random.randrange(min(len(content), 2048))] ^= 1 << random.randrange(8)
    return bytes(content)


@pytest.mark.long
@pytest.mark.parametrize("device", ["picorv32", "ibex-maxperf", "vexriscv", "serv"])
def test_profiles_are_alike_on_every_core(device: str) -> None:
    """Call trees, lines and instructions of every workload's first millions of cycles are equal."""
    study = Study.load(STUDY).on(Device.load(device))
    for built in Builder(study).build(
        [(workload, partition(study, ())) for workload in study.workloads]
    ):
        profiles = []
        for engine in ("interpreter", "compiled"):
            machine = Machine(
                study.device.path, built.image, built.name, engine=engine, contexts=True
            )
            result = machine.run(MAX_CYCLES)
            del result["seconds"]
            profiles.append((result, machine.registers(), machine.profile()))
        assert profiles[0] == profiles[1], built.workload.name
        assert profiles[0][2]["tree"]


@pytest.mark.long
def test_every_partition_of_a_study_runs_alike() -> None:
    study = Study.load(STUDY)
    pairs = [(study.workloads[0], partition) for partition in partitions(study)]
    for built in Builder(study).build(pairs):
        interpreted, compiled, switching = (
            Machine(
                study.device.path, built.image, built.name, list(built.coprocessors), engine=engine
            )
            for engine in ("interpreter", "compiled", "auto")
        )
        expected = observed(interpreted, (MAX_CYCLES,), (0, 4))
        assert observed(compiled, (MAX_CYCLES,), (0, 4)) == expected, built.name
        assert observed(switching, (MAX_CYCLES,), (0, 4)) == expected, built.name
