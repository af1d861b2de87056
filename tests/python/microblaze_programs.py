"""Random programs for MicroBlaze, encoded by the reference guide's formats, as ELF files.

They run under QEMU's user mode and on a machine here alike: registers, carry and memory are
written down behind every few instructions, and a system call ends the program.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

Order = Literal["big", "little"]

BASE = 0x10000
INDEX, OUT, DATA = 29, 30, 31
"""Registers that random instructions do not write."""
ROOM = 2048
"""Bytes of data that they access."""
CORNERS = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]
SAVED = 31 * 4
"""Bytes that are written down behind a case: r1 to r30, and the carry."""

ADDS = {
    name: number
    for number, name in enumerate(
        ["add", "rsub", "addc", "rsubc", "addk", "rsubk", "addkc", "rsubkc"]
    )
}
PLAIN = {
    **{name: (number, 0) for name, number in ADDS.items()},
    "cmp": (5, 1),
    "cmpu": (5, 3),
    "mul": (16, 0),
    "mulh": (16, 1),
    "mulhsu": (16, 2),
    "mulhu": (16, 3),
    "bsrl": (17, 0),
    "bsra": (17, 0x200),
    "bsll": (17, 0x400),
    "idiv": (18, 0),
    "idivu": (18, 2),
    "or": (32, 0),
    "and": (33, 0),
    "xor": (34, 0),
    "andn": (35, 0),
    "pcmpbf": (32, 0x400),
    "pcmpeq": (34, 0x400),
    "pcmpne": (35, 0x400),
}
"""Opcode and lower bits of what has three registers."""
IMMEDIATE = {
    "addi": 8,
    "rsubi": 9,
    "addic": 10,
    "rsubic": 11,
    "addik": 12,
    "rsubik": 13,
    "addikc": 14,
    "rsubikc": 15,
    "muli": 24,
    "ori": 40,
    "andi": 41,
    "xori": 42,
    "andni": 43,
}
UNARY = {
    "sra": 0x01,
    "src": 0x21,
    "srl": 0x41,
    "sext8": 0x60,
    "sext16": 0x61,
    "clz": 0xE0,
    "swapb": 0x1E0,
    "swaph": 0x1E2,
}
SHIFTS = {"bsrli": 0, "bsrai": 0x200, "bslli": 0x400}
INDEXED = {
    "lbu": (48, 0),
    "lbur": (48, 0x200),
    "lhu": (49, 0),
    "lhur": (49, 0x200),
    "lw": (50, 0),
    "lwr": (50, 0x200),
    "sb": (52, 0),
    "sbr": (52, 0x200),
    "sh": (53, 0),
    "shr": (53, 0x200),
    "sw": (54, 0),
    "swr": (54, 0x200),
}
DISPLACED = {
    "lbui": (56, 1),
    "lhui": (57, 2),
    "lwi": (58, 4),
    "sbi": (60, 1),
    "shi": (61, 2),
    "swi": (62, 4),
}
"""Opcode and bytes."""


def registers(opcode: int, d: int, a: int, b: int, low: int = 0) -> int:
    """An instruction with three registers."""
    return opcode << 26 | d << 21 | a << 16 | b << 11 | low


def immediate(opcode: int, d: int, a: int, value: int) -> int:
    """An instruction with two registers and the lower half of an immediate."""
    return opcode << 26 | d << 21 | a << 16 | value & 0xFFFF


def prefix(value: int) -> int:
    """`imm` with the higher half of an immediate."""
    return immediate(44, 0, 0, value >> 16)


def load_constant(d: int, value: int) -> list[int]:
    """Two instructions that write a constant to a register."""
    return [prefix(value), immediate(12, d, 0, value)]


@dataclass
class Item:
    """Instructions that belong together, with the item that a branch among them leads to."""

    words: list[int]
    skips: int = 0
    """The number of items that a branch skips."""
    finish: Callable[[list[int], int, int], None] | None = None
    """Completes the words, given their address and the target."""


@dataclass
class Generator:
    """Draws instructions."""

    random: Random
    used: dict[str, int] = field(default_factory=dict)
    """How often each instruction was drawn."""
    data: int = 0
    """The address of the data."""

    def register(self) -> int:
        """A register that may be written."""
        return self.random.randrange(INDEX)

    def value(self) -> int:
        """A constant, often one at the borders of a range."""
        if self.random.random() < 0.3:
            return self.random.choice(CORNERS)
        return self.random.randrange(1 << 32)

    def pick(self, table: Mapping[str, object]) -> str:
        """An instruction of a table, which is counted."""
        name = self.random.choice(sorted(table))
        self.used[name] = self.used.get(name, 0) + 1
        return name

    def count(self, name: str) -> None:
        """Counts an instruction."""
        self.used[name] = self.used.get(name, 0) + 1

    def single(self) -> int:
        """An instruction of one word that may stand anywhere, in a delay slot too."""
        draw = self.random.randrange
        d, a, b = self.register(), self.register(), self.register()
        match draw(8):
            case 0 | 1:
                opcode, low = PLAIN[self.pick(PLAIN)]
                return registers(opcode, d, a, b, low)
            case 2:
                return immediate(IMMEDIATE[self.pick(IMMEDIATE)], d, a, draw(1 << 16))
            case 3:
                # With r0 as destination QEMU 7.2 forgets the carry of shifts.
                return immediate(36, max(d, 1), a, UNARY[self.pick(UNARY)])
            case 4:
                return immediate(25, d, a, SHIFTS[self.pick(SHIFTS)] | draw(32))
            case 5:
                opcode, size = DISPLACED[self.pick(DISPLACED)]
                return immediate(opcode, d, DATA, draw(ROOM // size) * size)
            case 6:
                opcode, low = INDEXED[self.pick(INDEXED)]
                return registers(opcode, d, DATA, INDEX, low)
            case _:
                return self.special(d, a)

    def special(self, d: int, a: int) -> int:
        """Bit fields, the program counter, the carry in the status register."""
        draw = self.random.randrange
        match draw(4):
            case 0:
                self.count("bsefi")
                low = draw(32)
                return immediate(25, d, a, 0x4000 | draw(1, min(33 - low, 32)) << 6 | low)
            case 1:
                self.count("bsifi")
                low = draw(32)
                return immediate(25, d, a, 0x8000 | draw(low, 32) << 6 | low)
            case 2:
                self.count("mfs rpc")
                return immediate(37, d, 0, 0x8000)
            case _:
                name, kind = self.random.choice([("msrset", 16), ("msrclr", 17)])
                self.count(name)
                return immediate(37, 0, kind, 4)

    def item(self) -> Item:
        """Instructions that belong together."""
        match self.random.randrange(12):
            case 0:
                return self.prefixed()
            case 1:
                offset = self.random.randrange(ROOM // 4) * 4
                return Item([immediate(12, INDEX, 0, offset)])
            case 2:
                return self.exclusive()
            case 3:
                return Item([immediate(46, self.random.randrange(8), 2, 4)])
            case 4:
                return self.status()
            case 5:
                return self.conditional()
            case 6:
                return self.unconditional()
            case 7:
                return self.computed()
            case _:
                return Item([self.single()])

    def prefixed(self) -> Item:
        """`imm`, and what takes its immediate."""
        value, d, a = self.value(), self.register(), self.register()
        if self.random.random() < 0.3:
            opcode, size = DISPLACED[self.pick(DISPLACED)]
            address = self.data + self.random.randrange(ROOM // size) * size
            return Item([prefix(address), immediate(opcode, d, 0, address)])
        opcode = IMMEDIATE[self.pick(IMMEDIATE)]
        return Item([prefix(value), immediate(opcode, d, a, value)])

    def exclusive(self) -> Item:
        """`lwx`, without `swx`, at which QEMU 7.2 fails (an error of its code generator)."""
        self.count("lwx")
        return Item([registers(50, self.register(), DATA, INDEX, 0x400)])

    def status(self) -> Item:
        """The status register, of which QEMU's user mode has other bits than a core after reset."""
        d = self.random.randrange(1, INDEX)
        self.count("mfs rmsr")
        return Item([immediate(37, d, 0, 0x8001), prefix(0x80000004), immediate(41, d, d, 4)])

    def slot(self, delayed: bool) -> list[int]:
        """The instruction in a delay slot, if there is one."""
        return [self.single()] if delayed else []

    def conditional(self) -> Item:
        """A conditional branch by an immediate."""
        condition, delayed = self.random.randrange(6), self.random.random() < 0.6
        self.count(f"{['beq', 'bne', 'blt', 'ble', 'bgt', 'bge'][condition]}i{'d' * delayed}")
        word = immediate(47, condition | delayed << 4, self.register(), 0)

        def finish(words: list[int], at: int, target: int) -> None:
            words[0] |= target - at & 0xFFFF

        return Item([word, *self.slot(delayed)], self.random.randrange(4), finish)

    def unconditional(self) -> Item:
        """A branch without condition by an immediate, some with a prefix."""
        name, kind = self.random.choice(
            [("bri", 0), ("brid", 16), ("brlid", 20), ("brai", 8), ("braid", 24), ("bralid", 28)]
        )
        self.count(name)
        d = self.register() if kind & 4 else 0
        words = [prefix(0), immediate(46, d, kind, 0), *self.slot(bool(kind & 16))]

        def finish(words: list[int], at: int, target: int) -> None:
            distance = target if kind & 8 else target - at - 4
            words[0] |= distance >> 16 & 0xFFFF
            words[1] |= distance & 0xFFFF

        return Item(words, self.random.randrange(4), finish)

    def computed(self) -> Item:
        """A branch by a register that holds a distance or an address, or a return."""
        name, kind = self.random.choice(
            [
                ("br", 0),
                ("brd", 16),
                ("brld", 20),
                ("bra", 8),
                ("brad", 24),
                ("brald", 28),
                ("rtsd", -1),
                ("condition", -2),
            ]
        )
        b = self.random.randrange(1, INDEX)
        if kind == -1:
            back = self.random.randrange(16) * 4
            words = [immediate(45, 16, b, back), self.single()]
        elif kind == -2:
            condition, delayed = self.random.randrange(6), self.random.random() < 0.6
            name = f"{['beq', 'bne', 'blt', 'ble', 'bgt', 'bge'][condition]}{'d' * delayed}"
            words = [
                registers(39, condition | delayed << 4, self.register(), b),
                *self.slot(delayed),
            ]
        else:
            # QEMU 7.2 writes the link before it reads where the branch leads.
            d = self.random.choice([n for n in range(INDEX) if n != b]) if kind & 4 else 0
            words = [registers(38, d, kind, b), *self.slot(bool(kind & 16))]
        self.count(name)

        def finish(words: list[int], at: int, target: int) -> None:
            if kind == -1:
                value = target - (words[2] & 0xFFFF)
            else:
                value = target if kind > 0 and kind & 8 else target - at - 8
            words[0] |= value >> 16 & 0xFFFF
            words[1] |= value & 0xFFFF

        return Item([*load_constant(b, 0), *words], self.random.randrange(4), finish)


