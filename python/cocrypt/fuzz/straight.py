"""Random instructions that do not jump, with operands that matter."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from cocrypt.fuzz.encoder import (
    BASE,
    COUNTER,
    DIVIDE,
    FENCE_INSTRUCTIONS,
    IMMEDIATE,
    LOAD,
    MULTIPLY,
    OWN,
    PRIVILEGED,
    REGISTER,
    SHIFT,
    STORE,
    UPPER,
    Insn,
)
from cocrypt.fuzz.extensions import EXTENDED, names
from cocrypt.fuzz.irq import Irq
from cocrypt.fuzz.privileged import Privileged

STACK, LOOP, DEVICES, LINK, DATA = 2, 3, 4, 5, 9
"""Registers that random instructions only read: x2 points into the data area, x3 counts loops, x4
holds the peripherals' address, x5 jump targets, x9 the data area's address."""

FREE = tuple(n for n in range(1, 32) if n not in {STACK, LOOP, DEVICES, LINK, DATA})
FREE_SMALL = tuple(n for n in FREE if 8 <= n <= 15)
SMALL = tuple(range(8, 16))

DATA_BASE = 0x10000
DATA_SIZE = 0x400
STACK_OFFSET = 0x200
DEVICE_BASE = 0x8000_0000
CONSOLE, CYCLES, EXIT = 0x00, 0x10, 0x20

SPECIAL = (
    0, 1, 2, 3, 7, -1, -2, -3, 0x7FFF_FFFF, -0x8000_0000, -0x7FFF_FFFF,
    0x5555_5555, -0x5555_5556, 0xFFFF, 0x8000, -0x8000, 0x80, 0xFF, 0x1_0000,
)  # fmt: skip
WIDTH = {"lb": 1, "lbu": 1, "sb": 1, "lh": 2, "lhu": 2, "sh": 2, "lw": 4, "sw": 4}


@dataclass(frozen=True)
class Features:
    """The features of the core under test beyond RV32I."""

    multiply: bool = False
    divide: bool = False
    compressed: bool = False
    counters: bool = True
    """rdcycle and its siblings."""
    fence: bool = True
    fence_instructions: bool = field(default=False, repr=False)
    """fence.i."""
    shadow: int = field(default=0, repr=False)
    """The number of instructions without effect before fence.i."""
    stops: bool = True
    """True if the core stops for good at an instruction that it cannot execute."""
    extensions: frozenset[str] = frozenset()
    """Names of extensions in `cocrypt.fuzz.extensions`."""
    privileged: Privileged | None = field(default=None, repr=False)
    irq: Irq | None = field(default=None, repr=False)
    unaligned: bool = field(default=False, repr=False)
    """True if loads and stores may go to any address."""
    unmodelled: tuple[tuple[int, int], ...] = ()
    """Mask and bits of words that the core executes but its model does not know."""

    def knows(self, name: str) -> bool:
        """Returns whether the core knows the instruction."""
        if name.startswith("c."):
            return self.compressed
        if name in MULTIPLY:
            return self.multiply
        if name in COUNTER:
            return self.counters
        if name == "fence":
            return self.fence
        if name == FENCE_INSTRUCTIONS:
            return self.fence_instructions
        if name in PRIVILEGED:
            return self.privileged is not None
        if name in OWN:
            return self.irq is not None and self.irq.knows(name)
        if name in EXTENDED:
            return name in names(self.extensions)
        return self.divide if name in DIVIDE else name in BASE


def value(random: Random) -> int:
    """Pick an operand: an edge case, a shift amount, or anything, as a signed number of 32 bits."""
    kind = random.randrange(4)
    if kind < 2:
        return random.choice(SPECIAL)
    return random.randrange(32) if kind == 2 else random.randrange(-(1 << 31), 1 << 31)


def load_value(random: Random, features: Features, rd: int, number: int) -> list[Insn]:
    """Instructions that load a number into a register."""
    if features.compressed and -32 <= number < 32 and random.random() < 0.7:
        return [Insn("c.li", rd=rd, imm=number)]
    if -2048 <= number < 2048:
        return [Insn("addi", rd=rd, imm=number)]
    low = (number + 0x800 & 0xFFF) - 0x800
    upper = Insn("lui", rd=rd, imm=number - low >> 12 & 0xFFFFF)
    return [upper, Insn("addi", rd=rd, rs1=rd, imm=low)] if low else [upper]


def any_register(random: Random) -> int:
    """Pick a source register."""
    return random.randrange(32)


def destination(random: Random) -> int:
    """Pick a destination, x0 now and then."""
    return 0 if random.random() < 0.05 else random.choice(FREE)


def straight(random: Random, features: Features) -> list[Insn]:
    """A random instruction, now and then with the few that prepare its operands."""
    kinds = _COMPRESSED_KINDS if features.compressed else _KINDS
    if features.extensions:
        kinds = (*kinds, *(_extended,) * (len(kinds) // 2))
    return random.choice(kinds)(random, features)


def _register_operation(random: Random, features: Features) -> list[Insn]:
    name = random.choice([name for name in REGISTER if features.knows(name)])
    rs1, rs2 = any_register(random), any_register(random)
    prepared: list[Insn] = []
    if random.random() < 0.6:
        rs1, rs2 = random.choice(FREE), random.choice(FREE)
        prepared = load_value(random, features, rs1, value(random))
        prepared += load_value(random, features, rs2, value(random))
    return [*prepared, Insn(name, rd=destination(random), rs1=rs1, rs2=rs2)]


def _immediate_operation(random: Random, _: Features) -> list[Insn]:
    imm = random.choice((0, 1, -1, 2047, -2048, random.randrange(-2048, 2048)))
    name = random.choice(list(IMMEDIATE))
    return [Insn(name, rd=destination(random), rs1=any_register(random), imm=imm)]


def _shift(random: Random, _: Features) -> list[Insn]:
    name = random.choice(list(SHIFT))
    amount = random.randrange(32)
    return [Insn(name, rd=destination(random), rs1=any_register(random), imm=amount)]


def _upper(random: Random, _: Features) -> list[Insn]:
    imm = random.choice((0, 1, 0x80000, 0xFFFFF, random.randrange(1 << 20)))
    return [Insn(random.choice(list(UPPER)), rd=destination(random), imm=imm)]


def _set_value(random: Random, features: Features) -> list[Insn]:
    return load_value(random, features, random.choice(FREE), value(random))


def _step(random: Random, features: Features, name: str) -> int:
    """The alignment of an access's address in bytes."""
    return 1 if features.unaligned and random.random() < 0.2 else WIDTH[name]


