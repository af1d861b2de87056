"""Exceptions of SH-1 and SH-2: the table of vectors, the frame on the stack, the way back.

What the frame has is stated by the SH7604 and SH7615 Hardware Manuals, section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.machine import Machine
from host import ROOT
from sh_programs import ASSEMBLER, assembled, elf
from test_sh import ENGINES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.machine import Engine

TABLE, STACK, EXIT, TIMER = 0x400, 0x0F001000, 0x05000020, 0x05000040
ILLEGAL, ILLEGAL_SLOT, ADDRESS, FIRST_LINE = 4, 6, 9, 64
OPEN, MASKED = 0, 0xF0
"""SR with all interrupts, and with none."""
END = ["mov.l p_exit,r0", "mov.l r8,@r0", "nop", ".align 2", f"p_exit: .long {EXIT}"]
START = [
    *["mov.l p_table,r0", "ldc r0,vbr", "mov.l p_stack,r15", "mov.l p_status,r0", "ldc r0,sr"],
    *["bra main", "nop", ".align 2", f"p_table: .long {TABLE}", f"p_stack: .long {STACK}"],
]
FRAME = ["mov.l @r15,r9", "mov.l @(4,r15),r10", "mov r15,r11", "stc sr,r12"]
"""PC to R9, SR to R10, R15 to R11, and the handler's own SR to R12."""
RETURN = ["add #1,r13", "rte", "nop"]
"""Counts exceptions in R13."""
SKIP = ["mov.l @r15,r0", "add #2,r0", "mov.l r0,@r15"]
"""Lets the handler return behind the address in the frame."""
HERE, AWAY = 0x200, 0x240
"""Where the instruction is, and where branches lead."""


@pytest.fixture(autouse=True)
def _assembler(need_tool: Callable[[str], str]) -> None:
    need_tool(ASSEMBLER)


def program(vector: int, here: list[str], handler: list[str], status: int = MASKED) -> list[str]:
    """A program that comes to `here`, with one vector; at `away` it ends."""
    return [
        *[*START, f"p_status: .long {status}", "main: bra here", "mov #0,r13"],
        *[f".org {HERE}", "here:", *here, "bra away", "nop"],
        *[f".org {AWAY}", "away: mov #5,r8", *END],
        *[".org 0x300", "handler:", *handler],
        *[f".org {TABLE + 4 * vector}", ".long handler", ".org 0x800", "nop"],
    ]


def image(lines: list[str], folder: Path) -> bytes:
    """A program in the device's ROM."""
    return elf({0: (assembled(lines, "big", folder), 0x1000)}, "big")


def board(folder: Path, *, is_sh2: bool) -> Path:
    """The device, of an SH-1 or an SH-2."""
    text = (ROOT / "devices/sh7034.toml").read_text()
    assert "SH2 = false" in text
    path = folder / "board.toml"
    path.write_text(text.replace("SH2 = false", "SH2 = true") if is_sh2 else text)
    return path


def run(lines: list[str], engine: Engine, folder: Path, *, is_sh2: bool = False) -> dict[str, int]:
    """The registers at the end of a program that ends well."""
    machine = Machine(board(folder, is_sh2=is_sh2), image(lines, folder), engine=engine)
    stop = machine.run().values["stop"]
    assert stop["kind"] == "exit", stop
    return machine.registers()


