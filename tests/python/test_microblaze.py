"""Programs on MicroBlaze's devices: delay slots near interrupts, exceptions, refusals, the verb."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.machine import Engine, Machine
from host import ROOT
from microblaze_programs import Order, image, immediate, load_constant, prefix, registers

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

DEVICES: list[tuple[str, Order]] = [("duarte2010-microblaze", "big"), ("microblazeel", "little")]
ENGINES: list[Engine] = ["interpreter", "compiled"]
CACHED = "duarte2010-microblaze-cached"
EXIT, TIMER = 0x80000020, 0x80000040
DATA = 0x800
NOTHING = registers(32, 0, 0, 0)
ENABLE = immediate(37, 0, 16, 2)
"""`msrset r0, 2`."""
BACK = [immediate(45, 17, 14, 0), NOTHING]
"""`rtid r14, 0` with its slot."""


def load(d: int, address: int) -> list[int]:
    """A load from an address."""
    return [prefix(address), immediate(58, d, 0, address)]


def store(d: int, address: int) -> list[int]:
    """A store to an address."""
    return [prefix(address), immediate(62, d, 0, address)]


def jump(address: int) -> list[int]:
    """A branch to an address."""
    return [prefix(address), immediate(46, 0, 8, address)]


END = store(3, EXIT)
"""Ends a program with the code in r3."""


def run(device: str | Path, order: Order, code: dict[int, list[int]], engine: Engine) -> Machine:
    """A machine at the end of a program that ends well."""
    machine = Machine(device, image(code, order), engine=engine)
    stop = machine.run().values["stop"]
    assert stop["kind"] == "exit", stop
    return machine


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_a_store_in_a_delay_slot_lets_an_interrupt_in_behind_the_branch(
    device: str, order: Order, engine: Engine
) -> None:
    """The store raises the timer's line; the handler returns to where the branch leads."""
    start = [*load_constant(4, TIMER), ENABLE, immediate(62, 0, 4, 12)]
    at = 0x100 + 4 * len(start)
    # brid to 0x200; the slot writes the lower half of what the timer compares with.
    start += [immediate(46, 0, 16, 0x200 - at), immediate(62, 0, 4, 8), NOTHING]
    code = {
        0: jump(0x100),
        0x10: jump(0x300),
        0x100: start,
        0x200: [NOTHING, NOTHING, *END],
        0x300: [
            registers(32, 3, 14, 0),
            *load_constant(6, 0xFFFFFFFF),
            immediate(62, 6, 4, 12),
            *BACK,
        ],
    }
    assert run(device, order, code, engine).registers()["r3"] == 0x200


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_interrupts_come_neither_behind_a_prefix_nor_in_a_delay_slot(
    device: str, order: Order
) -> None:
    """Whenever the line rises, the handler returns to the begin of what belongs together."""
    loop = [
        *load_constant(7, 0x12345678),
        registers(4, 8, 8, 7),
        immediate(12, 9, 9, -1),
        immediate(47, 17, 9, -16),
        immediate(12, 10, 10, 3),
    ]
    begin, returned = 0x200, set()
    for cycle in range(40, 90):
        start = [*load_constant(4, TIMER), immediate(12, 9, 0, 8), immediate(12, 6, 0, cycle)]
        start += [immediate(62, 0, 4, 12), immediate(62, 6, 4, 8), ENABLE, *jump(begin)]
        handler = [registers(32, 11, 14, 0), *load_constant(6, 0xFFFFFFFF)]
        code = {
            0: jump(0x100),
            0x10: jump(0x300),
            0x100: start,
            begin: [*loop, *END],
            0x300: [*handler, immediate(62, 6, 4, 12), *BACK],
        }
        machine = run(device, order, code, "interpreter")
        values = machine.registers()
        assert values["r10"] == 24
        assert values["r8"] == 8 * 0x12345678 & 0xFFFFFFFF
        returned.add(values["r11"])
    within = {address for address in returned if begin <= address < begin + 24}
    assert within
    assert not within & {begin + 4, begin + 20}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_a_store_in_a_delay_slot_may_write_code(device: str, order: Order, engine: Engine) -> None:
    """The branch leads where it led, and the new instruction is executed."""
    start = load_constant(5, immediate(12, 3, 0, 42))
    at = 0x100 + 4 * len(start)
    start += [immediate(46, 0, 16, 0x200 - at), immediate(62, 5, 0, 0x208)]
    code = {0: jump(0x100), 0x100: start, 0x200: [NOTHING, NOTHING, NOTHING, *END]}
    assert run(device, order, code, engine).registers()["r3"] == 42


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_exclusive_stores_need_a_reservation(device: str, order: Order) -> None:
    """`swx` stores behind `lwx` alone, and the carry says whether it did."""
    lwx, swx = registers(50, 5, 4, 0, 0x400), registers(54, 6, 4, 0, 0x400)
    code = {
        0: [
            *load_constant(4, DATA),
            *load_constant(6, 7),
            swx,
            immediate(14, 7, 0, 0),
            *load(8, DATA),
            lwx,
            swx,
            immediate(14, 9, 0, 0),
            *load(10, DATA),
            *END,
        ]
    }
    values = run(device, order, code, "interpreter").registers()
    assert [values[f"r{number}"] for number in (7, 8, 9, 10)] == [1, 0, 0, 7]


