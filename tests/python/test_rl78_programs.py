"""Random C programs on RL78: each engine prints the checksum that the GNU simulator prints.

csmith's programs are compiled by rl78-elf-gcc at three levels, for G13, with -mmul=g10 and so
without its unit, and for G14 in turn. The same image runs on both sides. It takes the compiler and
the simulator that `cocrypt toolchain rl78-elf` builds; `COCRYPT_RL78=all` compares 200 programs,
and `COCRYPT_RL78_SEEDS=113-200` those of these seeds that fit. `-s` shows each seed as it is done.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ahead import share
from cocrypt.crosstools import kept
from cocrypt.device import Device
from cocrypt.errors import DoesNotFitError, InputError
from cocrypt.fuzz.c.generate import headers
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import ThreadPoolExecutor

    from cocrypt.machine import Engine

DEVICES = ("rl78-g13", "rl78-g14")
OPTIMISATIONS = ("-O0", "-Os", "-O2")
PROGRAMS = 200 if os.environ.get("COCRYPT_RL78") == "all" else 4
SEEDS = os.environ.get("COCRYPT_RL78_SEEDS")
"""The first and the last seed, as `113-200`; else as many programs as it takes, from seed 1 on."""
OPTIONS = (
    *("--no-argc", "--concise", "--no-packed-struct", "--max-funcs", "4"),
    *("--max-array-dim", "2", "--max-array-len-per-dim", "6"),
)
"""Options of csmith: programs need no arguments, and their variables fit into RAM."""
PLATFORM = "integer size = 2\npointer size = 2\n"
FLAGS = ("-w", "-fno-builtin-printf")
RENAMED = ("-Dmain=program", "-Dprintf=said")
CYCLES = 20_000_000
"""Programs that have not ended by then are left out; most take some hundred thousand."""
SECONDS = 60
MIRRORED = 0x8000
"""The end of the flash memory that the simulator's mirror area shows."""
FAULT_OF_GCC = "internal compiler error"
"""GCC's own word where it fails; there is nothing to compare then."""
PRINTS = '\n[[register]]\nname = "SDR00"\nbase = 0xfff10\nkind = "console"\n'
"""A register of the device by which programs print in the simulator."""
ENGINES: tuple[Engine, ...] = ("interpreter", "compiled")


class LeftOutError(Exception):
    """There is nothing to compare a program with."""


@dataclass(frozen=True)
class Bench:
    """A folder with csmith, the simulator, and the devices."""

    folder: Path
    csmith: str
    simulator: str
    devices: tuple[Device, ...]

    def program(self, seed: int) -> Path:
        """Generates a program in C."""
        source = self.folder / f"program_{seed}.c"
        words = (self.csmith, *OPTIONS, "--seed", str(seed))
        process = subprocess.run(words, cwd=self.folder, capture_output=True, check=True)
        source.write_bytes(process.stdout)
        return source

    def image(self, source: Path, device: Device, level: str) -> Path:
        """Links a program.

        Raises `LeftOutError` if it does not fit, also into what the simulator shows, or if GCC
        fails.
        """
        chain, flags = Toolchain(device), (level, *FLAGS)
        include = (self.folder, headers(Path(self.csmith)))
        units = [*chain.runtime((level,)), Unit(source, (*flags, *RENAMED), include)]
        units.append(Unit(ROOT / "tests/cases/rl78/random.c", flags))
        try:
            objects = chain.compile(units)
            image = chain.link([objects[unit] for unit in units], source.stem)
        except DoesNotFitError as error:
            raise LeftOutError(f"does not fit: {error.reason}") from error
        except InputError as error:
            if FAULT_OF_GCC not in error.message:
                raise
            raise LeftOutError(FAULT_OF_GCC) from error
        if Machine(device, image).address("_data_load") > MIRRORED:
            raise LeftOutError("does not fit: the simulator does not show all of its constants")
        return image

    def theirs(self, device: Device, image: Path) -> bytes:
        """What a program prints in the simulator."""
        core = device.name.removeprefix("rl78-")
        command = [self.simulator, "-M", core, str(image)]
        return subprocess.run(command, capture_output=True, check=False, timeout=SECONDS).stdout


