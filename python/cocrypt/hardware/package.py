"""A package of a design: a folder with both languages, benches, and a core file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cocrypt import _native, visible
from cocrypt.errors import HostError
from cocrypt.hardware.bench import bench_name, verilog_bench, vhdl_bench
from cocrypt.rtl.blocks import blocks, copy_modules

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.hardware.recording import Port, Recording

HEAD = """CAPI=2:
# Core file of FuseSoC, API 2: https://fusesoc.readthedocs.io/en/stable/ref/capi2.html
name: "cocrypt:fdl:{name}:1.0.0"
description: "{name}, made from {design} by cocrypt"

filesets:
  verilog:
    files:
{blocks}      - {name}.v
    file_type: verilogSource-2005
"""

FILES_VHDL = """  vhdl:
    files:
      - {name}.vhd
    file_type: vhdlSource-93
"""

FILES_BENCH = """  verilog_bench:
    files:
      - {bench}.v
    file_type: verilogSource-2005
"""

FILES_BENCH_VHDL = """  vhdl_bench:
    files:
      - {bench}.vhd
    file_type: vhdlSource-93
"""

TARGETS = """
targets:
  default:
    filesets: [verilog]
    toplevel: {top}
"""

TARGET_VHDL = """  vhdl:
    filesets: [vhdl]
    toplevel: {top}
"""

TARGET_SIM = """  sim:
    default_tool: icarus
    filesets: [verilog, verilog_bench]
    toplevel: {bench}
    tools:
      icarus:
        iverilog_options: [-g2005]
"""

TARGET_SIM_VHDL = """  sim_vhdl:
    default_tool: ghdl
    filesets: [vhdl, vhdl_bench]
    toplevel: {bench}
    tools:
      ghdl:
        run_options: [--ieee-asserts=disable-at-0]
"""

CORE = (
    HEAD, FILES_VHDL, FILES_BENCH, FILES_BENCH_VHDL,
    TARGETS, TARGET_VHDL, TARGET_SIM, TARGET_SIM_VHDL,
)  # fmt: skip
OF_VHDL = (FILES_VHDL, FILES_BENCH_VHDL, TARGET_VHDL, TARGET_SIM_VHDL)

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
iverilog -g2005 -o bench {files}{name}.v {bench}.v && vvp bench
verilator --binary --timing -Wno-fatal --top-module {bench} \\
  {files}{name}.v {bench}.v && obj_dir/V{bench}
ghdl -a {name}.vhd {bench}.vhd && ghdl --elab-run {bench} --ieee-asserts=disable-at-0
fusesoc --cores-root . run --target sim cocrypt:fdl:{name}
```
"""


def write_package(design: Path, top: str | None, recording: Recording, folder: Path) -> list[Path]:
    """Write all files; return their paths. A design with blocks in Verilog is in Verilog alone."""
    name, bench = recording.name, bench_name(recording)
    texts = {
        f"{name}.v": _native.fdl_verilog(design, top, blocks=True),
        f"{bench}.v": verilog_bench(recording),
    }
    has_vhdl = not blocks(design, top)
    if has_vhdl:
        texts[f"{name}.vhd"] = _native.fdl_vhdl(design, top, 93)
        texts[f"{bench}.vhd"] = vhdl_bench(recording)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copies = copy_modules(design, top, folder)
        modules = {block.source.name for block in blocks(design, top)}
        files = {str(path.relative_to(folder)): path.name in modules for path in copies}
        texts |= _descriptions(design, recording, files, has_vhdl)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise HostError(f"{folder} cannot be written: {error.strerror}") from error
    return [*(folder / file for file in texts), *copies]


def _descriptions(
    design: Path, recording: Recording, files: dict[str, bool], has_vhdl: bool
) -> dict[str, str]:
    """The core file and the page that go with the texts.

    `files` has those of blocks: true for modules, false for what they include.
    """
    entry = {True: "", False: ": {is_include_file: true}"}
    name, bench = recording.name, bench_name(recording)
    values = {
        "name": name,
        "bench": bench,
        "design": visible.name(design.name),
        "top": json.dumps(recording.name),
        "blocks": "".join(f"      - {name}{entry[is_read]}\n" for name, is_read in files.items()),
        "files": "".join(f"{name} " for name, is_read in files.items() if is_read),
        "count": len(recording.inputs),
        "ports": "\n".join(map(_row, recording.ports)),
    }
    core = "".join(part for part in CORE if has_vhdl or part not in OF_VHDL).format(**values)
    page = README.format(**values)
    if not has_vhdl:
        page = "\n".join(
            line.replace(f", `{bench}.vhd`", "").replace("benches", "bench")
            for line in page.split("\n")
            if not line.startswith((f"| `{name}.vhd`", "ghdl "))
        )
    return {f"{name}.core": core, "README.md": page}


def _row(port: Port) -> str:
    return f"| `{port.name}` | {'output' if port.output else 'input'} | {port.width} |"
