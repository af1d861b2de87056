"""SuperH's instructions against QEMU's user mode: random programs in both orders of bytes.

Both run the same ELF files. Registers and T behind each case of a few instructions, and memory at
the end, must be equal, interpreted and compiled. Run as a program, `python test_sh_qemu.py COUNT`,
it does the same on COUNT instructions for each order.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.machine import Engine, Machine
from sh_programs import (
    ALONE,
    ASSEMBLER,
    BASE,
    BINARY,
    HINTS,
    LOGIC,
    ROOM,
    ROTATIONS,
    SAVED,
    UNARY,
    Order,
    Program,
    generate,
)

if TYPE_CHECKING:
    from collections.abc import Callable

QEMU = {"big": "qemu-sh4eb", "little": "qemu-sh4"}
CORES = {"big": "sh3", "little": "sh3el"}
ORDERS: tuple[Order, ...] = ("big", "little")
LENGTH = 16
DEVICE = """
[device]
name = "everything"
title = "A core with all instructions, and RAM where programs of a user begin"
core = "{core}"
clock_hz = 1_000_000
[parameters]
SH4 = true
[[memory]]
name = "ram"
base = {base}
size = 0x100_0000
fetch_wait = 1
data_wait = 1
"""


def expected(program: Program, qemu: str, folder: Path) -> bytes:
    """The bytes that the program writes under QEMU."""
    path = folder / "program"
    path.write_bytes(program.elf)
    path.chmod(0o755)
    done = subprocess.run([qemu, path], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done
    assert len(done.stdout) == program.size
    return done.stdout


def found(program: Program, engine: Engine, folder: Path) -> bytes:
    """The same of a machine here, which stops at the first system call."""
    device = folder / "everything.toml"
    device.write_text(DEVICE.format(core=CORES[program.order], base=BASE))
    machine = Machine(device, program.elf, engine=engine)
    stop = machine.run().values["stop"]
    assert stop["kind"] == "trap", stop
    return machine.read(program.out, program.out_size) + machine.read(program.data, ROOM)


def difference(program: Program, ours: bytes, theirs: bytes) -> str | None:
    """The first case that differs, with its lines; nothing if none does."""
    if ours == theirs:
        return None
    at = next(at for at, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1])
    if at >= program.out_size:
        return f"memory at {at - program.out_size:#x}"
    case = at // SAVED
    values = [
        f"{place // 4}: {ours[first : first + 4].hex()} {theirs[first : first + 4].hex()}"
        for place in range(0, SAVED, 4)
        for first in [case * SAVED + place]
        if ours[first : first + 4] != theirs[first : first + 4]
    ]
    return f"case {case}: {values} {program.cases[case]}"


@pytest.mark.parametrize("order", ORDERS)
def test_instructions_do_what_qemu_says(
    need_tool: Callable[[str], str], tmp_path: Path, order: Order
) -> None:
    need_tool(ASSEMBLER)
    program = generate(Random(order), order, 1000, LENGTH, 2, tmp_path)
    theirs = expected(program, need_tool(QEMU[order]), tmp_path)
    assert difference(program, found(program, "interpreter", tmp_path), theirs) is None
    assert {*BINARY, *UNARY, *ALONE, *HINTS, *LOGIC, *ROTATIONS} <= program.used.keys()


@pytest.mark.parametrize("order", ORDERS)
def test_compiled_code_does_what_qemu_says(
    need_tool: Callable[[str], str], tmp_path: Path, order: Order
) -> None:
    need_tool(ASSEMBLER)
    program = generate(Random(f"compiled {order}"), order, 50, LENGTH, 4000, tmp_path)
    theirs = expected(program, need_tool(QEMU[order]), tmp_path)
    assert difference(program, found(program, "compiled", tmp_path), theirs) is None


@pytest.mark.parametrize("order", ORDERS)
def test_both_engines_count_the_same_cycles(
    need_tool: Callable[[str], str], tmp_path: Path, order: Order
) -> None:
    need_tool(ASSEMBLER)
    program = generate(Random(f"cycles {order}"), order, 100, LENGTH, 100, tmp_path)
    device = tmp_path / "everything.toml"
    device.write_text(DEVICE.format(core=CORES[order], base=BASE))
    engines: list[Engine] = ["interpreter", "compiled"]
    runs = [Machine(device, program.elf, engine=engine).run().values for engine in engines]
    counts = [(run["cycles"], run["instructions"], run["stop"]) for run in runs]
    assert counts[0] == counts[1]
    assert counts[0][0] > counts[0][1] > 100000


def main() -> None:
    """Compares the number of instructions given on the command line."""
    count, cases = int(sys.argv[1]), 2000
    with tempfile.TemporaryDirectory() as name:
        for order in ORDERS:
            done, number = 0, 0
            while done < count:
                program = generate(Random(f"{order} {number}"), order, cases, LENGTH, 2, Path(name))
                qemu = shutil.which(QEMU[order]) or QEMU[order]
                theirs = expected(program, qemu, Path(name))
                ours = found(program, "interpreter", Path(name))
                done, number = done + sum(map(len, program.cases)), number + 1
                wrong = difference(program, ours, theirs)
                sys.stdout.write(f"{order}: {done} instructions, {wrong or 'no difference'}\n")


if __name__ == "__main__":
    main()
