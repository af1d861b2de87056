"""Random instructions of the SH3-DSP on random states, as a program in assembly.

It runs in the GNU simulator and on a machine here alike: all registers behind each instruction, and
X and Y memory at the end, are written down.
"""

from __future__ import annotations

import struct
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sh_programs import ASSEMBLER, OBJCOPY, Order, elf

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

CODE, DATA, OUT = 0x1000, 0x40000, 0x60000
X_MEMORY, Y_MEMORY, WINDOW = 0x1000E000, 0x1001E000, 0x100
"""X and Y memory, and how much of each is used."""
STATUS = 0x50001000
"""SR: privileged, exceptions blocked, the DSP on."""
SATURATES, WRAPS_X, WRAPS_Y = 2, 1 << 10, 1 << 11
REGISTERS = ["a0", "a1", "a0g", "a1g", "m0", "m1", "x0", "x1", "y0", "y1"]
POINTERS = [4, 5, 6, 7, 8, 9]
SAVED = 4 * (len(REGISTERS) + 4 + len(POINTERS))
"""Bytes that are written down behind an instruction: also DSR, MACH, MACL and SR."""
CORNERS = [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFF0000, 0x7FFFFFFF, 0x80000000, 0xFFFF0000]
FLAGS = 0xF1
"""DC, V, N, Z and GT in DSR."""

RESULTS = (5, 7, 8, 9, 10, 11, 12, 14)
"""The numbers of registers that results may go to."""
BINARY = {"pshl": 0x8000, "psha": 0x9000, "psub": 0xA000, "padd": 0xB000}
BINARY |= {"pand": 0x9400, "pxor": 0xA400, "por": 0xB400}
FIRST = {"pdec": 0x8800, "pinc": 0x9800, "pdmsb": 0x9C00, "pneg": 0xC800, "pcopy": 0xD800}
"""Of one operand, which is a first one."""
SECOND = {"pdec": 0xA800, "pinc": 0xB800, "pdmsb": 0xBC00, "pneg": 0xE800, "pcopy": 0xF800}
NONE = {"pclr": 0x8C00, "psts mach": 0xCC00, "psts macl": 0xDC00}
NONE |= {"plds mach": 0xEC00, "plds macl": 0xFC00}
ALWAYS = {"psubc": 0xA000, "paddc": 0xB000}


@dataclass(frozen=True)
class DspProgram:
    """A program, and what each of its cases executes."""

    elf: bytes
    size: int
    cases: list[str]
    saved: int


def value(random: Random) -> int:
    return random.choice(CORNERS) if random.random() < 0.4 else random.getrandbits(32)


def operation(random: Random) -> tuple[str, int]:
    """The name and the second half of an operation of the DSP."""
    result = random.choice(RESULTS)
    operands = random.getrandbits(4) << 4
    kind = random.randrange(8)
    if kind == 0:
        factors = random.getrandbits(4) << 8 | random.getrandbits(2) << 2
        both = random.choice([0x6000, 0x7000])
        return (
            ("pmuls", 0x4000 | factors)[0:2]
            if random.random() < 0.4
            else (
                "padd pmuls" if both == 0x7000 else "psub pmuls",
                both | factors | operands | random.getrandbits(2),
            )
        )
    if kind == 1:
        name, longest = random.choice([("pshl", 16), ("psha", 32)])
        amount = random.randint(-longest, longest) & 0x7F
        return f"{name} #", (0 if name == "pshl" else 0x1000) | amount << 4 | result
    if kind == 2:
        name = random.choice(["psubc", "paddc", "pcmp", "pabs x", "pabs y", "prnd x", "prnd y"])
        codes = {"psubc": 0xA000, "paddc": 0xB000, "pcmp": 0x8400, "pabs x": 0x8800}
        codes |= {"pabs y": 0xA800, "prnd x": 0x9800, "prnd y": 0xB800}
        used = {"x": 0xC0, "y": 0x30}.get(name[-1], 0xF0)
        return name, codes[name] | operands & used | (0 if name == "pcmp" else result)
    condition = random.choice([0x100, 0x100, 0x200, 0x300])
    tables = [(BINARY, 0xF0), (FIRST, 0xC0), (SECOND, 0x30), (NONE, 0)]
    table, used = random.choice([tables[0], tables[0], *tables])
    name = random.choice(list(table))
    return name, table[name] | condition | operands & used | result


