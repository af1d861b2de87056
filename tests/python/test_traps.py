"""Programs with handlers: exceptions and a timer's interrupts, on model and RTL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt import Machine
from cocrypt.device import Device
from cocrypt.paths import device
from cocrypt.rtl import Job, build, run_batch
from cocrypt.rtl.configuration import from_device
from cocrypt.rtl.image import flat_image
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.machine import Engine

DEVICES = ("serv", "ibex-small", "ibex-maxperf", "vexriscv", "vexriscv-lite")

PROGRAM = """
#include <cocrypt/device.h>
#define CSR_WRITE(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value))
#define CSR_READ(name) ({ uint32_t v; __asm__ volatile("csrr %0, " #name : "=r"(v)); v; })
#define TIMER_INTERRUPT 0x80000007u
#define PERIOD 5000u
#define TICKS 20u

volatile uint32_t ticks, calls, causes;

static void arm(uint32_t cycle)
{
    device_write(COCRYPT_TIMER + 12, 0xffffffffu);
    device_write(COCRYPT_TIMER + 8, cycle);
    device_write(COCRYPT_TIMER + 12, 0);
}

__attribute__((interrupt("machine"), aligned(4))) static void handler(void)
{
    uint32_t cause = CSR_READ(mcause);
    causes ^= cause;
    if (cause == TIMER_INTERRUPT) {
        ticks++;
        arm(device_read(COCRYPT_TIMER) + PERIOD);
    } else {
        calls++;
        CSR_WRITE(mepc, CSR_READ(mepc) + 4);
    }
}

/* As a core wants it whose interrupts have a table: 0 for exceptions, 7 for the timer. */
__attribute__((naked, aligned(256))) static void vectors(void)
{
    __asm__ volatile(".option push\\n.option norvc\\n"
                     "j %0\\nj .\\nj .\\nj .\\nj .\\nj .\\nj .\\nj %0\\n"
                     ".option pop" ::"i"(handler));
}

__attribute__((noinline)) static uint32_t work(uint32_t value)
{
    for (uint32_t i = 0; i < 50; i++) value = value * 2u + (value >> 31) + i;
    return value;
}

int main(void)
{
    volatile uint32_t result = 1;
    CSR_WRITE(mtvec, (uintptr_t)vectors);
    CSR_WRITE(mie, 1u << 7);
    arm(device_read(COCRYPT_TIMER) + PERIOD);
    __asm__ volatile("csrsi mstatus, 8");
    while (ticks < TICKS) {
        result = work(result);
        __asm__ volatile("ecall" ::: "memory");
    }
    return calls == 0;
}
"""

CAUSES = """
#include <cocrypt/device.h>
#define CSR_WRITE(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value))
#define CSR_READ(name) ({ uint32_t v; __asm__ volatile("csrr %0, " #name : "=r"(v)); v; })

volatile uint32_t seen[8], count;

__attribute__((interrupt("machine"), aligned(256))) static void handler(void)
{
    seen[count++] = CSR_READ(mcause);
    CSR_WRITE(mepc, CSR_READ(mepc) + 4);
}

