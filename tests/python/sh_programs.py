"""Random programs for SuperH in assembly, assembled by the GNU assembler.

They run under QEMU's user mode and on a machine here alike: registers, T and memory are written
down behind every few instructions, and a system call ends the program.
"""

from __future__ import annotations

import struct
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

Order = Literal["big", "little"]

BASE = 0x100000
TOOLS = "sh4-linux-gnu-"
ASSEMBLER, OBJCOPY = f"{TOOLS}as", f"{TOOLS}objcopy"
ROOM = 256
"""Bytes of data that random instructions access, around GBR and R14."""
SAVED = 4 * 19
"""Bytes that are written down behind a case: R0 to R14, MACH, MACL, PR, and T."""
CORNERS = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]

BINARY = [
    "mov",
    "swap.b",
    "swap.w",
    "xtrct",
    "add",
    "addc",
    "cmp/eq",
    "cmp/hs",
    "cmp/ge",
    "cmp/hi",
    "cmp/gt",
    "cmp/str",
    "div1",
    "div0s",
    "exts.b",
    "exts.w",
    "extu.b",
    "extu.w",
    "neg",
    "negc",
    "sub",
    "subc",
    "and",
    "not",
    "or",
    "tst",
    "xor",
    "shad",
    "shld",
    "muls.w",
    "mulu.w",
    "mul.l",
    "dmuls.l",
    "dmulu.l",
]
"""Without `addv` and `subv`, which QEMU 7.2 writes to the wrong register."""
UNARY = [
    "movt",
    "cmp/pl",
    "cmp/pz",
    "dt",
    "rotcl",
    "rotcr",
    "shal",
    "shar",
    "shll",
    "shlr",
    "shll2",
    "shlr2",
    "shll8",
    "shlr8",
    "shll16",
    "shlr16",
]
ROTATIONS = ["rotl", "rotr"]
ALONE = ["div0u", "clrt", "sett", "clrs", "sets", "clrmac", "nop"]
LOGIC = ["and", "or", "xor", "tst"]
SPECIAL = ["mach", "macl", "pr"]
HINTS = ["pref", "ocbp", "ocbwb"]
SIZES = {"b": 1, "w": 2, "l": 4}


