"""Other simulators of the same instruction sets, which run the benches' programs too."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import clocks

from cocrypt import _native
from cocrypt.crosstools import kept
from cocrypt.toolchain import Toolchain
from cocrypt.zig import zig

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clocks import Clock

    from cocrypt.device import Device

HERE = Path(__file__).parent
CASES = HERE.parent / "tests" / "cases" / "gnu"
DATA = 0x80_0000
"""The linkers' base address of AVR's data space."""


@dataclass(frozen=True)
class Ran:
    """Checksum and seconds of a run; its cycles, if the peer counts them."""

    checksum: bytes
    seconds: float
    cycles: int | None = None


@dataclass(frozen=True)
class Qemu:
    """QEMU's user mode: the object files with a start-up code for Linux, and no timing.

    `fewer` is the factor by which a peer runs fewer rounds than our engines.
    """

    command: tuple[str, ...]
    scratch: Path
    clock: Clock = clocks.elapsed
    title: str = "QEMU, user mode"
    start: tuple[Path, ...] = (HERE / "kernels" / "linux.S",)
    fewer: int = 1

    def program(self, objects: Sequence[Path], image: Path) -> Path:  # noqa: ARG002
        """Links the program for Linux."""
        target = self.scratch / "linux.elf"
        command = [zig(), "ld.lld", "-Ttext=0x10000", "--gc-sections", *objects, "-o", target]
        subprocess.run([str(word) for word in command], check=True)
        return target

    def run(self, program: Path) -> Ran:
        """Runs the program; its start (of a few milliseconds) is included."""
        started = self.clock()
        run = subprocess.run([*self.command, str(program)], capture_output=True, check=True)
        return Ran(run.stdout, self.clock() - started)

    def version(self) -> str:
        """The first line of QEMU's own version text."""
        command = [self.command[0], "--version"]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        return run.stdout.splitlines()[0]


GNU: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("microblaze-elf-gcc", "big"): ("qemu-microblaze", "microblaze-elf-ld", "--no-omagic"),
    ("microblaze-elf-gcc", "little"): (
        *("qemu-microblazeel", "microblaze-elf-ld"),
        *("-EL", "--no-omagic"),
    ),
    ("sh-elf-gcc", "big"): ("qemu-sh4eb", "sh-elf-ld", "-m", "shelf"),
    ("sh-elf-gcc", "little"): ("qemu-sh4", "sh-elf-ld", "-m", "shlelf"),
}
"""QEMU and GNU's linker with its options, by the compiler and the order of bytes."""


@dataclass(frozen=True)
class GnuQemu(Qemu):
    """QEMU's user mode for a core for which only GNU's tools compile and link."""

    link: tuple[str, ...] = ()
    libraries: tuple[Path, ...] = ()

    def program(self, objects: Sequence[Path], image: Path) -> Path:  # noqa: ARG002
        """Links the program for Linux."""
        target = self.scratch / "linux.elf"
        layout = ("-Ttext=0x10000", "-e", "_start", "-z", "max-page-size=4096")
        parts = map(str, (*objects, *self.libraries))
        command = [*self.link, *layout, *parts, "-o", str(target)]
        subprocess.run(command, check=True, capture_output=True)
        return target


@dataclass(frozen=True)
class Simavr:
    """simavr: the same image and the same cycles; fewer rounds, since it takes long."""

    mcu: str
    scratch: Path
    title: str = "simavr"
    start: tuple[Path, ...] = ()
    fewer: int = 40

    def program(self, objects: Sequence[Path], image: Path) -> Path:  # noqa: ARG002
        """Writes the image as bytes."""
        target, elf = self.scratch / "image.bin", image.read_bytes()
        flash = bytearray()
        for address, content in _native.image_segments(elf, "kernel"):
            flash[address:] = bytes(address - len(flash)) + content
        target.write_bytes(flash)
        entry = _native.image_info(elf, "kernel")["entry"]
        addresses = f"{entry:#x} {checksum_of(elf) - DATA:#x}"
        target.with_suffix(".at").write_text(addresses, encoding="utf-8")
        return target

    def run(self, program: Path) -> Ran:
        """Runs the program; the start-up is not included."""
        addresses = program.with_suffix(".at").read_text(encoding="utf-8")
        command = [str(self._runner()), self.mcu, str(program), *addresses.split()]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        cycles, seconds, checksum = output.split()
        return Ran(bytes.fromhex(checksum), float(seconds), int(cycles))

    def _runner(self) -> Path:
        """The program that runs images on the library that simavr's own command uses."""
        target = self.scratch / "simavr"
        if not target.exists():
            command = ["cc", "-O2", str(HERE / "simavr.c"), "-o", str(target)]
            subprocess.run([*command, "-lsimavr", "-lelf", "-lm"], check=True)
        return target

    def version(self) -> str:
        """The version of simavr's library."""
        command = ["pkg-config", "--modversion", "simavr"]
        number = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        return f"simavr {number}".strip()


Peer = Qemu | Simavr


def peer(device: Device, scratch: Path, clock: Clock = clocks.elapsed) -> Peer | None:
    """The peer for a device's instruction set, if it is installed.

    QEMU's user mode refuses cores that run no Linux; `max` has all of their instructions.
    """
    cpu, family = device.target.cpu, device.target.instructions.name
    if family == "AVR":
        return Simavr(device.name, scratch) if shutil.which("simavr") else None
    gnu = GNU.get((device.target.instructions.gcc, device.target.instructions.convention.order))
    if gnu is not None:
        return _gnu(device, gnu, scratch, clock)
    qemu = shutil.which("qemu-riscv32" if cpu is None else "qemu-arm")
    if qemu is None:
        return None
    model = () if cpu is None else ("-cpu", "arm926" if "arm926" in cpu else "max")
    return Qemu((qemu, *model), scratch, clock)


def _gnu(device: Device, tools: tuple[str, ...], scratch: Path, clock: Clock) -> Peer | None:
    """QEMU for a core of GNU's tools, if it and the linker are there."""
    qemu, linker = shutil.which(tools[0]), kept.which(tools[1])
    if qemu is None or linker is None:
        return None
    start = (CASES / f"{device.target.instructions.folder}_linux.S",)
    libraries = tuple(Toolchain(device).libraries())
    link = (linker, *tools[2:])
    return GnuQemu((qemu,), scratch, clock, start=start, link=link, libraries=libraries)


def checksum_of(image: bytes) -> int:
    """The address of a kernel's checksum."""
    symbols = _native.image_info(image, "kernel")["symbols"]
    address: int = next(symbol["address"] for symbol in symbols if symbol["name"] == "checksum")
    return address