def _memory(random: Random, features: Features) -> list[Insn]:
    name = random.choice([*LOAD, *STORE])
    width = _step(random, features, name)
    if random.random() < 0.5:
        base, imm = DATA, random.randrange(0, DATA_SIZE, width)
    else:
        base, imm = STACK, random.randrange(-STACK_OFFSET, DATA_SIZE - STACK_OFFSET, width)
    if name in STORE:
        return [Insn(name, rs1=base, rs2=any_register(random), imm=imm)]
    return [Insn(name, rd=destination(random), rs1=base, imm=imm)]


def _accesses(random: Random, features: Features) -> list[Insn]:
    """Loads and stores of the same few bytes, in short succession."""
    offset = random.randrange(0, DATA_SIZE - 8, 8)
    items: list[Insn] = []
    for _ in range(random.randint(2, 6)):
        name = random.choice([*LOAD, *STORE])
        imm = offset + random.randrange(0, 8, _step(random, features, name))
        if name in STORE:
            items.append(Insn(name, rs1=DATA, rs2=any_register(random), imm=imm))
        else:
            items.append(Insn(name, rd=destination(random), rs1=DATA, imm=imm))
        if random.random() < 0.3:
            items += _register_operation(random, features)[-1:]
    return items


def _dependent(random: Random, features: Features) -> list[Insn]:
    """A result, and soon behind it an instruction that needs it, of all pairs of kinds."""
    register = random.choice(FREE)
    makers = [name for name in (*REGISTER, *LOAD, *SHIFT, *UPPER) if features.knows(name)]
    name = random.choice(makers)
    if name in LOAD:
        producer = Insn(
            name, rd=register, rs1=DATA, imm=random.randrange(0, DATA_SIZE, WIDTH[name])
        )
    elif name in REGISTER:
        producer = Insn(name, rd=register, rs1=any_register(random), rs2=any_register(random))
    else:
        rs1 = any_register(random) if name in SHIFT else 0
        producer = Insn(name, rd=register, rs1=rs1, imm=random.randrange(32))
    between = straight(random, features)[-1:] if random.random() < 0.4 else []
    if features.shadow and any(insn.name == FENCE_INSTRUCTIONS for insn in between):
        between = []
    user = random.choice([name for name in (*REGISTER, *STORE, *SHIFT) if features.knows(name)])
    if user in STORE:
        imm = random.randrange(0, DATA_SIZE, WIDTH[user])
        return [producer, *between, Insn(user, rs1=DATA, rs2=register, imm=imm)]
    if user in SHIFT:
        return [
            producer,
            *between,
            Insn(user, rd=destination(random), rs1=register, imm=random.randrange(32)),
        ]
    rs1, rs2 = random.choice(((register, any_register(random)), (any_register(random), register)))
    return [producer, *between, Insn(user, rd=destination(random), rs1=rs1, rs2=rs2)]


def _counter(random: Random, features: Features) -> list[Insn]:
    if not features.counters:
        return _device(random, features)
    return [Insn(random.choice(list(COUNTER)), rd=destination(random))]


