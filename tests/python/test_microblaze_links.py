"""`get`, `put` and their variants on a device with a link to a coprocessor.

Cycles are counted by hand: an access takes one (UG984, chapter 5, latency), the FIFO hands a word
on in the cycle behind that in which it came, and the design of powers of two offers its answer one
cycle after it took n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.machine import Engine, Machine
from host import ROOT
from microblaze_programs import image, immediate, load_constant, prefix, registers

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

DEVICE = "duarte2010-microblaze-fsl"
MAP = ROOT / "studies/duarte2010/pow2_link/registers.toml"
ENGINES: list[Engine] = ["interpreter", "compiled"]
EXIT = 0x80000020
NOTHING = registers(32, 0, 0, 0)
END = [prefix(EXIT), immediate(62, 3, 0, EXIT)]
BEHIND = 9 + 1
"""Cycles of the last store: its wait on the bus, and the one in which it is answered."""
TRIES, CONTROL, TESTS, ATOMIC = 0x4000, 0x2000, 0x1000, 0x800
CARRY = immediate(14, 7, 0, 0)
"""`addikc r7, r0, 0`: the carry."""


def get(d: int, variant: int = 0, link: int = 0) -> int:
    """A word of a link."""
    return immediate(27, d, 0, variant | link)


def put(a: int, variant: int = 0, link: int = 0) -> int:
    """A word to a link."""
    return immediate(27, 0, a, 0x8000 | variant | link)


def run(code: list[int], engine: Engine, device: str | Path = DEVICE) -> Machine:
    """A machine with the coprocessor, at the end of a program."""
    machine = Machine(device, image({0: code}, "big"), engine=engine, coprocessors=[MAP])
    stop = machine.run().values["stop"]
    assert stop["kind"] == "exit", stop
    return machine


def extended(folder: Path) -> Path:
    """The device with the extended accesses."""
    text = (ROOT / "devices" / f"{DEVICE}.toml").read_text()
    path = folder / "device.toml"
    on = "[parameters]\nC_USE_EXTENDED_FSL_INSTR = true"
    path.write_text(text.replace("[parameters]", on))
    return path


@pytest.mark.parametrize("engine", ENGINES)
def test_a_word_goes_and_an_answer_comes(engine: Engine) -> None:
    """`put` in cycle 2, taken by the design in 3, offered in 4, there in 5; `get` waits from 3."""
    machine = Machine(
        DEVICE,
        image({0: [*load_constant(4, 9), put(4), get(3), *END]}, "big"),
        engine=engine,
        coprocessors=[MAP],
    )
    result = machine.run()
    assert machine.registers()["r3"] == 1 << 9
    assert result.cycles == 2 + 1 + (1 + 2) + 1 + BEHIND
    assert result.values["transfers"]["pow2_link"]["input"] == 1
    assert result.values["transfers"]["pow2_link"]["output"] == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_an_access_that_does_not_wait_tells_by_the_carry(engine: Engine) -> None:
    """`nget` right behind `put` finds nothing, and a later one the answer."""
    code = [*load_constant(4, 5), put(4), get(8, TRIES), CARRY, registers(32, 9, 7, 0)]
    code += [get(3, TRIES), CARRY, *END]
    values = run(code, engine).registers()
    assert (values["r8"], values["r9"], values["r3"], values["r7"]) == (0, 1, 1 << 5, 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_full_fifo_refuses(engine: Engine) -> None:
    """The design holds one answer, and each FIFO 16 words: so many are sent, and one not."""
    wanted = 16 + 1 + 16
    code = [*load_constant(4, 1), *[NOTHING] * 2]
    for _ in range(wanted):
        code += [put(4, TRIES), *[NOTHING] * 3]
    code += [CARRY, registers(32, 9, 7, 0), put(4, TRIES), CARRY, *END]
    values = run(code, engine).registers()
    assert (values["r9"], values["r7"]) == (0, 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_unexpected_control_bit_is_an_error_that_stays(engine: Engine) -> None:
    """The design sends no control bits, and `cget` expects one: MSR[FSL], bit 4."""
    status = immediate(37, 9, 0, 0x8001)
    code = [*load_constant(4, 3), put(4), get(8), status, registers(32, 10, 9, 0)]
    code += [put(4), get(3, CONTROL), status, *END]
    values = run(code, engine).registers()
    assert (values["r10"] & 16, values["r9"] & 16, values["r3"]) == (0, 16, 8)


@pytest.mark.parametrize("engine", ENGINES)
def test_tests_leave_the_word_and_registers_choose_the_link(tmp_path: Path, engine: Engine) -> None:
    """`tget` shows the word that `getd` takes; `tnput` sends nothing."""
    getd, putd = registers(19, 3, 0, 5), registers(19, 0, 4, 5, 0x400)
    code = [*load_constant(4, 6), put(0, TESTS | TRIES), CARRY, putd, get(8, TESTS), getd]
    code += [get(9, TRIES), registers(2, 10, 0, 0), *END]
    values = run(code, engine, extended(tmp_path)).registers()
    assert (values["r7"], values["r8"], values["r3"], values["r10"]) == (0, 64, 64, 1)


def test_no_interrupt_comes_behind_an_atomic_access(tmp_path: Path) -> None:
    """Whenever the timer's line rises, the handler does not return to behind `naput`."""
    timer, begin = 0x80000040, 0x200
    loop = [put(0, TRIES | ATOMIC), immediate(12, 9, 9, -1), immediate(47, 17, 9, -8), NOTHING]
    returned = set()
    for cycle in range(40, 80):
        start = [*load_constant(4, timer), immediate(12, 9, 0, 12), immediate(12, 6, 0, cycle)]
        start += [immediate(62, 0, 4, 12), immediate(62, 6, 4, 8), immediate(37, 0, 16, 2)]
        jump = [prefix(begin), immediate(46, 0, 8, begin)]
        handler = [registers(32, 11, 14, 0), *load_constant(6, 0xFFFFFFFF)]
        handler += [immediate(62, 6, 4, 12), immediate(45, 17, 14, 0), NOTHING]
        code = {
            0: [prefix(0x100), immediate(46, 0, 8, 0x100)],
            0x10: [prefix(0x300), immediate(46, 0, 8, 0x300)],
            0x100: [*start, *jump],
            begin: [*loop, *END],
            0x300: handler,
        }
        machine = Machine(
            extended(tmp_path), image(code, "big"), engine="interpreter", coprocessors=[MAP]
        )
        machine.run()
        returned.add(machine.registers()["r11"])
    assert returned & {begin, begin + 8}
    assert begin + 4 not in returned


