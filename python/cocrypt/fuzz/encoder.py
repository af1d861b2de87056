"""A small assembler for RV32IMC and its bit-manipulation and cryptography extensions.

Source: The RISC-V Instruction Set Manual, Volume I, 20191213, chapters 2, 7, 10 and 16.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cocrypt.fuzz.compressed import COMPRESSED, encode_compressed
from cocrypt.fuzz.extensions import EXTENDED, encode_extended


@dataclass(frozen=True)
class Insn:
    """An instruction; operands that its format lacks stay 0.

    `imm` is the value that the instruction means (bytes for offsets, the 20 upper bits for `lui`
    and `auipc`). With `target` the offset to that label replaces `imm`.
    """

    name: str
    rd: int = 0
    rs1: int = 0
    rs2: int = 0
    imm: int = 0
    target: str | None = None

    @property
    def size(self) -> int:
        """Length in bytes."""
        return 2 if self.name in COMPRESSED else 4


@dataclass(frozen=True)
class Label:
    """Names the address of the next item."""

    name: str


@dataclass(frozen=True)
class Data:
    """Literal bytes."""

    content: bytes

    @property
    def size(self) -> int:
        """Length in bytes."""
        return len(self.content)


Item = Insn | Label | Data

REGISTER = {
    "add": 0x000, "sub": 0x100, "sll": 0x001, "slt": 0x002, "sltu": 0x003, "xor": 0x004,
    "srl": 0x005, "sra": 0x105, "or": 0x006, "and": 0x007,
    "mul": 0x008, "mulh": 0x009, "mulhsu": 0x00A, "mulhu": 0x00B,
    "div": 0x00C, "divu": 0x00D, "rem": 0x00E, "remu": 0x00F,
}  # fmt: skip
"""funct7 and funct3: bit 8 is funct7's 0x20, bit 3 its 0x01."""

IMMEDIATE = {"addi": 0, "slti": 2, "sltiu": 3, "xori": 4, "ori": 6, "andi": 7}
SHIFT = {"slli": (1, 0), "srli": (5, 0), "srai": (5, 0x400)}
LOAD = {"lb": 0, "lh": 1, "lw": 2, "lbu": 4, "lhu": 5}
STORE = {"sb": 0, "sh": 1, "sw": 2}
BRANCH = {"beq": 0, "bne": 1, "blt": 4, "bge": 5, "bltu": 6, "bgeu": 7}
UPPER = {"lui": 0x37, "auipc": 0x17}
COUNTER = {
    "rdcycle": 0xC00, "rdtime": 0xC01, "rdinstret": 0xC02,
    "rdcycleh": 0xC80, "rdtimeh": 0xC81, "rdinstreth": 0xC82,
}  # fmt: skip
ACCESS = ("csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci")
"""Accesses to control and status registers; `imm` is the register's number, `rs1` the operand."""
CSR = {
    "mstatus": 0x300, "mie": 0x304, "mtvec": 0x305, "mscratch": 0x340, "mepc": 0x341,
    "mcause": 0x342, "mtval": 0x343, "mhartid": 0xF14, "marchid": 0xF12,
    "mcycle": 0xB00, "mcycleh": 0xB80, "minstret": 0xB02,
}  # fmt: skip
SYSTEM = {"ecall": 0x00000073, "ebreak": 0x00100073}
RETURN = {"mret": 0x30200073}
OWN = {"getq": 0, "setq": 1, "retirq": 2, "maskirq": 3, "waitirq": 4, "timer": 5}
"""PicoRV32's own, by funct7; the number of one of its own registers replaces rd or rs1."""
WAIT = {"wfi": 0x10500073}
PRIVILEGED = frozenset({*ACCESS, *RETURN})
FENCE_INSTRUCTIONS = "fence.i"
MULTIPLY = frozenset({"mul", "mulh", "mulhsu", "mulhu"})
DIVIDE = frozenset({"div", "divu", "rem", "remu"})

BASE = frozenset(
    {*REGISTER, *IMMEDIATE, *SHIFT, *LOAD, *STORE, *BRANCH, *UPPER, *COUNTER, *SYSTEM}
    | {"jal", "jalr", "fence"}
) - (MULTIPLY | DIVIDE)
ALL = BASE | MULTIPLY | DIVIDE | frozenset(COMPRESSED) | frozenset(EXTENDED)