def _device(random: Random, _: Features) -> list[Insn]:
    if random.random() < 0.5:
        name = random.choice(("sw", "sw", "sh", "sb"))
        return [Insn(name, rs1=DEVICES, rs2=any_register(random), imm=CONSOLE)]
    name = random.choice(("lw", "lw", "lw", *LOAD))
    imm = CYCLES + random.randrange(0, 8, WIDTH[name])
    return [Insn(name, rd=destination(random), rs1=DEVICES, imm=imm)]


def _fence(random: Random, features: Features) -> list[Insn]:
    if features.fence_instructions and random.random() < 0.5:
        # Not in the shadow of a load that is replayed, where the model is off by a few cycles.
        fences = [Insn(FENCE_INSTRUCTIONS)] * random.choice((1, 1, 1, 2))
        return [*([Insn("addi")] * features.shadow), *fences]
    return [Insn("fence")] if features.fence else _upper(random, features)


def _extended(random: Random, features: Features) -> list[Insn]:
    available = names(features.extensions)
    if not available:
        return _register_operation(random, features)
    name = random.choice(available)
    operands, _ = EXTENDED[name]
    imm = {"amount": random.randrange(32), "byte": random.randrange(4)}.get(operands, 0)
    reads_two = operands in {"two", "byte"}
    rs1, rs2 = any_register(random), any_register(random)
    prepared: list[Insn] = []
    if random.random() < 0.6:
        rs1, rs2 = random.choice(FREE), random.choice(FREE)
        prepared = load_value(random, features, rs1, value(random))
        prepared += load_value(random, features, rs2, value(random)) if reads_two else []
    rs2 = rs2 if reads_two else 0
    return [*prepared, Insn(name, rd=destination(random), rs1=rs1, rs2=rs2, imm=imm)]


def _compressed_operation(random: Random, _: Features) -> list[Insn]:
    name = random.choice(("c.sub", "c.xor", "c.or", "c.and", "c.mv", "c.add"))
    if name in {"c.mv", "c.add"}:
        return [Insn(name, rd=random.choice(FREE), rs2=random.randrange(1, 32))]
    return [Insn(name, rd=random.choice(FREE_SMALL), rs2=random.choice(SMALL))]


def _compressed_immediate(random: Random, _: Features) -> list[Insn]:
    name = random.choice(("c.addi", "c.li", "c.lui", "c.andi", "c.slli", "c.srli", "c.srai"))
    small = name in {"c.andi", "c.srli", "c.srai"}
    shift = name in {"c.slli", "c.srli", "c.srai"}
    imm = random.randrange(1, 32) if shift else random.randrange(-32, 32)
    if imm == 0 and name in {"c.addi", "c.lui"}:
        imm = 1
    return [Insn(name, rd=random.choice(FREE_SMALL if small else FREE), imm=imm)]


def _compressed_memory(random: Random, _: Features) -> list[Insn]:
    name = random.choice(("c.lw", "c.sw", "c.lwsp", "c.swsp"))
    imm = random.randrange(0, 128 if name in {"c.lw", "c.sw"} else 256, 4)
    match name:
        case "c.lw":
            return [Insn(name, rd=random.choice(FREE_SMALL), rs1=DATA, imm=imm)]
        case "c.sw":
            return [Insn(name, rs1=DATA, rs2=random.choice(SMALL), imm=imm)]
        case "c.lwsp":
            return [Insn(name, rd=random.choice(FREE), imm=imm)]
        case _:
            return [Insn(name, rs2=random.randrange(1, 32), imm=imm)]


def _compressed_stack(random: Random, _: Features) -> list[Insn]:
    if random.random() < 0.5:
        imm = random.randrange(4, 1024, 4)
        return [Insn("c.addi4spn", rd=random.choice(FREE_SMALL), imm=imm)]
    imm = random.randrange(16, 496, 16)
    return [Insn("c.addi16sp", imm=imm), Insn("c.addi16sp", imm=-imm)]


def _compressed_nop(_random: Random, _: Features) -> list[Insn]:
    return [Insn("c.nop")]


_Kind = Callable[[Random, Features], list[Insn]]

_KINDS: tuple[_Kind, ...] = (
    *(_register_operation,) * 5,
    *(_immediate_operation,) * 2,
    *(_shift,) * 2,
    *(_memory,) * 3,
    *(_dependent,) * 3,
    _accesses,
    _upper,
    _set_value,
    _counter,
    _device,
    _fence,
)
_COMPRESSED_KINDS: tuple[_Kind, ...] = (
    *_KINDS,
    *(_compressed_operation,) * 3,
    *(_compressed_immediate,) * 3,
    *(_compressed_memory,) * 3,
    _compressed_stack,
    *(_compressed_nop,) * 2,
)
