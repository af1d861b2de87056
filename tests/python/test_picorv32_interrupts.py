"""Programs with PicoRV32's own interrupts, on model and RTL."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from cocrypt import Machine
from cocrypt.device import Device
from cocrypt.rtl import Job, build, run_batch
from cocrypt.rtl.configuration import from_device
from cocrypt.rtl.image import flat_image
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.machine import Engine

PROGRAM = """
#include <cocrypt/device.h>
#include <cocrypt/picorv32.h>
#define ROUNDS 12u

volatile uint32_t seen[64], count, system_ticks, own_ticks, breaks, bus_errors;

static void handler(uint32_t reasons)
{
    seen[count++ % 64u] = reasons;
    if (reasons & PICORV32_IRQ_TIMER) {
        own_ticks++;
        picorv32_timer(777);
    }
    if (reasons & PICORV32_IRQ_BREAK) breaks++;
    if (reasons & PICORV32_IRQ_BUS_ERROR) bus_errors++;
    if (reasons & PICORV32_IRQ_SYSTEM_TIMER) {
        system_ticks++;
        device_write(COCRYPT_TIMER + 12, 0xffffffffu);
        device_write(COCRYPT_TIMER + 8, device_read(COCRYPT_TIMER) + 1500);
        device_write(COCRYPT_TIMER + 12, 0);
    }
}
PICORV32_INTERRUPT_HANDLER(handler);

__attribute__((noinline)) static uint32_t work(uint32_t value)
{
    for (uint32_t i = 0; i < 50; i++) value = value * 2u + (value >> 31) + i;
    return value;
}

int main(void)
{
    volatile uint32_t result = 1, words[2] = {0x01020304, 0x05060708};
    device_write(COCRYPT_TIMER + 12, 0xffffffffu);
    device_write(COCRYPT_TIMER + 8, device_read(COCRYPT_TIMER) + 1000);
    device_write(COCRYPT_TIMER + 12, 0);
    picorv32_maskirq(0);
    picorv32_timer(500);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        result = work(result);
        __asm__ volatile(".option push\\n.option norvc\\n"
                         "ebreak\\n.word -1\\necall\\n.option pop" ::: "memory");
        uint32_t wrong;
        __asm__ volatile("lw %0, 2(%1)" : "=r"(wrong) : "r"(&words[0]) : "memory");
        result += wrong;
    }
    picorv32_maskirq(~(PICORV32_IRQ_BREAK | PICORV32_IRQ_BUS_ERROR));
    picorv32_timer(300);
    result += picorv32_waitirq();
    return !(breaks == 3 * ROUNDS && bus_errors == ROUNDS && own_ticks > 3 && system_ticks > 3);
}
"""
ENGINES: list[Engine] = ["interpreter", "compiled", "unprofiled"]


def device(folder: Path, **more: bool) -> Path:
    """Write a device whose core has interrupts of its own."""
    shutil.copytree(ROOT / "devices/cores", folder / "cores")
    on = {"ENABLE_IRQ": True, "ENABLE_IRQ_QREGS": True, "ENABLE_IRQ_TIMER": True} | more
    lines = "".join(f"{name} = {str(value).lower()}\n" for name, value in on.items())
    text = (ROOT / "devices/picorv32.toml").read_text(encoding="utf-8")
    path = folder / "device.toml"
    path.write_text(text.replace("[parameters]\n", f"[parameters]\n{lines}"), encoding="utf-8")
    return path


def firmware(on: Path, text: str = PROGRAM) -> Path:
    source = on.parent / "main.c"
    source.write_text(text, encoding="utf-8")
    toolchain = Toolchain(Device.load(on))
    units = [*toolchain.runtime(("-O1",)), Unit(source, ("-O1", "-g"))]
    return toolchain.link(list(toolchain.compile_needed(units).values()), source.name)


@pytest.mark.parametrize("dual", [True, False])
def test_interrupts_come_as_they_do_at_rtl(dual: bool, tmp_path: Path) -> None:
    on = device(tmp_path, ENABLE_REGS_DUALPORT=dual)
    image = firmware(on)
    machine = Machine(str(on), image)
    result = machine.run()
    assert result.values["stop"]["kind"] == "exit", result.values["stop"]
    assert result.values["stop"]["exit_code"] == 0
    configuration, waits = from_device(machine.device)
    address = machine.address("seen")
    job = Job(flat_image(image.read_bytes()), configuration, waits, dumps=((address, 256),))
    (rtl,) = run_batch(build((configuration,)), [job])
    assert (rtl.stop, rtl.exit_code) == ("exit", 0)
    assert (rtl.cycles, rtl.instructions) == (result.cycles, result.values["instructions"])
    assert list(rtl.registers) == list(machine.registers().values())
    assert rtl.dumps[0] == machine.read("seen", 256)


def test_every_engine_and_every_cut_gives_the_same(tmp_path: Path) -> None:
    on = device(tmp_path)
    image = firmware(on)
    reference = Machine(str(on), image).run()
    for engine in ENGINES:
        result = Machine(str(on), image, engine=engine).run()
        assert (result.cycles, result.values["instructions"]) == (
            reference.cycles,
            reference.values["instructions"],
        )
    machine = Machine(str(on), image)
    for limit in range(1_000, reference.cycles, 997):
        machine.run(limit)
        machine = machine.copy()
    assert machine.run().cycles == reference.cycles


def test_a_profile_counts_all_cycles_and_each_call_of_the_handler(tmp_path: Path) -> None:
    on = device(tmp_path)
    machine = Machine(str(on), firmware(on), contexts=True)
    result = machine.run()
    functions = {function["name"]: function for function in machine.profile().values["functions"]}
    count = int.from_bytes(machine.read("count", 4), "little")
    assert functions["handler"]["calls"] == count
    assert functions["picorv32_vectors"]["calls"] == count + 1
    assert functions["main"]["calls"] == 1
    # The core takes four cycles to its first instruction.
    assert sum(function["self_cycles"] for function in functions.values()) == result.cycles - 4


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        # Nothing lets an exception in: it ends the run, as without interrupts.
        ('__asm__ volatile("ebreak");', "breakpoint"),
        # Nothing is set that could wake the core.
        ("picorv32_waitirq();", "deadlock"),
        # There is no q4.
        ('__asm__ volatile(".insn r 0x0b, 0, 0, a0, x4, x0");', "unmodelled"),
    ],
)
def test_a_run_that_cannot_go_on_says_why(body: str, kind: str, tmp_path: Path) -> None:
    on = device(tmp_path)
    text = f"#include <cocrypt/picorv32.h>\nint main(void) {{ {body} return 0; }}\n"
    stop = Machine(str(on), firmware(on, text)).run().values["stop"]
    assert stop["kind"] == kind


def test_a_core_without_them_does_not_know_their_instructions(tmp_path: Path) -> None:
    on = device(tmp_path, ENABLE_IRQ=False)
    text = "#include <cocrypt/picorv32.h>\nint main(void) { return (int)picorv32_maskirq(0); }\n"
    stop = Machine(str(on), firmware(on, text)).run().values["stop"]
    assert stop["kind"] == "illegal_instruction"
