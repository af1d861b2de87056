"""The MCS-51's instructions and their cycles against ucsim: random instructions, one after another.

Both execute the same instructions at addresses of their own: `s51` of Debian's sdcc-ucsim, and
`crates/isa-8051/examples/mcs51_evaluate.rs` on the reference evaluator and the cost model. After
every instruction the program counter, A, B, PSW, SP, DPTR, the registers of the bank and the cycles
must be equal, and after every program all internal and external data. Run as a program,
`python test_8051_ucsim.py COUNT`, it executes COUNT instructions.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import pytest

from host import ROOT
from rust_examples import example, output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

INSTRUCTIONS = 10_000
PROGRAM = 10_000
"""Instructions of a program, which memory for code has room for."""
LENGTHS = {
    1: "00 03 04 13 14 22 23 32 33 73 83 84 93 a3 a4 b3 c3 c4 d3 d4 e0 e4 f0 f4",
    2: "01 05 11 15 21 24 25 31 34 35 40 41 42 44 45 50 51 52 54 55 60 61 62 64 65 70 71 72 74 80"
    " 81 82 91 92 94 95 a0 a1 a2 b0 b1 b2 c0 c1 c2 c5 d0 d1 d2 e1 e5 f1 f5",
    3: "02 10 12 20 30 43 53 63 75 85 90 b4 b5 d5",
}
"""First bytes of instructions without registers, by the manual's lengths."""
ROWS = {1: "0 1 2 3 4 5 6 9 c e f", 2: "7 8 a d", 3: "b"}
"""The upper halves of first bytes whose lower half is 6 to f: @R0, @R1 and R0 to R7."""
EXCEPTIONS = {0xD6: 1, 0xD7: 1, 0xE2: 1, 0xE3: 1, 0xF2: 1, 0xF3: 1}
DIRECT_FIRST = {
    0x05, 0x15, 0x25, 0x35, 0x45, 0x55, 0x65, 0x95, 0xC5, 0xE5, 0xF5, 0x42, 0x52, 0x62, 0x43, 0x53,
    0x63, 0x75, 0x85, *range(0x86, 0x90), *range(0xA6, 0xB0), 0xB5, 0xC0, 0xD0, 0xD5,
}  # fmt: skip
"""First bytes of instructions whose second byte is a direct address."""
BITS = {0x10, 0x20, 0x30, 0x72, 0x82, 0x92, 0xA0, 0xA2, 0xB0, 0xB2, 0xC2, 0xD2}
"""First bytes of instructions whose second byte is a bit."""
SPECIAL = [0x80, 0x81, 0x82, 0x83, 0x90, 0xA0, 0xB0, 0xD0, 0xE0, 0xF0]
"""Special function registers that start nothing: ports, stack pointer, DPTR, PSW, A, B."""
BIT_BYTES = [0x80, 0x90, 0xA0, 0xD0, 0xE0, 0xF0]
PSW = 0xD0
SAME = (bytes.fromhex("43d000"), bytes.fromhex("4400"))
"""`orl psw, #0` and `orl a, #0`, which follow an instruction that may write PSW. In ucsim 0.6.4, a
write of RS0 or RS1 as a bit leaves the bank, and a write of PSW leaves a parity flag that is not A's;
in the manual ("Program Status Word"), RS1 and RS0 select the bank, and hardware sets the parity in
each cycle."""
MOVC, LOWER = 0x93, bytes.fromhex("7583")
"""`movc a, @a+dptr`, and the beginning of `mov dph, #` in front of it: ucsim 0.6.4 reads 0 where
the sum has more than 16 bits, which addresses of code do not have."""
FIELDS = ("pc", "cycles", "a", "b", "psw", "sp", "dptr", "registers")
STOP = re.compile(r"Stop at 0x(\w+):.*?(\d+) ticks")
SHOWN = re.compile(
    r" R7\n\s+((?:\w\w ){7}\w\w).*?ACC= 0x(\w\w).*?B= 0x(\w\w).*?PSW= 0x(\w\w)"
    r".*?SP 0x(\w\w).*?DPTR= 0x(\w{4})",
    re.DOTALL,
)


def lengths() -> dict[int, int]:
    """The length of each instruction by its first byte; A5 is none."""
    found = {int(byte, 16): length for length, row in LENGTHS.items() for byte in row.split()}
    for length, row in ROWS.items():
        for upper in row.split():
            found |= {int(upper, 16) << 4 | lower: length for lower in range(6, 16)}
    assert len(found | EXCEPTIONS) == 255
    return found | EXCEPTIONS


@dataclass(frozen=True)
class Program:
    """Memory for code, the addresses of its instructions, and data."""

    code: bytes
    starts: list[int]
    internal: bytes

    @property
    def external(self) -> bytes:
        """External data: a byte of its own for each page."""
        return b"".join(bytes([7 * page & 255]) * 256 for page in range(256))


def direct(random: Random) -> int:
    """A direct address."""
    return random.choice(SPECIAL) if random.random() < 0.4 else random.randrange(0x80)


def bit(random: Random) -> int:
    """A bit's address."""
    if random.random() < 0.5:
        return random.choice(BIT_BYTES) + random.randrange(8)
    return random.randrange(0x80)


def instruction(first: int, length: int, random: Random) -> list[int]:
    """An instruction with operands that ucsim's peripherals do not react to."""
    rest = [random.randrange(256) for _ in range(length - 1)]
    if first in DIRECT_FIRST:
        rest[0] = direct(random)
    if first == 0x85:
        rest[1] = direct(random)
    if first in BITS:
        rest[0] = bit(random)
    return [first, *rest]


