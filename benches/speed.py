"""Measures the engines: guest instructions per second on a few kernels, beside QEMU and RTL.

    python benches/speed.py [--device NAME] [--kernel NAME] [--quick] [--write FILE]
    python benches/speed.py [--device NAME] [--kernel NAME] --once ENGINE

Every kernel is compiled once. The same object file runs on our engines with exact cycles, under
QEMU (user mode, no timing) where that is installed, and with fewer rounds on the core's RTL under
Verilator, if there is one. Each figure is the median of several runs, which take turns so that a
noisy moment of the host meets all of them. What is printed is Markdown; --write puts it between the
device's marks on a page.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cocrypt import _native, house, rtl
from cocrypt._native import Machine
from cocrypt.compiler import zig
from cocrypt.device import Device
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KERNELS = Path(__file__).parent / "kernels"
ECC = house.root() / "primitives" / "ecdsa-secp160r1" / "ref"
FLAGS = ("-O2", "-std=c11")
MAX_CYCLES = 10_000_000_000_000
Engine = Literal["unprofiled", "auto", "interpreter"]
OURS: tuple[Engine, ...] = ("unprofiled", "auto", "interpreter")
SHORT = 1_000_000
"""Instructions of a short run."""


@dataclass(frozen=True)
class Kernel:
    """A kernel; rounds for about 1e9 instructions, and for a run at register-transfer level."""

    name: str
    title: str
    rounds: int
    rtl_rounds: int
    sources: tuple[Path, ...] = ()


ECC_SOURCES = tuple(sorted(ECC.glob("*.c")))
ALL = (
    Kernel("sha256", "SHA-256 block loop", 220_000, 30),
    Kernel("aes128", "AES-128, byte-oriented", 380_000, 60),
    Kernel("keccak", "Keccak-f[1600]", 21_000, 4),
    Kernel("ecdsa", "ECDSA signing, secp160r1", 70, 0, ECC_SOURCES),
    Kernel("copy", "memory-bound copy loop", 45_000, 8),
    Kernel("calls", "call-heavy recursion", 8_700, 1),
    Kernel("bytecode", "bytecode interpreter's loop", 260_000, 40),
)


@dataclass(frozen=True)
class Program:
    """A kernel with a number of rounds, linked for the device and for Linux."""

    image: Path
    linux: Path | None


@dataclass(frozen=True)
class Row:
    """Millions of guest instructions per second on one kernel, by engine; all runs."""

    kernel: Kernel
    instructions: int
    cycles: int
    speeds: dict[str, list[float]]
    short: list[float]
    """Milliseconds from the image to the result of a short run, as `cocrypt run` does it."""

    def median(self, engine: str) -> float | None:
        """The median, or nothing where the engine was not there."""
        runs = self.speeds.get(engine)
        return statistics.median(runs) if runs else None


class Bench:
    """Builds and runs kernels for one device."""

    def __init__(self, device: str, scratch: Path) -> None:
        self.path = house.device(device)
        self.device = Device.load(self.path)
        self.toolchain = Toolchain(self.device)
        self.emulator = emulator(self.device)
        self.scratch = scratch

    def build(self, kernel: Kernel, rounds: int) -> Program:
        """The images; the kernel's own object file is the same for every number of rounds."""
        include = (KERNELS, ECC)
        main = Unit(KERNELS / "main.c", (*FLAGS, f"-DROUNDS={rounds}u"), include)
        sources = (KERNELS / f"{kernel.name}.c", *kernel.sources)
        own = [Unit(source, FLAGS, include) for source in sources]
        start, *libc = self.toolchain.runtime(FLAGS)
        linux = Unit(KERNELS / "linux.S", FLAGS)
        objects = self.toolchain.compile([main, *own, start, *libc, linux])
        body = [objects[unit] for unit in (main, *own, *libc)]
        image = self.toolchain.link([objects[start], *body], kernel.name)
        hosted = self._link_linux([objects[linux], *body]) if self.emulator else None
        return Program(image, hosted)

    def _link_linux(self, objects: list[Path]) -> Path:
        target = self.scratch / "linux.elf"
        command = [zig(), "ld.lld", "-Ttext=0x10000", "--gc-sections", *objects, "-o", target]
        subprocess.run([str(word) for word in command], check=True)
        return target

    def ours(self, program: Program, name: str, engine: Engine) -> tuple[int, int, float, bytes]:
        """Instructions, cycles, seconds and checksum of one run; the machine is built before."""
        image = program.image.read_bytes()
        machine = Machine(self.path, image, name, engine=engine)
        result = machine.run(MAX_CYCLES)
        if result["stop"]["kind"] != "exit":
            raise SystemExit(f"{name} on {engine} stopped by {result['stop']}")
        checksum = next(one for one in image_symbols(image) if one["name"] == "checksum")
        memory = machine.read(checksum["address"], 4)
        return result["instructions"], result["cycles"], result["seconds"], memory

    def short(self, program: Program, name: str, limit: int) -> float:
        """Milliseconds from the image to the result of a run of so many cycles."""
        image = program.image.read_bytes()
        # The compiler's thread of the machine before may still be at work.
        time.sleep(0.2)
        started = time.perf_counter()
        Machine(self.path, image, name).run(limit)
        return (time.perf_counter() - started) * 1e3

    def emulated(self, program: Program) -> tuple[float, bytes]:
        """Seconds and checksum under QEMU, its start (of a few milliseconds) included."""
        started = time.perf_counter()
        done = subprocess.run(
            [*(self.emulator or []), str(program.linux)], capture_output=True, check=True
        )
        return time.perf_counter() - started, done.stdout

    def verilated(self, kernel: Kernel) -> float | None:
        """Millions of instructions per second on RTL, whose cycles must be the model's."""
        if kernel.rtl_rounds == 0 or self.device.target.cpu is not None:
            return None
        program = self.build(kernel, kernel.rtl_rounds)
        configuration, waits = rtl.from_device(self.device)
        job = rtl.Job(rtl.flat_image(program.image.read_bytes()), configuration, waits)
        result = rtl.run_batch(rtl.build([configuration]), [job])[0]
        _, cycles, _, _ = self.ours(program, kernel.name, "auto")
        if cycles != result.cycles:
            message = f"{kernel.name}: {cycles} cycles on the model, {result.cycles} on RTL"
            raise SystemExit(message)
        return result.instructions / result.seconds / 1e6

    def row(self, kernel: Kernel, runs: int, say: Callable[[str], None]) -> Row:
        """All engines on one kernel."""
        program = self.build(kernel, kernel.rounds)
        speeds: dict[str, list[float]] = {}
        outputs = set()
        instructions = cycles = 0
        for run in range(runs):
            for engine in OURS:
                say(f"{kernel.name}: {engine}, run {run + 1} of {runs}")
                instructions, cycles, seconds, output = self.ours(program, kernel.name, engine)
                outputs.add((instructions, cycles, output))
                speeds.setdefault(engine, []).append(instructions / seconds / 1e6)
            if program.linux:
                seconds, output = self.emulated(program)
                outputs.add((instructions, cycles, output))
                speeds.setdefault("qemu", []).append(instructions / seconds / 1e6)
        if len(outputs) != 1:
            raise SystemExit(f"{kernel.name}: the engines do not agree: {outputs}")
        limit = cycles * SHORT // instructions
        short = [self.short(program, kernel.name, limit) for _ in range(runs)]
        say(f"{kernel.name}: RTL")
        verilated = self.verilated(kernel)
        if verilated is not None:
            speeds["rtl"] = [verilated]
        return Row(kernel, instructions, cycles, speeds, short)


