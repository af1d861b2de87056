"""Programs of random instructions that a core is calibrated with."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.fuzz.encoder import BRANCH, COUNTER, LOAD, STORE, Insn, Label, assemble
from cocrypt.fuzz.straight import (
    DATA,
    DATA_BASE,
    DATA_SIZE,
    DEVICES,
    FREE,
    LINK,
    STACK,
    STACK_OFFSET,
    Features,
    any_register,
    load_value,
    straight,
)
from cocrypt.machine import Machine

if TYPE_CHECKING:
    from cocrypt.device import Device
    from cocrypt.fuzz.encoder import Item

NAME = "random"
END = "end"
START = 8
"""The address of the first instruction of a run, behind a jump to it and the end."""
SOON = 1000
"""More cycles than that jump takes."""
JUMPS, INDEXED = 0.15, 0.1
"""The shares of branches and jumps, and of accesses at addresses that depend on data."""
LEFT_OUT = frozenset({*COUNTER, "fence"})
"""Instructions whose result, or whose class, no other program of a calibration has."""


def kernel(device: Device, seed: int, instructions: int) -> Machine:
    """A machine that is about to run about so many random instructions, and returns from them.

    They begin with registers from the data area, whose `DATA_SIZE` bytes each run may draw.
    """
    memory = device.memories[0]
    if memory.size < DATA_BASE + DATA_SIZE:
        raise InputError(
            f"{device.name} has too little memory for the programs of a calibration",
            f"describe a device with {(DATA_BASE + DATA_SIZE) >> 10} KiB at least",
        )
    image, _ = assemble(_items(Random(seed), _features(device), instructions))
    if len(image) > DATA_BASE:
        raise InputError(
            f"{instructions:,} instructions do not fit below the data at {DATA_BASE:#x}",
            "give fewer by --instructions",
        )
    machine = Machine(device, image, name=f"{NAME}{seed}", load_address=0)
    # Behind the reset the core has to fetch first.
    machine.native.run_to(START, SOON)
    return machine


def _features(device: Device) -> Features:
    has = device.parameters.get
    return Features(
        multiply=bool(has("ENABLE_MUL") or has("ENABLE_FAST_MUL")),
        divide=bool(has("ENABLE_DIV")),
        compressed=bool(has("COMPRESSED_ISA")),
        counters=False,
        fence=False,
    )


def _items(random: Random, features: Features, instructions: int) -> list[Item]:
    items: list[Item] = [
        Insn("jal", target="begin"),
        Label(END),
        Insn("jal", target=END),
        Label("begin"),
        # A window ends with the return from a call before it.
        Insn("addi", rd=LINK, imm=Insn("jal").size),
        *load_value(random, Features(), DATA, DATA_BASE),
        *load_value(random, Features(), STACK, DATA_BASE + STACK_OFFSET),
    ]
    items += [Insn("lw", rd=rd, rs1=DATA, imm=4 * number) for number, rd in enumerate(FREE)]
    while len(items) < instructions:
        kind = random.random()
        if kind < JUMPS:
            items += _jump(random, f"over{len(items)}")
        elif kind < JUMPS + INDEXED:
            items += _indexed(random)
        else:
            items += _allowed(random, features)
    return [*items, Insn("jalr", rs1=LINK)]


def _allowed(random: Random, features: Features) -> list[Insn]:
    """Instructions that use memory alone."""
    while True:
        group = straight(random, features)
        if not any(insn.name in LEFT_OUT or insn.rs1 == DEVICES for insn in group):
            return group


def _indexed(random: Random) -> list[Insn]:
    """A load or store at an address that depends on data."""
    register = random.choice(FREE)
    name = random.choice([*LOAD, *STORE])
    operand = random.choice(FREE)
    stored, loaded = (operand, 0) if name in STORE else (0, operand)
    return [
        Insn("andi", rd=register, rs1=random.choice(FREE), imm=DATA_SIZE - 4),
        Insn("add", rd=register, rs1=register, rs2=DATA),
        Insn(name, rd=loaded, rs1=register, rs2=stored),
    ]


def _jump(random: Random, label: str) -> list[Item]:
    """A branch by data, or a jump, over an instruction."""
    over: list[Item] = [Insn("xori", rd=random.choice(FREE), rs1=any_register(random), imm=-1)]
    if random.random() < 0.3:
        # A jump that writes x1 would be a call.
        rd = random.choice((0, *FREE[1:]))
        return [Insn("jal", rd=rd, target=label), *over, Label(label)]
    name = random.choice(list(BRANCH))
    operands = {"rs1": any_register(random), "rs2": any_register(random)}
    return [Insn(name, target=label, **operands), *over, Label(label)]
