"""Encodings of the bit-manipulation and scalar cryptography extensions of RV32.

Sources: "RISC-V Bit-Manipulation ISA-extensions", 1.0.0; "RISC-V Cryptography Extensions Volume I:
Scalar & Entropy Source Instructions", 1.0.1.
"""

from __future__ import annotations

from typing import Literal

Operands = Literal["two", "one", "amount", "byte"]
"""Operands of an instruction: two registers, one, one and 5 bits, two and a byte's number."""

EXTENSIONS: dict[str, dict[str, tuple[Operands, int]]] = {
    "zba": {
        "sh1add": ("two", 0x20002033),
        "sh2add": ("two", 0x20004033),
        "sh3add": ("two", 0x20006033),
    },
    "zbb": {
        "andn": ("two", 0x40007033),
        "orn": ("two", 0x40006033),
        "xnor": ("two", 0x40004033),
        "rol": ("two", 0x60001033),
        "ror": ("two", 0x60005033),
        "rori": ("amount", 0x60005013),
        "rev8": ("one", 0x69805013),
        "zext.h": ("one", 0x08004033),
        "clz": ("one", 0x60001013),
        "ctz": ("one", 0x60101013),
        "cpop": ("one", 0x60201013),
        "sext.b": ("one", 0x60401013),
        "sext.h": ("one", 0x60501013),
        "orc.b": ("one", 0x28705013),
        "min": ("two", 0x0A004033),
        "minu": ("two", 0x0A005033),
        "max": ("two", 0x0A006033),
        "maxu": ("two", 0x0A007033),
    },
    "zbs": {
        "bclr": ("two", 0x48001033),
        "bclri": ("amount", 0x48001013),
        "bext": ("two", 0x48005033),
        "bexti": ("amount", 0x48005013),
        "binv": ("two", 0x68001033),
        "binvi": ("amount", 0x68001013),
        "bset": ("two", 0x28001033),
        "bseti": ("amount", 0x28001013),
    },
    "zbc": {
        "clmul": ("two", 0x0A001033),
        "clmulh": ("two", 0x0A003033),
        "clmulr": ("two", 0x0A002033),
    },
    "zbkb": {
        "pack": ("two", 0x08004033),
        "packh": ("two", 0x08007033),
        "brev8": ("one", 0x68705013),
        "zip": ("one", 0x08F01013),
        "unzip": ("one", 0x08F05013),
    },
    "zbkx": {
        "xperm4": ("two", 0x28002033),
        "xperm8": ("two", 0x28004033),
    },
    "zkne": {
        "aes32esi": ("byte", 0x22000033),
        "aes32esmi": ("byte", 0x26000033),
    },
    "zknd": {
        "aes32dsi": ("byte", 0x2A000033),
        "aes32dsmi": ("byte", 0x2E000033),
    },
    "zknh": {
        "sha256sum0": ("one", 0x10001013),
        "sha256sum1": ("one", 0x10101013),
        "sha256sig0": ("one", 0x10201013),
        "sha256sig1": ("one", 0x10301013),
        "sha512sum0r": ("two", 0x50000033),
        "sha512sum1r": ("two", 0x52000033),
        "sha512sig0l": ("two", 0x54000033),
        "sha512sig1l": ("two", 0x56000033),
        "sha512sig0h": ("two", 0x5C000033),
        "sha512sig1h": ("two", 0x5E000033),
    },
}
"""By extension and name: the operands, and the encoding with all operands 0. An instruction of two
extensions is listed with the first, except that Zbkc is a part of Zbc."""

SHARED = {
    "zbkb": frozenset({"andn", "orn", "xnor", "rol", "ror", "rori", "rev8"}),
    "zbkc": frozenset({"clmul", "clmulh"}),
}
"""Instructions that an extension shares with one listed before."""

EXTENDED = {name: encoding for group in EXTENSIONS.values() for name, encoding in group.items()}


def names(extensions: frozenset[str]) -> tuple[str, ...]:
    """The instructions of some extensions."""
    own = {name for extension in extensions for name in EXTENSIONS.get(extension, ())}
    shared = {name for extension in extensions for name in SHARED.get(extension, ())}
    return tuple(sorted(own | shared))


def encode_extended(name: str, rd: int, rs1: int, rs2: int, imm: int) -> int:
    """Encodes an instruction; `imm` is the amount or the byte's number."""
    operands, bits = EXTENDED[name]
    word = bits | rd << 7 | rs1 << 15
    match operands:
        case "two":
            return word | rs2 << 20
        case "one":
            return word
        case "amount":
            return word | imm << 20
        case "byte":
            return word | rs2 << 20 | imm << 30
