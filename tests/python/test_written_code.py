"""Programs that write the instruction that they are about to execute, on model and RTL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from cocrypt._native import Machine
from cocrypt.fuzz.cores import CORES
from cocrypt.fuzz.devices import DeviceFolder
from cocrypt.fuzz.encoder import FENCE_INSTRUCTIONS, Data, Insn, Item, Label, assemble
from cocrypt.rtl import Configuration, Job, Waits, build, run_batch
from elf import elf_image

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 6
ADDS_ONE = (1 << 20 | 7 << 15 | 7 << 7 | 0x13).to_bytes(4, "little")
"""addi x7, x7, 1: each round writes an instruction that adds 1 more than the last."""

FENCED = {"picorv32": (), "serv": (), "ibex": (0, 1), "vexriscv": (1,)}
"""The numbers of instructions between `fence.i` and the written one, where a core needs a fence.

PicoRV32 has fetched the instruction right behind the store, as its model has; VexRiscv has fetched
one instruction behind `fence.i`.
"""


def program(distance: int, fence: int | None) -> bytes:
    """Each round adds by a newly written instruction, `distance` instructions behind its store."""
    between: list[Item] = [Insn("addi", rd=10, rs1=10, imm=1)] * distance
    if fence is not None:
        between.insert(max(len(between) - fence, 0), Insn(FENCE_INSTRUCTIONS))
        between += [Insn("addi")] * max(fence - distance, 0)
    image, _ = assemble(
        [
            Insn("lui", rd=4, imm=0x80000),
            Insn("addi", rd=7),
            Insn("addi", rd=3, imm=ROUNDS),
            Insn("lui", rd=8, imm=1 << 8),
            Insn("auipc", rd=5),
            Insn("lw", rd=6, rs1=5, imm=4 * (4 + len(between))),
            Label("round"),
            Insn("add", rd=6, rs1=6, rs2=8),
            Insn("sw", rs1=5, rs2=6, imm=4 * (4 + len(between))),
            *between,
            Data(ADDS_ONE),
            Insn("addi", rd=3, rs1=3, imm=-1),
            Insn("bne", rs1=3, target="round"),
            Insn("sw", rs1=4, imm=0x20),
            Data(bytes(16)),
        ]
    )
    return image


CASES = [
    (name, distance, fence)
    for name, fences in FENCED.items()
    for distance in range(9)
    for fence in fences or (None,)
]


@pytest.mark.parametrize("engine", ["interpreter", "compiled"])
@pytest.mark.parametrize("name", FENCED)
def test_code_that_writes_code_agrees(
    name: str, engine: Literal["interpreter", "compiled"], tmp_path: Path
) -> None:
    core, devices = CORES[name], DeviceFolder(tmp_path)
    systems: list[tuple[Configuration, Waits]] = [
        (configuration, waits)
        for configuration in core.configurations
        for waits in core.waits(configuration)
    ]
    images = [program(distance, fence) for case, distance, fence in CASES if case == name]
    jobs = [Job(image, *system) for system in systems for image in images]
    for job, real in zip(jobs, run_batch(build(core.configurations), jobs), strict=True):
        device = devices.device(job.configuration, job.waits)
        machine = Machine(device, elf_image(job.image), "program", engine=engine)
        cycles, registers = machine.run()["cycles"], machine.registers()
        assert (cycles, list(registers)) == (real.cycles, list(real.registers))
        assert registers[7] in {sum(range(ROUNDS + 1)), sum(range(2, ROUNDS + 2))}
