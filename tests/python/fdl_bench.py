"""Runs many exported designs in one Verilator binary, since a compilation costs seconds."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.cache import digest, obtain
from cocrypt.hardware.simulators import CXX_FLAGS
from cocrypt.rtl.build import RUNTIME, precompiled, runtime_objects
from cocrypt.rtl.cache import rtl_cache
from cocrypt.rtl.tools import cxx_compiler, verilator_root

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAIN = """
#include "Vbench.h"
#include "verilated.h"
#include <cstdlib>
double sc_time_stamp() { return 0; }
int main(int argc, char **argv)
{
    VerilatedContext context;
    context.commandArgs(argc, argv);
    Vbench bench(&context);
    bench.rst = 1;
    const long cycles = std::atol(argv[1]);
    for (long edge = 0; edge < 2 * (cycles + 2); edge++) {
        if (edge == 4) bench.rst = 0;
        bench.clk = edge & 1;
        bench.eval();
    }
    return 0;
}
"""


@dataclass(frozen=True)
class Device:
    """An exported design on the bench: its modules, and its ports with their widths."""

    top: str
    verilog: str
    inputs: dict[str, int]
    outputs: dict[str, int]


def run(
    devices: Sequence[Device], stimuli: Sequence[Sequence[dict[str, int]]], folder: Path
) -> list[list[dict[str, int]]]:
    """The outputs of each device in each cycle after reset, before the clock's edge."""
    bench = _bench(devices, [len(rows) for rows in stimuli])
    parts = [bench, MAIN, *(device.verilog for device in devices)]
    binary = obtain(
        rtl_cache() / f"bench-{digest(parts)}",
        lambda target, scratch: _build(devices, bench, target, scratch),
    )
    for index, (device, rows) in enumerate(zip(devices, stimuli, strict=True)):
        lines = (f"{_pack(device.inputs, row):x}\n" for row in rows)
        (folder / f"stimuli_{index}.hex").write_text("".join(lines))
    cycles = max(len(rows) for rows in stimuli)
    command = [str(binary), str(cycles)]
    text = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    results: list[list[dict[str, int]]] = [[] for _ in devices]
    for line in text.splitlines():
        number, word = line.split()
        device = devices[int(number)]
        results[int(number)].append(_unpack(device.outputs, int(word, 16)))
    return results


def _pack(ports: dict[str, int], row: dict[str, int]) -> int:
    word = 0
    for name, width in ports.items():
        word = word << width | row[name] & ((1 << width) - 1)
    return word


def _unpack(ports: dict[str, int], word: int) -> dict[str, int]:
    values = {}
    for name, width in reversed(ports.items()):
        values[name] = word & ((1 << width) - 1)
        word >>= width
    return values


def _bench(devices: Sequence[Device], cycles: Sequence[int]) -> str:
    lines = [
        "module bench(input clk, input rst);",
        "  reg [31:0] cycle;",
        "  always @(posedge clk) cycle <= rst ? 32'd0 : cycle + 32'd1;",
    ]
    for index, (device, count) in enumerate(zip(devices, cycles, strict=True)):
        lines += _instance(index, device, count)
    return "\n".join([*lines, "endmodule", ""])


def _instance(index: int, device: Device, cycles: int) -> list[str]:
    width_in = max(1, sum(device.inputs.values()))
    width_out = sum(device.outputs.values())
    ports = [".clk(clk)", ".rst(rst)"]
    for prefix, group, total in (("i", device.inputs, width_in), ("o", device.outputs, width_out)):
        high = total
        for name, width in group.items():
            ports.append(f".{escape(name)}({prefix}{index}[{high - 1}:{high - width}])")
            high -= width
    return [
        f"  reg [{width_in - 1}:0] stimuli_{index} [0:{cycles - 1}];",
        f'  initial $readmemh("stimuli_{index}.hex", stimuli_{index});',
        f"  wire [{width_in - 1}:0] i{index} = stimuli_{index}[cycle];",
        f"  wire [{width_out - 1}:0] o{index};",
        f"  {escape(device.top)} device_{index}({', '.join(ports)});",
        f"  always @(posedge clk) if (!rst && cycle < {cycles})",
        f'    $display("{index} %h", o{index});',
    ]


def escape(name: str) -> str:
    """A name as an escaped identifier, which is the same name."""
    return f"\\{name} "


def _build(devices: Sequence[Device], bench: str, target: Path, scratch: Path) -> None:
    for index, device in enumerate(devices):
        (scratch / f"device_{index}.v").write_text(device.verilog)
    (scratch / "bench.v").write_text(bench)
    (scratch / "main.cpp").write_text(MAIN)
    root = verilator_root()
    verilog = [f"device_{index}.v" for index in range(len(devices))]
    # Verilator 5.048 to 5.050 makes one shift of two nested ones and adds their amounts in too few
    # bits (its issue 7955), which -fno-dfg-peephole avoids.
    _call(
        [
            str(root / "bin" / "verilator_bin"), "--cc", "-O1", "--x-assign", "unique",
            "--no-timing", "-fno-dfg-peephole", "--top-module", "bench", "--Mdir", "made",
            "-Wno-fatal", "-Wno-lint", "--max-num-width", "131072", "bench.v", *verilog,
        ],
        scratch,
        os.environ | {"VERILATOR_ROOT": str(root)},
    )  # fmt: skip
    file_names = sorted(path.name for path in (scratch / "made").glob("*.cpp"))
    (scratch / "all.cpp").write_text("".join(f'#include "made/{name}"\n' for name in file_names))
    runtime = map(str, runtime_objects(RUNTIME, CXX_FLAGS))
    include = [f"-I{root / 'include'}", f"-I{root / 'include' / 'vltstd'}", "-Imade"]
    command = [*cxx_compiler(), *CXX_FLAGS, *precompiled(CXX_FLAGS), *include]
    command += ["main.cpp", "all.cpp", *runtime, "-lpthread", "-o", str(target)]
    _call(command, scratch, None)


def _call(command: list[str], folder: Path, environment: dict[str, str] | None) -> None:
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, (result.stdout + result.stderr)[:4000]