int main(void)
{
    CSR_WRITE(mtvec, (uintptr_t)handler);
    volatile uint32_t words[2] = {0x01020304, 0x05060708};
    uint32_t wrong = 0;
    __asm__ volatile(".option push\\n.option norvc\\necall\\nebreak\\n"
                     "lw %0, 1(%1)\\nsh %0, 3(%1)\\n.option pop"
                     : "+r"(wrong) : "r"(words) : "memory");
    return wrong == 0x08010203 && words[0] == 0x03020304;
}
"""


def firmware(on: str, folder: Path, text: str = PROGRAM) -> Path:
    source = folder / "main.c"
    source.write_text(text, encoding="utf-8")
    toolchain = Toolchain(Device.load(device(on)))
    units = [*toolchain.runtime(("-O1",)), Unit(source, ("-O1", "-g"))]
    return toolchain.link(list(toolchain.compile_needed(units).values()), source.name)


@pytest.mark.parametrize("on", DEVICES)
def test_a_timer_ticks_as_it_does_at_rtl(on: str, tmp_path: Path) -> None:
    image = firmware(on, tmp_path)
    machine = Machine(on, image)
    result = machine.run()
    assert result.values["stop"]["kind"] == "exit", result.values["stop"]
    assert result.values["stop"]["exit_code"] == 0
    assert int.from_bytes(machine.read("ticks", 4), "little") >= 20
    configuration, waits = from_device(machine.device)
    job = Job(flat_image(image.read_bytes()), configuration, waits)
    (rtl,) = run_batch(build((configuration,)), [job])
    assert (rtl.stop, rtl.exit_code) == ("exit", 0)
    assert (rtl.cycles, rtl.instructions) == (result.cycles, result.values["instructions"])
    assert list(rtl.registers) == list(machine.registers().values())


@pytest.mark.parametrize("on", DEVICES)
def test_a_handler_sees_the_causes_that_it_sees_at_rtl(on: str, tmp_path: Path) -> None:
    image = firmware(on, tmp_path, CAUSES)
    machine = Machine(on, image)
    result = machine.run()
    address = machine.address("seen")
    configuration, waits = from_device(machine.device)
    job = Job(flat_image(image.read_bytes()), configuration, waits, dumps=((address, 32),))
    (rtl,) = run_batch(build((configuration,)), [job])
    assert rtl.cycles == result.cycles
    assert rtl.dumps[0] == machine.read("seen", 32)
    # VexRiscv has no breakpoints; Ibex makes an unaligned access in parts.
    splits = on.startswith("ibex")
    causes = (11, 2 if on.startswith("vexriscv") else 3, *(() if splits else (4, 6)))
    assert machine.read("count", 4) == len(causes).to_bytes(4, "little")
    assert machine.read("seen", 4 * len(causes)) == b"".join(
        n.to_bytes(4, "little") for n in causes
    )
    assert (rtl.exit_code, result.values["stop"]["exit_code"]) == (splits, splits)


@pytest.mark.parametrize("engine", ["interpreter", "compiled", "unprofiled"])
def test_interrupts_come_at_the_same_instruction_on_every_engine(
    engine: Engine, tmp_path: Path
) -> None:
    image = firmware("ibex-small", tmp_path)
    reference = Machine("ibex-small", image).run()
    result = Machine("ibex-small", image, engine=engine).run()
    assert result.cycles == reference.cycles
    assert result.values["instructions"] == reference.values["instructions"]


@pytest.mark.parametrize("on", ["ibex-small", "vexriscv"])
def test_a_run_in_pieces_is_interrupted_in_the_same_places(on: str, tmp_path: Path) -> None:
    image = firmware(on, tmp_path)
    reference = Machine(on, image).run()
    machine = Machine(on, image)
    for limit in range(1_000, reference.cycles, 997):
        machine.run(limit)
        machine = machine.copy()
    assert machine.run().cycles == reference.cycles


def test_a_profile_shows_the_handler_where_it_was_called(tmp_path: Path) -> None:
    image = firmware("ibex-small", tmp_path)
    machine = Machine("ibex-small", image, contexts=True)
    result = machine.run()
    functions = {function["name"]: function for function in machine.profile().values["functions"]}
    calls = int.from_bytes(machine.read("calls", 4), "little")
    # The vectors jump to the handler, which takes their place.
    assert functions["handler"]["calls"] == 20 + calls
    assert functions["main"]["calls"] == 1
    # The core takes five cycles to its first instruction.
    assert sum(function["self_cycles"] for function in functions.values()) == result.cycles - 5


def test_without_a_handler_an_exception_ends_the_run(tmp_path: Path) -> None:
    image = firmware("ibex-small", tmp_path, 'int main(void) { __asm__ volatile("ecall"); }')
    stop = Machine("ibex-small", image).run().values["stop"]
    assert stop["kind"] == "trap"


def test_what_the_model_does_not_know_is_said(tmp_path: Path) -> None:
    text = 'int main(void) { int v; __asm__ volatile("csrr %0, mip" : "=r"(v)); return v; }'
    stop = Machine("ibex-small", firmware("ibex-small", tmp_path, text)).run().values["stop"]
    assert stop["kind"] == "unmodelled"
