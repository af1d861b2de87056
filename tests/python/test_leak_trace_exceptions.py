"""Simulated power traces with interrupts, exceptions, split accesses and conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cocrypt import _native
from cocrypt.device import Device
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Window = Callable[[str, str], dict[str, Any]]

TIMER = """
#include <stdint.h>
#define REGISTER(address) (*(volatile uint32_t *)(address))
volatile uint32_t ticks;
static void note(void) { ticks += 1u; }
void SysTick_Handler(void);
void SysTick_Handler(void) { void (*volatile call)(void) = note; call(); }
__attribute__((naked, noinline)) void f(void) {
    __asm__ volatile("movs r2, #100\\n1: subs r2, #1\\nbne 1b\\nbx lr");
}
int main(void) {
    REGISTER(0xe000e014) = RELOAD;
    REGISTER(0xe000e018) = 0u;
    REGISTER(0xe000e010) = 7u;
    f();
    return ticks == 0u;
}
"""

SVC = """
#include <stdint.h>
volatile uint32_t calls;
void SVC_Handler(void);
void SVC_Handler(void) { calls += 1u; }
__attribute__((naked, noinline)) void f(void) {
    __asm__ volatile("movs r2, #3\\n1: svc #0\\nsubs r2, #1\\nbne 1b\\nbx lr");
}
int main(void) { f(); return calls != 3u; }
"""

ECALL = """
#include <stdint.h>
volatile uint32_t calls;
__attribute__((naked, aligned(256))) void handler(void) {
    __asm__ volatile(
        "addi sp, sp, -16\\nsw t0, 0(sp)\\nsw ra, 4(sp)\\njal ra, 1f\\n"
        "csrr t0, mepc\\naddi t0, t0, 4\\ncsrw mepc, t0\\n"
        "lw t0, 0(sp)\\nlw ra, 4(sp)\\naddi sp, sp, 16\\nmret\\n1: ret");
}
__attribute__((naked, noinline)) void f(void) {
    __asm__ volatile("li t2, 3\\n1: ecall\\naddi t2, t2, -1\\nbnez t2, 1b\\nret");
}
int main(void) {
    __asm__ volatile("csrw mtvec, %0" ::"r"((uintptr_t)handler));
    f();
    return 0;
}
"""

ACCESS = """
#include <stdint.h>
__attribute__((naked, noinline)) void f(void) {
    __asm__ volatile(BODY);
}
__attribute__((aligned(16))) volatile uint8_t bytes[32];
int main(void) {
    for (unsigned i = 0; i < 32u; i++) bytes[i] = 0xffu;
    f();
    return 0;
}
"""

MODEL = """
[leakage]
title = "Addresses, data and results"
[weights]
result  = { weight = 1.0, distance = 1.0 }
address = { weight = 1.0 }
data    = { weight = 1.0 }
memory  = { distance = 1.0 }
"""


@pytest.fixture
def window(tmp_path: Path) -> Window:
    """Samples one call of the function `f` of a program, with the address of `bytes` there."""

    def sample(device: str, text: str) -> dict[str, Any]:
        machine = built(tmp_path, device, text)
        path = tmp_path / "model.toml"
        path.write_text(MODEL, encoding="utf-8")
        first: dict[str, Any] = _native.LeakageSampler(
            machine.native, path, [], [], 100_000, 1
        ).first(b"")
        assert "stop" not in first, first
        is_there = "bytes" in text
        return {**first, "bytes": machine.address("bytes") if is_there else 0}

    return sample


def built(folder: Path, device: str, text: str) -> Machine:
    """A machine at the first instruction of a program's function `f`."""
    source = folder / "main.c"
    source.write_text(text, encoding="utf-8")
    toolchain = Toolchain(Device.load(device))
    units = [*toolchain.runtime(("-O1",)), Unit(source, ("-O1", "-g"))]
    machine = Machine(device, toolchain.link(list(toolchain.compile_needed(units).values()), "f"))
    machine.native.run_to(machine.address("f"), 1_000_000)
    return machine


@pytest.mark.parametrize("device", ["stm32f4-24mhz", "stm32f0"])
@pytest.mark.parametrize("reload", [80, 97])
def test_a_window_outlasts_interrupts(device: str, reload: int, window: Window) -> None:
    first = window(device, TIMER.replace("RELOAD", f"{reload}u"))
    functions = {row["function"] for row in first["code"]}
    assert "SysTick_Handler" in functions
    assert last_function(first) == "f"
    loop = [row for row in first["code"] if row["function"] == "f"]
    # The move, the loop's subtraction and branch a hundred times each, and the return.
    issued = {row["address"] for row in loop}
    assert sum(pc in issued for _, pc in first["issues"]) == 1 + 100 + 100 + 1


def last_function(first: dict[str, Any]) -> str:
    last = first["issues"][-1][1]
    return str(next(row["function"] for row in first["code"] if row["address"] == last))