def image_symbols(image: bytes) -> list[dict[str, Any]]:
    """The symbols of an image."""
    symbols: list[dict[str, Any]] = _native.image_info(image, "kernel")["symbols"]
    return symbols


ENGINES = {
    "unprofiled": "compiled",
    "auto": "compiled, with profile",
    "interpreter": "interpreter",
    "qemu": "QEMU, user mode",
    "rtl": "Verilator, RTL",
}


def lines(rows: list[Row], device: Device, runs: int) -> Iterator[str]:
    """The report."""
    yield f"Device `{device.name}`, {runs} runs each: median (least to most), in millions of guest"
    yield "instructions per second; *ratio* is compiled code without profile over QEMU. The last"
    yield "column is how long the first million instructions take, from the image to the result."
    yield ""
    titles = " | ".join(ENGINES.values())
    yield f"| kernel | instructions | cycles | {titles} | ratio | 1e6, ms |"
    yield "|---|--:|--:|" + "--:|" * (len(ENGINES) + 2)
    for row in rows:
        cells = [cell(row.speeds.get(engine)) for engine in ENGINES]
        ours, qemu = row.median("unprofiled"), row.median("qemu")
        ratio = f"{ours / qemu:.2f}" if ours and qemu else "-"
        short = f"{statistics.median(row.short):.1f}"
        counts = f"{row.instructions:,} | {row.cycles:,}"
        yield f"| {row.kernel.title} | {counts} | {' | '.join(cells)} | {ratio} | {short} |"
    yield ""
    yield f"Host: {host(device)}."


