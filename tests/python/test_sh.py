"""Programs on SuperH's devices: exceptions, interrupts, banks, saturation, refusals, the verb."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.machine import Engine, Machine
from host import ROOT
from sh_programs import ASSEMBLER, Order, assembled, elf
from test_gdb import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

DEVICES: list[tuple[str, Order]] = [("sh7729", "big"), ("sh7729el", "little")]
ENGINES: list[Engine] = ["interpreter", "compiled"]
BASE, VECTORS = 0x8C000000, 0x400
EXIT, TIMER = 0xA4000020, 0xA4000040
END = ["mov.l p_exit,r0", "mov.l r8,@r0", "nop", ".align 2", f"p_exit: .long {EXIT}"]
"""Ends a program with the code in R8."""
OPEN, USER = 0x40000000, 0
"""SR with exceptions and interrupts, privileged and not; both have bank 0."""


def prepared(status: int) -> list[str]:
    """Sets VBR and SR; R0 and R1 change."""
    return [
        "mov.l p_vectors,r0",
        "ldc r0,vbr",
        "mov.l p_status,r1",
        "ldc r1,sr",
        "bra main",
        "nop",
        ".align 2",
        f"p_vectors: .long {BASE + VECTORS}",
        f"p_status: .long {status}",
        "main:",
    ]


def image(lines: list[str], order: Order, folder: Path) -> bytes:
    """An ELF file of a program."""
    return elf({BASE: (assembled(lines, order, folder), 0x2000)}, order)


def at(offset: int, lines: list[str]) -> list[str]:
    """Lines at an offset from VBR."""
    return [f".org {VECTORS + offset}", *lines]


def run(
    device: str | Path, order: Order, lines: list[str], engine: Engine, folder: Path
) -> dict[str, int]:
    """The registers at the end of a program that ends well."""
    machine = Machine(device, image(lines, order, folder), engine=engine)
    stop = machine.run().values["stop"]
    assert stop["kind"] == "exit", stop
    return machine.registers()


HANDLER = [
    "mov #0xd0,r0",
    "mov.l @r0,r9",
    "mov.l @(4,r0),r10",
    "stc spc,r11",
    "stc ssr,r12",
    "mov #0xfc,r0",
    "mov.l @r0,r13",
]
"""TRA to R9, EXPEVT to R10, SPC to R11, SSR to R12 and TEA to R13."""


@pytest.fixture(autouse=True)
def _assembler(request: pytest.FixtureRequest) -> None:
    if "tmp_path" in request.fixturenames:
        request.getfixturevalue("need_tool")(ASSEMBLER)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_a_trap_leads_to_the_handler_and_back(
    device: str, order: Order, engine: Engine, tmp_path: Path
) -> None:
    """The handler has the other bank, and `rte` gives the first one back."""
    lines = [*prepared(OPEN), "mov #7,r2", "sett", "trapa #5", "mov r2,r8", *END]
    lines += at(0x100, [*HANDLER, "mov #9,r2", "clrt", "rte", "movt r14"])
    values = run(device, order, lines, engine, tmp_path)
    assert (values["r9"], values["r10"], values["r8"]) == (5 << 2, 0x160, 7)
    assert values["r11"] == BASE + 2 * 10 + 2 * 3
    assert values["r12"] == OPEN | 1
    assert values["r14"] == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_an_exception_in_a_delay_slot_returns_to_the_branch(
    device: str, order: Order, engine: Engine, tmp_path: Path
) -> None:
    """The access is not aligned: the handler mends the pointer, and the branch is made again."""
    lines = [*prepared(OPEN), "mova place,r0", "mov r0,r4", "add #2,r4", "mov #3,r5"]
    lines += ["bra behind", "mov.l r5,@r4", "nop", ".align 2", "place: .long 0"]
    lines += ["behind: mov.l @r4,r8", *END]
    lines += at(0x100, [*HANDLER, "stc r4_bank,r1", "add #-2,r1", "ldc r1,r4_bank", "rte", "nop"])
    values = run(device, order, lines, engine, tmp_path)
    assert (values["r8"], values["r10"]) == (3, 0x100)
    assert values["r11"] == BASE + 2 * 10 + 2 * 4
    assert values["r13"] & 3 == 2


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
@pytest.mark.parametrize("jump", ["jmp @r4", "rts", "rte"])
def test_a_jump_to_an_odd_address_leads_to_the_handler(
    device: str, order: Order, engine: Engine, jump: str, tmp_path: Path
) -> None:
    """An address error of the fetch, behind the delay slot: TEA and SPC have the target."""
    lines = [*prepared(OPEN), "mova place,r0", "mov r0,r4", "add #1,r4", "lds r4,pr"]
    lines += ["ldc r4,spc", "stc sr,r5", "ldc r5,ssr", jump, "mov #3,r8"]
    lines += [".align 2", "place: nop"]
    lines += at(0x100, [*HANDLER, *END])
    values = run(device, order, lines, engine, tmp_path)
    assert (values["r8"], values["r10"]) == (3, 0xE0)
    assert values["r11"] == values["r13"] == BASE + 2 * 10 + 2 * 10 + 1
    assert values["r12"] & OPEN == OPEN


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_what_is_illegal_leads_to_the_handler(
    device: str, order: Order, engine: Engine, tmp_path: Path
) -> None:
    """A word that is no instruction, and a branch in a delay slot."""
    lines = [*prepared(OPEN), ".word 0xffff", "mov r10,r3", "bra over", "bra over", "over:"]
    lines += ["mov r10,r8", "shll8 r8", "shll2 r8", "add r3,r8", *END]
    lines += at(0x100, [*HANDLER, "add #2,r11", "mov r10,r1", "shlr2 r1", "mov #0x68,r2"])
    # Behind a slot, the handler returns behind the branch and its slot.
    lines += ["cmp/eq r1,r2", "bf skip", "add #2,r11", "skip: ldc r11,spc", "rte", "nop"]
    values = run(device, order, lines, engine, tmp_path)
    assert values["r3"] == 0x180
    assert values["r10"] == 0x1A0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("slot", ["mova here,r0", "mov.l here,r3", "mov.w here,r3"])
def test_an_sh4_takes_a_relative_instruction_in_a_slot_as_illegal(
    engine: Engine, slot: str, tmp_path: Path
) -> None:
    """EXPEVT is where the SH-4 has it, and SPC is the branch."""
    lines = [*prepared(OPEN), "bra here", slot, "nop", ".align 2", "here: nop"]
    lines += at(0x100, ["mov.l p_expevt,r0", "mov.l @r0,r10", "stc spc,r11", "mov #0,r8", *END])
    lines += ["p_expevt: .long 0xff000024"]
    text = (ROOT / "devices/sh7729.toml").read_text()
    path = tmp_path / "sh4.toml"
    path.write_text(text.replace("DSP = true", "SH4 = true"))
    values = run(path, "big", lines, engine, tmp_path)
    assert (values["r10"], values["r11"]) == (0x1A0, BASE + 2 * 10)


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_privileged_instructions_are_illegal_in_user_mode(
    device: str, order: Order, tmp_path: Path
) -> None:
    """User code runs behind `ldc` to SR, and its exception is taken in privileged mode."""
    lines = [*prepared(USER), "stc gbr,r3", "stc vbr,r3", "nop"]
    lines += at(0x100, [*HANDLER, "mov #1,r8", *END])
    values = run(device, order, lines, "interpreter", tmp_path)
    assert (values["r10"], values["r12"]) == (0x180, USER)
    assert values["r11"] == BASE + 2 * 10 + 2


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_banks_change_places(device: str, order: Order, engine: Engine, tmp_path: Path) -> None:
    """`ldc` to SR selects the other bank, which `stc` of a banked register reads before."""
    lines = [*prepared(OPEN), "mov #1,r2", "mov #2,r3", "ldc r3,r2_bank", "mov.l bank1,r4"]
    lines += ["ldc r4,sr", "mov r2,r9", "stc r2_bank,r10", "mov #0,r8", *END]
    lines += [".align 2", f"bank1: .long {OPEN | 1 << 29}"]
    values = run(device, order, lines, engine, tmp_path)
    assert (values["r9"], values["r10"], values["r2"]) == (2, 1, 2)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_the_timer_interrupts_but_not_in_front_of_a_delay_slot(
    device: str, order: Order, engine: Engine, tmp_path: Path
) -> None:
    """INTEVT has the code of the first timer; whenever it comes, a branch keeps its slot."""
    returned = set()
    for cycle in range(60, 140, 5 if engine == "compiled" else 1):
        lines = [*prepared(OPEN), "mov.l p_timer,r4", "mov #0,r5", "mov.l p_cycle,r6", "mov #20,r7"]
        lines += ["mov.l r5,@(12,r4)", "mov.l r6,@(8,r4)", "bra loop", "nop", ".align 2"]
        lines += [f"p_timer: .long {TIMER}", f"p_cycle: .long {cycle}"]
        lines += ["loop: nop", "dt r7", "bf/s loop", "add #1,r9", "mov #0,r8", *END]
        lines += at(0x600, ["mov.l p_timer2,r4", "mov #-1,r5", "mov.l r5,@(12,r4)", "stc spc,r11"])
        lines += ["mov #0xd8,r0", "mov.l @r0,r10", "rte", "nop", ".align 2"]
        lines += [f"p_timer2: .long {TIMER}"]
        values = run(device, order, lines, engine, tmp_path)
        assert (values["r9"], values["r10"]) == (20, 0x400)
        returned.add(values["r11"])
    loop = BASE + 2 * 10 + 2 * 8 + 8
    within = {address - loop for address in returned if loop <= address < loop + 8}
    assert within
    assert 6 not in within


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_a_level_that_is_masked_waits(device: str, order: Order, tmp_path: Path) -> None:
    """The mask of 15 holds level 15 back."""
    lines = [*prepared(OPEN | 0xF0), "mov.l p_timer,r4", "mov #0,r5", "mov.l r5,@(12,r4)"]
    lines += ["mov.l r5,@(8,r4)", "nop", "nop", "mov #0,r8", *END]
    lines += [".align 2", f"p_timer: .long {TIMER}"]
    lines += at(0x600, ["mov #1,r8", "bra 0f", "nop", "0: nop"])
    assert run(device, order, lines, "interpreter", tmp_path)["r8"] == 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_sleep_ends_by_an_interrupt(
    device: str, order: Order, engine: Engine, tmp_path: Path
) -> None:
    """The handler returns behind `sleep`, long after it began."""
    lines = [*prepared(OPEN), "mov.l p_timer,r4", "mov #0,r5", "mov.l p_cycle,r6", "mov #0,r9"]
    lines += ["mov.l r5,@(12,r4)", "mov.l r6,@(8,r4)", "sleep", "here: mov r9,r8", *END]
    lines += [".align 2", f"p_timer: .long {TIMER}", "p_cycle: .long 5000"]
    lines += at(0x600, ["mov.l p_timer2,r4", "mov #-1,r5", "mov.l r5,@(12,r4)", "stc spc,r11"])
    lines += ["rte", "add #1,r9", ".align 2", f"p_timer2: .long {TIMER}"]
    machine = Machine(device, image(lines, order, tmp_path), engine=engine)
    values = machine.run().values
    assert (values["stop"]["kind"], machine.registers()["r8"]) == ("exit", 1)
    assert 5000 < values["cycles"] < 5200
    assert machine.registers()["r11"] == BASE + 2 * 10 + 2 * 7


MASK64 = (1 << 64) - 1
LONG = {
    # Accumulator before, the two factors, and after: the higher half of MACH is no part of it.
    "below": (5, 3, 4, 17),
    "highest": ((1 << 47) - 1, 1, 1, (1 << 47) - 1),
    "reaches": ((1 << 47) - 2, 1, 1, (1 << 47) - 1),
    "lowest": (-(1 << 47) & (1 << 48) - 1, -1, 1, -(1 << 47) & (1 << 48) - 1),
    "large": (0, 0x7FFFFFFF, 0x7FFFFFFF, (1 << 47) - 1),
    "above": (0xABCD << 48 | 1, 2, 3, 0xABCD << 48 | 7),
}
WORD = {
    "below": (5, 3, 4, 17),
    "highest": (0x7FFFFFFF, 1, 1, 1 << 32 | 0x7FFFFFFF),
    "lowest": (0x80000000, -1, 1, 1 << 32 | 0x80000000),
    "kept": (6 << 32 | 9, 2, 3, 6 << 32 | 15),
}


@pytest.mark.parametrize("name", [f"l {name}" for name in LONG] + [f"w {name}" for name in WORD])
def test_accumulation_saturates(name: str, tmp_path: Path) -> None:
    """By the definitions of `mac.l` and `mac.w` in the programming manual, with S set."""
    size, case = name.split()
    before, a, b, after = (LONG if size == "l" else WORD)[case]
    kind = ".long" if size == "l" else ".word"
    lines = [*prepared(OPEN), "sets", "mov.l p_high,r1", "lds r1,mach", "mov.l p_low,r1"]
    lines += ["lds r1,macl", "mova factors,r0", f"mac.{size} @r0+,@r0+", "sts mach,r9"]
    lines += ["sts macl,r10", "mov #0,r8", *END, ".align 2"]
    lines += [f"p_high: .long {before >> 32}", f"p_low: .long {before & 0xFFFFFFFF}"]
    lines += [f"factors: {kind} {a}, {b}"]
    values = run("sh7729", "big", lines, "interpreter", tmp_path)
    assert values["r9"] << 32 | values["r10"] == after & MASK64


@pytest.mark.parametrize("engine", ENGINES)
def test_overflows_go_to_t(engine: Engine, tmp_path: Path) -> None:
    """`addv` and `subv` of the manual's examples."""
    lines = [*prepared(OPEN), "mov #1,r1", "mov.l p_high,r2", "mov r2,r3", "add #-1,r3"]
    lines += ["addv r1,r3", "movt r9", "addv r1,r2", "movt r10", "mov.l p_low,r4", "subv r1,r4"]
    lines += ["movt r11", "mov r4,r12", "subv r1,r4", "movt r13", "mov #0,r8", *END, ".align 2"]
    lines += ["p_high: .long 0x7fffffff", "p_low: .long 0x80000001"]
    values = run("sh7729", "big", lines, engine, tmp_path)
    flags = [values[f"r{number}"] for number in (9, 10, 11, 13)]
    assert flags == [0, 1, 0, 1]
    assert [values[f"r{number}"] for number in (2, 3, 12, 4)] == [
        0x80000000,
        0x7FFFFFFF,
        0x80000000,
        0x7FFFFFFF,
    ]


