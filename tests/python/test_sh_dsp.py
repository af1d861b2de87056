"""The DSP of the SH3-DSP: against the GNU simulator, and where that is wrong against the manual.

What the simulator gives for the first programs is recorded; `python test_sh_dsp.py FOLDER` records
it again. `COCRYPT_SH_DSP=40` compares with the simulator that `cocrypt toolchain sh-elf --only
simulator` has built on so many thousand other instructions in each order of bytes, and loops.
"""

from __future__ import annotations

import lzma
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.machine import Engine, Machine
from host import ROOT
from rust_examples import example, output
from sh_dsp_programs import (
    CODE,
    OUT,
    POINTERS,
    REGISTERS,
    SATURATES,
    SAVED,
    STATUS,
    X_MEMORY,
    Y_MEMORY,
    DspProgram,
    assembled,
    comparable,
    loop_cases,
    program,
    save_and_load,
    single_cases,
)
from sh_programs import ASSEMBLER, TOOLS, Order, elf

if TYPE_CHECKING:
    from collections.abc import Callable

CORES = {"big": "sh3", "little": "sh3el"}
ORDERS: tuple[Order, ...] = ("big", "little")
ENGINES: tuple[Engine, ...] = ("interpreter", "compiled")
THOUSANDS = int(os.environ.get("COCRYPT_SH_DSP", "0"))
CASES, LOOPS = 500, 200
"""Instructions and loops whose outcome is recorded."""
MEMORY = """
[[memory]]
name = "{name}"
base = {base}
size = {size}
fetch_wait = 1
data_wait = 1
"""
DEVICE = """
[device]
name = "dsp"
title = "An SH3-DSP"
core = "{core}"
clock_hz = 1_000_000
[parameters]
DSP = true
"""
FIRST_WIDE = 0xF800
"""The first encoding of 32 bits, which has no move."""
OPERATIONS = {
    "shifts by constants": 33 * 8 + 65 * 8,
    "products": 4**3,
    "products beside sums and differences": 2 * 4**6,
    "with DC": 2 * 16 * 8,
    "comparisons": 16,
    "absolute values and roundings": 2 * (4 + 4) * 8,
    "of two operands, with a condition or none": 7 * 3 * 16 * 8,
    "of one operand": 5 * 3 * (4 + 4) * 8,
    "of none": 5 * 3 * 8,
}
"""The number of encodings of operations, by their fields in the manual."""
NAMES = [*REGISTERS, "dsr", "mach", "macl", "sr", *(f"r{number}" for number in POINTERS)]


def ran(image: bytes, order: Order, engine: Engine, folder: Path) -> Machine:
    """A machine that has run a program up to its system call."""
    memories = [("ram", 0, 0x100000), ("x", X_MEMORY, 0x2000), ("y", Y_MEMORY, 0x2000)]
    text = DEVICE.format(core=CORES[order])
    text += "".join(MEMORY.format(name=name, base=base, size=size) for name, base, size in memories)
    device = folder / "dsp.toml"
    device.write_text(text)
    machine = Machine(device, image, engine=engine)
    stop = machine.run().values["stop"]
    assert stop["kind"] == "trap", stop
    return machine


def written(made: DspProgram, order: Order, engine: Engine, folder: Path) -> bytes:
    """The bytes that a program writes down here."""
    return ran(made.elf, order, engine, folder).read(OUT, made.size)


def simulated(made: DspProgram, simulator: Path, folder: Path) -> bytes:
    """Those that it writes in the simulator."""
    path = folder / "program"
    path.write_bytes(made.elf)
    command = [simulator / "bin/sh-elf-run", path]
    done = subprocess.run(command, capture_output=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) == made.size
    return done.stdout


def made_of(kind: str, seed: str, count: int, order: Order, folder: Path) -> DspProgram:
    cases = single_cases if kind == "instructions" else loop_cases
    lines, names, data = cases(Random(f"{kind} {seed}"), count, order)
    return program(lines, names, data, SAVED, order, folder)


def values(made: DspProgram, written_down: bytes, number: int, order: Order) -> dict[str, int]:
    """The registers behind a case, as far as both sides define them."""
    mark = ">" if order == "big" else "<"
    at = number * made.saved
    words = struct.unpack(f"{mark}{SAVED // 4}I", written_down[at : at + SAVED])
    found = dict(zip(NAMES, words, strict=True))
    is_loop = " times: " in made.cases[number]
    found["dsr"] = 0 if is_loop else comparable(made.cases[number], found["dsr"])
    return found


