"""The generator of programs encodes as binutils does and reaches what it is meant to reach."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cocrypt.fuzz import coverage
from cocrypt.fuzz.cores import CORES
from cocrypt.fuzz.encoder import ACCESS, ALL, BRANCH, PRIVILEGED, SYSTEM, Insn, encode
from cocrypt.fuzz.endings import ENDINGS
from cocrypt.fuzz.extensions import EXTENSIONS
from cocrypt.fuzz.generate import Features, generate

ORACLE = Path(__file__).resolve().parents[2] / "crates" / "isa-riscv" / "tests"
ORIGIN = 0x20_0000
NAMES = (
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2",
    "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5",
    "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7",
    "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
)  # fmt: skip
NUMBER = {name: number for number, name in enumerate(NAMES)}
TWO_ADDRESS = frozenset({"c.add", "c.mv", "c.sub", "c.xor", "c.or", "c.and"})
FULL = Features(multiply=True, divide=True, compressed=True, extensions=frozenset(EXTENSIONS))


def parse(text: str) -> Insn:
    """Read an instruction as the oracle's files write it."""
    name, _, operand_text = text.partition(" ")
    operands = [part for part in re.split(r"[ ,()]+", operand_text.replace(". ", ".")) if part]
    registers = [NUMBER[part] for part in operands if part in NUMBER]
    numbers = [part for part in operands if part not in NUMBER]
    imm = immediate(name, operand_text, numbers[0]) if numbers else 0
    if name in ACCESS and name.endswith("i"):
        return Insn(name, rd=registers[0], rs1=int(numbers[1]), imm=imm)
    return replace(Insn(name, imm=imm), **operand_registers(name, registers))


def immediate(name: str, operand_text: str, text: str) -> int:
    """Tell the value that the instruction holds from the one that is written."""
    if ". " in operand_text:
        return int(operand_text.rpartition(". ")[2].replace(" ", ""))
    number = int(text, 0)
    if name in BRANCH or name == "jal":
        return number - ORIGIN
    return (number & 0x3F ^ 0x20) - 0x20 if name == "c.lui" else number


def operand_registers(name: str, registers: list[int]) -> dict[str, Any]:
    """Say which operands the registers are, in the order in which they are written."""
    order: tuple[str, ...] = ("rd", "rs1", "rs2")
    if name in {"sb", "sh", "sw", "c.sw", "c.swsp"}:
        order = ("rs2", "rs1")
    elif name in BRANCH:
        order = ("rs1", "rs2")
    elif name in TWO_ADDRESS:
        order = ("rd", "rs2")
    elif name in {"c.jr", "c.jalr", "c.beqz", "c.bnez"}:
        order = ("rs1",)
    return dict(zip(order, registers, strict=False))


def oracle() -> list[tuple[int, str]]:
    """List the encodings and texts that GNU binutils made."""
    rows = []
    for file, columns in (("encodings.txt", 2), ("compressed.txt", 3)):
        for line in (ORACLE / file).read_text().splitlines():
            if line and not line.startswith("#"):
                parts = line.split(" ", columns - 1)
                rows.append((int(parts[0], 16), parts[-1].partition("#")[0].strip()))
    return rows


@pytest.mark.parametrize(("code", "text"), oracle(), ids=str)
def test_the_encoder_agrees_with_binutils(code: int, text: str) -> None:
    assert encode(parse(text)) == code


def test_the_oracle_knows_every_instruction() -> None:
    mnemonics = {text.partition(" ")[0] for _, text in oracle()}
    assert mnemonics >= ALL | PRIVILEGED - set(SYSTEM)


def test_every_instruction_is_generated() -> None:
    programs = [generate(1, index, FULL) for index in range(60)]
    assert coverage.instructions(programs).keys() >= ALL - {"c.ebreak", *SYSTEM}


@pytest.mark.parametrize("core", ["serv", "ibex", "vexriscv"])
def test_everything_privileged_is_generated(core: str) -> None:
    of = CORES[core]
    features = of.features(of.configurations[0])
    assert features.privileged is not None
    counts = coverage.instructions(generate(1, index, features) for index in range(120))
    assert counts.keys() >= PRIVILEGED


@pytest.mark.parametrize(
    "features", [Features(), Features(multiply=True), FULL], ids=["least", "multiply", "full"]
)
def test_only_what_the_core_knows_is_generated(features: Features) -> None:
    programs = [generate(2, index, features, "exit") for index in range(40)]
    assert all(features.knows(name) for name in coverage.instructions(programs))


@pytest.mark.long
def test_every_ending_comes_about() -> None:
    programs = [generate(3, i, Features(compressed=i % 2 == 0)) for i in range(1000)]
    assert coverage.endings(programs).keys() == ENDINGS.keys()


def test_the_same_seed_gives_the_same_program_and_another_one_another() -> None:
    first, again, different = (generate(seed, 5, FULL).image for seed in (4, 4, 5))
    assert first == again
    assert first != different


def test_operands_that_do_not_fit_are_refused() -> None:
    wrong = (
        Insn("addi", rd=1, imm=2048),
        Insn("beq", imm=4096),
        Insn("slli", rd=1, imm=32),
        Insn("c.addi", rd=1),
        Insn("c.lw", rd=1, rs1=8),
        Insn("c.lwsp", rd=1, imm=2),
        Insn("nonesuch"),
    )
    for insn in wrong:
        with pytest.raises(ValueError, match=insn.name):
            encode(insn)
