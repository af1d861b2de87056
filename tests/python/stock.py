"""Firmware as others build it: by GCC with newlib, behind start-up code in the shape of CMSIS."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, NamedTuple

from cocrypt.device import Device
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FIRMWARE = ROOT / "tests/firmware/cmsis"
GCC = "arm-none-eabi-gcc"
LIBRARIES = {
    "newlib": ("--specs=rdimon.specs",),
    "nano": ("--specs=nano.specs", "--specs=rdimon.specs"),
}
SIZES = ("-Os", "-Wall", "-Wextra", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections")


class Layout(NamedTuple):
    """The memories of an image: code, and data with the stack; first address and bytes of each."""

    flash: int
    flash_size: int
    ram: int
    ram_size: int

    @property
    def defined(self) -> list[str]:
        """The options that define the symbols of the linker script."""
        names = (name.upper() for name in self._fields)
        pairs = zip(names, self, strict=True)
        return [f"-Wl,--defsym={name}={value:#x}" for name, value in pairs]


BOARDS = {
    "stm32f0": Layout(0x0800_0000, 0x4_0000, 0x2000_0000, 0x8000),
    "stm32f1": Layout(0x0800_0000, 0x2_0000, 0x2000_0000, 0x5000),
    "stm32f4-24mhz": Layout(0x0800_0000, 0x10_0000, 0x2000_0000, 0x2_0000),
    "stm32f4-168mhz": Layout(0x0800_0000, 0x10_0000, 0x2000_0000, 0x2_0000),
    "nrf52840": Layout(0, 0x10_0000, 0x2000_0000, 0x4_0000),
    # It has no flash memory: code and data share the SRAM.
    "rp2040": Layout(0x2000_0000, 0x2_0000, 0x2002_0000, 0x2_2000),
}


def run(*command: str | Path) -> str:
    """The output of a tool."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def built(
    folder: Path,
    board: str,
    *flags: str,
    library: str = "nano",
    layout: Layout | None = None,
    source: Path = FIRMWARE / "program.c",
) -> Path:
    """An ELF file for a Cortex-M board, in the shape of CMSIS."""
    cpu = Device.load(board).target.cpu
    options = [f"-mcpu={cpu}", "-mthumb", *SIZES, *LIBRARIES[library]]
    crt0 = run(GCC, *options, "-print-file-name=rdimon-crt0.o").strip()
    image = folder / f"{board}.elf"
    placed: list[str | Path] = [
        "-nostartfiles",
        "-T",
        FIRMWARE / "link.ld",
        *(layout or BOARDS[board]).defined,
    ]
    start: list[str | Path] = [FIRMWARE / "start.c", crt0]
    run(GCC, *options, *flags, *start, source, *placed, "-Wl,--no-warn-rwx-segments", "-o", image)
    return image


def forms(image: Path, at: int) -> dict[str, tuple[Path, int | None]]:
    """The image as ELF, Intel HEX and raw binary, each with its load address."""
    hexadecimal, raw = image.with_suffix(".hex"), image.with_suffix(".bin")
    run("arm-none-eabi-objcopy", "-O", "ihex", image, hexadecimal)
    run("arm-none-eabi-objcopy", "-O", "binary", image, raw)
    return {"elf": (image, None), "hex": (hexadecimal, None), "raw": (raw, at)}