def ours(device: Device, image: Path, engine: Engine) -> tuple[str, bytes, int]:
    """The kind of stop, what is printed, and the cycles of a run."""
    result = Machine(device, image, engine=engine).run(CYCLES)
    return result.values["stop"]["kind"], bytes(result.values["console"]), result.cycles


def require_end(device: Device, image: Path) -> None:
    """Raises `LeftOutError` if a program does not end in time, or its stack meets its variables."""
    machine = Machine(device, image)
    values = machine.run(CYCLES).values
    if values["stop"]["kind"] == "cycle_limit":
        raise LeftOutError(f"does not end within {CYCLES:,} cycles")
    if values["stack"] > machine.address("_stack_top") - machine.address("_stack_limit"):
        raise LeftOutError("does not fit: its stack runs into its variables")


def check(bench: Bench, device: Device, image: Path, name: str) -> str:
    """Returns `agrees`, or the difference between the engines, or from the simulator."""
    endings = {engine: ours(device, image, engine) for engine in ENGINES}
    if len(set(endings.values())) != 1:
        return f"{name}: the engines differ: {endings}"
    printed, theirs = endings["compiled"][1], bench.theirs(device, image)
    is_whole = len(printed) == 8
    return "agrees" if is_whole and theirs == printed else f"{name}: {printed!r}, theirs {theirs!r}"


def checked(bench: Bench, seed: int) -> list[str] | LeftOutError:
    """Returns the verdict on a program for each level, or why it is left out.

    One whose stack runs into its variables does not fit: the simulator has memory at all addresses
    and goes on with them, and prints another checksum than at other levels.
    """
    device, source = bench.devices[seed % len(bench.devices)], bench.program(seed)
    name = f"seed {seed} on {device.name}"
    try:
        images = {level: bench.image(source, device, level) for level in OPTIMISATIONS}
        for image in images.values():
            require_end(device, image)
    except LeftOutError as error:
        return error
    return [check(bench, device, image, f"{name}, {level}") for level, image in images.items()]


def compared(bench: Bench, pool: ThreadPoolExecutor) -> Iterator[list[str]]:
    """The verdicts on the programs that are asked for and fit, in the order of their seeds."""
    first, last = (int(seed) for seed in (SEEDS or f"1-{sys.maxsize}").split("-"))
    missing = last - first + 1 if SEEDS else PROGRAMS
    seeds = iter(range(first, last + 1))
    while batch := list(islice(seeds, missing)):
        for seed, found in zip(batch, pool.map(partial(checked, bench), batch), strict=True):
            print(f"seed {seed}: {found}", flush=True)
            if isinstance(found, list):
                missing -= 1
                yield found


def bench_in(folder: Path, csmith: str) -> Bench:
    """Prepares a folder; skips where the compiler or the simulator is missing."""
    for program in ("rl78-elf-gcc", "rl78-elf-run"):
        if kept.which(program) is None:
            pytest.skip(f"{program} is not there, which `cocrypt toolchain` takes minutes to build")
    (folder / "platform.info").write_text(PLATFORM, encoding="utf-8")
    # csmith's header asks for it on behalf of functions that no program calls.
    (folder / "math.h").write_text("float fabsf(float);\ndouble fabs(double);\n", encoding="utf-8")
    devices = []
    for name in DEVICES:
        text = (ROOT / f"devices/{name}.toml").read_text("utf-8") + PRINTS
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
        devices.append(Device.load(str(folder / f"{name}.toml")))
    simulator = kept.which("rl78-elf-run")
    assert simulator is not None
    return Bench(folder, csmith, simulator, tuple(devices))


@pytest.mark.long
def test_random_programs_print_what_they_do_in_the_simulator(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    bench = bench_in(tmp_path, need_tool("csmith"))
    with share() as pool:
        verdicts = list(compared(bench, pool))
    assert verdicts
    different = [text for program in verdicts for text in program if text != "agrees"]
    assert different == []