@dataclass(frozen=True)
class Program:
    """A program, with the addresses of what it writes down."""

    elf: bytes
    out: int
    out_size: int
    data: int
    data_size: int
    cases: list[tuple[int, list[int]]]
    """Of each case its address and words."""
    used: dict[str, int]
    """How often each instruction was drawn."""
    order: Order

    @property
    def size(self) -> int:
        """Bytes that it writes under QEMU."""
        return self.out_size + self.data_size


def generate(random: Random, order: Order, cases: int, length: int, passes: int) -> Program:
    """A program of so many cases with so many items each, which it runs through several times."""
    # Two rounds: the addresses of data depend on how long the code is.
    room = 64 + cases * (4 * (6 * length + 40)) + 256
    data = BASE + (room + 0xFFF & ~0xFFF)
    out = data + 0x1000
    generator = Generator(random, data=data)
    words: list[int] = []
    listed: list[tuple[int, list[int]]] = []
    for number in range(1, INDEX):
        words += load_constant(number, generator.value())
    words += [*load_constant(DATA, data), immediate(12, INDEX, 0, 0)]
    counter = data + ROOM
    begin = BASE + 4 * len(words)
    words += load_constant(OUT, out)
    for _ in range(cases):
        at = BASE + 4 * len(words)
        case = _case(generator, at, length)
        listed.append((at, case))
        words += case
        words += [immediate(62, number, OUT, 4 * (number - 1)) for number in range(1, OUT + 1)]
        # The carry goes to a register of which nobody needs the value any more, and stays.
        words += [
            registers(6, 1, 0, 0),
            immediate(62, 1, OUT, 4 * OUT),
            immediate(12, OUT, OUT, SAVED),
        ]
    words += [prefix(counter), immediate(58, 28, 0, counter), immediate(12, 28, 28, -1)]
    words += [prefix(counter), immediate(62, 28, 0, counter)]
    distance = begin - (BASE + 4 * len(words) + 4)
    words += [prefix(distance & 0xFFFFFFFF), immediate(47, 1, 28, distance)]
    size = cases * SAVED
    words += _write(out, size) + _write(data, ROOM) + [*load_constant(12, 1), *load_constant(5, 0)]
    words.append(SYSTEM_CALL)
    assert 4 * len(words) <= data - BASE
    mark = ">" if order == "big" else "<"
    content = struct.pack(f"{mark}{len(words)}I", *words).ljust(data - BASE, b"\0")
    content += random.randbytes(ROOM) + struct.pack(f"{mark}I", passes)
    image = elf(content, out + size - BASE, BASE, order)
    return Program(image, out, size, data, ROOM, listed, generator.used, order)