def cell(runs: list[float] | None) -> str:
    """A median with its spread."""
    if not runs:
        return "-"
    middle = statistics.median(runs)
    if len(runs) == 1:
        return f"{middle:,.1f}"
    return f"{middle:,.0f} ({min(runs):,.0f} to {max(runs):,.0f})"


def emulator(device: Device) -> list[str] | None:
    """The emulator of Linux programs for a device's instruction set, if it is installed.

    Its user mode refuses cores that run no Linux; what they have, `max` has too.
    """
    cpu = device.target.cpu
    qemu = shutil.which("qemu-riscv32" if cpu is None else "qemu-arm")
    if qemu is None:
        return None
    return [qemu] if cpu is None else [qemu, "-cpu", "arm926" if "arm926" in cpu else "max"]


def host(device: Device) -> str:
    """What the figures were taken on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = f"{len(names)} × {names[0].split(': ')[1]}" if names else model
    parts = [model, f"Python {platform.python_version()}", f"ziglang {version('ziglang')}"]
    command = emulator(device)
    if command:
        asked = [command[0], "--version"]
        said = subprocess.run(asked, capture_output=True, text=True, check=True)
        parts.append(said.stdout.splitlines()[0])
    return ", ".join([*parts, f"Verilator {version('verilator')}"])


def say(text: str) -> None:
    """Tells what is going on."""
    print(text, file=sys.stderr, flush=True)


def once(bench: Bench, kernels: list[Kernel], engine: Engine) -> None:
    """Each kernel on one engine."""
    for kernel in kernels:
        program = bench.build(kernel, kernel.rounds)
        instructions, _, seconds, _ = bench.ours(program, kernel.name, engine)
        say(f"{kernel.name}: {instructions / seconds / 1e6:,.0f} million instructions per second")


def main() -> None:
    """Parses the words, measures, writes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--device", default="picorv32")
    parser.add_argument("--quick", action="store_true", help="a hundredth of the rounds, once")
    parser.add_argument("--kernel", action="append", help="only this one (any number of times)")
    parser.add_argument("--write", type=Path, help="put the table into this page")
    parser.add_argument("--once", choices=OURS, help="one run on this engine alone, for a profiler")
    words = parser.parse_args()
    runs, divisor = (1, 100) if words.quick else (5, 1)
    chosen = [kernel for kernel in ALL if not words.kernel or kernel.name in words.kernel]
    with tempfile.TemporaryDirectory(prefix="cocrypt-bench-") as scratch:
        bench = Bench(words.device, Path(scratch))
        if words.once:
            once(bench, chosen, words.once)
            return
        rows = []
        for kernel in chosen:
            scaled = replace(kernel, rounds=max(1, kernel.rounds // divisor))
            rows.append(bench.row(scaled, runs, say))
        text = "\n".join(lines(rows, bench.device, runs))
    print(text)
    if words.write:
        house.write_between(words.write, f"speed of {bench.device.name}", text)


if __name__ == "__main__":
    main()