def moves(random: Random) -> int:
    """The lowest ten bits of moves from and to X and Y memory."""
    x, y = random.randrange(4), random.randrange(4)
    bits = x << 2 | y
    if x:
        bits |= random.getrandbits(1) << 9 | random.getrandbits(1) << 7 | random.getrandbits(1) << 5
    if y:
        bits |= random.getrandbits(1) << 8 | random.getrandbits(1) << 6 | random.getrandbits(1) << 4
    return bits


def written_twice(first: int, second: int) -> bool:
    """True if an operation and a move beside it write the same register, which is undefined."""
    loads = set()
    if first & 0xC and not first & 0x20:
        loads.add(8 + (first >> 7 & 1))
    if first & 3 and not first & 0x10:
        loads.add(10 + (first >> 6 & 1))
    if second >> 13 == 3:
        return [8, 10, 7, 5][second & 3] in loads
    return second >> 12 != 4 and second & 15 in loads


def stores_result(first: int, second: int) -> bool:
    """True if an accumulator is stored beside an operation that writes it.

    The simulator stores the new value, and the pipeline the old one.
    """
    both, product = second >> 13 == 3, second >> 12 == 4
    results = [] if product else [[8, 10, 7, 5][second & 3] if both else second & 15]
    results += [[12, 14, 7, 5][second >> 2 & 3]] if both or product else []
    stored = [7 - 2 * (first >> 7 & 1)] if first & 0xC and first & 0x20 else []
    stored += [7 - 2 * (first >> 6 & 1)] if first & 3 and first & 0x10 else []
    return bool(set(stored) & set(results))


def products_clash(second: int) -> bool:
    """True if a product and the sum beside it go to the same register, which is undefined."""
    both = second >> 13 == 3
    return both and [None, None, 7, 5][second >> 2 & 3] == [8, 10, 7, 5][second & 3]


def amount_is_defined(name: str, second: int, registers: dict[str, int]) -> bool:
    """True unless a register has a shift's amount and that is too large."""
    if name not in ("pshl", "psha"):
        return True
    amount = registers[["y0", "y1", "m0", "m1"][second >> 4 & 3]] >> 16
    low = amount & 0x7F
    if name == "psha" and low == 0:
        # The simulator shifts by the host's width.
        return False
    return abs(low - 0x80 if low >= 0x40 else low) <= (16 if name == "pshl" else 32)


SIMULATED_WRONG = {"psubc", "pabs x", "pabs y", "plds macl"}
"""Operations that the simulator gets wrong: guard bits, and what is moved."""
SIGN_BITS_OF_Y = 0xBC00
"""The code of `pdmsb` of a second operand, for which it uses a variable without a value."""
TAME = [0x00020000, 0x3FFF8000, 0x7FFC0000, 0x8001FFFF, 0xC0008000, 0xFFFC8000]
"""Operands whose carries and roundings the simulator gets right."""


def encoded(random: Random, registers: dict[str, int]) -> tuple[str, list[int]]:
    """An instruction of the DSP: its name and its halves.

    What the manual leaves open is left out, and what the simulator does otherwise.
    """
    kind = random.random()
    if kind < 0.1:
        return "movx movy", [0xF000 | moves(random)]
    if kind < 0.2:
        data = random.choice([*RESULTS, 13, 15])
        pointer = random.choice([0, 1])
        return "movs", [0xF400 | pointer << 8 | data << 4 | random.getrandbits(4)]
    while True:
        first = moves(random) if random.random() < 0.3 else 0
        name, second = operation(random)
        if name == "pcmp":
            # It overwrites a register on which pointers depend.
            first = 0
        if name == "psha #" and not second & 0x7F0:
            continue
        if name in SIMULATED_WRONG or second & 0xFC00 == SIGN_BITS_OF_Y:
            continue
        adjust(random, name, second, registers)
        clashes = written_twice(first, second) or products_clash(second)
        clashes |= stores_result(first, second)
        if not clashes and amount_is_defined(name, second, registers):
            return name, [0xF800 | first, second]


def adjust(random: Random, name: str, second: int, registers: dict[str, int]) -> None:
    """Gives operands values with which an operation is defined, and simulated right."""
    if name in ("pshl", "psha") and random.random() < 0.8:
        register = ["y0", "y1", "m0", "m1"][second >> 4 & 3]
        longest = 16 if name == "pshl" else 32
        registers[register] = (random.randint(-longest, longest) & 0x7F) << 16
    if name.startswith("psha"):
        for accumulator in ("a0", "a1"):
            registers[f"{accumulator}g"] = -(registers[accumulator] >> 31)
    if name.startswith(("pinc", "pdec", "prnd")):
        is_y = second & 0x2000 != 0
        register = (["y0", "y1", "m0", "m1"] if is_y else ["x0", "x1", "a0", "a1"])[
            second >> (4 if is_y else 6) & 3
        ]
        registers[register] = random.choice(TAME)
    if "pmuls" in name:
        for factor in ("x0", "x1", "y0", "y1", "a1"):
            if registers[factor] >> 16 == 0x8000:
                registers[factor] ^= 1 << 30