LOAD = ["mov #1,r1", "mov.l @r1,r3"]
CAUSES = {
    "a trap": (40, ["trapa #40"], [], HERE + 2),
    "what is no instruction": (ILLEGAL, [".word 0xfffd"], SKIP, HERE),
    "an instruction of SH-2": (ILLEGAL, ["mul.l r3,r4"], SKIP, HERE),
    "an instruction of SH-3": (ILLEGAL, ["shad r3,r4"], SKIP, HERE),
    "no instruction in a slot": (ILLEGAL_SLOT, ["bra away", ".word 0xfffd"], [], AWAY),
    "a jump in a slot": (ILLEGAL_SLOT, ["bra away", "bra here"], [], AWAY),
    "a trap in a slot": (ILLEGAL_SLOT, ["bra away", "trapa #40"], [], AWAY),
    "an odd address": (ADDRESS, LOAD, [], HERE + 4),
    "an odd address of a store": (ADDRESS, ["mov #2,r1", "mov.l r1,@r1"], [], HERE + 4),
    "an odd address in a slot": (ADDRESS, ["mov #1,r1", "bra away", "mov.w @r1,r3"], [], AWAY),
}
"""Causes with their vectors, what else the handler does, and the address in the frame."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", CAUSES)
def test_a_frame_has_what_the_manual_says(name: str, engine: Engine, tmp_path: Path) -> None:
    """SR is pushed first, then PC; `rte` takes both back."""
    vector, here, more, back = CAUSES[name]
    lines = program(vector, ["sett", *here], [*FRAME, *more, *RETURN])
    lines[lines.index(f".org {HERE}")] = f".org {HERE - 2}"
    values = run(lines, engine, tmp_path)
    assert values["r9"] == back
    assert values["r10"] == MASKED | 1
    assert values["r11"] == STACK - 8
    # Only interrupts change what is masked.
    assert values["r12"] == MASKED | 1
    assert (values["r13"], values["r15"]) == (1, STACK)


def test_a_jump_to_an_odd_address_is_an_address_error(tmp_path: Path) -> None:
    """The handler corrects the address in its frame."""
    here = ["mov #1,r1", "mov.l p_away,r2", "add r1,r2", "jmp @r2", "nop", ".align 2"]
    back = ["mov.l @r15,r0", "add #-1,r0", "mov.l r0,@r15"]
    lines = program(ADDRESS, [*here, f"p_away: .long {AWAY}"], [*FRAME, *back, *RETURN])
    values = run(lines, "interpreter", tmp_path)
    assert (values["r9"], values["r13"], values["r15"]) == (AWAY + 1, 1, STACK)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_sh2_has_its_instructions(engine: Engine, tmp_path: Path) -> None:
    """What an SH-1 lacks, and `ldc` in a slot, which is illegal on later cores."""
    here = ["mov #3,r3", "mov #7,r4", "mul.l r3,r4", "sts macl,r5", "mov #1,r6"]
    lines = program(ILLEGAL, [*here, "bra away", "ldc r6,sr"], RETURN)
    lines[lines.index("away: mov #5,r8")] = "away: mov #5,r8\nstc sr,r12"
    values = run(lines, engine, tmp_path, is_sh2=True)
    assert (values["r5"], values["r12"], values["r13"]) == (21, 1, 0)


def timed(cycle: int, loop: list[str]) -> list[str]:
    """A program that the timer interrupts in a loop, from a cycle on."""
    constants = [f"p_timer: .long {TIMER}", f"p_cycle: .long {cycle}"]
    here = ["mov.l p_timer,r4", "mov #0,r5", "mov.l r5,@(12,r4)", "mov.l p_cycle,r5"]
    here += ["mov.l r5,@(8,r4)", "mov #8,r7", "bra loop", "nop", ".align 2", *constants]
    body = [*loop, "dt r7" if "dt" in loop else "add #-1,r7", "tst r7,r7", "bf loop"]
    stop = ["mov #-1,r5", "mov.l r5,@(12,r4)"]
    lines = program(FIRST_LINE, [*here, "loop:", *body], [*FRAME, *stop, *RETURN], OPEN)
    lines[lines.index("bra away")] = "mov.l p_end,r0\njmp @r0"
    end = lines.index(f".org {AWAY}")
    return [
        *lines[:end],
        ".align 2",
        f"p_end: .long {AWAY + 0x40}",
        f".org {AWAY + 0x40}",
        *lines[end + 1 :],
    ]


def test_the_timer_interrupts_but_not_behind_special_registers(tmp_path: Path) -> None:
    """Its vector is 64; in the handler all levels are masked, and `rte` opens them again."""
    loop = ["nop", "ldc r0,gbr", "nop", "sts macl,r3", "nop", "lds r3,mach", "nop"]
    returned = set()
    for cycle in range(60, 120):
        values = run(timed(cycle, loop), "interpreter", tmp_path)
        assert (values["r13"], values["r12"] & MASKED, values["r10"] & MASKED) == (1, MASKED, OPEN)
        returned.add(values["r9"])
    code = assembled(timed(60, loop), "big", tmp_path)
    begin = code.index(bytes.fromhex("0009401e"))
    inside = {address - begin for address in returned if begin <= address < begin + 20}
    assert {0, 2, 6, 10} <= inside
    assert not inside & {4, 8, 12}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_trap_and_its_return_take_their_cycles(engine: Engine, tmp_path: Path) -> None:
    """By hand: `trapa` 8, the handler's `nop`, `rte` 4 and its slot, in place of a `nop`."""
    handler = [".align 2", "nop", "nop", "rte", "nop"]
    spent = []
    for instruction in ("trapa #40", "nop"):
        lines = program(40, [instruction], handler)
        machine = Machine(board(tmp_path, is_sh2=False), image(lines, tmp_path), engine=engine)
        spent.append(machine.run().cycles)
    assert spent[0] - spent[1] == 8 + 1 + 1 + 4 + 1 - 1


def test_an_exception_without_a_stack_ends_the_run(tmp_path: Path) -> None:
    """On the chip, pushing the frame would raise the next address error."""
    lines = program(40, ["add #1,r15", "trapa #40"], RETURN)
    result = Machine(board(tmp_path, is_sh2=False), image(lines, tmp_path)).run()
    stop = result.values["stop"]
    assert stop["kind"] == "trap", stop
    assert "R15 is no multiple of 4" in stop["cause"]