def with_exceptions(folder: Path, device: str) -> Path:
    """A device whose core has its exceptions."""
    text = (ROOT / "devices" / f"{device}.toml").read_text()
    on = "[parameters]\nC_UNALIGNED_EXCEPTIONS = true\nC_ILL_OPCODE_EXCEPTION = true"
    path = folder / "device.toml"
    path.write_text(text.replace("[parameters]", on))
    return path


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_an_exception_in_a_delay_slot_says_where_the_branch_leads(
    tmp_path: Path, device: str, order: Order, engine: Engine
) -> None:
    """ESR and EAR of an unaligned store of r6, and BTR (UG984, chapter 2, "Exceptions")."""
    start = [*load_constant(4, DATA + 2), immediate(37, 0, 16, 0x100)]
    at = 0x100 + 4 * len(start)
    start += [immediate(46, 0, 16, 0x200 - at), immediate(62, 6, 4, 0)]
    special = [immediate(37, 10, 0, 0x8005), immediate(37, 11, 0, 0x8003)]
    special += [immediate(37, 12, 0, 0x800B), immediate(45, 20, 12, 0), NOTHING]
    code = {
        0: jump(0x100),
        0x20: special,
        0x100: start,
        0x200: [immediate(37, 13, 0, 0x8001), *END],
    }
    values = run(with_exceptions(tmp_path, device), order, code, engine).registers()
    # In the slot, a word, a store, register 6, cause 1; the handler's return enables exceptions.
    assert values["r10"] == 0x1000 | 0x800 | 0x400 | 6 << 5 | 1
    assert (values["r11"], values["r12"], values["r13"] & 0x300) == (DATA + 2, 0x200, 0x100)


def test_what_is_no_instruction_leads_to_the_handler(tmp_path: Path) -> None:
    """Cause 2, and the address behind it in r17."""
    device, order = DEVICES[0]
    start = [immediate(37, 0, 16, 0x100), 0xFFFF0000 | 0x0C000000]
    code = {
        0: jump(0x100),
        0x20: [immediate(37, 10, 0, 0x8005), *END],
        0x100: [start[0], 0xDC000000],
    }
    values = run(with_exceptions(tmp_path, device), order, code, "interpreter").registers()
    assert (values["r10"], values["r17"]) == (2, 0x108)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_way_to_the_handler_takes_its_cycles(engine: Engine, tmp_path: Path) -> None:
    """By hand: `imm` and the branch, `msrset`, what is illegal, the exception, the handler."""
    code = {
        0: jump(0x100),
        0x20: [NOTHING, *END],
        0x100: [immediate(37, 0, 16, 0x100), 0xDC000000],
    }
    device = with_exceptions(tmp_path, "duarte2010-microblaze")
    by_hand = (1 + 3) + 1 + 1 + 3 + (1 + 1 + 9 + 1)
    assert Machine(device, image(code, "big"), engine=engine).run().cycles == by_hand


