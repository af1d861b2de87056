"""The processors that a design names: their devices, and the programs that they run.

GEZEL's designs name programs that were built for an ARM. Here a processor is a device of the
workbench, and the program is built from the C file beside it, unless there is an image for the
device.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import _native, paths
from cocrypt._native import DiagnosticError
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.sdcc import compiling, names
from cocrypt.toolchain import Toolchain, Unit, sources_of
from cocrypt.trust import Project

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FLAGS = ("-O2", "-g")
OLD_C = ("-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration")
"""GEZEL's programs are older than the rules that made these mistakes."""
HEX = (".ihx", ".hex")
"""Suffixes of Intel HEX files, whose sources have another in its place."""
HEAP = 16384
"""Bytes that a program can allocate; one that does not has no heap."""
RETURNS_NOTHING = re.compile(r"\bvoid\s+main\s*\(")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
MOVED = 0x7000_0000
"""The offset by which a device's peripherals move, from 0x80000000 on, if a design takes theirs."""
PERIPHERALS = 0x8000_0000


@dataclass(frozen=True)
class Processor:
    """A processor of a design on its device, with its program."""

    name: str
    device: Device
    program: Path
    image: bytes
    moved: int

    @property
    def native(self) -> dict[str, object]:
        """The values that the native module takes."""
        return {
            "name": self.name,
            "device": self.device.path,
            "home": paths.root(),
            "program": str(self.program),
            "image": self.image,
            "moved": self.moved,
        }


def of_design(
    design: Path, top: str | None, gezel: bool, devices: Sequence[str]
) -> list[Processor]:
    """The processors of a design, with their programs built.

    `devices` has a device for all of them, or for some by name: `NAME` or `CORE=NAME`.
    Raises `InputError` where a processor has no device or no program, `DiagnosticError` where the
    design is wrong.
    """
    cores = _native.fdl_cores(design, top, gezel)
    chosen = _chosen(devices, [str(core["name"]) for core in cores])
    return [_processor(design, core, chosen) for core in cores]


def _chosen(devices: Sequence[str], cores: Sequence[str]) -> dict[str | None, str]:
    """The device of each processor that is named; that of all others under `None`."""
    chosen: dict[str | None, str] = {}
    for text in devices:
        core, equals, device = text.partition("=")
        if equals and core not in cores:
            available = ", ".join(cores) or "none at all"
            raise InputError(f"the design has no processor `{core}`", f"it has {available}")
        chosen[core if equals else None] = device if equals else text
    if chosen and not cores:
        raise InputError("the design has no processor", "leave `--device` out")
    return chosen


def _processor(design: Path, core: dict[str, Any], chosen: Mapping[str | None, str]) -> Processor:
    name = core["name"]
    path = chosen.get(name, chosen.get(None, core["device"]))
    if path is None:
        usual = paths.USUAL_DEVICE
        help_text = f"name it: `--device {usual}`, or `--device {name}={usual}` for this one"
        raise InputError(f"the processor `{name}` may be any device", help_text)
    device = Device.load(path)
    words = shlex.split(core["program"]) or [""]
    program = design.parent / words[0]
    if not program.resolve().is_relative_to(design.parent.resolve()):
        raise InputError(
            f"the program {program} of the processor `{name}` lies outside of the design's folder",
            "put it beside the design",
        )
    moved = MOVED if _meets(core["windows"], device) else 0
    source = _source(program)
    refusal = "is not there" if program == source else _refusal(program, device)
    if refusal is None:
        return Processor(name, device, program, names.read(program), 0)
    if not source.is_file():
        raise InputError(
            f"the program {program} of the processor `{name}` {refusal}",
            f"put {source.name} beside it, or an image for {device.name} in its place",
        )
    return Processor(name, device, source, _built(design, source, device, moved), moved)


def _source(program: Path) -> Path:
    """The C file that a program is built from unless it is an image."""
    if program.suffix in (".c", ".S"):
        return program
    stem = program.stem if program.suffix in HEX else program.name
    return program.with_name(stem + ".c")


def _meets(windows: Sequence[tuple[int, int]], device: Device) -> bool:
    """Returns whether a design takes addresses at which the device has peripherals."""
    return any(
        base < peripheral.base + peripheral.size and peripheral.base < base + size
        for base, size in windows
        for peripheral in device.peripherals
    )


def _refusal(program: Path, device: Device) -> str | None:
    """The reason why the device cannot run a file, as the end of a sentence; None if it can."""
    if not program.is_file():
        return "is not there"
    try:
        _native.Machine(device.path, program.read_bytes(), str(program), home=paths.root())
    except DiagnosticError as error:
        return f"cannot be run: {error.diagnostics[0]['message']}"
    return None


def _built(design: Path, source: Path, device: Device, moved: int) -> bytes:
    """The image of a program, for a device whose peripherals are moved up by `moved`."""
    project = Project(design.parent.resolve())
    if compiling.compiles(device):
        return compiling.program(source, device, project)
    chain = Toolchain(device, project=project)
    flags = (*FLAGS, f"-DCOCRYPT_PERIPHERALS=0x{PERIPHERALS + moved:x}")
    heap = paths.runtime() / "heap"
    units = [
        *chain.runtime(flags),
        Unit(heap / "heap.c", (*flags, f"-DCOCRYPT_HEAP={HEAP}"), (heap,)),
        Unit(source, (*flags, *OLD_C), (source.parent, heap), is_hosted=True),
    ]
    bindings: list[str] = []
    text = source.read_text(encoding="utf-8", errors="replace")
    if source.suffix == ".c" and RETURNS_NOTHING.search(COMMENT.sub(" ", text)):
        units.append(Unit(paths.runtime() / "entry" / "nothing.c", flags))
        bindings = ["--wrap=main"]
    objects = chain.compile_needed(units, bindings)
    linked = list(objects.values())
    return chain.link(linked, str(source), bindings, sources_of(objects)).read_bytes()