def comparable(name: str, dsr: int) -> int:
    """The bits of DSR of which the simulator's are right.

    Its DC collects those of all later choices, except of `paddc`; its GT does not look at the sign,
    and a sum beside a product has none.
    """
    if name.startswith("padd pmuls"):
        return 0
    return dsr & (0x7F if name.startswith("paddc") else 0x7E)


def single_cases(random: Random, count: int, order: Order) -> tuple[list[str], list[str], bytes]:
    """Lines of so many cases, their names, and their data."""
    mark = ">" if order == "big" else "<"
    lines, names, words = [], [], []
    for _ in range(count):
        registers = {name: value(random) for name in REGISTERS}
        for name in ("a0", "a1"):
            sign = -(registers[name] >> 31)
            registers[f"{name}g"] = random.choice([sign, sign, random.randrange(-128, 128)])
        name, halves = encoded(random, registers)
        x, y = (base + 4 * random.randrange(8, 48) for base in (X_MEMORY, Y_MEMORY))
        pointers = [x, x, y, y, 4 * random.randrange(-4, 4), 4 * random.randrange(-4, 4)]
        ends = x if random.random() < 0.5 else y
        buffer = (ends & 0xFFFF) << 16 | ends & 0xFF00
        status = STATUS | random.choice([0, SATURATES])
        status |= random.choice([0, WRAPS_X, WRAPS_Y])
        dsr = random.randrange(6) << 1 | random.getrandbits(8) & FLAGS
        words += [*registers.values(), dsr, value(random), value(random), buffer, status, *pointers]
        lines += [*LOAD, *(f".word {half}" for half in halves), *SAVE]
        names.append(f"{name} {' '.join(f'{half:04x}' for half in halves)}")
    return lines, names, struct.pack(f"{mark}{len(words)}I", *(word & 0xFFFFFFFF for word in words))


LOAD = [
    *(f"movs.l @r2+,{name}" for name in REGISTERS),
    *(f"lds.l @r2+,{name}" for name in ("dsr", "mach", "macl")),
    *("mov.l @r2+,r0", "ldc r0,mod", "mov.l @r2+,r0", "ldc r0,sr"),
    *(f"mov.l @r2+,r{number}" for number in POINTERS),
]
SAVE = [
    *(f"movs.l {name},@r3+" for name in REGISTERS),
    *(
        line
        for name in ("dsr", "mach", "macl")
        for line in (f"sts {name},r0", "mov.l r0,@r3")
        for line in ([line] if line.startswith("sts") else [line, "add #4,r3"])
    ),
    *("stc sr,r0", "mov.l r0,@r3", "add #4,r3"),
    *(line for number in POINTERS for line in (f"mov.l r{number},@r3", "add #4,r3")),
]