@dataclass
class Generator:
    """Draws instructions."""

    random: Random
    order: Order
    used: dict[str, int] = field(default_factory=dict)
    """How often each instruction was drawn."""
    labels: int = 0

    def register(self) -> str:
        """A register that may be written."""
        return f"r{self.random.randrange(14)}"

    def other(self, n: str) -> str:
        """A register beside one."""
        return self.random.choice([f"r{number}" for number in range(14) if f"r{number}" != n])

    def pick(self, names: list[str]) -> str:
        """One of some instructions, which is counted."""
        name = self.random.choice(names)
        return self.count(name)

    def count(self, name: str) -> str:
        """Counts an instruction."""
        self.used[name] = self.used.get(name, 0) + 1
        return name

    def value(self) -> int:
        """A constant, often one at the borders of a range."""
        if self.random.random() < 0.3:
            return self.random.choice(CORNERS)
        return self.random.randrange(1 << 32)

    def label(self) -> str:
        """A fresh label."""
        self.labels += 1
        return f"l{self.labels}"

    def single(self) -> str:
        """An instruction that may stand anywhere, in a delay slot too."""
        draw, m, n = self.random.randrange, self.register(), self.register()
        match draw(9):
            case 0 | 1 | 2:
                name = self.pick(BINARY)
                return f"{name} {'r14' if name == 'div1' else m},{n}"
            case 3 | 4:
                return f"{self.pick(UNARY)} {n}"
            case 5:
                return self.immediate(n)
            case 6:
                return self.pick(ALONE)
            case 7:
                return self.access(m)
            case _:
                special = self.random.choice(SPECIAL)
                # Links are addresses, which both sides share.
                name = self.pick(["sts", "lds"])
                return f"sts {special},{n}" if name == "sts" else f"lds {m},{special}"

    def immediate(self, n: str) -> str:
        """An instruction with an immediate."""
        match self.random.randrange(3):
            case 0:
                return f"{self.pick(LOGIC)} #{self.random.randrange(256)},r0"
            case 1:
                self.count("cmp/eq #")
                return f"cmp/eq #{self.random.randrange(-128, 128)},r0"
            case _:
                name = self.pick(["mov #", "add #"])
                return f"{name}{self.random.randrange(-128, 128)},{n}"

    def access(self, m: str) -> str:
        """A load or store at R14 or GBR, with or without a distance."""
        size = self.random.choice(list(SIZES))
        bytes_, name = SIZES[size], f"mov.{size}"
        at = self.random.randrange(16) * bytes_
        match self.random.randrange(8):
            case 0:
                return f"{self.count(name)} {m},@r14"
            case 1:
                return f"{self.count(name)} @r14,{m}"
            case 2:
                return f"{self.count(name)} {m if size == 'l' else 'r0'},@({at},r14)"
            case 3:
                return f"{self.count(name)} @({at},r14),{m if size == 'l' else 'r0'}"
            case 4:
                return f"{self.count(name)} r0,@({at},gbr)"
            case 5:
                return f"{self.count(name)} @({at},gbr),r0"
            case 6:
                return f"{self.count('tas.b')} @r14"
            case _:
                return f"{self.pick(HINTS)} @r14"

    def item(self) -> list[str]:
        """Lines that belong together."""
        match self.random.randrange(14):
            case 13:
                return self.divided()
            case 12:
                # QEMU 7.2 clears T, which is overwritten here.
                rotated = f"{self.pick(ROTATIONS)} {self.register()}"
                return [rotated, f"cmp/hi {self.register()},{self.register()}"]
            case 0:
                return self.moving()
            case 1:
                return self.indexed()
            case 2:
                return self.accumulated()
            case 3:
                return self.special()
            case 4 | 5:
                return self.conditional()
            case 6:
                return self.unconditional()
            case 7:
                return self.literal()
            case _:
                return [self.single()]

    def pointed(self, n: str, size: int = 4) -> list[str]:
        """Lets a register point into the data, with room on both sides."""
        at = self.random.randrange(2, 24) * size
        return [f"mov r14,{n}", f"add #{at},{n}"]

    def moving(self) -> list[str]:
        """Accesses that move a pointer, some of them with the pointer as their value."""
        size, n, m = self.random.choice(list(SIZES)), self.register(), self.register()
        name = self.count(f"mov.{size}")
        down = self.random.random() < 0.5
        access = f"{name} {m},@-{n}" if down else f"{name} @{n}+,{m}"
        return [*self.pointed(n, SIZES[size]), access]

    def indexed(self) -> list[str]:
        """Accesses with R0 as index."""
        size, m = self.random.choice(list(SIZES)), self.register()
        at = self.random.randrange(16) * SIZES[size]
        index = f"mov #{at},r0"
        match self.random.randrange(4):
            case 0:
                return [index, f"{self.count(f'mov.{size}')} {m},@(r0,r14)"]
            case 1:
                return [index, f"{self.count(f'mov.{size}')} @(r0,r14),{m}"]
            case 2:
                return [index, f"{self.count('movca.l')} r0,@r14"]
            case _:
                name = self.pick([f"{name}.b" for name in LOGIC])
                return [index, f"{name} #{self.random.randrange(256)},@(r0,gbr)"]

    def accumulated(self) -> list[str]:
        """`mac.l` and `mac.w` without saturation, in which QEMU 7.2 differs from the manual.

        With the highest byte first, QEMU 7.2 takes the wrong half of words for `mac.w`; with one
        register for both factors, it reads one address twice.
        """
        n = self.register()
        m = self.other(n)
        name = self.pick(["mac.l"] if self.order == "big" else ["mac.l", "mac.w"])
        return ["clrs", *self.pointed(n), *self.pointed(m), f"{name} @{m}+,@{n}+"]

    def divided(self) -> list[str]:
        """Steps of a division.

        The divisor is not 0, by which QEMU 7.2 borrows, and not the dividend, where manuals differ.
        """
        n, label = self.register(), self.label()
        m = self.other(n)
        begin = self.random.choice([["div0u"], [f"div0s {m},{n}"], []])
        steps = [f"div1 {m},{n}"] * self.random.randrange(1, 5)
        return [f"tst {m},{m}", f"bf {label}", f"add #3,{m}", f"{label}:", *begin, *steps]

    def special(self) -> list[str]:
        """Special registers in memory, and GBR."""
        n, special = self.register(), self.random.choice(SPECIAL)
        match self.random.randrange(4):
            case 0:
                return [*self.pointed(n), f"{self.count('sts.l')} {special},@-{n}"]
            case 1:
                return [*self.pointed(n), f"{self.count('lds.l')} @{n}+,{special}"]
            case 2:
                return [f"{self.count('stc')} gbr,{n}", f"{self.count('ldc')} {n},gbr"]
            case _:
                lines = [f"{self.count('stc.l')} gbr,@-{n}", f"{self.count('ldc.l')} @{n}+,gbr"]
                return [*self.pointed(n), *lines]

    def skipped(self) -> list[str]:
        """Instructions that a branch leads over."""
        return [self.single() for _ in range(self.random.randrange(4))]

    def conditional(self) -> list[str]:
        """A conditional branch, with a delay slot or without."""
        name, label = self.pick(["bt", "bf", "bt/s", "bf/s"]), self.label()
        slot = [self.single()] if name.endswith("s") else []
        return [f"{name} {label}", *slot, *self.skipped(), f"{label}:"]

    def unconditional(self) -> list[str]:
        """A branch to a label or a register."""
        name = self.pick(["bra", "bsr", "braf", "bsrf", "jmp", "jsr", "rts"])
        label, slot = self.label(), self.single()
        if name in ("bra", "bsr"):
            return [f"{name} {label}", slot, *self.skipped(), f"{label}:"]
        if name in ("braf", "bsrf"):
            skipped, n = self.skipped(), self.register()
            return [f"mov #{2 * len(skipped)},{n}", f"{name} {n}", slot, *skipped]
        if name == "rts":
            lines = ["lds r0,pr", "rts"]
        else:
            n = self.register()
            lines = [f"mov r0,{n}", f"{name} @{n}"]
        # The target of `mova` is a multiple of 4.
        return [
            f"{self.count('mova')} {label},r0",
            *lines,
            slot,
            *self.skipped(),
            ".align 2",
            f"{label}:",
        ]

    def literal(self) -> list[str]:
        """A constant from between the instructions."""
        n, value, over, at = self.register(), self.value(), self.label(), self.label()
        is_long = self.random.random() < 0.6
        name = self.count("mov.l" if is_long else "mov.w")
        constant = f".long {value}" if is_long else f".word {value & 0xFFFF}"
        return [
            f"{name} {at},{n}",
            f"bra {over}",
            self.single(),
            ".align 2",
            f"{at}: {constant}",
            f"{over}:",
        ]


