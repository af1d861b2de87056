"""Measures the speed of designs: ours against Verilator on the exported Verilog, in the same run.

    python benches/designs.py [--quick] [--runs N] [--seconds S] [--only NAME] [--write FILE]

The designs are those of benches/designs/, and all of coprocessors/, each kept at work by a design
around it (benches/driving.py). Each is checked first: the compiled and the interpreted run
must have the same outputs. Then both simulators run it in turn, each for about so many seconds of
a processor, on a core that no neighbour slows down (benches/quiet.py), and medians are printed as
Markdown; --write puts them between the designs' marks of a page, row by row as they are measured.
Seconds are those of the processor, so that other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import driving
from quiet import Quiet

from cocrypt import _native, paths
from cocrypt.rtl.tools import cxx_compiler, verilator_root

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent / "designs"
REFERENCE = {"aes128": 91e3, "gf163": 28e3}
"""Cycles a second of GEZEL 2.5 on a similar design, as its users have recorded them."""
TITLES = {
    "aes128": "AES-128, a round a cycle",
    "gf163": "GF(2^163) multiplier, 4 bits a cycle",
    "wide512": "words of 512 bits",
    "clones64": "64 clones with controllers",
    "controllers20": "a ring of 20 controllers",
}
AIM = 5
"""How many times as fast as Verilator a design should be."""
TRIED = 20_000
"""Cycles of a run that finds how many fit the seconds."""

MAIN = """
#include "Vdesign.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
double sc_time_stamp() { return 0; }
int main(int, char **argv)
{
    VerilatedContext context;
    Vdesign design(&context);
    const long cycles = std::atol(argv[1]);
    design.rst = 1;
    for (int edge = 0; edge < 4; edge++) { design.clk = edge & 1; design.eval(); }
    design.rst = 0;
    for (long cycle = 0; cycle < cycles; cycle++) {
        design.clk = 0;
        design.eval();
        design.clk = 1;
        design.eval();
    }
    std::printf("%d\\n", (int)design.done);
    return 0;
}
"""


@dataclass
class Row:
    """Cycles a second, of each run, and the seconds until the first cycle."""

    name: str
    ours: list[float]
    theirs: list[float]
    start: float

    @property
    def ratio(self) -> float:
        """How many times as fast as Verilator."""
        return median(self.ours) / median(self.theirs)


def main() -> None:
    """Measure all designs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of a run, about")
    parser.add_argument("--quick", action="store_true", help="one run each, of 0.3 seconds")
    parser.add_argument("--only", help="designs whose names contain this")
    parser.add_argument("--write", type=Path, help="put the table into this page")
    chosen = parser.parse_args()
    runs, length = (1, 0.3) if chosen.quick else (chosen.runs, chosen.seconds)
    with tempfile.TemporaryDirectory() as folder:
        driven = [driving.driven(path, Path(folder)) for path in driving.coprocessors()]
        designs = [*sorted(HERE.glob("*.fdl")), *driven]
        wanted = [path for path in designs if not chosen.only or chosen.only in path.stem]
        long = driving.long(Path(folder))
        first = min(seconds(lambda: ours(long, 1)) for _ in range(runs))
        rows: list[Row] = []
        quiet = Quiet(tries=1, first=1) if chosen.quick else Quiet()
        for path in wanted:
            rows.append(measure(path, runs, length, quiet))
            if chosen.write:
                table = lines(rows, runs, (length, first), len(wanted)) + quiet.report()
                paths.write_between(chosen.write, "speed of designs", "\n".join(table))
    print("\n".join(lines(rows, runs, (length, first), len(wanted)) + quiet.report()))


def measure(path: Path, runs: int, length: float, quiet: Quiet) -> Row:
    """Run a design on both simulators in turn."""
    prove(path)
    row = Row(path.stem, [], [], min(seconds(lambda: ours(path, 1)) for _ in range(3)))
    with tempfile.TemporaryDirectory() as scratch:
        binary = verilated(path, Path(scratch))
        cycles = fitting(lambda count: ours(path, count), length)
        fewer = fitting(lambda count: theirs([str(binary), str(count)]), length)
        for run in range(runs):
            print(f"{path.stem}: run {run + 1} of {runs}", file=sys.stderr)
            taken, others = quiet.run(
                lambda: (
                    seconds(lambda: ours(path, cycles)),
                    seconds(lambda: theirs([str(binary), str(fewer)])),
                )
            )
            row.ours.append(cycles / taken)
            row.theirs.append(fewer / others)
    return row


