"""Measures the engine on code that nobody tuned for, beside QEMU's user mode.

    python benches/suite.py [--device NAME ...] [--sample N] [--only WORD ...] [--write FILE]

The set has each timed operation of each portable primitive, programs of other kinds and random
ones (collected.py), each by zig and by GCC at -O2 and at -Os. A program runs for about the same
number of instructions, the same objects on both sides in turn. It prints the ratios of speed, the
worst ten, and how long compiled code takes to reach nine tenths of its final speed. `--sample`
draws programs by a seed; all of them take hours.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import collected
import peers

from cocrypt import paths
from cocrypt._native import Machine
from cocrypt.device import Device
from cocrypt.errors import CocryptError
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from collected import Collected

DEVICES = ("picorv32", "ibex-maxperf", "arm7tdmi", "stm32f0")
"""Cores of RV32IM, of RV32IMC, of A32 and of Thumb, whose blocks take a known number of cycles."""
LEVELS = ("-O2", "-Os")
LONGEST = 2_000_000_000
"""Instructions of a round that is measured nevertheless; longer ones are left out."""
MAX_CYCLES = 10_000_000_000_000
SLICES = 40
"""Parts of a run for which speed is measured to find when it is reached."""
REACHED = 0.9
WORST = 10
TICK = 0.01
"""Seconds in which the host counts the processor time of other processes."""


class Seconds(NamedTuple):
    """Seconds by the clock, and of processor time."""

    clock: float
    processor: float


@dataclass(frozen=True)
class Run:
    """A run on one side: its seconds, its checksum, and its cycles where they are counted."""

    seconds: Seconds
    checksum: bytes
    cycles: int = 0


@dataclass(frozen=True)
class Row:
    """Seconds of runs of a program, on the engine and on QEMU: medians.

    `last` are the seconds that the whole run would take at its final speed, and `reached` those
    from the image to nine tenths of that speed.
    """

    name: str
    ours: Seconds
    theirs: Seconds
    last: float
    reached: float

    @property
    def ratio(self) -> float:
        """The engine's speed over QEMU's, by the clock."""
        return self.theirs.clock / self.ours.clock

    @property
    def final(self) -> float:
        """The same at the engine's final speed."""
        return self.theirs.clock / self.last

    @property
    def of_processor(self) -> float:
        """The same by processor time, of the compiling thread too."""
        return self.theirs.processor / self.ours.processor


