"""The GNU debugger for AVR on a machine: registers, both address spaces, calls, equal cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit
from test_gdb import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROGRAM = """
#include <stdint.h>
volatile uint16_t total, other;
const __attribute__((section(".progmem.data"))) uint8_t table[4] = {1, 2, 3, 4};
__attribute__((noinline)) static uint16_t square(uint16_t value)
{
    return value * value;
}
__attribute__((noinline)) static uint16_t outer(uint16_t value)
{
    uint16_t sum = square(value);
    __asm__ volatile("" ::"r"(table));
    other += sum;
    return sum + 1;
}
int main(void)
{
    for (uint16_t i = 0; i < 5; i++) {
        total += outer(i);
    }
    return total == 35 ? 0 : 1;
}
"""

# A program counter of 16 bits, one of 22, and a core whose registers are not in memory.
DEVICES = ("atmega328p", "atmega2560", "avr128da48")


@pytest.fixture
def gdb(need_tool: Callable[[str], str]) -> str:
    """The debugger."""
    need_tool("avr-gcc")
    return need_tool("avr-gdb")


@pytest.fixture
def built(tmp_path: Path) -> Callable[[str, str], Path]:
    """The program for a device, by a compiler."""

    def build(device: str, compiler: str = "avr-gcc") -> Path:
        source = tmp_path / "program.c"
        source.write_text(PROGRAM, encoding="utf-8")
        chain = Toolchain(Device.load(device), compiler)
        units = [*chain.runtime(("-Os",)), Unit(source, ("-Os", "-g"))]
        objects = chain.compile_needed(units)
        return chain.link([*objects.values()], "program")

    return build


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("compiler", ["zig", "avr-gcc"])
def test_breakpoints_steps_and_calls(
    gdb: str, built: Callable[[str, str], Path], device: str, compiler: str
) -> None:
    script = (
        *("break square", "continue", "continue", "continue", "backtrace", "stepi"),
        *("print $pc > (void (*)()) square", "finish", "print/d $r24 + 256 * $r25"),
        *("delete", "break main", "info breakpoints", "delete", "continue"),
    )
    session = Session(gdb, built(device, compiler), *script, device=device)
    halts = session.figures(r"^Breakpoint 1, square \(value=(\d+)\)")
    assert halts == [0, 1, 2], session.said
    callers = session.finds(r"^#([12]) .* in (\w+) \(")
    assert callers == [("1", "outer"), ("2", "main")], session.said
    assert session.finds(r"^Value returned is \$2 = (\d+)$") == [("4",)], session.said
    assert session.figures(r"^\$1 = (\d+)$") == [1]
    assert session.figures(r"^\$3 = (\d+)$") == [4]
    assert "warning" not in session.said
    assert "exited normally" in session.said
    assert session.end == "ended"


@pytest.mark.parametrize("device", DEVICES)
def test_all_registers_are_read_and_written(
    gdb: str, built: Callable[[str], Path], device: str
) -> None:
    numbers = {f"r{number}": 3 * number + 1 for number in range(32)}
    values = {**numbers, "SREG": 0x81}
    sets = [f"set ${name} = {value}" for name, value in values.items()]
    script = ("break square", "continue", *sets, "set $SP = $SP - 2", "info registers", "stepi")
    session = Session(gdb, built(device), *script, "detach", device=device)
    matches = session.finds(r"^(r\d+|SREG) +(0x\w+) ")
    assert {match[0]: int(match[1], 0) for match in matches} == values
    stack = int(session.finds(r"^SP +\w+ +(0x\w+)")[0][0], 0)
    address = int(session.finds(r"^pc +\w+ +(0x\w+) <square>")[0][0], 0)
    assert session.finds(r"^PC2 +(0x\w+) ") == [(hex(address),)]
    alone = Machine(device, built(device))
    top = alone.device.ram.base + alone.device.ram.size
    assert top - 32 < stack < top
    # The program goes on with the values that are set: the machine keeps them after the session.
    registers = session.machine.registers()
    changed = {name for name, value in numbers.items() if registers[name] != value}
    assert len(changed) <= 2
    assert registers["SP"] & 0xFFFF == stack & 0xFFFF


@pytest.mark.parametrize("device", DEVICES)
def test_both_address_spaces_are_read_and_written(
    gdb: str, built: Callable[[str], Path], device: str
) -> None:
    """Flash memory is at 0 for the debugger, and the data space from 0x800000 on."""
    script = (
        *("break outer", "continue", "continue", "continue", "print &total", "print total"),
        *("set var total = 30", "x/2xb &total", "print table", "info symbol square", "x/1i 0"),
        *("set var table[3] = 9", "print table", "delete", "watch other", "continue", "detach"),
    )
    session = Session(gdb, built(device), *script, device=device)
    (address,) = session.finds(r"^\$1 = .* (0x\w+) <total>")[0]
    base = session.machine.device.ram.base
    assert base > 0x800000
    assert int(address, 0) - base in range(4)
    assert session.figures(r"^\$2 = (\d+)$") == [3]
    assert session.finds(r"^0x80\w+ <total>:\s+0x(\w+)\s+0x(\w+)") == [("1e", "00")]
    rows = session.finds(r"^\$\d = \"(.*)\"$")
    assert rows == [(r"\001\002\003\004",), (r"\001\002\003\t",)], session.said
    assert "square in section .text" in session.said
    assert session.finds(r"0x0 <_vectors>:\s+jmp\s+0x(\w+)")
    assert session.finds(r"^Old value = (\d+)\nNew value = (\d+)") == [("1", "5")], session.said


@pytest.mark.parametrize("device", DEVICES)
def test_watching_changes_no_cycle(gdb: str, built: Callable[[str], Path], device: str) -> None:
    image = built(device)
    alone = Machine(device, image).run()
    script = ("break square", "watch other", *["continue"] * 4, "stepi", "stepi", "detach")
    session = Session(gdb, image, *script, device=device)
    result = session.machine.run()
    assert session.end == "detached"
    assert result.cycles == alone.cycles
    assert result.values["instructions"] == alone.values["instructions"]