def differences(made: DspProgram, ours: bytes, theirs: bytes, order: Order) -> list[str]:
    """The cases that differ, and memory if that does."""
    found = []
    for number, case in enumerate(made.cases):
        pair = [values(made, side, number, order) for side in (ours, theirs)]
        wrong = [
            f"{name} {pair[0][name]:x} {pair[1][name]:x}"
            for name in NAMES
            if pair[0][name] != pair[1][name]
        ]
        found += [f"{case}: {', '.join(wrong)}"] if wrong else []
    end = len(made.cases) * made.saved
    return found + (["memory"] if ours[end:] != theirs[end:] else [])


@pytest.fixture(autouse=True)
def _assembler(need_tool: Callable[[str], str]) -> None:
    need_tool(ASSEMBLER)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("kind", "count"), [("instructions", CASES), ("loops", LOOPS)])
def test_what_the_simulator_gave_is_what_we_give(
    tmp_path: Path, kind: str, count: int, order: Order
) -> None:
    made = made_of(kind, "recorded", count, order, tmp_path)
    theirs = lzma.decompress((ROOT / f"tests/cases/sh/dsp-{kind}-{order}.xz").read_bytes())
    for engine in ENGINES:
        assert differences(made, written(made, order, engine, tmp_path), theirs, order) == []


@pytest.mark.skipif(not THOUSANDS, reason="COCRYPT_SH_DSP says how many thousand instructions")
@pytest.mark.parametrize("order", ORDERS)
def test_other_instructions_and_loops_agree_with_the_simulator(
    need_part: Callable[[str, str], Path], tmp_path: Path, order: Order
) -> None:
    simulator = need_part("sh-elf", "simulator")
    for kind, count in (("instructions", 1000), ("loops", 500)):
        for seed in range(THOUSANDS):
            made = made_of(kind, f"{order} {seed}", count, order, tmp_path)
            theirs = simulated(made, simulator, tmp_path)
            ours = written(made, order, "interpreter", tmp_path)
            assert differences(made, ours, theirs, order) == [], seed