@dataclass(frozen=True)
class Program:
    """A program, with the addresses of what it writes down."""

    elf: bytes
    out: int
    out_size: int
    data: int
    cases: list[list[str]]
    """The lines of each case."""
    used: dict[str, int]
    """How often each instruction was drawn."""
    order: Order

    @property
    def size(self) -> int:
        """Bytes that it writes under QEMU."""
        return self.out_size + ROOM


DATA, OUT = BASE + 0x400000, BASE + 0x401000


def generate(
    random: Random, order: Order, cases: int, length: int, passes: int, folder: Path
) -> Program:
    """A program of so many cases with so many items each, which it runs through several times."""
    generator = Generator(random, order)
    listed = [[line for _ in range(length) for line in generator.item()] for _ in range(cases)]
    lines, size = _start(generator), cases * SAVED
    for case in listed:
        lines += [*case, *SAVE]
    lines += ["mov.l counter,r1", "mov.l again,r3", "mov.l @r1,r2", "dt r2", "mov.l r2,@r1"]
    lines += ["bt done", "jmp @r3", "nop", ".align 2", f"counter: .long {DATA + ROOM}"]
    lines += [f"again: .long begin - _start + {BASE}", "done:"]
    lines += _write(OUT, size) + _write(DATA, ROOM)
    lines += ["mov #1,r3", "mov #0,r4", "trapa #0x11", "nop"]
    mark = ">" if order == "big" else "<"
    content = random.randbytes(ROOM) + struct.pack(f"{mark}I", passes)
    image = elf(
        {BASE: (assembled(lines, order, folder), 0), DATA: (content, OUT - DATA + size)}, order
    )
    return Program(image, OUT, size, DATA, listed, generator.used, order)