SYSTEM_CALL = immediate(46, 14, 12, 8)


def _write(address: int, size: int) -> list[int]:
    """`write` to the standard output."""
    arguments = [(12, 4), (5, 1), (6, address), (7, size)]
    loads = [word for number, value in arguments for word in load_constant(number, value)]
    return [*loads, SYSTEM_CALL]


def _case(generator: Generator, at: int, length: int) -> list[int]:
    items = [generator.item() for _ in range(length)]
    starts = [at]
    for item in items:
        starts.append(starts[-1] + 4 * len(item.words))
    for number, item in enumerate(items):
        if item.finish is not None:
            target = starts[min(number + 1 + item.skips, len(items))]
            item.finish(item.words, starts[number], target)
    return [word for item in items for word in item.words]


def elf(content: bytes, size: int, base: int, order: Order) -> bytes:
    """One segment that may be read, written and executed, at the beginning of a page."""
    mark = ">" if order == "big" else "<"
    kind = b"\x7fELF" + bytes([1, 2 if order == "big" else 1, 1]) + bytes(9)
    header = struct.pack(f"{mark}HHIIIIIHHHHHH", 2, 189, 1, base, 52, 0, 0, 52, 32, 1, 40, 0, 0)
    segment = struct.pack(f"{mark}IIIIIIII", 1, 0x1000, base, base, len(content), size, 7, 0x1000)
    return (kind + header + segment).ljust(0x1000, b"\0") + content


def image(code: dict[int, list[int]], order: Order) -> bytes:
    """An ELF file with instructions at addresses below 4096."""
    content = bytearray(0x1000)
    mark = ">" if order == "big" else "<"
    for address, words in code.items():
        packed = struct.pack(f"{mark}{len(words)}I", *words)
        content[address : address + len(packed)] = packed
    return elf(bytes(content), len(content), 0, order)