REFUSED = {
    "no link": ("duarte2010-microblaze", get(3), "has no links (FSL, AXI4-Stream) for `get`"),
    "another link": (DEVICE, put(3, link=2), "has 1 link, and `put` accesses link 2"),
    "extended": (DEVICE, get(3, TESTS), "`tget` needs the parameter C_USE_EXTENDED_FSL_INSTR"),
    "nobody": (DEVICE, get(3), "a wait for an interrupt or at a link, which nothing ends"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_access_that_cannot_be_ends_the_run(name: str, tmp_path: Path, cocrypt: Cocrypt) -> None:
    """The message says why, and what to do."""
    device, word, why = REFUSED[name]
    path = tmp_path / "a.elf"
    path.write_bytes(image({0: [word]}, "big"))
    result = cocrypt("run", str(path), "--device", device)
    assert result.returncode == 3
    assert why in " ".join(result.stderr.split())


def test_the_driver_is_what_the_command_writes(cocrypt: Cocrypt) -> None:
    """The header and driver of the study, which the compiler of the toolchain takes."""
    folder = MAP.parent / "driver"
    for form, file in (("header", "pow2_link_registers.h"), ("driver", "pow2_link.c")):
        result = cocrypt("fdl", "registers", str(MAP), "--as", form)
        assert result.stdout == (folder / file).read_text()
    refused = cocrypt("fdl", "registers", str(MAP))
    assert refused.returncode == 1
    assert "has the stream face" in refused.stderr
