"""Programs as ELF, Intel HEX and raw files: read, loaded, run for some cycles and profiled."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.device import Device
from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CYCLES = 2_000
DEVICES = ("picorv32", "stm32f1")
SOURCE = """
int first(int value) { return value * 3; }
static int table[16] = {1, 2, 3};
int main(void)
{
    for (int i = 0; i < 16; i++) {
        table[i] += first(i);
    }
    return table[15] == 45 ? 0 : 1;
}
"""


@cache
def _program(device: str) -> Path:
    source = paths.kept("main.c", SOURCE)
    toolchain = Toolchain(Device.load(paths.device(device)))
    units = [*toolchain.runtime(("-O1",)), Unit(source, ("-O1", "-g"))]
    return toolchain.link(list(toolchain.compile_needed(units).values()), source.name)


def _hex(device: str) -> str:
    """A program's loaded bytes in Intel HEX, 16 to a record."""
    machine = Machine(device, _program(device))
    records = []
    for segment in machine.info["segments"]:
        at, size = segment["address"], segment["file_size"]
        content = machine.read(at, size)
        for offset in range(0, size, 16):
            address = at + offset
            records.append(_record(0, 4, (address >> 16).to_bytes(2, "big")))
            records.append(_record(address & 0xFFFF, 0, content[offset : offset + 16]))
    records += [_record(0, 5, machine.info["entry"].to_bytes(4, "big")), _record(0, 1, b"")]
    return "".join(records)


def _record(address: int, kind: int, content: bytes) -> str:
    body = bytes([len(content), *address.to_bytes(2, "big"), kind, *content])
    return f":{body.hex()}{-sum(body) & 0xFF:02x}\n".upper()


def _elf_seeds() -> Sequence[Path]:
    return [_kept(f"{device}.elf", _program(device).read_bytes()) for device in DEVICES]


def _hex_seeds() -> Sequence[Path]:
    return [_kept(f"{device}.hex", _hex(device).encode()) for device in DEVICES]


def _kept(name: str, content: bytes) -> Path:
    """A seed in a folder of its own, named by its device."""
    path = paths.cache() / "fuzz" / name.replace(".", "-") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def _run(path: Path) -> None:
    machine = Machine(path.stem, path, contexts=True, host_calls=True)
    machine.run(CYCLES)
    machine.profile().functions()


def _raw_seeds() -> Sequence[Path]:
    return [_kept(f"{device}.bin", _loaded(device)) for device in DEVICES]


def _loaded(device: str) -> bytes:
    machine = Machine(device, _program(device))
    segment = machine.info["segments"][0]
    return machine.read(segment["address"], segment["file_size"])


def _run_raw(path: Path) -> None:
    device = Device.load(paths.device(path.stem))
    base = device.memories[0].base
    content = path.read_bytes()
    Machine(device, content, name="raw", load_address=base, start_at=base).run(CYCLES)


ELF = Kind("elf", _elf_seeds, _run)
HEX = Kind("hex", _hex_seeds, _run)
RAW = Kind("raw", _raw_seeds, _run_raw)
