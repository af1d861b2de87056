"""A package of a design: a folder with both languages, benches, and a core file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cocrypt import _native, visible
from cocrypt.errors import HostError
from cocrypt.hardware.bench import bench_name, verilog_bench, vhdl_bench

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.hardware.recording import Port, Recording

CORE = """CAPI=2:
# Core file of FuseSoC, API 2: https://fusesoc.readthedocs.io/en/stable/ref/capi2.html
name: "cocrypt:fdl:{name}:1.0.0"
description: "{name}, made from {design} by cocrypt"

filesets:
  verilog:
    files:
      - {name}.v
    file_type: verilogSource-2005
  vhdl:
    files:
      - {name}.vhd
    file_type: vhdlSource-93
  verilog_bench:
    files:
      - {bench}.v
    file_type: verilogSource-2005
  vhdl_bench:
    files:
      - {bench}.vhd
    file_type: vhdlSource-93

targets:
  default:
    filesets: [verilog]
    toplevel: {top}
  vhdl:
    filesets: [vhdl]
    toplevel: {top}
  sim:
    default_tool: icarus
    filesets: [verilog, verilog_bench]
    toplevel: {bench}
    tools:
      icarus:
        iverilog_options: [-g2005]
  sim_vhdl:
    default_tool: ghdl
    filesets: [vhdl, vhdl_bench]
    toplevel: {bench}
    tools:
      ghdl:
        run_options: [--ieee-asserts=disable-at-0]
"""

README = """# {name}

Made from `{design}` by cocrypt. Comments in the files point to lines of that design.

| file | what it is |
|---|---|
| `{name}.v` | the design in Verilog-2001 |
| `{name}.vhd` | the design in VHDL-93 |
| `{bench}.v`, `{bench}.vhd` | self-checking test benches: {count} recorded cycles |
| `{name}.core` | FuseSoC |

`clk` is the clock, rising edge; `rst` is synchronous and active high. Further ports:

| port | direction | bits |
|---|---|---|
{ports}

Run the benches; each says `PASS` or `FAIL` at its end:

```
iverilog -g2005 -o bench {name}.v {bench}.v && vvp bench
verilator --binary --timing -Wno-fatal --top-module {bench} {name}.v {bench}.v && obj_dir/V{bench}
ghdl -a {name}.vhd {bench}.vhd && ghdl --elab-run {bench} --ieee-asserts=disable-at-0
fusesoc --cores-root . run --target sim cocrypt:fdl:{name}
```
"""


def write_package(design: Path, top: str | None, recording: Recording, folder: Path) -> list[Path]:
    """Write all files; return their paths."""
    name, bench = recording.name, bench_name(recording)
    values = {
        "name": name,
        "bench": bench,
        "design": visible.name(design.name),
        "top": json.dumps(recording.name),
        "count": len(recording.inputs),
        "ports": "\n".join(map(_row, recording.ports)),
    }
    texts = {
        f"{name}.v": _native.fdl_verilog(design, top),
        f"{name}.vhd": _native.fdl_vhdl(design, top, 93),
        f"{bench}.v": verilog_bench(recording),
        f"{bench}.vhd": vhdl_bench(recording),
        f"{name}.core": CORE.format(**values),
        "README.md": README.format(**values),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise HostError(f"{folder} cannot be written: {error.strerror}") from error
    return [folder / file for file in texts]


def _row(port: Port) -> str:
    return f"| `{port.name}` | {'output' if port.output else 'input'} | {port.width} |"