CARRY, NEGATIVE, ZERO, OVERFLOW, GREATER, GREATER_OR_EQUAL = (choice << 1 for choice in range(6))
"""What becomes DC, as DSR has it."""
DC, V, N, Z, GT = 1, 0x10, 0x20, 0x40, 0x80
MANUAL = [
    # What is executed, registers before, DSR before and behind, others that change; `s` is S.
    ("padd x0,y0,m0", {"x0": 0xFFFFFFFF, "y0": 1}, CARRY, Z | DC, {"m0": 0}),
    ("padd x0,y0,m0", {"x0": 0x7FFFFFFF, "y0": 1}, CARRY, V | GT, {"m0": 0x80000000}),
    ("padd x0,y0,m0", {"x0": 0x7FFFFFFF, "y0": 1}, OVERFLOW, V | GT | DC, {"m0": 0x80000000}),
    ("padd x0,y0,m0", {"x0": 0x7FFFFFFF, "y0": 1, "s": 1}, OVERFLOW, GT, {"m0": 0x7FFFFFFF}),
    ("padd x0,y0,m0", {"x0": -3, "y0": 1}, NEGATIVE, N | DC, {"m0": -2}),
    ("padd x0,y0,m0", {"x0": 5, "y0": -5}, ZERO, Z | DC, {"m0": 0}),
    ("padd x0,y0,m0", {"x0": 5, "y0": -4}, ZERO, GT, {"m0": 1}),
    ("pcmp x0,y0", {"x0": 5, "y0": 3}, GREATER, GT | DC, {}),
    ("pcmp x0,y0", {"x0": 3, "y0": 5}, GREATER, N, {}),
    ("pcmp x0,y0", {"x0": 5, "y0": 5}, GREATER, Z, {}),
    ("pcmp x0,y0", {"x0": 5, "y0": 5}, GREATER_OR_EQUAL, Z | DC, {}),
    ("pcmp x0,y0", {"x0": 3, "y0": 5}, GREATER_OR_EQUAL, N, {}),
    ("pcmp x0,y0", {"x0": 0x7FFFFFFF, "y0": 1 << 31}, GREATER, V | GT | DC, {}),
    ("psubc x0,y0,m0", {"x0": 0, "y0": 0}, CARRY | DC, N | DC, {"m0": -1}),
    ("psubc x0,y0,m0", {"x0": 3, "y0": 1}, ZERO, GT, {"m0": 2}),
    ("paddc x0,y0,m0", {"x0": -1, "y0": 0}, NEGATIVE | DC, Z | DC, {"m0": 0}),
    ("pabs x0,m0", {"x0": 1 << 31}, ZERO, V | GT, {"m0": 1 << 31}),
    ("pabs x0,m0", {"x0": 1 << 31, "s": 1}, ZERO, GT, {"m0": 0x7FFFFFFF}),
    ("pabs y1,m0", {"y1": -2}, ZERO, GT, {"m0": 2}),
    ("plds m0,macl", {"m0": 0x12345678}, ZERO | DC | N, DC | N, {"macl": 0x12345678}),
    (
        "pmuls x0,y0,a0",
        {"x0": 1 << 31, "y0": 1 << 31, "s": 1},
        ZERO,
        0,
        {"a0": 0x7FFFFFFF, "a0g": 0},
    ),
    ("pmuls x0,y0,a0", {"x0": 1 << 31, "y0": 1 << 31}, ZERO, 0, {"a0": 1 << 31, "a0g": 0}),
    (
        "pmuls x0,y0,a0",
        {"x0": 0x40000000, "y0": 0xC0000000},
        ZERO,
        0,
        {"a0": 0xE0000000, "a0g": -1},
    ),
    ("prnd x0,m0", {"x0": 0x00018000}, ZERO, GT, {"m0": 0x00020000}),
    ("prnd x0,m0", {"x0": 0x00017FFF}, ZERO, GT, {"m0": 0x00010000}),
    ("pinc x0,m0", {"x0": 0x7FFF0000}, OVERFLOW, V | GT | DC, {"m0": 1 << 31}),
    ("pinc x0,m0", {"x0": 0x7FFF0000, "s": 1}, OVERFLOW, GT, {"m0": 0x7FFF0000}),
    ("pinc x0,m0", {"x0": 0xFFFF1234}, CARRY, Z | DC, {"m0": 0}),
    ("pdmsb y0,m0", {"y0": 1}, ZERO, GT, {"m0": 30 << 16}),
    ("pdmsb y0,m0", {"y0": -1}, ZERO, GT, {"m0": 31 << 16}),
    ("pdmsb y0,m0", {"y0": 0x40000000}, ZERO, Z | DC, {"m0": 0}),
    ("pshl #1,m0", {"m0": 0x8001FFFF}, CARRY, DC, {"m0": 0x00020000}),
    ("pshl #-1,m0", {"m0": 0x8001FFFF}, CARRY, DC, {"m0": 0x40000000}),
    ("pand x0,y0,m0", {"x0": 0xFFFF1234, "y0": 0x80005678}, NEGATIVE, N | DC, {"m0": 1 << 31}),
    ("dct padd x0,y0,m0", {"x0": 1, "y0": 2}, CARRY | DC, DC, {"m0": 3}),
    ("dct padd x0,y0,m0", {"x0": 1, "y0": 2}, CARRY, 0, {}),
    ("dcf padd x0,y0,m0", {"x0": 1, "y0": 2}, CARRY | V, V, {"m0": 3}),
    ("dcf padd x0,y0,m0", {"x0": 1, "y0": 2}, CARRY | DC, DC, {}),
    ("psub a0,y0,a0", {"a0g": 1, "a0": 0, "y0": 1}, OVERFLOW, V | GT | DC, {"a0": -1, "a0g": 0}),
    (
        "psub a0,y0,a0",
        {"a0g": 1, "a0": 0, "y0": 1, "s": 1},
        OVERFLOW,
        GT,
        {"a0": 0x7FFFFFFF, "a0g": 0},
    ),
]
"""By the manual's statements of DC, of the flags, and of S, which the simulator does not follow."""


