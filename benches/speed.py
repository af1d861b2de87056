"""Measures the engines: guest instructions per second on a few kernels, beside a peer and RTL.

    python benches/speed.py [--device NAME] [--kernel NAME] [--quick] [--cpu] [--write FILE]
    python benches/speed.py [--device NAME] [--kernel NAME] --once ENGINE

Every kernel is compiled once. The same object file runs on our engines with exact cycles, on a peer
where that is installed (QEMU's user mode, which has no timing, or simavr), and with fewer rounds on
the core's RTL under Verilator, if there is one. Each figure is the median of several runs, which
take turns so that a noisy moment of the host meets all of them. On a host with other work, --cpu
measures the processor time of all threads instead of the time that passes, and the interpreter
runs a fortieth of the rounds. It prints Markdown; --write puts it between the device's marks on a
page.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import clocks
import peers

from cocrypt import paths, rtl
from cocrypt._native import Machine
from cocrypt.device import Device
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from clocks import Clock
    from peers import Peer

KERNELS = Path(__file__).parent / "kernels"
ECC = paths.root() / "primitives" / "ecdsa-secp160r1" / "ref"
FLAGS = ("-O2", "-std=c11")
MAX_CYCLES = 10_000_000_000_000
Engine = Literal["unprofiled", "auto", "interpreter"]
OURS: tuple[Engine, ...] = ("unprofiled", "auto", "interpreter")
SHORT = 1_000_000
"""Instructions of a short run."""
WORD = 4
"""Bytes of a word of most cores; those with fewer take several times the instructions."""
SLOW_SHARE = 40
"""The factor by which the interpreter runs fewer rounds on these cores, or with --cpu."""
ENDS = ("exit", "deadlock")
"""The stops of a finished run: by the exit device, or asleep, where simavr ends too."""


@dataclass(frozen=True)
class Kernel:
    """A kernel; rounds for about 1e9 instructions of 32-bit cores, and for a run on RTL."""

    name: str
    title: str
    rounds: int
    rtl_rounds: int
    sources: tuple[Path, ...] = ()
    is_wide: bool = False
    """True if it needs an `int` of 32 bits."""
    narrow: int = 1
    """The factor by which cores with narrower words run fewer rounds."""


ECC_SOURCES = tuple(sorted(ECC.glob("*.c")))
ALL = (
    Kernel("sha256", "SHA-256 block loop", 220_000, 30),
    Kernel("aes128", "AES-128, byte-oriented", 380_000, 60),
    Kernel("keccak", "Keccak-f[1600]", 21_000, 4, narrow=4),
    Kernel("ecdsa", "ECDSA signing, secp160r1", 70, 0, ECC_SOURCES, is_wide=True),
    Kernel("copy", "memory-bound copy loop", 45_000, 8),
    Kernel("calls", "call-heavy recursion", 8_700, 1),
    Kernel("bytecode", "bytecode interpreter's loop", 260_000, 40),
)


@dataclass(frozen=True)
class Row:
    """Millions of guest instructions per second on one kernel, by engine; all runs."""

    kernel: Kernel
    instructions: int
    cycles: int
    speeds: dict[str, list[float]]
    short: list[float]
    """Milliseconds from the image to the result of a short run, as in `cocrypt run`."""

    def median(self, engine: str) -> float | None:
        """The median; None if the engine is not available."""
        runs = self.speeds.get(engine)
        return statistics.median(runs) if runs else None


class Bench:
    """Builds and runs kernels for one device."""

    def __init__(self, device: str, scratch: Path, clock: Clock = clocks.elapsed) -> None:
        self.clock = clock
        self.path = paths.device(device)
        self.device = Device.load(self.path)
        self.toolchain = Toolchain(self.device)
        self.peer = peers.peer(self.device, scratch, clock)
        self.is_narrow = self.device.target.instructions.convention.word < WORD

    def build(self, kernel: Kernel, rounds: int) -> Path:
        """The image of a kernel, whose object file is the same for every number of rounds."""
        return self._link(kernel, *self._objects(kernel, rounds))

    def kernels(self, names: list[str] | None, divisor: int) -> list[Kernel]:
        """The kernels of these names that the device can run, with `divisor` times fewer rounds."""
        able = [kernel for kernel in ALL if not (self.is_narrow and kernel.is_wide)]
        chosen = [kernel for kernel in able if not names or kernel.name in names]
        shares = [divisor * (kernel.narrow if self.is_narrow else 1) for kernel in chosen]
        return [
            replace(kernel, rounds=max(1, kernel.rounds // share))
            for kernel, share in zip(chosen, shares, strict=True)
        ]

    def _objects(self, kernel: Kernel, rounds: int) -> tuple[Path, list[Path]]:
        """The objects of the start-up code and of the rest."""
        include = (KERNELS, ECC)
        main = Unit(KERNELS / "main.c", (*FLAGS, f"-DROUNDS={rounds}u"), include)
        sources = (KERNELS / f"{kernel.name}.c", *kernel.sources)
        own = [Unit(source, FLAGS, include) for source in sources]
        start, *libc = self.toolchain.runtime(FLAGS)
        objects = self.toolchain.compile([main, *own, start, *libc])
        return objects[start], [objects[unit] for unit in (main, *own, *libc)]

    def _link(self, kernel: Kernel, start: Path, body: list[Path]) -> Path:
        return self.toolchain.link([start, *body], kernel.name)

    def ours(self, path: Path, name: str, engine: Engine) -> tuple[int, int, float, bytes]:
        """Instructions, cycles, seconds and checksum of one run; without building the machine."""
        image = path.read_bytes()
        machine = Machine(self.path, image, name, engine=engine)
        started = self.clock()
        result = machine.run(MAX_CYCLES)
        seconds = self.clock() - started
        if result["stop"]["kind"] not in ENDS:
            raise SystemExit(f"{name} on {engine} stopped by {result['stop']}")
        memory = machine.read(peers.checksum_of(image), 4)
        return result["instructions"], result["cycles"], seconds, memory

    def counted(self, path: Path, name: str) -> tuple[int, int, bytes]:
        """Instructions, cycles and checksum on the engine that is used by default."""
        instructions, cycles, _, memory = self.ours(path, name, "auto")
        return instructions, cycles, memory

    def short(self, path: Path, name: str, limit: int) -> float:
        """Milliseconds from the image to the result of a run of `limit` cycles."""
        image = path.read_bytes()
        # The compiler's thread of the previous machine may still run.
        time.sleep(0.2)
        started = time.perf_counter()
        Machine(self.path, image, name).run(limit)
        return (time.perf_counter() - started) * 1e3

    def beside(self, kernel: Kernel) -> Callable[[], float] | None:
        """The function that runs a kernel on the peer: millions of instructions per second.

        Raises `SystemExit` if its checksum, or its cycles if it counts them, are not ours.
        """
        peer = self.peer
        if peer is None:
            return None
        start, body = self._objects(kernel, max(1, kernel.rounds // peer.fewer))
        image = self._link(kernel, start, body)
        instructions, cycles, _, checksum = self.ours(image, kernel.name, "unprofiled")
        own = self.toolchain.compile([Unit(source, FLAGS) for source in peer.start]).values()
        program = peer.program([*own, *body], image)

        def run() -> float:
            ran = peer.run(program)
            if (ran.checksum, ran.cycles or cycles) != (checksum, cycles):
                message = f"{kernel.name}: {cycles} cycles, {checksum.hex()}, on the peer {ran}"
                raise SystemExit(message)
            return instructions / ran.seconds / 1e6

        return run

    def verilated(self, kernel: Kernel) -> float | None:
        """Millions of instructions per second on RTL, whose cycles must be the model's."""
        if kernel.rtl_rounds == 0 or self.device.core.name not in rtl.cores():
            return None
        path = self.build(kernel, kernel.rtl_rounds)
        configuration, waits = rtl.from_device(self.device)
        job = rtl.Job(rtl.flat_image(path.read_bytes()), configuration, waits)
        result = rtl.run_batch(rtl.build([configuration]), [job])[0]
        _, cycles, _, _ = self.ours(path, kernel.name, "auto")
        if cycles != result.cycles:
            message = f"{kernel.name}: {cycles} cycles on the model, {result.cycles} on RTL"
            raise SystemExit(message)
        return result.instructions / result.seconds / 1e6

    def row(self, kernel: Kernel, runs: int, say: Callable[[str], None]) -> Row:
        """Runs all engines on one kernel."""
        beside = self.beside(kernel)
        program = slow = self.build(kernel, kernel.rounds)
        if self.is_narrow or self.clock is clocks.computed:
            slow = self.build(kernel, max(1, kernel.rounds // SLOW_SHARE))
        speeds: dict[str, list[float]] = {}
        outputs = {path: {self.counted(path, kernel.name)} for path in (program, slow)}
        for run in range(runs):
            for engine in OURS:
                say(f"{kernel.name}: {engine}, run {run + 1} of {runs}")
                path = slow if engine == "interpreter" else program
                instructions, cycles, seconds, output = self.ours(path, kernel.name, engine)
                outputs[path].add((instructions, cycles, output))
                speeds.setdefault(engine, []).append(instructions / seconds / 1e6)
            if beside:
                speeds.setdefault("peer", []).append(beside())
        if any(len(results) != 1 for results in outputs.values()):
            raise SystemExit(f"{kernel.name}: the engines do not agree: {outputs}")
        ((instructions, cycles, _),) = outputs[program]
        limit = cycles * SHORT // instructions
        short = [self.short(program, kernel.name, limit) for _ in range(runs)]
        say(f"{kernel.name}: RTL")
        verilated = self.verilated(kernel)
        if verilated is not None:
            speeds["rtl"] = [verilated]
        return Row(kernel, instructions, cycles, speeds, short)


UNIT: Mapping[Clock, str] = {clocks.elapsed: "", clocks.computed: " of processor time"}
"""What the seconds are, by the clock."""
ENGINES = {
    "unprofiled": "compiled",
    "auto": "compiled, with profile",
    "interpreter": "interpreter",
    "peer": "",
    "rtl": "Verilator, RTL",
}


def lines(rows: list[Row], bench: Bench, runs: int) -> Iterator[str]:
    """The report."""
    device, beside = bench.device, bench.peer.title if bench.peer else "-"
    yield f"Device `{device.name}`, {runs} runs each: median (least to most), in millions of guest"
    yield f"instructions per second{UNIT[bench.clock]}; *ratio* is compiled code without"
    yield f"profile over {beside}. The last column is how long the first million instructions take,"
    yield "from the image to the result."
    yield ""
    titles = " | ".join(title or beside for title in ENGINES.values())
    yield f"| kernel | instructions | cycles | {titles} | ratio | 1e6, ms |"
    yield "|---|--:|--:|" + "--:|" * (len(ENGINES) + 2)
    for row in rows:
        cells = [cell(row.speeds.get(engine)) for engine in ENGINES]
        ours, peer_speed = row.median("unprofiled"), row.median("peer")
        ratio = f"{ours / peer_speed:.2f}" if ours and peer_speed else "-"
        short = f"{statistics.median(row.short):.1f}"
        counts = f"{row.instructions:,} | {row.cycles:,}"
        yield f"| {row.kernel.title} | {counts} | {' | '.join(cells)} | {ratio} | {short} |"
    yield ""
    yield f"Host: {host(bench.peer)}."


def cell(runs: list[float] | None) -> str:
    """A median with its spread."""
    if not runs:
        return "-"
    middle = statistics.median(runs)
    if len(runs) == 1:
        return f"{middle:,.1f}"
    return f"{middle:,.0f} ({min(runs):,.0f} to {max(runs):,.0f})"


def host(peer: Peer | None) -> str:
    """The host and the tools with which the figures were taken."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = f"{len(names)} × {names[0].split(': ')[1]}" if names else model
    parts = [model, f"Python {platform.python_version()}", f"ziglang {version('ziglang')}"]
    if peer:
        parts.append(peer.version())
    return ", ".join([*parts, f"Verilator {version('verilator')}"])


def say(text: str) -> None:
    """Prints the progress."""
    print(text, file=sys.stderr, flush=True)


def once(bench: Bench, kernels: list[Kernel], engine: Engine) -> None:
    """Runs each kernel on one engine."""
    for kernel in kernels:
        program = bench.build(kernel, kernel.rounds)
        instructions, _, seconds, _ = bench.ours(program, kernel.name, engine)
        say(f"{kernel.name}: {instructions / seconds / 1e6:,.0f} million instructions per second")


def main() -> None:
    """Parses the arguments, measures, writes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--device", default="picorv32")
    parser.add_argument("--quick", action="store_true", help="a hundredth of the rounds, once")
    parser.add_argument("--kernel", action="append", help="only this one (any number of times)")
    parser.add_argument(
        "--cpu", action="store_true", help="measure processor time, on a host with other work"
    )
    parser.add_argument("--write", type=Path, help="put the table into this page")
    parser.add_argument("--once", choices=OURS, help="one run on this engine alone, for a profiler")
    words = parser.parse_args()
    runs, divisor = (1, 100) if words.quick else (5, 1)
    with tempfile.TemporaryDirectory(prefix="cocrypt-bench-") as scratch:
        clock = clocks.computed if words.cpu else clocks.elapsed
        bench = Bench(words.device, Path(scratch), clock)
        chosen = bench.kernels(words.kernel, divisor)
        if words.once:
            once(bench, chosen, words.once)
            return
        rows = [bench.row(kernel, runs, say) for kernel in chosen]
        text = "\n".join(lines(rows, bench, runs))
    print(text)
    if words.write:
        paths.write_between(words.write, f"speed of {bench.device.name}", text)


if __name__ == "__main__":
    main()
