"""The architecture levels for which random C programs are compiled, and their toolchains."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from cocrypt import paths
from cocrypt.compiler import ZIG
from cocrypt.device import Device
from cocrypt.target import instruction_set
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.fuzz.c.generate import Program

INSTRUCTIONS = instruction_set("armv4")
COMPILERS = (ZIG, INSTRUCTIONS.gcc)
OPTIMISATIONS = ("-O0", "-Os", "-O2", "-O3")
RUNTIME = ("-O1",)

# Some microcontrollers have less memory than programs without optimisation need.
FLASH, RAM = 0x10_0000, 0x4_0000
_MEMORY = r'(name\s*=\s*"{}"\n(?:kind.*\n)?base.*\nsize\s*=\s*)\w+'


@dataclass(frozen=True)
class Level:
    """An architecture, a device that has it, and the instruction set of its programs.

    The runtime of a core that has both is always A32, so that calls go from Thumb to A32 and
    back.
    """

    name: str
    device: str
    code: Literal["A32", "Thumb"]

    def __str__(self) -> str:
        return f"{self.name} {self.code} ({self.device})"


LEVELS = (
    Level("ARMv4", "sa1110", "A32"),
    Level("ARMv4T", "arm7tdmi", "A32"),
    Level("ARMv4T", "arm7tdmi", "Thumb"),
    Level("ARMv5TE", "at91sam9", "A32"),
    Level("ARMv5TE", "at91sam9", "Thumb"),
    Level("ARMv6-M", "stm32f0", "Thumb"),
    Level("ARMv7-M", "stm32f1", "Thumb"),
    Level("ARMv7E-M", "stm32f4-24mhz", "Thumb"),
)


@dataclass(frozen=True)
class Bench:
    """The folder of a build: devices like the project's, with enough memory."""

    folder: Path

    def device(self, level: Level) -> Device:
        """A level's device."""
        self.folder.mkdir(parents=True, exist_ok=True)
        cores = self.folder / "cores"
        if not cores.exists():
            cores.symlink_to(paths.root() / "devices" / "cores", target_is_directory=True)
        path = self.folder / f"{level.device}.toml"
        if not path.exists():
            text = paths.device(level.device).read_text(encoding="utf-8")
            path.write_text(roomy(text), encoding="utf-8")
        return Device.load(path)

    def image(self, device: Device, level: Level, program: Program, words: str) -> Path:
        """The program, built by a compiler with an option: `words` are these two."""
        compiled_by, option = words.split()
        around, inside = Toolchain(device, compiled_by), Toolchain(_for(device, level), compiled_by)
        unit = Unit(program.source, (option, "-w"), program.include)
        compiled = inside.compile([unit])[unit]
        objects = around.compile_needed([*around.runtime(RUNTIME), unit], (), {unit: compiled})
        return around.link(list(objects.values()), f"{program.source.name} ({level})")


def roomy(description: str) -> str:
    """A device's description with larger memories."""
    for name, size in (("flash", FLASH), ("sram", RAM)):
        description = re.sub(_MEMORY.format(name), rf"\g<1>{size:#x}", description)
    return description


def _for(device: Device, level: Level) -> Device:
    """The device as the compiler of a program sees it."""
    compiler = device.core.compiler
    if compiler is None:
        return device
    (code,) = (encoding.name for encoding in INSTRUCTIONS.encodings if encoding.title == level.code)
    options = replace(compiler, code=code)
    return replace(device, core=replace(device.core, compiler=options))
