"""Blocks of a design's own in Verilog or C++, as libraries that its simulation calls."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import _native, log, paths
from cocrypt.cache import digest, obtain
from cocrypt.errors import InputError
from cocrypt.rtl.build import CXX_FLAGS, RUNTIME, VERILATOR_FLAGS, call, runtime_objects
from cocrypt.rtl.cache import rtl_cache
from cocrypt.rtl.library import HEADERS, PRINT_TO_STDERR
from cocrypt.rtl.systems import folder
from cocrypt.rtl.tools import cxx_compiler, find_tools
from cocrypt.trust import require_trust
from cocrypt.trust.store import BLOCK, included

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

NEEDS = "the block `{name}`, which can run anything"
FLAGS = ("-fPIC", "-fvisibility=default")
# A port as Verilator declares it: direction, name, highest and lowest bit.
PORT = re.compile(r"\bVL_(IN|OUT|INOUT)(?:8|16|64|W)?\(&(\w+),(-?\d+),(-?\d+)")
LIST = re.compile(r"@\s*\(([^()]*)\)")
"""The list of signals that a process waits for."""
EDGE = re.compile(r"\b(posedge|negedge)\b\s*([\w.$]+)")
STRICT = ("-Wwarn-LATCH", "-Werror-LATCH", "-Wwarn-STMTDLY", "-Werror-STMTDLY")
"""Verilator's warnings of latches that nobody has asked for, and of waiting, as errors."""
STRINGS = re.compile(r'"(?:\\.|[^"\\])*"')
Library = dict[int, "Path"]


@dataclass(frozen=True)
class Block:
    """A block of a design: its file, and its parameters as they are and as Verilog writes them."""

    source: Path
    parameters: tuple[tuple[str, str], ...]
    literals: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, design: Path, found: dict[str, Any]) -> Block:
        """A block as the native module describes it."""
        name = f"{found['module']}.{'v' if found['verilog'] else 'cpp'}"
        pairs = [
            tuple((key, value) for key, value in found[of]) for of in ("parameters", "literals")
        ]
        return cls(design.parent / name, *pairs)

    @property
    def is_verilog(self) -> bool:
        """True if it is a module, not a class."""
        return self.source.suffix == ".v"


def blocks(design: Path, top: str | None = None, gezel: bool = False) -> list[Block]:
    """The blocks of a design in other languages, in the order of its netlist.

    Raises `DiagnosticError` if the design is wrong.
    """
    return [Block.of(design, found) for found in _native.fdl_blocks(design, top, gezel)]


def libraries(design: Path, top: str | None = None, gezel: bool = False) -> Library:
    """The libraries of a design's blocks, by their place in its netlist, compiled unless kept.

    They are loaded into this process, so the design's folder must be trusted. Raises `InputError`
    if it is not, and `RtlError` if a tool is missing or refuses a block.
    """
    found = blocks(design, top, gezel)
    for block in found:
        require_trust([design.parent], NEEDS.format(name=block.source.name))
    made = {block: _library(block) for block in dict.fromkeys(found)}
    return {place: made[block] for place, block in enumerate(found)}


def copy_modules(design: Path, top: str | None, target: Path) -> list[Path]:
    """Copies the files of a design's blocks in Verilog, with what they include, to a folder.

    Returns the copies. Raises `InputError` if a file is included from elsewhere, or is there
    already with other content.
    """
    sources = dict.fromkeys(block.source for block in blocks(design, top) if block.is_verilog)
    files = sorted(path for path in included(list(sources)) if path.is_file())
    base = design.parent.resolve()
    copies = []
    for path in [*sources, *files]:
        if not path.resolve().is_relative_to(base):
            raise InputError(f"{path} is not below {base}", "include files beside the design")
        copy = target / path.resolve().relative_to(base)
        if copy.resolve() == path.resolve() or copy in copies:
            continue
        content = path.read_bytes()
        if copy.exists() and copy.read_bytes() != content:
            raise InputError(f"{copy} is another file", "export into another folder")
        paths.write_image(copy, content)
        copies.append(copy)
    return copies


def _library(block: Block) -> Path:
    make = _make_verilog if block.is_verilog else _make_cpp
    flags = (CXX_FLAGS, VERILATOR_FLAGS, FLAGS, block.source.name, block.literals, STRICT)
    # Parameters of a class are read when it is made.
    chosen = repr(flags if block.is_verilog else flags[:4])
    versions = find_tools().versions if block.is_verilog else repr(cxx_compiler())
    files = [*_ours(), *_neighbours(block)]
    parts: list[str | bytes] = [versions, chosen, *(path.read_bytes() for path in files)]

    def obtained(target: Path, scratch: Path) -> None:
        log.say(f"compiling {block.source.name}, which takes some seconds and is kept")
        make(block, target, scratch)

    return obtain(rtl_cache() / f"{block.source.stem}-{digest(parts)}.so", obtained)