def fitting(run: Callable[[int], None], length: float) -> int:
    """How many cycles take about so many seconds; more and more are tried.

    The last try takes most of that time, since a compilation, whose time does not grow with the
    cycles, would count for more in a shorter one.
    """
    count = TRIED
    taken = seconds(partial(run, count))
    while taken < 0.8 * length:
        count = int(count * min(4.0, length / max(taken, 0.001)) + 1)
        taken = seconds(partial(run, count))
    return int(count * length / taken)


def prove(path: Path) -> None:
    """Compare the compiled run with the interpreted one."""
    stimuli: list[dict[str, int]] = [{}] * 500
    outputs = [_native.fdl_simulate(path, None, stimuli, compiled) for compiled in (False, True)]
    assert outputs[0] == outputs[1], f"{path.stem}: compiled and interpreted runs differ"


def ours(path: Path, cycles: int) -> None:
    """Run a design from its file on."""
    options: dict[str, Any] = {
        "top": None,
        "cycles": cycles,
        "gezel": False,
        "activity": False,
        "waves": None,
        # The designs here write no files.
        "files": Path(tempfile.gettempdir()),
        "named": True,
        "libraries": {},
    }
    result, _ = _native.fdl_run(path, options, [], lambda _: None)
    assert result["end"] == "cycle_limit", "a design that halts measures nothing"


def theirs(command: list[str]) -> None:
    """Run Verilator's binary."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def seconds(run: Callable[[], None]) -> float:
    """The seconds of a processor that a call takes, here and in processes that it starts."""
    before = os.times()
    run()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def verilated(path: Path, folder: Path) -> Path:
    """Build the exported design with Verilator -O3 and the C++ compiler's -O3."""
    (folder / "design.v").write_text(_native.fdl_verilog(path), encoding="utf-8")
    (folder / "main.cpp").write_text(MAIN, encoding="utf-8")
    root = verilator_root()
    options = ["--cc", "-O3", "--x-assign", "fast", "--x-initial", "fast"]
    options += ["--no-timing", "-Wno-fatal", "-Wno-lint", "--Mdir", "made", "--prefix", "Vdesign"]
    subprocess.run(
        [str(root / "bin" / "verilator_bin"), *options, "--top-module", path.stem, "design.v"],
        cwd=folder,
        env=os.environ | {"VERILATOR_ROOT": str(root)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    sources = sorted((folder / "made").glob("*.cpp"))
    (folder / "all.cpp").write_text(
        "".join(f'#include "made/{source.name}"\n' for source in sources)
    )
    runtime = [str(root / "include" / name) for name in ("verilated.cpp", "verilated_threads.cpp")]
    flags = ["-std=c++20", "-O3", "-march=native", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0"]
    flags += ["-Imade", f"-I{root / 'include'}", f"-I{root / 'include' / 'vltstd'}"]
    command = [*cxx_compiler(), *flags, "main.cpp", "all.cpp", *runtime, "-lpthread", "-o", "run"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "run"


def lines(rows: list[Row], runs: int, figures: tuple[float, float], designs: int) -> list[str]:
    """The table as Markdown; it says so while it has not all designs."""
    length, first = figures
    text = [
        f"{runs} runs each of about {length:g} seconds of a processor: median (least to most), in",
        "millions of cycles per second; *start* is the seconds of a processor from the file to the",
        "end of the first cycle. *Reference* is what GEZEL 2.5 made of a design like it, on a",
        "machine of this class.",
        "",
        "| design | start | compiled | Verilator -O3 | ratio | reference | ratio |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        then = REFERENCE.get(row.name)
        behind = f"{then / 1e6:.3f} | {median(row.ours) / then:,.0f}" if then else "- | -"
        text.append(
            f"| {title(row.name)} | {row.start:.2f} | {cell(row.ours)} | {cell(row.theirs)} "
            f"| {row.ratio:.2f} | {behind} |"
        )
    slower = [title(row.name) for row in rows if row.ratio < AIM]
    text += ["", f"{len(rows) - len(slower)} of {len(rows)} are at least {AIM} times as fast."]
    if len(rows) != designs:
        text.append(f"These are the first {len(rows)} of {designs} designs.")
    text += [f"A design of {driving.LONG:,} lines begins after {first:.2f} seconds."]
    return text


def title(name: str) -> str:
    """A design's name in the table."""
    return TITLES.get(name) or f"`{name.removeprefix('drive_')}` on the bus"


def cell(runs: list[float]) -> str:
    """Median, least and most, in millions."""
    return f"{median(runs) / 1e6:.1f} ({min(runs) / 1e6:.1f} to {max(runs) / 1e6:.1f})"


if __name__ == "__main__":
    main()
