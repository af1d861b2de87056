"""The ways in which a program ends, and the instructions for each."""

from collections.abc import Callable
from random import Random

from cocrypt.fuzz.encoder import DIVIDE, MULTIPLY, Data, Insn, Item
from cocrypt.fuzz.privileged import SCRATCH
from cocrypt.fuzz.straight import DATA, DEVICES, EXIT, FREE, LINK, Features, value

_Possible = Callable[[Features], bool]


def _always(_: Features) -> bool:
    return True


def _stops(features: Features) -> bool:
    return features.stops


ENDINGS: dict[str, _Possible] = {
    "exit": _always,
    "ebreak": _stops,
    "ecall": _stops,
    "illegal": _stops,
    "unaligned_load": _stops,
    "unaligned_store": _stops,
    "unaligned_jump": lambda features: features.stops and not features.compressed,
    "unaligned_branch": lambda features: features.stops and not features.compressed,
    "c.ebreak": lambda features: features.stops and features.compressed,
    "c.illegal": lambda features: features.stops and features.compressed,
    "no_multiply": lambda features: features.stops and not features.multiply,
    "no_divide": lambda features: features.stops and not features.divide,
}
"""Names, each with a predicate: true if a core with these features can end a program so."""

ILLEGAL = (0xFFFF_FFFF, 0x0000_007F, 0x0000_100F, 0x3000_2073, 0x0000_3003, 0x0000_2063)
"""Words that are no instruction of RV32IM: an unused opcode, fence.i, a machine CSR, ld, a branch
with an unused funct3."""


def ending(name: str, random: Random, features: Features) -> list[Item]:
    """Give the last instructions of a program."""
    align: list[Item] = []
    if features.compressed and random.random() < 0.5:
        align = [Insn("c.nop")]
    # A masked exception stops the core.
    masks = [Insn("addi", rd=SCRATCH, imm=-1), Insn("maskirq", rs1=SCRATCH)]
    return [*(masks if features.irq else []), *align, *_LAST[name](random)]


def _exit(random: Random) -> list[Item]:
    return [Insn("sw", rs1=DEVICES, rs2=random.choice((0, *FREE)), imm=EXIT)]


def _illegal(random: Random) -> list[Item]:
    return [Data(random.choice(ILLEGAL).to_bytes(4, "little"))]


def _unaligned_load(random: Random) -> list[Item]:
    name = random.choice(("lw", "lh", "lhu"))
    imm = random.choice((1, 2, 3) if name == "lw" else (1, 3))
    return [Insn(name, rd=random.choice(FREE), rs1=DATA, imm=64 + imm)]


def _unaligned_store(random: Random) -> list[Item]:
    name = random.choice(("sw", "sh"))
    imm = random.choice((1, 2, 3) if name == "sw" else (1, 3))
    return [Insn(name, rs1=DATA, rs2=random.choice(FREE), imm=64 + imm)]


def _unaligned_jump(random: Random) -> list[Item]:
    if random.random() < 0.5:
        return [Insn("jal", rd=random.choice((0, *FREE)), imm=random.choice((6, 10)))]
    jump = Insn("jalr", rd=random.choice((0, *FREE)), rs1=LINK, imm=random.choice((10, 14)))
    return [Insn("auipc", rd=LINK), jump]


def _unaligned_branch(random: Random) -> list[Item]:
    # The first is not taken and thus harmless, the second is taken.
    skip = Insn("bne", imm=6)
    return [skip, Insn("beq", rs1=DATA, rs2=DATA, imm=random.choice((6, 10)))]


def _unknown(names: frozenset[str], random: Random) -> list[Item]:
    free = random.choice(FREE)
    prepare = Insn("addi", rd=free, imm=value(random) & 0x7FF)
    return [prepare, Insn(random.choice(sorted(names)), rd=free, rs1=free, rs2=random.choice(FREE))]


_LAST: dict[str, Callable[[Random], list[Item]]] = {
    "exit": _exit,
    "ebreak": lambda _: [Insn("ebreak")],
    "ecall": lambda _: [Insn("ecall")],
    "illegal": _illegal,
    "unaligned_load": _unaligned_load,
    "unaligned_store": _unaligned_store,
    "unaligned_jump": _unaligned_jump,
    "unaligned_branch": _unaligned_branch,
    "c.ebreak": lambda _: [Insn("c.ebreak")],
    "c.illegal": lambda _: [Data(bytes(2))],
    "no_multiply": lambda random: _unknown(MULTIPLY, random),
    "no_divide": lambda random: _unknown(DIVIDE, random),
}
