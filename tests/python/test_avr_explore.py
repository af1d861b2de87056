"""Partitions on AVR: coprocessors in the data space, functions with and without their sources."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt.boundary import bindings
from cocrypt.builder import Builder
from cocrypt.device import Device, Tools
from cocrypt.explore import explore
from cocrypt.machine import Machine
from cocrypt.partition import partitions
from cocrypt.study import Study
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.builder import Built
    from cocrypt.machine import Engine

ENGINES: tuple[Engine, ...] = ("interpreter", "compiled", "auto")
CASES = ROOT / "tests" / "cases" / "avr"
COMPILERS = ("zig", "avr-gcc")
# Programs by the chip's name for avr-libc, with the exit device in the data space.
CHIPS = {"atmega2560": 0xC020, "attiny85": 0xC020}
PROGRAM = """
[study]
name   = "program"
title  = "A program without sources"
device = "{device}"
[toolchain]
compiler = "{compiler}"
flags    = ["-Os"]
[[workload]]
name   = "all"
title  = "All"
source = "program.elf"
output = "output"
expect = "0d001c002d01"  # 3 n + 1 of 4, 9 and 100
[[candidate]]
function = "step"
[[candidate.option]]
name   = "counting"
source = "counting.c"
"""


def study(name: str, compiler: str, level: str) -> Study:
    """A study of the cases, with other settings of the compiler."""
    return replace(Study.load(CASES / name), tools=Tools(compiler), flags=(level, "-g"))


def run(device: Device, built: Built) -> Machine:
    """A run that takes the same cycles on every engine."""
    machines = [
        Machine(device, built.path, coprocessors=built.coprocessors, engine=engine)
        for engine in ENGINES
    ]
    results = [machine.run() for machine in machines]
    assert [result.values["stop"]["exit_code"] for result in results] == [0] * len(ENGINES)
    assert len({(result.cycles, result.values["instructions"]) for result in results}) == 1
    return machines[0]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_coprocessors_stand_in_the_data_space(
    need_tool: Callable[[str], str], compiler: str, level: str
) -> None:
    """The result is that of FIPS 197; the cost of a slower bus is predicted to the cycle."""
    need_tool("avr-gcc")
    aes = study("explore.toml", compiler, level)
    exploration = explore(aes, aes.workload(), jobs=2)
    assert exploration.verified
    assert {row.measurement.device.settings.get("bus_wait", 1) for row in exploration.swept} == {16}
    software = exploration.by_hardware(())
    for row in (*exploration.rows, *exploration.swept):
        split, transfers = row.measurement.split, row.measurement.transfers
        wait = row.measurement.device.bus.wait
        assert split.communication == wait * sum(transfers.values())
        assert row.error in {None, 0}
    assert exploration.by_hardware(("aes128_encrypt",)).gain > 1
    assert software.measurement.split.driver == 0


@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_engine_runs_partitions_alike(need_tool: Callable[[str], str], compiler: str) -> None:
    need_tool("avr-gcc")
    aes = study("explore.toml", compiler, "-Os")
    designs = [(aes.workload(), partition) for partition in partitions(aes)]
    for built in Builder(aes).build(designs):
        machine = run(aes.device, built)
        assert bytes(machine.read("output", 16)) == aes.workload().expect


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("level", ["-Os", "-O3"])
def test_a_static_function_is_replaced_however_it_is_reached(
    need_tool: Callable[[str], str], compiler: str, level: str
) -> None:
    """The function is reached by calls, by the jump of a tail call, and by pointers in words."""
    need_tool("avr-gcc")
    reached = study("reached.toml", compiler, level)
    designs = [(reached.workload(), partition) for partition in partitions(reached)]
    original, replaced = Builder(reached).build(designs)
    for built in (original, replaced):
        machine = run(reached.device, built)
        assert bytes(machine.read("output", 8)) == reached.workload().expect
    assert machine.read("counted", 1) == b"\4"


@pytest.mark.parametrize("compiler", COMPILERS)
def test_boundaries_change_no_instruction(
    need_tool: Callable[[str], str], tmp_path: Path, compiler: str
) -> None:
    """Code and lines are the same as when the compiler assembles its own output."""
    need_tool("avr-gcc")
    dump = need_tool("avr-objdump")
    source = tmp_path / "calls.c"
    source.write_text(
        "extern int far(int);\n"
        "int (*pointer)(int) = far;\n"
        "int both(int value) {\n"
        "    return far(value) + pointer(value);\n"
        "}\n"
    )
    chain = Toolchain(Device.load("atmega2560"), compiler)
    plain, bounded = Unit(source, ("-O2", "-g")), Unit(source, ("-O2", "-g"), bounds=("far",))
    objects = chain.compile([plain, bounded])

    def dump_of(unit: Unit, *options: str) -> str:
        command = [dump, *options, str(objects[unit])]
        process = subprocess.run(command, check=True, capture_output=True, text=True)
        lines = process.stdout.splitlines()[3:]
        return "\n".join(lines).replace("cocrypt_boundary_", "").replace("kept.c", "calls.c")

    for options in (("-dr", "-j", ".text.both"), ("-r", "-j", ".data.pointer")):
        assert dump_of(plain, *options) == dump_of(bounded, *options)
        assert "far" in dump_of(bounded, *options)
    assert dump_of(plain, "--dwarf=decodedline") == dump_of(bounded, "--dwarf=decodedline")


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_functions_of_a_program_without_sources_are_replaced(
    need_tool: Callable[[str], str], tmp_path: Path, chip: str, compiler: str
) -> None:
    """The program has avr-libc's start-up code; one core has `jmp`, and one does not."""
    command = [need_tool("avr-gcc"), f"-mmcu={chip}", "-Os", f"-DEXIT_DEVICE={CHIPS[chip]:#x}"]
    target = tmp_path / "program.elf"
    subprocess.run([*command, str(CASES / "program.c"), "-o", str(target)], check=True)
    (tmp_path / "counting.c").write_bytes((CASES / "counting.c").read_bytes())
    text = PROGRAM.format(device=chip, compiler=compiler)
    (tmp_path / "study.toml").write_text(text)
    program = Study.load(tmp_path / "study.toml")
    exploration = explore(program, program.workload())
    assert exploration.verified
    original, counting = (row.measurement.split.total for row in exploration.rows)
    assert original < counting
    designs = [(program.workload(), partition) for partition in partitions(program)]
    for built in Builder(program).build(designs):
        run(program.device, built)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("bounds", [(), ("increment",)], ids=["plain", "bounded"])
def test_functions_may_lie_far_away(
    need_tool: Callable[[str], str], tmp_path: Path, compiler: str, bounds: tuple[str, ...]
) -> None:
    """Far functions are called, and pointers reach them by jumps that the linker puts near."""
    need_tool("avr-gcc")
    source = tmp_path / "main.c"
    source.write_text(
        "extern int increment(int);\n"
        "int (*volatile pointer)(int);\n"
        "int main(void) {\n"
        "    pointer = increment;\n"
        "    return pointer(5) + increment(7) - 14;\n"
        "}\n"
    )
    device = Device.load("atmega2560")
    chain = Toolchain(device, compiler)
    units = [*chain.runtime(("-Os",)), Unit(source, ("-Os",), bounds=bounds)]
    units.append(Unit(CASES / "far.S"))
    objects = chain.compile_needed(units)
    image = chain.link([*objects.values()], "far", bindings(bounds, ()))
    runs = [Machine(device, image, engine=engine).run() for engine in ENGINES]
    assert [run.values["stop"]["exit_code"] for run in runs] == [0] * len(ENGINES)
    assert len({run.cycles for run in runs}) == 1