def assemble(items: Iterable[Item], base: int = 0) -> tuple[bytes, dict[str, int]]:
    """Give the bytes from address `base` on and the labels' addresses.

    Raises ValueError where an operand does not fit its instruction.
    """
    listed = list(items)
    labels: dict[str, int] = {}
    address = base
    for item in listed:
        if isinstance(item, Label):
            labels[item.name] = address
        else:
            address += item.size
    image = bytearray()
    for item in listed:
        if isinstance(item, Data):
            image += item.content
        elif isinstance(item, Insn):
            imm = item.imm if item.target is None else labels[item.target] - base - len(image)
            image += encode(item, imm).to_bytes(item.size, "little")
    return bytes(image), labels


def encode(insn: Insn, imm: int | None = None) -> int:
    """Encode an instruction; `imm` overrides the instruction's own."""
    imm = insn.imm if imm is None else imm
    if insn.name in COMPRESSED:
        return encode_compressed(insn.name, insn.rd, insn.rs1, insn.rs2, imm)
    if insn.name in EXTENDED:
        return encode_extended(insn.name, insn.rd, insn.rs1, insn.rs2, imm)
    if insn.name in _WORDS:
        return _WORDS[insn.name]
    if insn.name in OWN:
        return 0x0B | insn.rd << 7 | insn.rs1 << 15 | OWN[insn.name] << 25
    if insn.name in ACCESS:
        funct3 = (1, 2, 3, 5, 6, 7)[ACCESS.index(insn.name)]
        return 0x73 | insn.rd << 7 | funct3 << 12 | insn.rs1 << 15 | imm << 20
    return _encode_arithmetic(insn, imm) if insn.name not in _FLOW else _encode_flow(insn, imm)


_WORDS = SYSTEM | RETURN | WAIT
_FLOW = frozenset({*LOAD, *STORE, *BRANCH, "jal", "jalr"})


def _encode_arithmetic(insn: Insn, imm: int) -> int:
    name, regs = insn.name, insn.rd << 7 | insn.rs1 << 15
    if name in REGISTER:
        code = REGISTER[name]
        funct7 = (code >> 8) << 5 | (code >> 3 & 1)
        return 0x33 | regs | (code & 7) << 12 | insn.rs2 << 20 | funct7 << 25
    if name in IMMEDIATE:
        return 0x13 | regs | IMMEDIATE[name] << 12 | _signed(name, imm, 12) << 20
    if name in SHIFT:
        funct3, high = SHIFT[name]
        return 0x13 | regs | funct3 << 12 | (_unsigned(name, imm, 5) | high) << 20
    if name in UPPER:
        return UPPER[name] | insn.rd << 7 | _unsigned(name, imm, 20) << 12
    if name in COUNTER:
        return 0x2073 | insn.rd << 7 | COUNTER[name] << 20
    if name == "fence":
        return 0x0FF0000F
    if name == FENCE_INSTRUCTIONS:
        return 0x0000100F
    raise ValueError(f"no instruction is named {name}")


def _encode_flow(insn: Insn, imm: int) -> int:
    name, base = insn.name, insn.rs1 << 15
    if name in LOAD or name == "jalr":
        opcode = 0x67 if name == "jalr" else 0x03 | LOAD[name] << 12
        return opcode | insn.rd << 7 | base | _signed(name, imm, 12) << 20
    if name in STORE:
        bits = _signed(name, imm, 12)
        return 0x23 | STORE[name] << 12 | base | insn.rs2 << 20 | _move(bits, _STORE_BITS)
    if name in BRANCH:
        bits = _signed(name, imm, 13)
        return 0x63 | BRANCH[name] << 12 | base | insn.rs2 << 20 | _move(bits, _BRANCH_BITS)
    bits = _signed(name, imm, 21)
    return 0x6F | insn.rd << 7 | _move(bits, _JUMP_BITS)


_STORE_BITS = ((0, 5, 7), (5, 7, 25))
_BRANCH_BITS = ((11, 1, 7), (1, 4, 8), (5, 6, 25), (12, 1, 31))
_JUMP_BITS = ((12, 8, 12), (11, 1, 20), (1, 10, 21), (20, 1, 31))


def _move(value: int, fields: tuple[tuple[int, int, int], ...]) -> int:
    """Spreads an immediate: (lowest bit, count of bits, lowest bit in the instruction)."""
    return sum((value >> low & (1 << count) - 1) << offset for low, count, offset in fields)


def _signed(name: str, value: int, bits: int) -> int:
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise ValueError(f"{name} cannot hold {value}")
    return value & (1 << bits) - 1


def _unsigned(name: str, value: int, bits: int) -> int:
    if not 0 <= value < 1 << bits:
        raise ValueError(f"{name} cannot hold {value}")
    return value