class Bench:
    """Builds and runs programs for one device, by one compiler at one level."""

    def __init__(
        self, device: Device, compiler: str | None, level: str, scratch: Path, millions: int
    ) -> None:
        self.level, self.millions = level, millions
        self.path = paths.device(device.name)
        self.toolchain = Toolchain(device, compiler)
        self.peer = peers.peer(device, scratch)
        self.title = f"{compiler or 'zig'} {level}"

    def row(self, program: Collected, runs: int) -> Row | None:
        """Measures a program; returns None if a round is too long.

        Raises `SystemExit` where both sides compute different things.
        """
        one, two = (self.instructions(program, rounds) for rounds in (1, 2))
        if two is None or one is None:
            return None
        rounds = max(1, self.millions * 1_000_000 // max(1, two - one))
        image, linux = self.images(program, rounds)
        name = f"{program.name}, {self.title}"
        pairs = [(self.run(image), self.beside(linux)) for _ in range(runs)]
        if len({run.checksum for pair in pairs for run in pair}) != 1:
            raise SystemExit(f"{name}: the checksums differ")
        ours, theirs = zip(*pairs, strict=True)
        return Row(name, middle(ours), middle(theirs), *self.final(image, ours[0].cycles))

    def images(self, program: Collected, rounds: int) -> tuple[Path, Path]:
        """A program for the device, and the same objects for QEMU."""
        flags = (self.level,)
        units = [collected.main_unit(rounds, flags), *program.units(flags)]
        start, *libc = self.toolchain.runtime(flags)
        objects = self.toolchain.compile([start, *units, *libc])
        body = [objects[unit] for unit in dict.fromkeys((*units, *libc))]
        image = self.toolchain.link([objects[start], *body], program.name)
        assert self.peer is not None
        own = self.toolchain.compile([Unit(path) for path in self.peer.start])
        return image, self.peer.program([*own.values(), *body], image)

    def instructions(self, program: Collected, rounds: int) -> int | None:
        """Instructions of so many rounds; None where they are too many."""
        image, _ = self.images(program, rounds)
        machine = Machine(self.path, image.read_bytes(), program.name, engine="unprofiled")
        result = machine.run(20 * LONGEST)
        return result["instructions"] if result["stop"]["kind"] == "exit" else None

    def run(self, image: Path) -> Run:
        """A run on the engine, from the image on, with the processor time of its compiler."""
        content = image.read_bytes()
        before, started = time.process_time(), time.perf_counter()
        machine = Machine(self.path, content, image.stem, engine="unprofiled")
        result = machine.run(MAX_CYCLES)
        seconds, used = time.perf_counter() - started, time.process_time() - before
        checksum = machine.read(peers.checksum_of(content), 4)
        return Run(Seconds(seconds, used), checksum, result["cycles"])

    def beside(self, linux: Path) -> Run:
        """A run on QEMU, from the start of its process on."""
        assert self.peer is not None
        before = os.times()
        ran = self.peer.run(linux)
        after = os.times()
        used = sum(after[2:4]) - sum(before[2:4])
        return Run(Seconds(ran.seconds, max(used, TICK)), ran.checksum)

    def final(self, image: Path, cycles: int) -> tuple[float, float]:
        """Seconds of the whole run at its last quarter's speed, and until nine tenths of it."""
        machine = Machine(self.path, image.read_bytes(), image.stem, engine="unprofiled")
        seconds = []
        for part in range(1, SLICES + 1):
            started = time.perf_counter()
            machine.run(cycles * part // SLICES)
            seconds.append(time.perf_counter() - started)
        final = statistics.median(seconds[-SLICES // 4 :])
        rests = (statistics.mean(seconds[at:]) for at in range(SLICES))
        first = next((at for at, rest in enumerate(rests) if rest <= final / REACHED), SLICES)
        return final * SLICES, sum(seconds[:first])


def middle(runs: Sequence[Run]) -> Seconds:
    """The medians of some runs."""
    return Seconds(*(statistics.median(run.seconds[at] for run in runs) for at in (0, 1)))


def rows_of(device: Device, options: argparse.Namespace, scratch: Path) -> Iterator[Row]:
    """The rows of a device, of a sample of its programs and builds."""
    programs = collected.collect(device, collected.folder_of(device))
    cases = [
        (bench, program)
        for bench in benches(device, options.millions, scratch)
        for program in collected.chosen(programs, options.only)
    ]
    if options.sample and options.sample < len(cases):
        cases = random.Random(f"{options.seed} {device.name}").sample(cases, options.sample)
    for at, (bench, program) in enumerate(cases):
        say(f"{device.name}: {at + 1} of {len(cases)}, {program.name}, {bench.title}")
        try:
            row = bench.row(program, options.runs)
        except CocryptError as error:
            say(f"  left out: {error}")
            continue
        if row is None:
            say("  left out: a round is too long")
        else:
            yield row


def benches(device: Device, millions: int, scratch: Path) -> list[Bench]:
    """A bench for each compiler and level."""
    compilers = (None, device.target.instructions.gcc)
    return [
        Bench(device, compiler, level, scratch, millions)
        for compiler in compilers
        for level in LEVELS
    ]


def lines(device: Device, rows: Sequence[Row], options: argparse.Namespace) -> Iterator[str]:
    """The report."""
    kinds = (
        [row.ratio for row in rows],
        [row.final for row in rows],
        [row.of_processor for row in rows],
    )
    reached = sorted(row.reached for row in rows)
    half, most = reached[len(reached) // 2], reached[len(reached) * 9 // 10]
    yield f"Device `{device.name}`: {len(rows)} programs (seed {options.seed}), medians of"
    yield f"{options.runs} runs of about {options.millions} million instructions, from the image"
    yield "on. Nine tenths of the final speed are reached after"
    yield f"{half * 1e3:.0f} ms in half of the programs, {most * 1e3:.0f} ms in nine of ten."
    yield ""
    yield "| speed over QEMU's | whole run | final | processor time |"
    yield "|---|--:|--:|--:|"
    yield f"| geometric mean | {cells(kinds, statistics.geometric_mean)} |"
    yield f"| least | {cells(kinds, min)} |"
    yield f"| programs below 0.9 | {' | '.join(str(below(kind)) for kind in kinds)} |"
    yield ""
    yield "| worst ten | whole run | final | processor time |"
    yield "|---|--:|--:|--:|"
    for row in sorted(rows, key=lambda row: row.final)[:WORST]:
        yield f"| {row.name} | {row.ratio:.2f} | {row.final:.2f} | {row.of_processor:.2f} |"


def cells(kinds: Sequence[Sequence[float]], summary: Callable[[Sequence[float]], float]) -> str:
    """A cell for each kind of ratio."""
    return " | ".join(f"{summary(kind):.2f}" for kind in kinds)


def below(values: Sequence[float], least: float = 0.9) -> int:
    """How many values are too small."""
    return sum(value < least for value in values)


def say(text: str) -> None:
    """Prints the progress."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Parses the arguments, measures, writes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--device", action="append", help="only this one (any number of times)")
    parser.add_argument("--only", action="append", default=[], help="programs with this word")
    parser.add_argument("--sample", type=int, default=0, help="so many programs of each device")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--millions", type=int, default=100, help="of instructions of a run")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    options = parser.parse_args()
    for name in options.device or DEVICES:
        device = Device.load(paths.device(name))
        with tempfile.TemporaryDirectory(prefix="cocrypt-bench-") as scratch:
            rows = list(rows_of(device, options, Path(scratch)))
        text = "\n".join(lines(device, rows, options))
        print(text, flush=True)
        if options.write:
            paths.write_between(options.write, f"programs on {device.name}", text)


if __name__ == "__main__":
    main()
