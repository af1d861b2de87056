"""Devices and cores: read, and made a machine that runs a few instructions."""

from __future__ import annotations

import contextlib
from functools import cache
from typing import TYPE_CHECKING

from cocrypt import _native, paths
from cocrypt.device import Device
from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

CYCLES = 500
# Words that are instructions in some instruction sets only.
PROGRAM = bytes.fromhex("1305100093056500b3e6c500034500002380a0006ff05ffe") * 2


def _run(path: Path) -> None:
    device = Device.load(path)
    start = device.memories[0].base
    # A description that can be read need not be of a machine that can be built.
    with contextlib.suppress(_native.DiagnosticError):
        machine = Machine(device, PROGRAM, name="program", load_address=start, start_at=start)
        machine.run(CYCLES)


def _read_core(path: Path) -> None:
    """Runs the devices with this core; its folder is in theirs."""
    for name in _with_core(path.stem):
        _run(path.parent.parent / name)


@cache
def _with_core(core: str) -> list[str]:
    devices = paths.devices().values()
    return [path.name for path in devices if f'"{core}"' in path.read_text(encoding="utf-8")]


def _devices() -> list[Path]:
    return [paths.root() / "docs/examples/devices/example.toml", *paths.devices().values()]


DEVICES = Kind("devices", _devices, _run)
CORES = Kind("cores", lambda: sorted((paths.root() / "devices/cores").glob("*.toml")), _read_core)