def _ours() -> list[Path]:
    """Our own sources of libraries; a module's state is kept as a coprocessor's is."""
    own = sorted(path for path in folder("blocks").rglob("*") if path.is_file())
    return [*own, folder("library") / "state.h"]


def _neighbours(block: Block) -> list[Path]:
    """The files that may decide what a block does: it may include any of its own kind."""
    if block.is_verilog:
        around = block.source.parent.iterdir()
        return sorted(path for path in around if path.suffix.lower() in HEADERS)
    return [block.source, *sorted(path for path in included([block.source]) if path.is_file())]


def _make_verilog(block: Block, target: Path, scratch: Path) -> None:
    tools, name, made = find_tools(), block.source.name, scratch / "made"
    command = [
        str(tools.verilator), *VERILATOR_FLAGS, *STRICT,
        "--savable", "--top-module", block.source.stem,
        "--prefix", "Vblock", "--Mdir", str(made), f"+incdir+{block.source.parent}",
        *(f"-G{key}={value}" for key, value in block.literals), str(block.source),
    ]  # fmt: skip
    environment = os.environ | {"VERILATOR_ROOT": str(tools.verilator_root)}
    plain = [str(tools.verilator), "-E", "-P", f"+incdir+{block.source.parent}", str(block.source)]
    _require_rising(name, call(plain, f"Verilator refuses the block {name}", environment))
    call(command, f"Verilator refuses the block {name}", environment)
    clocks, lines = _ports(name, (made / "Vblock.h").read_text(encoding="utf-8"))
    (made / "block_ports.inc").write_text("".join(lines))
    parts = sorted(path.name for path in made.glob("*.cpp"))
    (scratch / "all.cpp").write_text("".join(f'#include "{part}"\n' for part in parts))
    include = tools.verilator_root / "include"
    folders = [f"-I{path}" for path in (made, include, include / "vltstd", folder("blocks"))]
    defines = ["-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL", PRINT_TO_STDERR]
    runtime = runtime_objects((*RUNTIME, "verilated_save.cpp"), (*CXX_FLAGS, *FLAGS, *defines))
    _link(
        [*tools.compiler, *CXX_FLAGS, *FLAGS, *defines, *clocks, *folders],
        [folder("blocks") / "verilog.cpp", scratch / "all.cpp", *runtime],
        target,
        f"the C++ compiler refuses what Verilator made of {name}",
    )


def _require_rising(name: str, text: str) -> None:
    """Raises `InputError` for a module, without its macros, that is no logic of one rising edge.

    A falling edge beside a rising one of another signal is that of a reset, which may come at any
    time.
    """
    code = STRINGS.sub("", text)
    for listed in LIST.findall(code):
        edges = EDGE.findall(listed)
        rising = {signal for edge, signal in edges if edge == "posedge"}
        falling = {signal for edge, signal in edges if edge == "negedge"}
        if falling and (not rising or falling & rising):
            raise InputError(
                f"{name}: `@({listed.strip()})` waits for a falling edge",
                "a block has the rising edge of `clk` alone: write it for that one",
            )
    if re.search(r"\balways_latch\b", code):
        raise InputError(
            f"{name}: `always_latch` is a latch, and a block has registers alone",
            "write a register on the rising edge of `clk`, or give every branch a value",
        )


def _ports(name: str, header: str) -> tuple[list[str], list[str]]:
    """The options for a module's clock and reset, and a line for each of its other ports."""
    options, lines = [], []
    for direction, port, high, low in PORT.findall(header):
        bits = abs(int(high) - int(low)) + 1
        if direction == "INOUT" or "__" in port:
            raise InputError(
                f"{name}: the port `{port}` is `inout`, or has a name that C++ cannot have",
                "give the block inputs and outputs, with names of letters and digits",
            )
        if port not in ("clk", "rst"):
            lines.append(f"PORT_{direction}({port}, {bits})\n")
        elif (direction, bits) == ("IN", 1):
            options.append("-DHAS_CLOCK" if port == "clk" else "-DHAS_RESET")
        else:
            raise InputError(
                f"{name}: `{port}` is no input of one bit",
                "call other ports otherwise: `clk` is the clock and `rst` the reset of a block",
            )
    return options, lines


def _make_cpp(block: Block, target: Path, _scratch: Path) -> None:
    name = block.source.name
    if BLOCK not in block.source.read_bytes():
        raise InputError(
            f"{name} does not name its class",
            f"write `#include <cocrypt/block.h>` and `{BLOCK.decode()}(NAME)` in it",
        )
    _link(
        [*cxx_compiler(), "-std=c++20", "-O2", *FLAGS, f"-I{folder('blocks')}"],
        [block.source],
        target,
        f"the C++ compiler refuses the block {name}",
    )


def _link(compiler: Sequence[str], sources: Iterable[Path], target: Path, wrong: str) -> None:
    call([*compiler, "-shared", *map(str, sources), "-lpthread", "-o", str(target)], wrong)
