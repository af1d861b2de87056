"""Random C programs on AVR: each engine ends where simavr does, in the same cycle.

csmith's programs are compiled by avr-gcc with four options, for an `int` of 16 bits that hosts do
not have. Simavr's state after the same image must be ours: registers,
stack pointer, all of SRAM (by a digest), the checksum therein, and the cycles. `COCRYPT_AVR=all`
compares 300 programs.
"""

from __future__ import annotations

import os
import struct
import subprocess
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ahead import share
from cocrypt._native import Machine
from cocrypt.device import Device
from cocrypt.fuzz.c.generate import headers
from host import ROOT
from rust_examples import output
from test_avr import ENGINES
from test_avr_simavr import simulator

if TYPE_CHECKING:
    from collections.abc import Callable

    from cocrypt.machine import Engine

DEVICE = "atmega2560"
OPTIMISATIONS = ("-O0", "-Os", "-O2", "-O3")
PROGRAMS = 300 if os.environ.get("COCRYPT_AVR") == "all" else 6
OPTIONS = (
    *("--no-argc", "--concise", "--no-packed-struct", "--max-funcs", "4"),
    *("--max-array-dim", "2", "--max-array-len-per-dim", "6"),
)
"""Options of csmith: programs need no arguments, and their variables fit into SRAM."""
PLATFORM = "integer size = 2\npointer size = 2\n"
RENAMED = ("-Dmain=program", "-Dprintf=said")
CYCLES = 20_000_000
"""Programs that have not slept by then are left out; most take some hundred thousand."""
MASK = (1 << 64) - 1


@dataclass(frozen=True)
class Ended:
    """The end of a run: all values that must be equal."""

    stack: int
    registers: str
    digest: int
    cycles: int


@dataclass(frozen=True)
class Tools:
    """Tools that build and run programs, in a folder."""

    folder: Path
    csmith: str
    compiler: str
    objcopy: str
    simavr: Path

    def program(self, seed: int) -> Path:
        """Generates a program in C."""
        source = self.folder / f"program_{seed}.c"
        words = (self.csmith, *OPTIONS, "--seed", str(seed))
        process = subprocess.run(words, cwd=self.folder, capture_output=True, check=True)
        source.write_bytes(process.stdout)
        return source

    def image(self, source: Path, level: str) -> Path | None:
        """Links a program with avr-libc; returns None if its variables do not fit into SRAM."""
        compiled, target = (source.with_suffix(f".{level[1:]}.{kind}") for kind in ("o", "elf"))
        command = [self.compiler, f"-mmcu={DEVICE}", "-std=c11", "-w", level]
        include = f"-I{headers(Path(self.csmith))}"
        subprocess.run([*command, *RENAMED, include, "-c", source, "-o", compiled], check=True)
        around = ROOT / "tests/cases/avr/random.c"
        link = [*command, str(around), str(compiled), "-o", str(target)]
        process = subprocess.run(link, capture_output=True, text=True, check=False)
        fits = "not within region" not in process.stderr
        assert process.returncode == 0 or not fits, process.stderr
        return target if fits else None

    def theirs(self, image: Path, first: int) -> Ended:
        """Returns the state after simavr's run; `first` is the first address of SRAM."""
        flat = image.with_suffix(".bin")
        subprocess.run([self.objcopy, "-O", "binary", image, flat], check=True)
        commands = f"p {flat.read_bytes().hex()}\nu {CYCLES}\n"
        line = output([self.simavr, DEVICE, hex(first)], text=commands)
        _, _, stack, _, _, registers, digest, cycles = line.split()
        return Ended(int(stack, 16), registers, int(digest, 16), int(cycles))


def ours(device: Device, image: bytes, engine: Engine) -> tuple[str, Ended]:
    """Returns the kind of stop, and the state that a run leaves."""
    machine = Machine(device.path, image, "a random program", engine=engine)
    result = machine.run(CYCLES)
    state = dict(zip(device.target.instructions.registers, machine.registers(), strict=True))
    registers = bytes(state[f"r{number}"] for number in range(32)).hex()
    memory = machine.read(device.ram.base, device.ram.size)
    ended = Ended(state["SP"] & 0xFFFF, registers, digest(memory), result["cycles"])
    return result["stop"]["kind"], ended


def digest(memory: bytes) -> int:
    """The digest of memory, as tests/python/avr/simavr.c computes it."""
    total = 0
    for (word,) in struct.iter_unpack("<Q", memory):
        total = (total ^ word) * 0x9E3779B97F4A7C15 & MASK
        total = (total << 23 | total >> 41) & MASK
    return total


def check(tools: Tools, device: Device, image: Path, name: str) -> str:
    """Returns `agrees`, or the difference between the engines, or from simavr."""
    endings = {engine: ours(device, image.read_bytes(), engine) for engine in ENGINES}
    if len(set(endings.values())) != 1:
        return f"{name}: the engines differ: {endings}"
    ended, theirs = endings["compiled"][1], tools.theirs(image, device.ram.base & 0xFFFF)
    return "agrees" if theirs == ended else f"{name}: {ended}, on simavr {theirs}"


def checked(tools: Tools, device: Device, seed: int) -> list[str] | None:
    """Returns the verdict on a program for each option; None if it does not end."""
    source = tools.program(seed)
    built = {level: tools.image(source, level) for level in OPTIMISATIONS}
    images = {level: image for level, image in built.items() if image}
    stops = [ours(device, image.read_bytes(), "compiled")[0] for image in images.values()]
    if len(images) < len(built) or any(stop != "deadlock" for stop in stops):
        return None
    return [check(tools, device, image, f"seed {seed}, {level}") for level, image in images.items()]


@pytest.mark.long
def test_random_programs_end_where_they_do_on_simavr(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    need_tool("simavr")
    csmith, compiler, objcopy = map(need_tool, ("csmith", "avr-gcc", "avr-objcopy"))
    (tmp_path / "platform.info").write_text(PLATFORM, encoding="utf-8")
    simavr = simulator(need_tool("cc"), tmp_path)
    tools = Tools(tmp_path, csmith, compiler, objcopy, simavr)
    work = partial(checked, tools, Device.load(DEVICE))
    verdicts: list[list[str]] = []
    with share() as pool:
        seeds = count(1)
        while len(verdicts) < PROGRAMS:
            batch = pool.map(work, islice(seeds, PROGRAMS - len(verdicts)))
            verdicts += [verdict for verdict in batch if verdict is not None]
    different = [text for program in verdicts for text in program if text != "agrees"]
    assert different == []
