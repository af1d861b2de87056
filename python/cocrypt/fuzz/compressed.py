"""The 16-bit instructions of RV32C as the assembler encodes them.

Source: The RISC-V Instruction Set Manual, Volume I, 20191213, chapter 16, tables 16.5 to 16.7.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """The encoding of a 16-bit instruction.

    `bits` are the fixed ones. `registers` places operands: (operand, lowest bit, true if it is one
    of x8 to x15 in three bits). `places` spreads the immediate: (lowest bit of the immediate,
    count, lowest bit in the instruction). `minimum`, `maximum` and `step` say which immediates fit.
    """

    bits: int
    registers: tuple[tuple[str, int, bool], ...] = ()
    places: tuple[tuple[int, int, int], ...] = ()
    minimum: int = 0
    maximum: int = 0
    step: int = 1


_IMM6 = ((0, 5, 2), (5, 1, 12))
_JUMP = ((5, 1, 2), (1, 3, 3), (7, 1, 6), (6, 1, 7), (10, 1, 8), (8, 2, 9), (4, 1, 11), (11, 1, 12))
_BRANCH = ((5, 1, 2), (1, 2, 3), (6, 2, 5), (3, 2, 10), (8, 1, 12))
_WORD = ((6, 1, 5), (2, 1, 6), (3, 3, 10))
_ADDI4SPN = ((3, 1, 5), (2, 1, 6), (6, 4, 7), (4, 2, 11))
_ADDI16SP = ((5, 1, 2), (7, 2, 3), (6, 1, 5), (4, 1, 6), (9, 1, 12))
_LWSP = ((6, 2, 2), (2, 3, 4), (5, 1, 12))
_SWSP = ((6, 2, 7), (2, 4, 9))

_RD = (("rd", 7, False),)
_RD_SMALL = (("rd", 7, True),)
_RD_RS2 = (("rd", 7, False), ("rs2", 2, False))
_RD_RS2_SMALL = (("rd", 7, True), ("rs2", 2, True))
_RS1 = (("rs1", 7, False),)
_RS1_SMALL = (("rs1", 7, True),)

COMPRESSED = {
    "c.addi4spn": Format(0x0000, (("rd", 2, True),), _ADDI4SPN, 4, 1020, 4),
    "c.lw": Format(0x4000, (("rd", 2, True), ("rs1", 7, True)), _WORD, 0, 124, 4),
    "c.sw": Format(0xC000, (("rs2", 2, True), ("rs1", 7, True)), _WORD, 0, 124, 4),
    "c.nop": Format(0x0001),
    "c.addi": Format(0x0001, _RD, _IMM6, -32, 31),
    "c.jal": Format(0x2001, (), _JUMP, -2048, 2046, 2),
    "c.li": Format(0x4001, _RD, _IMM6, -32, 31),
    "c.addi16sp": Format(0x6101, (), _ADDI16SP, -512, 496, 16),
    "c.lui": Format(0x6001, _RD, _IMM6, -32, 31),
    "c.srli": Format(0x8001, _RD_SMALL, _IMM6, 1, 31),
    "c.srai": Format(0x8401, _RD_SMALL, _IMM6, 1, 31),
    "c.andi": Format(0x8801, _RD_SMALL, _IMM6, -32, 31),
    "c.sub": Format(0x8C01, _RD_RS2_SMALL),
    "c.xor": Format(0x8C21, _RD_RS2_SMALL),
    "c.or": Format(0x8C41, _RD_RS2_SMALL),
    "c.and": Format(0x8C61, _RD_RS2_SMALL),
    "c.j": Format(0xA001, (), _JUMP, -2048, 2046, 2),
    "c.beqz": Format(0xC001, _RS1_SMALL, _BRANCH, -256, 254, 2),
    "c.bnez": Format(0xE001, _RS1_SMALL, _BRANCH, -256, 254, 2),
    "c.slli": Format(0x0002, _RD, _IMM6, 1, 31),
    "c.lwsp": Format(0x4002, _RD, _LWSP, 0, 252, 4),
    "c.jr": Format(0x8002, _RS1),
    "c.mv": Format(0x8002, _RD_RS2),
    "c.ebreak": Format(0x9002),
    "c.jalr": Format(0x9002, _RS1),
    "c.add": Format(0x9002, _RD_RS2),
    "c.swsp": Format(0xC002, (("rs2", 2, False),), _SWSP, 0, 252, 4),
}

_NOT_ZERO = frozenset({"c.addi", "c.lui", "c.addi16sp", "c.addi4spn"})


def encode_compressed(name: str, rd: int, rs1: int, rs2: int, imm: int) -> int:
    """Encode an instruction in its 16 bits; raises ValueError where an operand does not fit."""
    form = COMPRESSED[name]
    fits = form.minimum <= imm <= form.maximum and imm % form.step == 0
    if not fits or (imm == 0 and name in _NOT_ZERO):
        raise ValueError(f"{name} cannot hold {imm}")
    bits = form.bits
    values = {"rd": rd, "rs1": rs1, "rs2": rs2}
    for operand, offset, small in form.registers:
        bits |= _register(name, values[operand], small=small) << offset
    for low, count, offset in form.places:
        bits |= (imm >> low & (1 << count) - 1) << offset
    return bits


def _register(name: str, number: int, *, small: bool) -> int:
    if small and not 8 <= number <= 15:
        raise ValueError(f"{name} cannot name x{number}, only x8 to x15")
    if number == 0:
        raise ValueError(f"{name} cannot name x0")
    return number - 8 if small else number
