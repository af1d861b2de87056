"""Random programs for ARM: short sequences, each run on several states, with all registers.

A program is one ELF file of bare code that runs under QEMU's user mode and on the model alike. Each
of its sequences finds its registers and flags in a block of memory and leaves them there; at the
end the memory goes to standard output. Two registers of a sequence hold addresses of a common area,
a third a small index, and a fourth, which the sequence does not write, its block's address.
"""

from __future__ import annotations

import re
import struct
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arm_templates import CONDITIONS, SETS

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from arm_templates import InstructionSet

AREA, AREA_SIZE = 0x40_0000, 0x2000
BLOCKS = AREA + AREA_SIZE
NAMES = [*(f"r{number}" for number in range(13)), "sp", "lr"]
WORDS = 20
"""Words of a block: registers, then flags at 16 and GE at 17."""
STRIDE = 4 * WORDS
CORNERS = [
    *(0, 1, 2, 31, 32, 33, 0x80, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0x8000_8000, 0x7FFF_7FFF),
    *(0xFFFF_0000, 0xFFFF_FFFE, 0xFFFF_FFFF),
]
PLACE = re.compile(r"<([^<>]+)>")


@dataclass
class Program:
    """A program: its memory before it runs, and its sequences."""

    elf: Path
    memory: bytes
    sequences: list[list[str]] = field(default_factory=list)
    executed: int = 0
    names: Counter[str] = field(default_factory=Counter)


class Sequence:
    """Instructions that are being generated, which share a choice of registers."""

    def __init__(self, random: Random, isa: InstructionSet, number: int) -> None:
        self.random, self.isa, self.number = random, isa, number
        pool = isa.registers[:]
        random.shuffle(pool)
        self.block = random.choice(isa.block_registers or pool)
        pool = [name for name in pool if name not in (self.block, "lr")]
        self.addresses, self.index = pool[:2], pool[2]
        reserved = {self.block, self.index, *self.addresses}
        self.destinations = [name for name in isa.registers if name not in reserved]
        self.sources = [name for name in isa.registers if name != self.block]
        self.high = [name for name in NAMES[8:] if name not in ("sp", self.block)]
        self.unaligned = bool(isa.unaligned) and random.random() < 0.2
        self.lines: list[str] = []
        self.names: Counter[str] = Counter()
        self._labels = 0

    def write(self) -> None:
        """Makes one to six pieces."""
        for _ in range(self.random.randint(1, 6)):
            kind = self.random.random()
            if kind < 0.15:
                self._control()
            elif kind < 0.35 and self.isa.it:
                self._it()
            else:
                self._instruction()

    def _control(self) -> None:
        self._labels += 1
        prefix = f".L{self.number}_{self._labels}"
        template = self.random.choice(self.isa.control)
        if "lr" in (self.block, *self.addresses) and re.search(r"\b(blx?|lr)\b", template):
            return self._instruction()
        values = {"k": self.random.choice(CONDITIONS)}
        for line in template.split("; "):
            if line == "one":
                self._instruction()
            else:
                text = self._filled(line.replace("@", prefix), values)
                self.lines.append(text if text.endswith(":") else f" {text}")
                self.names[line.split()[0]] += not line.endswith(":")
        return None

    def _it(self) -> None:
        first = self.random.randrange(14)
        pattern = [True, *(self.random.random() < 0.5 for _ in range(self.random.randrange(4)))]
        letters = "".join("t" if then else "e" for then in pattern[1:])
        self.lines.append(f" it{letters} {CONDITIONS[first]}")
        for then in pattern:
            self._instruction(CONDITIONS[first if then else first ^ 1])

    def _instruction(self, condition: str | None = None) -> None:
        families = self.isa.unaligned if self.unaligned else self.isa.families
        weights = [weight for weight, _ in families]
        _, family = self.random.choices(families, weights)[0]
        if condition is None and self.isa.conditional and self.random.random() < 0.4:
            condition = self.random.choice(CONDITIONS)
        text = self._filled(self.random.choice(family), {})
        name, _, operands = text.partition(" ")
        self.names[name] += 1
        stem, dot, kind = name.partition(".")
        self.lines.append(f" {stem}{condition or ''}{dot}{kind} {operands}")

    def _filled(self, template: str, values: dict[str, str]) -> str:
        """A template with every `<place>` filled; equal places of one letter get the same."""

        def fill(match: re.Match[str]) -> str:
            placeholder = match[1]
            if placeholder in values:
                return values[placeholder]
            value = self._operand(placeholder, values)
            if len(placeholder) == 1:
                values[placeholder] = value
            return value

        while PLACE.search(template):
            template = PLACE.sub(fill, template)
        return template

    def _operand(self, placeholder: str, values: dict[str, str]) -> str:
        if "|" in placeholder:
            return self.random.choice(placeholder.split("|"))
        if ".." in placeholder:
            return self._number(placeholder)
        if placeholder in "def":
            taken = {values.get(name) for name in "def"}
            return self.random.choice([name for name in self.destinations if name not in taken])
        choices = {
            "n": self.sources,
            "m": self.sources,
            "a": self.sources,
            "A": [*self.addresses, "sp"],
            "B": self.addresses,
            "S": [self.index],
            "H": self.high,
            "l": [source for source in self.sources if source in NAMES[:8]],
        }
        return (
            self.random.choice(choices[placeholder])
            if placeholder in choices
            else self._other(placeholder)
        )

    def _other(self, placeholder: str) -> str:
        if placeholder.startswith("list"):
            least, most = (int(digit) for digit in placeholder[4:])
            count = min(self.random.randint(least, most), len(self.destinations))
            registers = self.random.sample(self.destinations, count)
            return "{" + ", ".join(sorted(registers, key=NAMES.index)) + "}"
        if placeholder == "pair":
            first = self.random.choice([name for name in NAMES[:12:2] if self._is_pair(name)])
            return f"{first}, {NAMES[NAMES.index(first) + 1]}"
        return self._immediate()

    def _is_pair(self, first: str) -> bool:
        second = NAMES[NAMES.index(first) + 1]
        return first in self.destinations and second in self.destinations

    def _number(self, placeholder: str) -> str:
        """`least..most`, or `least..most*step`."""
        bounds, _, step = placeholder.partition("*")
        least, most = (int(bound) for bound in bounds.split(".."))
        return str(self.random.randint(least, most) * int(step or 1))

    def _immediate(self) -> str:
        """Draws a constant that the instruction set can encode."""
        byte, kind = self.random.randrange(256), self.random.randrange(16)
        if self.isa.rotates:
            return f"#{(byte >> 2 * kind | byte << 32 - 2 * kind) & 0xFFFF_FFFF:#x}"
        shifted = (0x80 | byte) << self.random.randrange(1, 25)
        forms = [byte, byte * 0x0001_0001, byte * 0x0100_0100, byte * 0x0101_0101, shifted]
        return f"#{forms[kind % 5]:#x}"

    def state(self) -> bytes:
        """The initial contents of a block."""
        words = [self._word(name) for name in NAMES]
        flags = self.random.randrange(32) << 27 | self.random.randrange(16) << 16
        return struct.pack(f"<{WORDS}I", *words, 0, flags, 0, 0, 0)

    def _word(self, name: str) -> int:
        odd = self.random.randrange(8) if self.unaligned and name != "sp" else 0
        if name in (*self.addresses, "sp"):
            return AREA + 0x800 + 8 * self.random.randrange(0x200) + odd
        if name == self.index:
            return 8 * self.random.randrange(8) + odd
        kind = self.random.random()
        if kind < 0.3:
            return self.random.choice(CORNERS)
        return self.random.randrange(256) if kind < 0.45 else self.random.getrandbits(32)


