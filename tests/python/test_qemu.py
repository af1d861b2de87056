"""Instruction semantics against QEMU: the same ELF file on the model and under qemu-riscv32.

Programs come from the generator, without accesses to what only a device has (counters,
peripherals). They end by writing registers and data area to standard output, as a Linux program
does; the model stops at the first environment call, and its memory is read instead.
"""

from __future__ import annotations

import struct
import subprocess
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt._native import Machine
from cocrypt.fuzz.cores.picorv32 import CONFIGURATIONS, EXTENSIONS
from cocrypt.fuzz.devices import DeviceFolder
from cocrypt.fuzz.encoder import COUNTER, Insn, Item, assemble
from cocrypt.fuzz.generate import DATA_BASE, DATA_SIZE, Features, Writer
from cocrypt.fuzz.straight import DATA, DEVICES, straight
from cocrypt.rtl import Waits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.rtl import Configuration

BASE = Features(multiply=True, divide=True, compressed=True)
EXTENDED = Features(multiply=True, divide=True, compressed=True, extensions=EXTENSIONS)
FAST, UNIT = CONFIGURATIONS[9:11]
"""The fast configuration, and the same with the extensions' unit."""
PROGRAMS = 60
DUMP = DATA_SIZE + 4 * 32
PAGE = 0x1000
WRITE, EXIT = 64, 93
"""System calls of Linux on RISC-V."""


class PortableWriter(Writer):
    """Leaves out instructions that read counters or access peripherals."""

    def filler(self, least: int, most: int) -> None:
        """Adds instructions that have the same effect everywhere."""
        for _ in range(self.random.randint(least, most)):
            items = straight(self.random, self.features)
            if not any(item.name in COUNTER or item.rs1 == DEVICES for item in items):
                self.items += items


def epilogue() -> list[Item]:
    """Stores the registers behind the data, and writes both to standard output."""
    saves = [Insn("sw", rs1=DATA, rs2=n, imm=DATA_SIZE + 4 * n) for n in range(32)]
    call = (("a7", WRITE), ("a0", 1), ("a2", DUMP))
    numbers = {"a0": 10, "a2": 12, "a7": 17}
    loads = [Insn("addi", rd=numbers[name], imm=value) for name, value in call]
    leave = [Insn("addi", rd=numbers["a7"], imm=EXIT), Insn("addi", rd=numbers["a0"])]
    where = Insn("addi", rd=11, rs1=DATA)
    return [*saves, where, *loads, Insn("ecall"), *leave, Insn("ecall")]


def program(index: int, features: Features) -> bytes:
    """An ELF file whose one segment is placed where Linux can map it."""
    writer = PortableWriter(Random(f"qemu {index}"), features)
    writer.prologue()
    for _ in range(80):
        writer.fragment()
    code, _ = assemble([*writer.items, *epilogue()])
    data = writer.random.randbytes(DATA_SIZE) + bytes(DUMP - DATA_SIZE)
    image = code.ljust(DATA_BASE, b"\0") + data
    ident = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
    header = struct.pack("<HHIIIIIHHHHHH", 2, 243, 1, 0, 52, 0, 0, 52, 32, 1, 40, 0, 0)
    segment = struct.pack("<8I", 1, PAGE, 0, 0, len(image), len(image), 7, PAGE)
    return (ident + header + segment).ljust(PAGE, b"\0") + image


def on_model(elf: bytes, device: Path) -> bytes:
    """The output of the program, from the model's memory."""
    machine = Machine(str(device), elf, "qemu")
    stop = machine.run(10_000_000)["stop"]
    assert stop["kind"] == "trap", stop
    return machine.read(DATA_BASE, DUMP)


@pytest.mark.parametrize(
    ("features", "configuration"), [(BASE, FAST), (EXTENDED, UNIT)], ids=["base", "extensions"]
)
def test_the_model_computes_what_qemu_computes(
    need_tool: Callable[[str], str],
    tmp_path: Path,
    features: Features,
    configuration: Configuration,
) -> None:
    qemu, path = need_tool("qemu-riscv32"), tmp_path / "program.elf"
    device = DeviceFolder(tmp_path).device(configuration, Waits(1, 1, 1))
    cpu = ",".join(["rv32", *(f"{extension}=true" for extension in sorted(features.extensions))])
    for index in range(PROGRAMS):
        elf = program(index, features)
        path.write_bytes(elf)
        path.chmod(0o755)
        command = [qemu, "-cpu", cpu, str(path)]
        done = subprocess.run(command, capture_output=True, check=True, timeout=60)
        assert len(done.stdout) == DUMP
        ours = on_model(elf, device)
        words = zip(
            *(struct.unpack(f"<{DUMP // 4}I", memory) for memory in (ours, done.stdout)),
            strict=True,
        )
        differences = [(4 * at, a, b) for at, (a, b) in enumerate(words) if a != b]
        assert not differences, f"program {index}: {differences[:8]}"