SAVE = [
    *(f"mov.l r{number},@({4 * number},r15)" for number in range(15)),
    "add #60,r15",
    *(f"sts {special},r{number}" for number, special in enumerate(SPECIAL)),
    "movt r3",
    *(f"mov.l r{number},@({4 * number},r15)" for number in range(4)),
    "add #16,r15",
]


def _start(generator: Generator) -> list[str]:
    """Registers with random values; R14 and GBR point to the data, R15 to what is written down."""
    values = {f"r{number}": generator.value() for number in range(14)}
    loads = [f"mov.l v_{name},{name}" for name in values]
    loads += ["lds r1,mach", "lds r2,macl", "lds r3,pr", "bra begin", "nop", ".align 2"]
    pool = [f"v_{name}: .long {value}" for name, value in values.items()]
    pool += [f"v_data: .long {DATA}", f"v_out: .long {OUT}"]
    begin = ["begin: mov.l p_data,r14", "mov.l p_out,r15", "ldc r14,gbr", "bra first", "nop"]
    pointers = [".align 2", f"p_data: .long {DATA}", f"p_out: .long {OUT}", "first:"]
    return [".text", ".global _start", "_start:", *loads, *pool, *begin, *pointers]


def _write(address: int, size: int) -> list[str]:
    """`write` to the standard output."""
    label = f"w{address:x}"
    loads = [f"mov.l {label},r5", f"mov.l {label}+4,r6", "mov #4,r3", "mov #1,r4"]
    pool = [".align 2", f"{label}: .long {address}, {size}"]
    return [*loads, f"bra {label}_", "nop", *pool, f"{label}_: trapa #0x13", "nop"]


def assembled(lines: list[str], order: Order, folder: Path) -> bytes:
    """The code of lines of assembly without relocations."""
    source, unit, binary = (folder / f"program{end}" for end in (".s", ".o", ".bin"))
    source.write_text("\n".join(lines) + "\n")
    _run(ASSEMBLER, f"-{order}", "-o", str(unit), str(source))
    _run(OBJCOPY, "-O", "binary", "-j", ".text", str(unit), str(binary))
    return binary.read_bytes()


def elf(segments: dict[int, tuple[bytes, int]], order: Order) -> bytes:
    """Segments that may be read, written and executed, at pages: each content with a least size.

    The program begins at the first.
    """
    mark = ">" if order == "big" else "<"
    kind = b"\x7fELF" + bytes([1, 2 if order == "big" else 1, 1]) + bytes(9)
    fields = (2, 42, 1, next(iter(segments)), 52, 0, 9, 52, 32, len(segments), 40, 0, 0)
    header = kind + struct.pack(f"{mark}HHIIIIIHHHHHH", *fields)
    at, body = 0x1000, b""
    for address, (content, size) in segments.items():
        sizes = (len(content), max(size, len(content)))
        header += struct.pack(f"{mark}IIIIIIII", 1, at, address, address, *sizes, 7, 0x1000)
        padded = content.ljust(-(-len(content) // 0x1000) * 0x1000, b"\0")
        at, body = at + len(padded), body + padded
    return header.ljust(0x1000, b"\0") + body


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
