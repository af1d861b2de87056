"""Builds programs for a device and runs them on the model."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import _native
from cocrypt.device import Device
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SOC = ROOT / "devices/hau2011-soc.toml"
# Parameters that make the core fast, and those that the smallest core can do without.
EXTRAS = ["BARREL_SHIFTER", "COMPRESSED_ISA", "ENABLE_FAST_MUL", "ENABLE_DIV"]


@dataclass(frozen=True)
class Finished:
    """A program that has run."""

    machine: _native.Machine
    result: dict[str, Any]
    symbols: dict[str, int]

    def bytes_at(self, symbol: str, size: int) -> bytes:
        """Read memory from a symbol on."""
        return self.machine.read(self.symbols[symbol], size)

    def word(self, symbol: str) -> int:
        """Read a 32-bit variable."""
        return int.from_bytes(self.bytes_at(symbol, 4), "little")


def plain(folder: Path) -> Device:
    """Write the device with the smallest core: RV32I, shifts bit by bit."""
    text = SOC.read_text()
    for name in EXTRAS:
        line = next(line for line in text.splitlines() if line.startswith(name))
        text = text.replace(line, f"{name} = false")
    shutil.copytree(SOC.parent / "cores", folder / "cores")
    path = folder / "plain.toml"
    path.write_text(text)
    return Device.load(path)


def table(folder: Path, rows: bytes, **words: int) -> Path:
    """Write a source that defines `table` and a few words."""
    (folder / "table.bin").write_bytes(rows)
    lines = [f".globl {name}\n{name}: .word {value}" for name, value in words.items()]
    path = folder / "table.S"
    path.write_text(
        "\n".join([".data", ".balign 8", ".globl table", "table:"])
        + f'\n.incbin "{folder / "table.bin"}"\n.balign 4\n'
        + "\n".join([*lines, ""])
    )
    return path


def run(
    device: Device,
    sources: Sequence[Path],
    include: Sequence[Path] = (),
    coprocessors: Sequence[Path] = (),
) -> Finished:
    """Build an image with the runtime and run it to its end."""
    chain = Toolchain(device)
    units = [Unit(path, ("-O2",), tuple(include)) for path in sources]
    objects = chain.compile_needed([*chain.runtime(("-O2",)), *units])
    elf = chain.link(list(objects.values()), "test").read_bytes()
    machine = _native.Machine(str(device.path), elf, "test", [str(path) for path in coprocessors])
    result = machine.run()
    info = _native.image_info(elf, "test")
    return Finished(
        machine, result, {symbol["name"]: symbol["address"] for symbol in info["symbols"]}
    )
