"""Timers 0 and 1 of the MCS-51 against ucsim: counts and flags that programs read.

Programs are generated: they set modes and counts, let timers run and stop, and read all registers
between other instructions. Both simulators run them, and what they have read must be equal. They
reach the registers by instructions of one machine cycle alone: those of two reach them in the first
one in ucsim, and in the last one here. Run as a program, `python test_8051_timers.py COUNT`, it
compares so many programs.
"""

from __future__ import annotations

import re
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.machine import Machine
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PROGRAMS = 4
READS = 400
"""Reads of a program; each is stored behind the one before it in external data."""
TCON, TMOD, TL0, TL1, TH0, TH1 = range(0x88, 0x8E)
EXTERNAL = 0x1_0000
ACCEPTED = 1
"""Cycles from the end of the store to where the exit device accepts the code, and our run ends."""
CLOCKS = 10_000_000
"""The longest that a program may run."""
NESTING = ROOT / "tests/cases/8051/interrupts.c"
FILLERS = (bytes([0x00]), bytes([0xA4]), bytes([0x75, 0x30, 0x55]), bytes([0xC5, 0x31]))
"""`nop`, `mul ab`, `mov 0x30, #0x55` and `xch a, 0x31`, of 1, 4, 2 and 1 machine cycles."""
SHORT = 0
"""The mode in which TL has five bits; the manual leaves the others open."""
SPLIT = 3
"""The mode in which timer 0 is two counters.

Timer 1 then runs by the manual, but in ucsim 0.6.4 TR1 starts and stops it, which is TH0's; so it
has the mode in which it stands.
"""
END = bytes.fromhex("90f020 e4 f0 a3 f0 a3 f0 a3 f0")
"""Writes 0 to the exit device."""
RUNS = {0xD2: (0x8C, 0x8E), 0xC2: (0x8C, 0x8E)}
"""`setb` and `clr` of TR0 and TR1."""


def written(register: int, value: int) -> bytes:
    """Writes a register by an instruction of one machine cycle."""
    return bytes([0x74, value, 0xF5, register])


def stored(register: int) -> bytes:
    """Reads a register by an instruction of one machine cycle, and stores the value."""
    return bytes([0xE5, register, 0xF0, 0xA3])


def instructions(random: Random, modes: tuple[int, ...]) -> Iterator[bytes]:
    """A program but for its end; the timers have one of these modes each, and count no pins."""
    yield bytes([0x90, 0x00, 0x00])
    for at in range(READS):
        if at % 40 == 0:
            first, second = random.choice(modes), random.choice(modes)
            second = first if first == SPLIT else second
            yield written(TCON, 0)
            yield written(TMOD, first | second << 4)
            for register in (TL0, TL1, TH0, TH1):
                value = random.choice((random.randrange(256), 0xFF, 0xFE))
                is_short = {TL0: first, TL1: second}.get(register) == SHORT
                yield written(register, value & 0x1F if is_short else value)
        if random.random() < 0.3:
            first_byte = random.choice((0xD2, 0xD2, 0xC2))
            yield bytes([first_byte, random.choice(RUNS[first_byte])])
        for _ in range(random.randrange(12)):
            yield random.choice(FILLERS)
        yield stored(random.choice((TCON, TL0, TL1, TH0, TH1)))


def hex_file(code: bytes, path: Path) -> Path:
    """Writes an Intel HEX file of memory from address 0 on."""
    lines = []
    for at in range(0, len(code), 32):
        part = code[at : at + 32]
        line = bytes([len(part), at >> 8, at & 255, 0]) + part
        lines.append(f":{(line + bytes([-sum(line) & 255])).hex().upper()}")
    path.write_text("\n".join([*lines, ":00000001FF", ""]))
    return path


def ours(program: Path, size: int) -> tuple[bytes, int]:
    """The beginning of external data at the end of a program on our side, and its clocks."""
    machine = Machine(Device.load("i8052"), program)
    result = machine.run(CLOCKS)
    assert result.values["stop"]["exit_code"] == 0, result.values["stop"]
    return machine.read(EXTERNAL, size), result.values["cycles"] - ACCEPTED


