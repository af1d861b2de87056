"""Random C programs on MicroBlaze and SuperH: the checksums that QEMU's user mode computes.

csmith's programs are compiled by GCC at three levels, in both orders of bytes in turn. The objects
are linked for a device here, and with a start-up code of Linux for QEMU. It takes the compilers
that `cocrypt toolchain` builds; `COCRYPT_GNU_PROGRAMS=200` compares so many programs on each core.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from typing import TYPE_CHECKING

import pytest

from ahead import share
from cocrypt.crosstools import kept
from cocrypt.device import Device
from cocrypt.errors import DoesNotFitError
from cocrypt.fuzz.c.generate import Generator, Program
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT
from test_gnu_cores import compiler_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.machine import Engine

OPTIMISATIONS = ("-O0", "-Os", "-O2")
PROGRAMS = int(os.environ.get("COCRYPT_GNU_PROGRAMS", "2"))
FLAGS = ("-w", "-fno-builtin-printf", "-Dmain=program", "-Dprintf=said")
CYCLES = 500_000_000
"""Programs that have not ended by then are left out; most take some hundred thousand."""
SECONDS = 60
STACK_IN_DATA = "stack in data"
"""A run whose stack does not fit above the data; its program is left out, as is one too large."""
CASES = ROOT / "tests/cases/gnu"
ENGINES: tuple[Engine, ...] = ("interpreter", "compiled")


@dataclass(frozen=True)
class Core:
    """A device, QEMU for its order of bytes, and GNU's linker with its options."""

    device: str
    qemu: str
    linker: str
    options: tuple[str, ...]


PAGES = ("--gc-sections", "-Ttext=0x400000", "-z", "max-page-size=4096", "-e", "_start")
MICROBLAZE = ("--no-omagic", *PAGES)
CORES = {
    "microblaze": (
        Core("duarte2010-microblaze-ddr", "qemu-microblaze", "microblaze-elf-ld", MICROBLAZE),
        Core("microblazeel", "qemu-microblazeel", "microblaze-elf-ld", ("-EL", *MICROBLAZE)),
    ),
    "superh": (
        Core("sh7729", "qemu-sh4eb", "sh-elf-ld", ("-m", "shelf", *PAGES)),
        Core("sh7729el", "qemu-sh4", "sh-elf-ld", ("-m", "shlelf", *PAGES)),
    ),
}


@dataclass(frozen=True)
class Images:
    """A program for a device, and the same objects for QEMU."""

    core: Core
    ours: Path
    theirs: Path

    def found(self, engine: Engine) -> tuple[str, bytes, int]:
        """The kind of stop, the checksum, and the cycles of a run here.

        Nothing keeps a stack off the data below it, so that a run may end in any way then.
        """
        machine = Machine(Device.load(self.core.device), self.ours, engine=engine)
        result = machine.run(CYCLES)
        addresses = {symbol["name"]: symbol["address"] for symbol in machine.info["symbols"]}
        room = addresses["_stack_top"] - addresses["_stack_limit"]
        kind = STACK_IN_DATA if result.values["stack"] > room else result.values["stop"]["kind"]
        return kind, bytes(machine.read("checksum", 4)), result.cycles

    def expected(self, qemu: str) -> bytes:
        """The checksum under QEMU."""
        run = subprocess.run(
            [qemu, str(self.theirs)], capture_output=True, check=True, timeout=SECONDS
        )
        return run.stdout


def linked(core: Core, program: Program, level: str, folder: Path) -> Images | None:
    """Compiles a program once and links it for both; None if it does not fit the device."""
    chain = Toolchain(Device.load(core.device))
    start, *runtime = chain.runtime((level,))
    linux = Unit(CASES / f"{chain.device.target.instructions.folder}_linux.S", (level,))
    units = [
        Unit(program.source, (level, *FLAGS), program.include),
        Unit(CASES / "random.c", (level,)),
    ]
    objects = chain.compile([start, linux, *runtime, *units])
    shared = [objects[unit] for unit in (*units, *runtime)]
    try:
        ours = chain.link([objects[start], *shared], program.source.stem)
    except DoesNotFitError:
        return None
    theirs = folder / f"{core.qemu}_{program.seed}{level}"
    linker = kept.which(core.linker)
    assert linker is not None
    words = (*core.options, objects[linux], *shared, *chain.libraries(), "-o", theirs)
    subprocess.run([linker, *map(str, words)], check=True, capture_output=True)
    return Images(core, ours, theirs)


def verdicts(name: str, qemus: dict[str, str], generator: Generator, seed: int) -> list[str] | None:
    """The verdict on a program for each level; None if it does not fit or end."""
    core, program = CORES[name][seed % len(CORES[name])], generator.program(seed)
    if not isinstance(program, Program):
        return None
    found = []
    for level in OPTIMISATIONS:
        images = linked(core, program, level, generator.folder)
        if images is None:
            return None
        endings = {engine: images.found(engine) for engine in ENGINES}
        if endings["compiled"][0] in ("cycle_limit", STACK_IN_DATA):
            return None
        label = f"seed {seed} on {core.device}, {level}"
        if len(set(endings.values())) != 1 or endings["compiled"][0] != "exit":
            found.append(f"{label}: the engines end with {endings}")
            continue
        theirs, ours = images.expected(qemus[core.qemu]), endings["compiled"][1]
        found.append("agrees" if theirs == ours else f"{label}: {ours!r}, QEMU {theirs!r}")
        images.theirs.unlink()
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", CORES)
def test_random_programs_compute_what_they_do_in_qemu(
    name: str, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("csmith")
    qemus = {core.qemu: need_tool(core.qemu) for core in CORES[name]}
    compiler_of(CORES[name][0].device)
    check = partial(verdicts, name, qemus, Generator(tmp_path / "programs"))
    compared: list[list[str]] = []
    with share() as pool:
        seeds = count(1)
        while len(compared) < PROGRAMS:
            batch = pool.map(check, islice(seeds, PROGRAMS - len(compared)))
            compared += [found for found in batch if found is not None]
    assert [text for found in compared for text in found if text != "agrees"] == []
