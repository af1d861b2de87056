"""Measures the speed of designs: ours against Verilator on the exported Verilog, in the same run.

    python benches/designs.py [--runs N] [--cycles N] [--write FILE]

Each design of benches/designs/ is checked first: the compiled and the interpreted run must have
the same outputs. Then both simulators run it in turn, and medians are printed as Markdown; --write
puts them between the designs' marks of a page.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from cocrypt import _native, paths
from cocrypt.rtl.tools import cxx_compiler, verilator_root

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent / "designs"

REFERENCE = {"aes128": 91e3, "gf163": 28e3}
"""Cycles a second of GEZEL 2.5 on a similar design, as its users have recorded them."""

TITLES = {"aes128": "AES-128, a round a cycle", "gf163": "GF(2^163) multiplier, 4 bits a cycle"}

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
    """Cycles a second, of each run."""

    name: str
    ours: list[float]
    theirs: list[float]


def main() -> None:
    """Measure all designs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cycles", type=int, default=50_000_000)
    parser.add_argument("--write", type=Path, help="put the table into this page")
    chosen = parser.parse_args()
    rows = [measure(path, chosen.runs, chosen.cycles) for path in sorted(HERE.glob("*.fdl"))]
    table = "\n".join(lines(rows, chosen.runs, chosen.cycles))
    print(table)
    if chosen.write:
        paths.write_between(chosen.write, "speed of designs", table)


def measure(path: Path, runs: int, cycles: int) -> Row:
    """Run a design on both simulators in turn."""
    prove(path)
    row = Row(path.stem, [], [])
    with tempfile.TemporaryDirectory() as scratch:
        binary = verilated(path, Path(scratch))
        command = [str(binary), str(cycles // 5)]
        for run in range(runs):
            print(f"{path.stem}: run {run + 1} of {runs}", file=sys.stderr)
            row.ours.append(cycles / seconds(lambda: ours(path, cycles)))
            row.theirs.append(cycles // 5 / seconds(lambda: theirs(command)))
    return row


def prove(path: Path) -> None:
    """Compare the compiled run with the interpreted one."""
    stimuli: list[dict[str, int]] = [{}] * 500
    outputs = [_native.fdl_simulate(path, None, stimuli, compiled) for compiled in (False, True)]
    assert outputs[0] == outputs[1], f"{path.stem}: compiled and interpreted runs differ"


def ours(path: Path, cycles: int) -> None:
    """Run a design from its file on."""
    options = {
        "top": None,
        "cycles": cycles,
        "gezel": False,
        "activity": False,
        "waves": None,
        # The designs here write no files.
        "files": Path(tempfile.gettempdir()),
        "named": True,
    }
    result, _ = _native.fdl_run(path, options, [], lambda _: None)
    assert result["end"] == "cycle_limit", "a design that halts measures nothing"


def theirs(command: list[str]) -> None:
    """Run Verilator's binary."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def seconds(run: Callable[[], None]) -> float:
    """The duration of a call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


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


def lines(rows: list[Row], runs: int, cycles: int) -> list[str]:
    """The table as Markdown."""
    text = [
        f"{runs} runs each of {cycles:,} cycles (Verilator: a fifth of them): median (least to",
        "most), in millions of cycles per second. *Reference* is what GEZEL 2.5 made of a design",
        "like it, on a machine of this class.",
        "",
        "| design | compiled | Verilator -O3 | ratio | reference | ratio |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        ours, theirs, then = median(row.ours), median(row.theirs), REFERENCE[row.name]
        text.append(
            f"| {TITLES[row.name]} | {cell(row.ours)} | {cell(row.theirs)} | {ours / theirs:.2f} "
            f"| {then / 1e6:.3f} | {ours / then:,.0f} |"
        )
    return text


def cell(runs: list[float]) -> str:
    """Median, least and most, in millions."""
    return f"{median(runs) / 1e6:.1f} ({min(runs) / 1e6:.1f} to {max(runs) / 1e6:.1f})"


if __name__ == "__main__":
    main()