def theirs(simulator: str, program: Path, size: int) -> tuple[bytes, int]:
    """The same in ucsim."""
    process = subprocess.run(
        [simulator, "-t", "C52", "-b", program],
        input=f"break xram w 0xf023\nrun\nstate\ndump /h xram 0 {size - 1:#x} 256\nquit\n",
        capture_output=True, text=True, check=True, errors="replace", timeout=60,
    )  # fmt: skip
    rows = re.findall(r"^0x\w{4} ((?:\w\w ){1,256})", process.stdout, re.MULTILINE)
    clocks = re.findall(r"\((\d+) clks\)", process.stdout)
    return bytes.fromhex("".join(rows))[:size], int(clocks[0])


def compare(simulator: str, seed: str, modes: tuple[int, ...], folder: Path) -> None:
    """Runs a program on both; what it reads must be equal."""
    code = b"".join(instructions(Random(seed), modes)) + END
    program = hex_file(code, folder / "timers.ihx")
    our_reads, our_clocks = ours(program, READS)
    their_reads, their_clocks = theirs(simulator, program, READS)
    assert our_reads.hex(" ") == their_reads.hex(" "), seed
    assert our_clocks == their_clocks, seed


@pytest.mark.parametrize("modes", [(0,), (1,), (2,), (1, 3), (0, 1, 2, 3)])
def test_timers_count_as_in_ucsim(
    need_tool: Callable[[str], str], tmp_path: Path, modes: tuple[int, ...]
) -> None:
    for number in range(PROGRAMS):
        compare(need_tool("s51"), f"timers {modes} {number}", modes, tmp_path)


def periodic(first: int, second: int) -> bytes:
    """A program that both timers interrupt in mode 2, with these numbers of steps between.

    Handlers count in internal data; behind 25,000 turns of a loop the counts are stored.
    """
    handlers = {0x0B: "0540 32", 0x1B: "0541 32"}
    start = written(TMOD, 0x22) + bytes.fromhex("754000 754100")
    for high, low, steps in ((TH0, TL0, first), (TH1, TL1, second)):
        start += written(high, 0x100 - steps) + written(low, 0x100 - steps)
    start += bytes.fromhex("75b808 75a88a 758850")
    start += bytes.fromhex("7a64 7bfa dbfe dafa c2af 900000 e540 f0 a3 e541 f0") + END
    code = bytearray(0x30) + start
    code[:3] = bytes.fromhex("020030")
    for vector, handler in handlers.items():
        code[vector : vector + 3] = bytes.fromhex(handler)
    return bytes(code)


@pytest.mark.parametrize("steps", [(256, 240), (250, 251)])
def test_interrupts_take_the_time_that_the_manual_gives(
    need_tool: Callable[[str], str], tmp_path: Path, steps: tuple[int, int]
) -> None:
    """The program takes as long as in ucsim beside its handlers and the way there.

    `inc` and `reti` of a handler take 36 clocks, and the call that hardware makes 24 ("How
    Interrupts Are Handled"), for which ucsim 0.6.4 counts 12. Each timer has interrupted as often
    as it went round until interrupts were disabled.
    """
    program = hex_file(periodic(*steps), tmp_path / "periodic.ihx")
    our_counts, our_clocks = ours(program, 2)
    their_counts, their_clocks = theirs(need_tool("s51"), program, 2)
    beside = our_clocks - sum(our_counts) * (36 + 24)
    assert beside == their_clocks - sum(their_counts) * (36 + 12)
    for clocks, counts in ((our_clocks, our_counts), (their_clocks, their_counts)):
        rounds = [clocks / (12 * count) for count in steps]
        assert all(-2 < count - full < 1 for count, full in zip(counts, rounds, strict=True))


def test_a_handler_interrupts_one_of_lower_priority(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """SDCC's program counts one interrupt of timer 0, and those within it as in ucsim."""
    program = tmp_path / "interrupts.ihx"
    command: list[str | Path] = [need_tool("sdcc"), "-mmcs51", "--std-c11", "-o", program, NESTING]
    subprocess.run(command, check=True, capture_output=True)
    (first, _, nested), _ = ours(program, 3)
    (their_first, _, their_nested), _ = theirs(need_tool("s51"), program, 3)
    assert (first, nested) == (their_first, their_nested)
    assert first == 1
    assert nested > 1


if __name__ == "__main__":
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as scratch:
        for number in range(int(sys.argv[1])):
            compare("s51", f"timers {number}", (0, 1, 2, 3), Path(scratch))
    sys.stdout.write(f"{sys.argv[1]} programs: equal\n")