REFUSED = {
    "wdc.ext.flush": (registers(36, 0, 3, 4, 0x476), "no core here has an external cache"),
    "wdc.ext.clear": (registers(36, 0, 3, 4, 0x466), "no core here has an external cache"),
    "wdc.clear.ea": (registers(36, 0, 3, 4, 0xE6), "addresses of more than 32 bits (C_ADDR_SIZE)"),
    "mts": (immediate(37, 0, 3, 0xD000), "the MMU's register `rpid` is not modelled: `mts`"),
    "fadd": (registers(22, 3, 4, 5), "the core here has no floating-point unit (FPU)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_left_out_is_refused_by_name(name: str, tmp_path: Path, cocrypt: Cocrypt) -> None:
    """The run ends, and the message says why."""
    word, why = REFUSED[name]
    path = tmp_path / "a.elf"
    path.write_bytes(image({0: [word]}, "big"))
    result = cocrypt("run", str(path), "--device", "duarte2010-microblaze")
    assert result.returncode == 3
    assert why in " ".join(result.stderr.split())


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_the_verb_runs_a_program(
    device: str, order: Order, tmp_path: Path, cocrypt: Cocrypt
) -> None:
    """Cycles by hand: three instructions, the store up to its request, the bus, the answer."""
    path = tmp_path / "a.elf"
    path.write_bytes(image({0: [*load_constant(3, 5), *END]}, order))
    result = cocrypt("run", str(path), "--device", device, "--json")
    values: dict[str, Any] = json.loads(result.stdout)
    assert (values["exit_code"], values["instructions"]) == (5, 4)
    by_hand = {"duarte2010-microblaze": 3 + 0 + 9 + 1, "microblazeel": 3 + 1 + 4 + 1}
    assert values["cycles"] == by_hand[device]


@pytest.mark.parametrize("engine", ENGINES)
def test_lines_come_into_direct_mapped_caches(engine: Engine) -> None:
    """Cycles by hand: 13 instructions and a store as above, four lines of code, five of data."""
    read, write = 58, 62
    code = [
        *load_constant(4, 0x4000),
        immediate(read, 5, 4, 0),  # the line is absent
        NOTHING,
        NOTHING,
        immediate(read, 6, 4, 12),  # the same line
        immediate(read, 7, 4, 16),  # the next line
        immediate(write, 0, 4, 32),  # goes around the cache
        immediate(read, 8, 4, 32),  # so that the line is absent still
        NOTHING,
        immediate(read, 9, 4, 0x2000),  # evicts the first line
        immediate(read, 5, 4, 0),  # which comes in again
        *END,
    ]
    machine = Machine(CACHED, image({0: code}, "big"), engine=engine)
    result = machine.run()
    assert result.values["instructions"] == len(code) == 14
    assert result.cycles == 13 + 9 + 1 + 34 * (4 + 5)


def test_a_program_for_the_other_order_is_refused(tmp_path: Path, cocrypt: Cocrypt) -> None:
    """Both are processors of their own."""
    path = tmp_path / "a.elf"
    path.write_bytes(image({0: [*load_constant(3, 5), *END]}, "little"))
    result = cocrypt("run", str(path), "--device", "duarte2010-microblaze")
    assert result.returncode == 1
    assert "for another processor" in result.stderr


def test_both_orders_have_the_same_timing() -> None:
    """The core files differ in names and orders alone."""
    big, little = (
        (ROOT / "devices/cores" / f"{name}.toml").read_text().splitlines()
        for name in ("microblaze", "microblazeel")
    )
    differing = {
        ours.split(" ")[0] for ours, theirs in zip(big, little, strict=True) if ours != theirs
    }
    assert differing == {"#", "name", "title", "isa", "timing"}
