"""Measures the engine on code that nobody tuned for, beside QEMU's user mode.

    python benches/suite.py [--device NAME ...] [--sample N] [--only WORD ...] [--write FILE]
    python benches/suite.py --check [--device NAME ...] [--sample N] [--only WORD ...]

The set has each timed operation of each portable primitive, programs of other kinds and random
ones (collected.py), each by zig and by GCC at -O2 and at -Os. A program runs for about the same
number of instructions, the same objects on both sides in turn: on the engine once with an empty
cache and once more with the compiled code that this run kept. It prints the ratios of speed, the
worst ten, and how long compiled code takes to reach nine tenths of its final speed. `--sample`
draws programs by a seed; all of them take hours.

`--check` times nothing. It runs the first cycles of each program on the interpreter and in compiled
code, on any device, and compares all that can be observed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import clocks
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

    from cocrypt.machine import Engine

DEVICES = ("picorv32", "ibex-maxperf", "arm7tdmi", "stm32f0")
"""Cores of RV32IM, of RV32IMC, of A32 and of Thumb, whose blocks take a known number of cycles."""
LEVELS = ("-O2", "-Os")
LONGEST = 2_000_000_000
"""Instructions of a round that is measured nevertheless; longer ones are left out."""
MAX_CYCLES = 10_000_000_000_000
CHECKED_ROUNDS = 1000
CHECKED_CYCLES = (400_009, 2_000_000)
"""Cycles at which the engines are compared, unless a program ends before."""
ENGINES: tuple[Engine, ...] = ("interpreter", "compiled", "auto", "unprofiled")
OBSERVED = ("stop", "cycles", "instructions")
"""What all of them count; all but the last count what is spent where, too."""
SLICES = 40
"""Parts of a run for which speed is measured to find when it is reached."""
REACHED = 0.9
REST = 0.02
"""Seconds; a process that computes for a tenth of them is not at rest."""
WORST = 10
COLUMNS = "whole run | warm | final | processor time | warm"


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

    `warm` is a run that finds the compiled code of the first one.
    `last` are the seconds of a processor that the whole run would take at its final speed, and
    `reached` those that pass from the image to nine tenths of that speed.
    """

    name: str
    ours: Seconds
    warm: Seconds
    theirs: Seconds
    last: float
    reached: float

    @property
    def ratio(self) -> float:
        """The engine's speed over QEMU's, by the clock."""
        return self.theirs.clock / self.ours.clock

    @property
    def warmed(self) -> float:
        """The same with code that was compiled before."""
        return self.theirs.clock / self.warm.clock

    @property
    def final(self) -> float:
        """The same at the engine's final speed, by the time of the processor that runs it."""
        return self.theirs.processor / self.last

    @property
    def of_processor(self) -> float:
        """The speeds' ratio by processor time, of the compiling thread too."""
        return self.theirs.processor / self.ours.processor

    @property
    def warmed_of_processor(self) -> float:
        """The same with code that was compiled before."""
        return self.theirs.processor / self.warm.processor

    @property
    def ratios(self) -> tuple[float, ...]:
        """All ratios, as the tables have them."""
        by_clock = (self.ratio, self.warmed, self.final)
        return (*by_clock, self.of_processor, self.warmed_of_processor)