def test_flags_and_bounds_are_those_of_the_manual(tmp_path: Path) -> None:
    words, lines = [], []
    for text, before, dsr, _, _ in MANUAL:
        registers = [before.get(name, 0) for name in REGISTERS]
        status = STATUS | (SATURATES if before.get("s") else 0)
        words += [*registers, dsr, 0, 0, 0, status, *(0 for _ in POINTERS)]
        lines += save_and_load([text])
    data = struct.pack(f">{len(words)}I", *(word & 0xFFFFFFFF for word in words))
    made = program(lines, [row[0] for row in MANUAL], data, SAVED, "big", tmp_path)
    written_down = written(made, "big", "interpreter", tmp_path)
    for number, (text, before, dsr, behind, changed) in enumerate(MANUAL):
        words_found = struct.unpack(f">{SAVED // 4}I", written_down[number * SAVED :][:SAVED])
        found = dict(zip(NAMES, words_found, strict=True))
        wanted = {name: before.get(name, 0) & 0xFFFFFFFF for name in [*REGISTERS, "mach", "macl"]}
        wanted |= {name: value & 0xFFFFFFFF for name, value in changed.items()}
        wanted["dsr"] = behind | dsr & 0xE
        assert {name: found[name] for name in wanted} == wanted, (number, text)


def test_a_store_beside_an_operation_stores_what_was_there_before(tmp_path: Path) -> None:
    """The operation is made a stage behind the access."""
    words = [0x12345678, *(0 for _ in REGISTERS[1:]), 0, 0, 0, 0, STATUS, X_MEMORY + 4]
    data = struct.pack(f">{len(words) + 5}I", *words, *(0 for _ in range(5)))
    lines = save_and_load(["pclr a0 movx.w a0,@r4"])
    made = program(lines, ["store"], data, SAVED, "big", tmp_path)
    machine = ran(made.elf, "big", "interpreter", tmp_path)
    assert machine.read(OUT, 4) == bytes(4)
    assert machine.read(X_MEMORY + 4, 2) == b"\x12\x34"


def test_instructions_are_printed_as_objdump_prints_them(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """All encodings up to those of 32 bits, and of these all operations."""
    ours = output([example("sh_disassembly"), "dsp"]).splitlines()
    tool, path = need_tool(f"{TOOLS}objdump"), tmp_path / "code"
    words = {"first": range(FIRST_WIDE), "second": range(1 << 16)}
    for kind, numbers in words.items():
        halves = numbers if kind == "first" else [half for n in numbers for half in (FIRST_WIDE, n)]
        path.write_bytes(struct.pack(f">{len(halves)}H", *halves))
        flags = ["-D", "-z", "-b", "binary", "-m", "sh3-dsp", "-EB"]
        run = subprocess.run([tool, *flags, path], capture_output=True, text=True, check=True)
        lines = re.findall(r"^ *[0-9a-f]+:\t[0-9a-f ]+\t(.*)$", run.stdout, re.MULTILINE)
        texts = ours[: len(numbers)] if kind == "first" else ours[1 << 16 :]
        assert len(lines) == len(texts)
        for number, (text, line) in enumerate(zip(texts, lines, strict=True)):
            # A distance has a sign, as the simulator says too; the GNU tools print it without one.
            backwards = text.startswith(("ldrs", "ldre")) and number & 0x80
            if text and not backwards:
                assert text == " ".join(line.split("\t!")[0].split()), f"{kind} {number:#06x}"
    # 25 moves of each memory; single ones: four pointers, ten registers, and 16 ways to move.
    assert sum(text != "" for text in ours[0xF000:FIRST_WIDE]) == 25 * 25 + 4 * 10 * 16
    assert sum(text != "" for text in ours[1 << 16 :]) == sum(OPERATIONS.values())


def test_without_the_bit_of_the_dsp_its_instructions_are_illegal(tmp_path: Path) -> None:
    code = assembled(["mov #1,r0", "pclr a0", "nop"], "big", tmp_path)
    memories = MEMORY.format(name="ram", base=0, size=0x100000)
    device = tmp_path / "off.toml"
    device.write_text(DEVICE.format(core="sh3") + memories)
    stop = Machine(device, elf({CODE: (code, 0)}, "big")).run().values["stop"]
    assert (stop["kind"], stop["pc"]) == ("illegal_instruction", CODE + 2)
    assert "SR.DSP" in stop["cause"]


def main() -> None:
    """Records what the simulator gives."""
    simulator, folder = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        for kind, count, order in (
            (kind, count, order)
            for kind, count in (("instructions", CASES), ("loops", LOOPS))
            for order in ORDERS
        ):
            made = made_of(kind, "recorded", count, order, Path(name))
            theirs = simulated(made, simulator, Path(name))
            path = folder / f"dsp-{kind}-{order}.xz"
            path.write_bytes(lzma.compress(theirs, preset=9))


if __name__ == "__main__":
    main()