@pytest.mark.parametrize(
    ("device", "text", "count"), [("stm32f4-24mhz", SVC, 11), ("ibex-small", ECALL, 11)]
)
def test_a_window_outlasts_calls_of_the_system(
    device: str, text: str, count: int, window: Window
) -> None:
    first = window(device, text)
    assert last_function(first) == "f"
    inside = {row["address"] for row in first["code"] if row["function"] == "f"}
    # A move, three times three instructions, and the return.
    assert sum(pc in inside for _, pc in first["issues"]) == count
    assert len({row["function"] for row in first["code"]}) > 1


def ones(*values: int) -> int:
    return sum(value.bit_count() for value in values)


LOAD = "ldr r0, =bytes + {}\\n{} r1, [r0]\\nbx lr\\n.ltorg"
STORE = "ldr r0, =bytes + {}\\nldr r2, =0x0103070f\\nstr r2, [r0]\\nbx lr\\n.ltorg"


@pytest.mark.parametrize(
    ("name", "offset", "parts"),
    [
        ("ldr", 4, [(4, 0xFFFFFFFF)]),
        # Aligned parts, in ascending order.
        ("ldr", 5, [(5, 0xFF), (6, 0xFFFF), (8, 0xFF)]),
        ("ldr", 6, [(6, 0xFFFF), (8, 0xFFFF)]),
        ("ldrh", 7, [(7, 0xFF), (8, 0xFF)]),
    ],
)
def test_a_split_load_leaves_its_data(
    name: str, offset: int, parts: list[tuple[int, int]], window: Window
) -> None:
    first = window("stm32f4-24mhz", ACCESS.replace("BODY", f'"{LOAD.format(offset, name)}"'))
    base = first["bytes"]
    result = {"ldr": 0xFFFFFFFF, "ldrh": 0xFFFF}[name]
    # The address in the register is the last result.
    expected = ones(result, result ^ (base + offset)) + sum(
        ones(base + at, data) for at, data in parts
    )
    assert sample_of(first, f"{name} r1") == expected
    assert first["instructions"] == len(first["issues"]) == 3


@pytest.mark.parametrize(
    ("offset", "parts"),
    [
        (4, [(4, 0x0103070F)]),
        (5, [(5, 0x0F), (6, 0x0307), (8, 0x01)]),
        (6, [(6, 0x070F), (8, 0x0103)]),
    ],
)
def test_a_split_store_leaves_its_data(
    offset: int, parts: list[tuple[int, int]], window: Window
) -> None:
    first = window("stm32f4-24mhz", ACCESS.replace("BODY", f'"{STORE.format(offset)}"'))
    base, content = first["bytes"], {1: 0xFF, 2: 0xFFFF, 4: 0xFFFFFFFF}
    sizes = {0x0103070F: 4, 0x0307: 2, 0x070F: 2, 0x0103: 2, 0x0F: 1, 0x01: 1}
    expected = sum(ones(base + at, data, data ^ content[sizes[data]]) for at, data in parts)
    assert sample_of(first, "str r2") == expected
    assert first["instructions"] == len(first["issues"]) == 4


def test_a_split_access_counts_once_in_the_core_that_refuses_it(window: Window) -> None:
    body = "lla a0, bytes + 5\\nlw a1, 0(a0)\\nret"
    first = window("ibex-small", ACCESS.replace("BODY", f'"{body}"'))
    assert sample_of(first, "lw a1") >= ones(0xFFFFFFFF, 0xFFFFFFFF)


@pytest.mark.parametrize("device", ["stm32f4-24mhz", "at91sam9"])
@pytest.mark.parametrize(("condition", "is_written"), [("ne", False), ("eq", True)])
def test_a_condition_that_fails_writes_no_register(
    device: str, condition: str, is_written: bool, window: Window
) -> None:
    body = (
        "mov r1, #255\\nmov r2, #15\\nmov r3, #1\\ncmp r0, r0\\n"
        f"it {condition}\\nmov{condition} r1, r2\\nmov r3, #3\\nbx lr"
    )
    text = ACCESS.replace("BODY", f'".syntax unified\\n{body}"')
    first = window(device, text)
    # A core may issue `it` with another instruction; it and the comparison write no register.
    samples = [first["samples"][cycle] for cycle, _ in first["issues"]]
    # The written value and what differs from the last result, which is 1 before.
    assert samples[-3] == (ones(15, 15 ^ 1) if is_written else 0)
    assert samples[-2] == ones(3, 3 ^ (15 if is_written else 1))


def sample_of(first: dict[str, Any], text: str) -> float:
    """The sample of an instruction that is issued once, of the cycle in which it is."""
    (pc,) = (row["address"] for row in first["code"] if plain(row["text"]).startswith(text))
    (cycle,) = (cycle for cycle, at in first["issues"] if at == pc)
    return float(first["samples"][cycle])


def plain(text: str) -> str:
    """An instruction without the suffixes of its encoding."""
    return text.replace(".w ", " ").replace(".n ", " ")