class Bench:
    """Builds and runs programs for one device, by one compiler at one level."""

    def __init__(
        self, device: Device, compiler: str | None, level: str, scratch: Path, millions: int
    ) -> None:
        self.level, self.millions = level, millions
        self.path, self.memories = paths.device(device.name), device.memories
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
        sides = [(*self.twice(image), self.beside(linux)) for _ in range(runs)]
        if len({run.checksum for side in sides for run in side}) != 1:
            raise SystemExit(f"{name}: the checksums differ")
        ours, warm, theirs = zip(*sides, strict=True)
        seconds = (middle(ours), middle(warm), middle(theirs))
        return Row(name, *seconds, *self.final(image, ours[0].cycles))

    def image(self, program: Collected, rounds: int) -> tuple[Path, list[Path]]:
        """A program for the device, and its objects without those of start-up."""
        flags = (self.level,)
        units = [collected.main_unit(rounds, flags), *program.units(flags)]
        start, *libc = self.toolchain.runtime(flags)
        objects = self.toolchain.compile([start, *units, *libc])
        body = [objects[unit] for unit in dict.fromkeys((*units, *libc))]
        return self.toolchain.link([objects[start], *body], program.name), body

    def images(self, program: Collected, rounds: int) -> tuple[Path, Path]:
        """A program for the device, and the same objects for QEMU."""
        image, body = self.image(program, rounds)
        assert self.peer is not None
        own = self.toolchain.compile([Unit(path) for path in self.peer.start])
        return image, self.peer.program([*own.values(), *body], image)

    def instructions(self, program: Collected, rounds: int) -> int | None:
        """Instructions of so many rounds; None where they are too many."""
        image, _ = self.image(program, rounds)
        machine = Machine(self.path, image.read_bytes(), program.name, engine="unprofiled")
        result = machine.run(20 * LONGEST)
        return result["instructions"] if result["stop"]["kind"] == "exit" else None

    def twice(self, image: Path) -> tuple[Run, Run]:
        """A run with an empty cache of compiled code, and another one with what it kept."""
        with tempfile.TemporaryDirectory(prefix="cocrypt-bench-") as code:
            cold = self.run(image, Path(code))
            rest()
            warm = self.run(image, Path(code))
            rest()
        return cold, warm

    def run(self, image: Path, code: Path) -> Run:
        """A run on the engine, from the image on, with the processor time of its compiler."""
        content = image.read_bytes()
        before, started = time.process_time(), time.perf_counter()
        machine = Machine(self.path, content, image.stem, engine="unprofiled", code=code)
        result = machine.run(MAX_CYCLES)
        seconds, used = time.perf_counter() - started, time.process_time() - before
        checksum = machine.read(peers.checksum_of(content), 4)
        return Run(Seconds(seconds, used), checksum, result["cycles"])

    def beside(self, linux: Path) -> Run:
        """A run on QEMU, from the start of its process on."""
        assert self.peer is not None
        before = clocks.computed()
        own = time.process_time()
        ran = self.peer.run(linux)
        used = clocks.computed() - before - (time.process_time() - own)
        return Run(Seconds(ran.seconds, used), ran.checksum)

    def check(self, program: Collected) -> int:
        """Compares the engines on a program; returns the cycles of its run.

        Raises `SystemExit` where they differ.
        """
        image, _ = self.image(program, CHECKED_ROUNDS)
        expected, *states = (self.states(image, engine) for engine in ENGINES)
        for engine, state in zip(ENGINES[1:], states, strict=True):
            if state != expected:
                raise SystemExit(
                    f"{program.name}, {self.title}: {engine} differs from {ENGINES[0]}"
                )
        cycles: int = expected[-1][0]["cycles"]
        return cycles

    def states(self, image: Path, engine: Engine) -> list[tuple[Any, ...]]:
        """What can be observed at some cycles of a run: counts, stop, registers, memories."""
        machine = Machine(self.path, image.read_bytes(), image.stem, engine=engine)
        states = []
        for cycles in CHECKED_CYCLES:
            result = machine.run(cycles)
            counted = {key: result[key] for key in OBSERVED}
            memories = {
                memory.name: machine.read(memory.base, memory.size) for memory in self.memories
            }
            states.append((counted, machine.registers(), memories))
        return states

    def final(self, image: Path, cycles: int) -> tuple[float, float]:
        """Seconds of the whole run at its last quarter's speed, and until nine tenths of it."""
        machine = Machine(self.path, image.read_bytes(), image.stem, engine="unprofiled")
        seconds, used = [], []
        for part in range(1, SLICES + 1):
            started, before = time.perf_counter(), time.thread_time()
            machine.run(cycles * part // SLICES)
            seconds.append(time.perf_counter() - started)
            used.append(time.thread_time() - before)
        final = statistics.median(seconds[-SLICES // 4 :])
        rests = (statistics.mean(seconds[at:]) for at in range(SLICES))
        first = next((at for at, rest in enumerate(rests) if rest <= final / REACHED), SLICES)
        return statistics.median(used[-SLICES // 4 :]) * SLICES, sum(seconds[:first])


def rest() -> None:
    """Waits while the compiler of a machine that is gone still works, and keeps its last code."""
    used = REST
    while used >= REST / 10:
        before = time.process_time()
        time.sleep(REST)
        used = time.process_time() - before


def middle(runs: Sequence[Run]) -> Seconds:
    """The medians of some runs."""
    return Seconds(*(statistics.median(run.seconds[at] for run in runs) for at in (0, 1)))


def cases_of(
    device: Device, options: argparse.Namespace, scratch: Path
) -> Iterator[tuple[Bench, Collected]]:
    """A sample of a device's programs and builds, each of which is announced."""
    programs = collected.collect(device, collected.folder_of(device), options.only)
    cases = [
        (bench, program)
        for bench in benches(device, options.millions, scratch)
        for program in programs
    ]
    if options.sample and options.sample < len(cases):
        cases = random.Random(f"{options.seed} {device.name}").sample(cases, options.sample)
    for at, (bench, program) in enumerate(cases):
        say(f"{device.name}: {at + 1} of {len(cases)}, {program.name}, {bench.title}")
        yield bench, program


def rows_of(device: Device, options: argparse.Namespace, scratch: Path) -> Iterator[Row]:
    """The rows of a device."""
    for bench, program in cases_of(device, options, scratch):
        try:
            row = bench.row(program, options.runs)
        except CocryptError as error:
            say(f"  left out: {error}")
            continue
        if row is None:
            say("  left out: a round is too long")
        else:
            yield row


def check(device: Device, options: argparse.Namespace, scratch: Path) -> str:
    """Compares the engines on a device's programs; a line about how many agree."""
    cycles = []
    for bench, program in cases_of(device, options, scratch):
        try:
            cycles.append(bench.check(program))
        except CocryptError as error:
            say(f"  left out: {error}")
    return f"{device.name}: {len(cycles)} programs agree, {sum(cycles):,} cycles"


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
    kinds = tuple(zip(*(row.ratios for row in rows), strict=True))
    reached = sorted(row.reached for row in rows)
    half, most = reached[len(reached) // 2], reached[len(reached) * 9 // 10]
    yield f"Device `{device.name}`: {len(rows)} programs (seed {options.seed}), medians of"
    yield f"{options.runs} runs of about {options.millions} million instructions, from the image"
    yield "on. Nine tenths of the final speed are reached after"
    yield f"{half * 1e3:.0f} ms in half of the programs, {most * 1e3:.0f} ms in nine of ten."
    yield ""
    yield f"| speed over QEMU's | {COLUMNS} |"
    yield f"|---|{'--:|' * len(kinds)}"
    yield f"| geometric mean | {cells(kinds, statistics.geometric_mean)} |"
    yield f"| least | {cells(kinds, min)} |"
    yield f"| programs below 0.9 | {' | '.join(str(below(kind)) for kind in kinds)} |"
    yield ""
    yield f"| worst ten | {COLUMNS} |"
    yield f"|---|{'--:|' * len(kinds)}"
    for row in sorted(rows, key=lambda row: row.final)[:WORST]:
        yield f"| {row.name} | {' | '.join(f'{ratio:.2f}' for ratio in row.ratios)} |"


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
    parser.add_argument("--check", action="store_true", help="compare the engines instead")
    options = parser.parse_args()
    for name in options.device or DEVICES:
        device = Device.load(paths.device(name))
        if options.check:
            with tempfile.TemporaryDirectory(prefix="cocrypt-bench-") as scratch:
                print(check(device, options, Path(scratch)), flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="cocrypt-bench-") as scratch:
            rows = list(rows_of(device, options, Path(scratch)))
        text = "\n".join(lines(device, rows, options))
        print(text, flush=True)
        if options.write:
            paths.write_between(options.write, f"programs on {device.name}", text)


if __name__ == "__main__":
    main()
