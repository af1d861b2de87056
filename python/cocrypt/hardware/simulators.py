"""Runs test benches, many at a time, under Icarus Verilog, Verilator and GHDL."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from contextlib import suppress
from os import cpu_count
from typing import TYPE_CHECKING

from cocrypt import log
from cocrypt.errors import HostError
from cocrypt.hardware.bench import bench_name, verilog_bench, vhdl_bench
from cocrypt.interrupt import heard, threads
from cocrypt.processes import end_session
from cocrypt.rtl.build import precompiled, runtime_objects
from cocrypt.rtl.tools import cxx_compiler, verilator_root

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cocrypt.hardware.recording import Recording

# A bench is compiled once and runs once: the compiler takes longer than what it would save.
CXX_FLAGS = (
    "-std=c++20", "-fcoroutines", "-O0", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0",
    "-DVL_TIME_CONTEXT",
)  # fmt: skip
RUNTIME = ("verilated.cpp", "verilated_threads.cpp", "verilated_timing.cpp")
PARTS = 4
"""Parts at most that Verilator's C++ is compiled in: each reads its headers again."""
LOOK = 0.5
"""Seconds between two looks whether a tool's result is still needed."""
GHDL_TIME = ["--ieee-asserts=disable-at-0"]


def icarus(recordings: Sequence[Recording], verilog: Sequence[str], folder: Path) -> str:
    """Run all benches in one Icarus simulation; return their output."""
    _write_verilog(recordings, verilog, folder)
    command = [_tool("iverilog"), "-g2005", "-s", "benches", "-o", "benches.vvp"]
    _call([*command, "benches.v", "designs.v"], folder)
    return _call([_tool("vvp"), "benches.vvp"], folder)


def verilator(recordings: Sequence[Recording], verilog: Sequence[str], folder: Path) -> str:
    """Run all benches in one Verilator binary; return their output."""
    _write_verilog(recordings, verilog, folder)
    root = verilator_root()
    # Verilator 5.048 to 5.050 makes one shift of two nested ones and adds their amounts in too few
    # bits (its issue 7955); another mistake of the same optimiser shows in one of 2,000 random
    # designs. The runs compare with the meaning of Verilog, so this optimiser is switched off.
    options = ["--cc", "--main", "--timing", "-O1", "--x-assign", "unique", "-fno-dfg"]
    options += ["-Wno-fatal", "-Wno-lint", "-Wno-style", "--max-num-width", "131072"]
    _call(
        [
            str(root / "bin" / "verilator_bin"), *options, "--top-module", "benches",
            "--Mdir", "made", "benches.v", "designs.v",
        ],
        folder,
        os.environ | {"VERILATOR_ROOT": str(root)},
    )  # fmt: skip
    objects = _compiled(folder)
    runtime = map(str, runtime_objects(RUNTIME, CXX_FLAGS))
    _call([*cxx_compiler(), *objects, *runtime, "-lpthread", "-o", "benches"], folder)
    return _call([str(folder / "benches")], folder)


def _compiled(folder: Path) -> list[str]:
    """Compiles what Verilator has made, in a few parts of about the same size, side by side."""
    sources = sorted((folder / "made").glob("*.cpp"), key=lambda path: path.stat().st_size)
    include = verilator_root() / "include"
    flags = (*CXX_FLAGS, *precompiled(CXX_FLAGS))
    flags = (*flags, "-Imade", f"-I{include}", f"-I{include / 'vltstd'}")
    parts = min(cpu_count() or 1, PARTS, len(sources))

    def compiled(number: int) -> str:
        text = "".join(f'#include "made/{path.name}"\n' for path in sources[number::parts])
        (folder / f"part_{number}.cpp").write_text(text, encoding="utf-8")
        target = f"part_{number}.o"
        _call([*cxx_compiler(), *flags, "-c", f"part_{number}.cpp", "-o", target], folder)
        return target

    with threads(parts) as pool:
        return list(pool.map(compiled, range(parts)))


def ghdl(recordings: Sequence[Recording], vhdl: Sequence[str], folder: Path, standard: str) -> str:
    """Run all benches in one GHDL simulation; return their output."""
    names = [bench_name(recording) for recording in recordings]
    (folder / "designs.vhd").write_text("\n".join(vhdl), encoding="utf-8")
    (folder / "tests.vhd").write_text("\n".join(map(vhdl_bench, recordings)), encoding="utf-8")
    lines = [f"  b{n} : entity work.{name};" for n, name in enumerate(names)]
    top = ["entity benches is", "end entity;", "architecture all_of_them of benches is", "begin"]
    (folder / "benches.vhd").write_text("\n".join([*top, *lines, "end architecture;", ""]))
    tool, option = _tool("ghdl"), f"--std={standard}"
    _call([tool, "-a", option, "designs.vhd", "tests.vhd", "benches.vhd"], folder)
    return _call([tool, "--elab-run", option, "benches", *GHDL_TIME], folder)


def verdicts(output: str) -> tuple[set[str], set[str]]:
    """The names of the designs that passed and of those that failed."""
    results = re.findall(r"(PASS|FAIL) (\w+):", output)
    sets = ({name for verdict, name in results if verdict == word} for word in ("PASS", "FAIL"))
    passed, failed = sets
    return passed, failed


def _write_verilog(recordings: Sequence[Recording], verilog: Sequence[str], folder: Path) -> None:
    benches = map(verilog_bench, recordings)
    (folder / "designs.v").write_text("\n".join([*verilog, *benches]), encoding="utf-8")
    cycles = max(len(recording.inputs) for recording in recordings)
    lines = [
        f"  {bench_name(recording)} #(.FINISH(0)) b{n}();" for n, recording in enumerate(recordings)
    ]
    finish = f"  initial #{10 * cycles + 1000} $finish;"
    top = "\n".join(["`timescale 1ns / 1ps", "module benches;", *lines, finish, "endmodule", ""])
    (folder / "benches.v").write_text(top)


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise HostError(f"{name} is not installed", f"install {name} and put it on the PATH")
    return path


def _call(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """Run a tool; its failure becomes our error, unless a bench has printed its verdict."""
    with (
        log.command(command),
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        output = _output(process)
    if process.returncode != 0 and "FAIL " not in output:
        raise HostError(f"{command[0]} failed in {folder}:\n{output[:4000]}")
    return output


def _output(process: subprocess.Popen[str]) -> str:
    """What a tool prints up to its end; ends it if nobody waits for its result any more."""
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=LOOK)[0]
            if heard():
                raise KeyboardInterrupt
    except BaseException:
        end_session(process)
        raise