ROTATED = [
    # The instruction, its register before, T before, the register and T after.
    ("rotl", 0x80000002, 0, 0x00000005, 1),
    ("rotl", 0x40000001, 1, 0x80000002, 0),
    ("rotr", 0x40000001, 0, 0xA0000000, 1),
    ("rotr", 0x80000002, 1, 0x40000001, 0),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_rotations_copy_the_bit_that_goes_round_to_t(
    device: str, order: Order, engine: Engine, tmp_path: Path
) -> None:
    """By the definitions of `rotl` and `rotr` in the manual; QEMU 7.2 clears T."""
    lines, pool = prepared(OPEN), []
    for number, (name, before, carry, _, _) in enumerate(ROTATED):
        lines += [f"mov.l value{number},r{2 + number}", "sett" if carry else "clrt"]
        lines += [f"{name} r{2 + number}", f"movt r{9 + number}"]
        pool.append(f"value{number}: .long {before}")
    lines += ["mov #0,r8", *END, *pool]
    values = run(device, order, lines, engine, tmp_path)
    for number, (name, *_, after, carry) in enumerate(ROTATED):
        assert (values[f"r{2 + number}"], values[f"r{9 + number}"]) == (after, carry), name


REFUSED = {
    "ldtlb": (["ldtlb"], "the MMU is not modelled: `ldtlb`"),
    "float": ([".word 0x405a"], "the core here has no floating-point unit (FPU)"),
    "slot": (["bra here", "mova here,r0"], "differ in what `mova` does in a delay slot"),
    "branch": (["bra here", "rts"], "`rts` may not stand in a delay slot"),
    "trap": (["trapa #1"], "exceptions are blocked (SR.BL)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_left_out_is_refused_by_name(name: str, tmp_path: Path, cocrypt: Cocrypt) -> None:
    """The run ends, and the message says why."""
    lines, why = REFUSED[name]
    path = tmp_path / "a.elf"
    path.write_bytes(image([*lines, "nop", ".align 2", "here: nop"], "big", tmp_path))
    result = cocrypt("run", str(path), "--device", "sh7729")
    assert result.returncode == 3
    assert why in " ".join(result.stderr.split())


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_the_verb_runs_a_program(
    device: str, order: Order, tmp_path: Path, cocrypt: Cocrypt
) -> None:
    """Cycles by hand.

    The refill of the first line, which has the constant too, `mov`, the load that meets a fetch,
    the wait for it, the store up to its request, the bus, the answer.
    """
    path = tmp_path / "a.elf"
    path.write_bytes(image(["mov #5,r8", *END], order, tmp_path))
    result = cocrypt("run", str(path), "--device", device, "--json")
    values: dict[str, Any] = json.loads(result.stdout)
    assert (values["exit_code"], values["instructions"]) == (5, 3)
    by_hand = 16 + 1 + (1 + 1) + 1 + 0 + 4 + 1
    assert values["cycles"] == by_hand


ONE_SET = [
    *["mov #2,r7", ".align 4"],
    *["loop: mov.l p_data,r1", "mov.l p_step,r2"],
    *["mov.l @r1,r3", "add r2,r1"] * 3,
    *["mov.l @r1,r3", "dt r7", "bf loop", "mov #5,r8", *END],
    *[f"p_data: .long {BASE + 0x1010}", "p_step: .long 0x1000"],
]
"""Two passes over four lines of data, in that set of four ways which has the loop's first line."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("unified", [True, False])
def test_data_evicts_code_from_a_unified_cache(
    unified: bool, engine: Engine, tmp_path: Path
) -> None:
    """Cycles by hand.

    The first line and its eight instructions; a pass with two lines of code, that of the constants
    and four of data, where a load meets a fetch and the branch is taken; the second pass, in which
    each of five lines evicts the one that is needed next; the end, whose store meets a fetch.
    """
    text = (ROOT / "devices/sh7729.toml").read_text()
    start, end = text.index("[cache.unified]"), text.index("[bus]")
    apart = [text[start:end].replace("unified", name) for name in ("instruction", "data")]
    path = tmp_path / "caches.toml"
    path.write_text(text if unified else "".join([text[:start], *apart, text[end:]]))
    values = Machine(path, image(ONE_SET, "big", tmp_path), engine=engine).run().values
    assert values["stop"]["kind"] == "exit"
    line = 16
    by_hand = line + 8 + (11 + 1 + 2 + 7 * line) + (11 + 1 + (5 * line if unified else 0))
    by_hand += 1 + 1 + 1 + 1 + 0 + 4 + 1
    assert values["cycles"] == by_hand


@pytest.mark.parametrize("engine", ENGINES)
def test_a_slow_memory_is_fetched_by_words(engine: Engine, tmp_path: Path) -> None:
    """Cycles by hand: fetches of four cycles, of which each jump back makes one again.

    Without waits: `mov`, `nop`, three `dt`, the branch twice taken and once not, `mov`, the load
    that meets a fetch, the wait for it, the store up to its request, the bus, the answer.
    """
    text = (ROOT / "devices/sh7729.toml").read_text()
    start, end = text.index("[cache.unified]"), text.index("[bus]")
    path = tmp_path / "slow.toml"
    path.write_text((text[:start] + text[end:]).replace("fetch_wait = 1", "fetch_wait = 4"))
    lines = ["mov #3,r7", "nop", "loop: dt r7", "bf loop", "mov #5,r8", *END]
    values = Machine(path, image(lines, "big", tmp_path), engine=engine).run().values
    assert values["stop"]["kind"] == "exit"
    words = 1 + 3 + 1 + 1
    by_hand = 1 + 1 + 3 + (3 + 3 + 1) + 1 + (1 + 1) + 1 + 0 + 4 + 1 + 3 * words
    assert values["cycles"] == by_hand


@pytest.mark.parametrize(("device", "order"), DEVICES)
def test_the_debugger_reads_and_writes_registers(
    need_tool: Callable[[str], str], device: str, order: Order, tmp_path: Path
) -> None:
    """PR and SR stand where the debugger looks for them; what it writes is the exit code."""
    path = tmp_path / "a.elf"
    lines = ["bsr next", "sett", "next: mov #7,r9", "mov #1,r8", "nop", "nop", *END]
    path.write_bytes(image(lines, order, tmp_path))
    script = ["stepi", "stepi", "stepi", "print $r9", "print/x $pr", "info registers sr"]
    script += ["stepi", "set var $r8 = 3", "continue"]
    session = Session(need_tool("gdb-multiarch"), path, *script, device=device)
    assert session.finds(r"= 7$")
    assert session.finds(rf"= {BASE + 4:#x}$")
    assert session.finds(r"^sr +0x700000f1")
    assert session.finds(r"exited with code 03")


def test_a_program_for_the_other_order_is_refused(tmp_path: Path, cocrypt: Cocrypt) -> None:
    """Both are processors of their own."""
    path = tmp_path / "a.elf"
    path.write_bytes(image(["mov #5,r8", *END], "little", tmp_path))
    result = cocrypt("run", str(path), "--device", "sh7729")
    assert result.returncode == 1
    assert "for another processor" in result.stderr


def test_both_orders_have_the_same_timing() -> None:
    """The core files differ in names and orders alone."""
    big, little = (
        (ROOT / "devices/cores" / f"{name}.toml").read_text().splitlines()
        for name in ("sh3", "sh3el")
    )
    differing = {
        ours.split(" ")[0] for ours, theirs in zip(big, little, strict=True) if ours != theirs
    }
    assert differing == {"#", "name", "title", "isa", "timing"}