def names_status(code: bytes | list[int]) -> bool:
    """Returns whether an instruction may write PSW by its address, or one of its bits."""
    if code[0] in BITS:
        return code[1] & 0xF8 == PSW
    return code[0] in DIRECT_FIRST and PSW in code[1:3]


def program(random: Random, count: int) -> Program:
    """A program of so many instructions, or a few more; all first bytes are equally likely."""
    of = sorted(lengths().items())
    code: list[int] = []
    starts: list[int] = []
    while len(starts) < count:
        drawn = instruction(*random.choice(of), random)
        before = [bytes([*LOWER, random.randrange(0xFF)])] if drawn[0] == MOVC else []
        for each in (*before, drawn, *(SAME if names_status(drawn) else ())):
            starts.append(len(code))
            code += each
    code += random.randbytes(0x10000 - len(code))
    return Program(bytes(code), starts, random.randbytes(256))


def ours(evaluate: Path, program: Program) -> list[str]:
    """The states that we print, and the data at the end."""
    steps = "s " + " ".join(f"{start:x}" for start in program.starts)
    data = f"i {program.internal.hex()}\nx {program.external.hex()}"
    text = f"p {program.code.hex()}\n{data}\n{steps}\nd\n"
    return output([evaluate, ROOT / "devices/i8052.toml"], text=text).splitlines()


def commands(program: Program) -> Iterator[str]:
    """The same for ucsim."""
    yield "set error stack off"
    for name, memory in (("rom", program.code), ("iram", program.internal)):
        for at in range(0, len(memory), 32):
            yield f"set memory {name} {at:#x} {' '.join(map(hex, memory[at : at + 32]))}"
    for page in range(256):
        yield f"fill xram {page << 8:#x} {page << 8 | 255:#x} {program.external[page << 8]:#x}"
    for start in program.starts:
        yield f"pc {start:#x}"
        yield "step"
        yield "info registers"
    yield "dump /h iram 0 0xff 256"
    yield "dump /h xram 0 0xffff 256"
    yield "quit"


def theirs(simulator: str, program: Program) -> list[str]:
    """The states that ucsim prints, and the data at the end."""
    text = "\n".join(commands(program)) + "\n"
    process = subprocess.run(
        [simulator, "-t", "C52", "-b", "-P"],
        input=text, capture_output=True, text=True, check=True, errors="replace",
    )  # fmt: skip
    return list(parsed(process.stdout))


def parsed(text: str) -> Iterator[str]:
    """The states in ucsim's output, and the data."""
    stops = list(STOP.finditer(text))
    ends = [stop.start() for stop in stops[1:]] + [len(text)]
    for stop, end in zip(stops, ends, strict=True):
        shown = SHOWN.search(text, stop.end(), end)
        assert shown, text[stop.start() : end]
        registers, a, b, psw, sp, dptr = shown.groups()
        pc, cycles = stop.groups()
        state = f"{int(pc, 16):04x} {cycles} {a} {b} {psw} {sp} {dptr}"
        yield f"{state} {registers.replace(' ', '')}"
    rows = re.findall(r"^0x(?:\w\w|\w{4}) ((?:\w\w ){256})", text, re.MULTILINE)
    data = [row.replace(" ", "") for row in rows[-257:]]
    yield data[0]
    yield "".join(data[1:])


def difference(at: int, program: Program, our_line: str, their_line: str) -> str | None:
    """The values in which two states differ, if there are any."""
    if at >= len(program.starts):
        return "internal or external data"
    start = program.starts[at]
    code = program.code[start : start + 3]
    parity = 1 if names_status(code) else 0
    pairs = zip(FIELDS, our_line.split(), their_line.split(), strict=True)
    differing = [
        f"{field} {our} {their}"
        for field, our, their in pairs
        if our != their and (field != "psw" or int(our, 16) | parity != int(their, 16) | parity)
    ]
    if not differing:
        return None
    return f"{at}: {code.hex()} {'; '.join(differing)}"


def compare(simulator: str, evaluate: Path, random: Random, count: int) -> str | None:
    """The first difference in a program, behind which states are different."""
    checked = program(random, count)
    our_lines, their_lines = ours(evaluate, checked), theirs(simulator, checked)
    assert len(our_lines) == len(their_lines) == len(checked.starts) + 2
    pairs = enumerate(zip(our_lines, their_lines, strict=True))
    differences = (difference(at, checked, *pair) for at, pair in pairs if pair[0] != pair[1])
    return next((text for text in differences if text is not None), None)


@pytest.mark.long
def test_instructions_do_and_cost_what_ucsim_says(need_tool: Callable[[str], str]) -> None:
    found = compare(need_tool("s51"), example("mcs51_evaluate"), Random("mcs51"), INSTRUCTIONS)
    assert found is None, found


def main() -> None:
    """Compares the number of instructions given on the command line."""
    count = int(sys.argv[1])
    evaluate = example("mcs51_evaluate", optimised=True)
    for seed in range(0, count, PROGRAM):
        found = compare("s51", evaluate, Random(f"mcs51 {seed}"), min(PROGRAM, count - seed))
        sys.stdout.write(f"{min(seed + PROGRAM, count)} instructions: {found or 'equal'}\n")


if __name__ == "__main__":
    main()
