"""Cycle counters of Cortex-M as programs read them: they print the machine's own counts."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from arm_boards import BOARDS, Board
from cocrypt import Machine
from cocrypt.device import Device
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.machine import Engine

FIRMWARE = ROOT / "tests/firmware/cortex_m"
ENGINES: tuple[Engine, ...] = ("interpreter", "compiled", "unprofiled")
COUNTING = ("stm32f1", "stm32f4-24mhz", "stm32f4-168mhz", "nrf52840")
# With the part number of the core's CPUID register: "Cortex-M0 Technical Reference Manual" (DDI
# 0432C), 4.3, and its siblings.
PARTS = {"stm32f0": 0xC20, "rp2040": 0xC60, "stm32f1": 0xC23, "stm32f4-168mhz": 0xC24}
CORES = {
    "cortex-m0": (0x410C_C200, 2),
    "cortex-m3": (0x412F_C231, 8),
    "cortex-m4": (0x410F_C241, 8),
}
"""The CPUID of the cores of QEMU's boards, and the bits of a priority."""
REFERENCE = 8
"""Cycles of an STM32's core in one of SysTick's reference clock (RM0090, 7.2)."""


def built(on: str | Device, program: str, *flags: str) -> Path:
    chain = Toolchain(on if isinstance(on, Device) else Device.load(on))
    sources = [FIRMWARE / program, FIRMWARE / "print.c"]
    units = [*chain.runtime(("-O2",)), *(Unit(source, ("-O2", *flags)) for source in sources)]
    return chain.link(list(chain.compile_needed(units).values()), program)


def printed(machine: Machine) -> list[int]:
    """Returns the numbers that a program prints until it ends."""
    result = machine.run()
    assert result.values["stop"]["kind"] == "exit", result.values["stop"]
    assert result.values["stop"]["exit_code"] == 0
    return [int(line) for line in bytes(result.values["console"]).split()]


@pytest.mark.parametrize("on", COUNTING)
def test_the_cycle_counter_measures_what_the_machine_counts(on: str) -> None:
    image = built(on, "cycle_counter.c")
    machine = Machine(on, image, contexts=True)
    *measured, stopped = printed(machine)
    assert stopped == 1
    functions = {function["name"]: function for function in machine.profile().values["functions"]}
    nothing, squares, again, work = measured
    assert functions["nothing"]["calls"] == 2
    spent = {name: functions[name]["self_cycles"] for name in ("nothing", "squares", "work")}
    # Without wait states of code, the overhead of the calls is the same for all functions.
    if on == "stm32f4-24mhz":
        assert nothing == again
        assert squares - nothing == spent["squares"] - spent["nothing"] // 2
        assert work - nothing == spent["work"] - spent["nothing"] // 2
    around = 100
    assert spent["squares"] <= squares <= spent["squares"] + around
    assert spent["work"] <= work <= spent["work"] + around
    assert squares > 1_000 < work


@pytest.mark.parametrize("on", COUNTING)
@pytest.mark.parametrize("engine", ENGINES)
def test_engines_and_ways_to_print_make_no_difference(engine: Engine, on: str) -> None:
    image = built(on, "cycle_counter.c", "-DSEMIHOSTING")
    numbers = printed(Machine(on, image, engine=engine, host_calls=True))
    assert numbers == printed(Machine(on, image, host_calls=True))
    # Code that prints something else leaves other lines in a flash memory's cache.
    if on != "stm32f4-168mhz":
        assert numbers == printed(Machine(on, built(on, "cycle_counter.c")))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_system_timer_and_its_interrupts_count_all_cycles(engine: Engine) -> None:
    image = built("stm32f4-24mhz", "system_timer.c")
    ticks, cycles, wraps, _ = printed(Machine("stm32f4-24mhz", image, engine=engine))
    assert ticks == cycles
    assert wraps == cycles >> 24 >= 2


@pytest.mark.parametrize("on", PARTS)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_tick_of_a_thousand_cycles_comes_every_thousand_cycles(engine: Engine, on: str) -> None:
    image = built(on, "system_timer.c", "-DPERIOD=1000u", "-DSTEPS=40000u")
    machine = Machine(on, image, engine=engine)
    ticks, cycles, wraps, identification = printed(machine)
    # If code waits for its memory, the second sample may take longer than the first.
    assert abs(ticks - cycles) <= 10
    assert abs(wraps - cycles / 1000) < 1.2
    assert wraps > 100
    assert identification >> 4 & 0xFFF == PARTS[on]
    if engine != "interpreter":
        interpreter = Machine(on, image, engine="interpreter")
        assert printed(interpreter) == [ticks, cycles, wraps, identification]
        assert interpreter.run().cycles == machine.run().cycles


def test_the_reference_clock_is_slower() -> None:
    image = built(
        "stm32f4-24mhz", "system_timer.c", "-DCLOCK=0u", "-DPERIOD=5000u", "-DSTEPS=400000u"
    )
    ticks, cycles, wraps, _ = printed(Machine("stm32f4-24mhz", image))
    assert abs(ticks - cycles / REFERENCE) < 2
    assert abs(wraps - cycles / REFERENCE / 5000) < 1.2


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("board", [board for board in BOARDS if board.core in CORES])
def test_exceptions_come_as_they_do_on_qemu(
    board: Board, engine: Engine, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """Exceptions come in the same order, and the controller's registers agree meanwhile."""
    device = with_system(board, tmp_path)
    image = built(device, "exceptions.c", "-DSEMIHOSTING")
    machine = Machine(device, image, engine=engine, host_calls=True)
    ours = bytes(machine.run().values["console"]).decode()
    command = [need_tool("qemu-system-arm"), "-M", board.machine, "-kernel", str(image)]
    command += ["-display", "none", "-serial", "none", "-monitor", "none"]
    command += ["-audiodev", "none,id=silent", "-chardev", "stdio,id=console"]
    command += ["-semihosting-config", "enable=on,target=native,chardev=console"]
    theirs = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ours == theirs.stdout
    assert ours.count("\n") > 30


def with_system(board: Board, folder: Path) -> Device:
    """A board's core with the peripherals that it has within itself."""
    path = board.device(folder).path
    cpuid, bits = CORES[board.core]
    text = f"[system]\ncpuid = {cpuid}\npriority_bits = {bits}\n"
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    return Device.load(path)