def around(sequence: Sequence, states: int) -> list[str]:
    """A sequence with the code that loads its states and stores them."""
    isa, block, number = sequence.isa, sequence.block, sequence.number
    others = [name for name in NAMES if name != block]
    first, second = [name for name in others if name != "sp"][:2]
    begin = BLOCKS + number * states * STRIDE
    at = {name: 4 * NAMES.index(name) for name in others}
    inward = [" ldr pc, [pc, #-4]", " .word 3f + 1", " .thumb", "3:"] if isa.switches else []
    outward = [" .balign 4", " bx pc", " nop", " .arm"] if isa.switches else []
    parallel = [f" ubfx {first}, {first}, #16, #4", f" str {first}, [{block}, #68]"]
    return [
        f" ldr {block}, ={begin:#x}",
        f"1: ldr {first}, [{block}, #64]",
        f" msr {isa.flags}, {first}",
        *(f" ldr {name}, [{block}, #{at[name]}]" for name in others),
        *inward,
        "7:",
        *sequence.lines,
        *outward,
        *(f" str {name}, [{block}, #{at[name]}]" for name in others),
        f" mrs {first}, {isa.status}",
        f" lsr {second}, {first}, #27",
        f" str {second}, [{block}, #64]",
        *(parallel if isa.parallel else []),
        f" add {block}, {block}, #{STRIDE}",
        f" ldr {first}, ={begin + states * STRIDE:#x}",
        f" cmp {block}, {first}",
        " bne 1b",
        " b 2f",
        " .balign 4",
        f"6: .word {sequence.random.getrandbits(32):#x}",
        " .ltorg",
        " .balign 4",
        "2:",
    ]


def program(random: Random, name: str, folder: Path, sequences: int, states: int) -> Program:
    """A program for an instruction set, assembled and linked."""
    isa = SETS[name]
    program = Program(folder / "program", random.randbytes(AREA_SIZE))
    lines: list[str] = []
    for number in range(sequences):
        sequence = Sequence(random, isa, number)
        sequence.write()
        lines += around(sequence, states)
        program.memory += b"".join(sequence.state() for _ in range(states))
        program.sequences.append(sequence.lines)
        program.names += sequence.names
        program.executed += states * sequence.names.total()
    lines += [" mov r7, #4", " mov r0, #1", f" ldr r1, ={AREA:#x}"]
    lines += [f" ldr r2, ={len(program.memory)}", " svc 0", " mov r7, #1", " svc 0", " .ltorg"]
    (folder / "memory").write_bytes(program.memory)
    text = "\n".join([isa.head, *lines, " .data", f' .incbin "{folder}/memory"', ""])
    (folder / "program.s").write_text(text, encoding="utf-8")
    link(folder, AREA)
    return program


def link(folder: Path, data: int, text: int = 0x1_0000) -> Path:
    """Makes `program` of `program.s`, code and data at these addresses."""
    source, compiled, elf = (folder / name for name in ("program.s", "program.o", "program"))
    run(["arm-none-eabi-as", "--no-warn", "-o", compiled, source])
    options = [f"-Ttext={text:#x}", f"-Tdata={data:#x}", "--no-warn-rwx-segments"]
    run(["arm-none-eabi-ld", *options, "-o", elf, compiled])
    return elf


def run(command: list[str | Path]) -> bytes:
    """Returns what a program writes to standard output."""
    process = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert process.returncode == 0, f"{command}: {process.stderr.decode(errors='replace')[:2000]}"
    return process.stdout