def program(
    body: list[str], names: list[str], data: bytes, saved: int, order: Order, folder: Path
) -> DspProgram:
    """A program that fills X and Y memory, runs the lines, and writes both down behind the rest."""
    size = len(names) * saved + 2 * WINDOW
    copy = ["mov.l @r0+,r5", "mov.l r5,@r1", "add #4,r1", "dt r4", "bf"]
    lines = [".text", "_start:", *constant("r0", STATUS), "ldc r0,sr", *constant("r0", DATA)]
    for base in (X_MEMORY, Y_MEMORY):
        lines += [*constant("r1", base), f"mov #{WINDOW // 4},r4"]
        lines += [f"f{base}: {copy[0]}", *copy[1:4], f"bf f{base}"]
    lines += ["mov r0,r2", *constant("r3", OUT), *body, "mov r3,r1"]
    for base in (X_MEMORY, Y_MEMORY):
        lines += [*constant("r0", base), f"mov #{WINDOW // 4},r4"]
        lines += [f"s{base}: {copy[0]}", *copy[1:4], f"bf s{base}"]
    lines += [*constant("r6", OUT), *constant("r7", size), "mov #1,r5", "mov #4,r4", "trapa #34"]
    lines += ["mov #1,r4", "mov #0,r5", "trapa #34", "nop"]
    code = assembled(lines, order, folder)
    assert CODE + len(code) < DATA
    fill = bytes(range(256)) * (2 * WINDOW // 256)
    image = elf({CODE: (code, 0), DATA: (fill + data, OUT - DATA + size)}, order)
    return DspProgram(with_sections(image, order), size, names, saved)


def with_sections(image: bytes, order: Order) -> bytes:
    """An ELF file for an SH3-DSP whose segments are sections too, which the simulator loads."""
    mark = ">" if order == "big" else "<"
    names = b"\0.text\0.data\0.shstrtab\0"
    sections = [(0,) * 10]
    for number, name in enumerate((1, 7)):
        at = 52 + 32 * number
        _, offset, address, _, size, *_ = struct.unpack(f"{mark}8I", image[at : at + 32])
        sections.append((name, 1, 7, address, offset, size, 0, 0, 4, 0))
    sections.append((13, 3, 0, 0, len(image), len(names), 0, 0, 1, 0))
    table = b"".join(struct.pack(f"{mark}10I", *section) for section in sections)
    flags = struct.pack(f"{mark}II", len(image) + len(names), 5)
    counts = struct.pack(f"{mark}HHH", 40, len(sections), len(sections) - 1)
    return image[:32] + flags + image[40:46] + counts + image[52:] + names + table


def constant(register: str, number: int) -> list[str]:
    """Lines that load a constant of 32 bits without a pool."""
    lines = [f"mov #{signed(number >> 24)},{register}"]
    for shift in (16, 8, 0):
        lines += [f"shll8 {register}", "mov #0,r10"]
        byte = number >> shift & 0xFF
        lines += [f"mov #{signed(byte)},r10", "extu.b r10,r10", f"or r10,{register}"]
    return lines


def signed(byte: int) -> int:
    byte &= 0xFF
    return byte - 256 if byte >= 128 else byte


def assembled(lines: list[str], order: Order, folder: Path) -> bytes:
    """The code of lines of assembly without relocations."""
    source, unit, binary = (folder / f"program{end}" for end in (".s", ".o", ".bin"))
    source.write_text("\n".join(lines) + "\n")
    tool = [ASSEMBLER, "--isa=sh3-dsp", f"-{order}", "-o", str(unit), str(source)]
    for command in (tool, [OBJCOPY, "-O", "binary", "-j", ".text", str(unit), str(binary)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:2000]
    return binary.read_bytes()


BODIES = [
    *("add #1,r4", "add r4,r5", "shll r6", "xor r5,r7", "addc r6,r8", "mov r7,r9", "nop"),
    *("pinc x0,x1", "padd x0,y0,a0", "pcopy a0,m0", "pneg y1,y0", "movs.l @r4,x0"),
    *("padd x1,y1,a1 pmuls x0,y0,m1", "pabs x1,x0", "dt r9", "bf after"),
]


def loop_cases(random: Random, count: int, order: Order) -> tuple[list[str], list[str], bytes]:
    """Lines of so many repeat loops, their texts, and their data."""
    mark = ">" if order == "big" else "<"
    lines, names, words = [], [], []
    for number in range(count):
        registers = {name: random.choice(TAME) for name in REGISTERS}
        registers |= {"a0g": 0, "a1g": 0}
        pointers = [X_MEMORY + 64, *(value(random) for _ in POINTERS[1:])]
        words += [*registers.values(), 0, 0, 0, 0, STATUS, *pointers]
        body, times = loop(random), random.randint(1, 6)
        lines += [*LOAD, f"repeat s{number},e{number},#{times}", "nop"]
        for at, line in enumerate(body):
            lines += [f"s{number}:"] if at == 0 else []
            lines += [f"e{number}:"] if at == len(body) - 1 else []
            lines += [line.replace("after", f"i{number}_{at}"), f"i{number}_{at}:"]
        lines += ["nop", *SAVE]
        names.append(f"{times} times: {'; '.join(body)}")
    return lines, names, struct.pack(f"{mark}{len(words)}I", *(word & 0xFFFFFFFF for word in words))


def loop(random: Random) -> list[str]:
    """The instructions of a loop, of which the last four are no branch; R4 stays a pointer."""
    length = random.randint(1, 9)
    body = [random.choice(BODIES[:-1]) for _ in range(length)]
    if length > 5 and random.random() < 0.5:
        body[random.randrange(length - 4)] = BODIES[-1]
    return ["nop" if "r4" in line and line.startswith("add #1") else line for line in body]


def save_and_load(lines: list[str]) -> list[str]:
    """Lines between those that load registers and those that write them down."""
    return [*LOAD, *lines, *SAVE]
