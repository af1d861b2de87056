"""Coprocessors in Verilog as libraries, which the model calls cycle by cycle."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cocrypt import log
from cocrypt.cache import digest, obtain
from cocrypt.coprocessor import VERILOG, Coprocessor
from cocrypt.rtl.build import (
    CXX_FLAGS,
    RUNTIME,
    VERILATOR_FLAGS,
    call,
    precompiled,
    runtime_objects,
)
from cocrypt.rtl.cache import rtl_cache
from cocrypt.rtl.systems import folder
from cocrypt.rtl.tools import find_tools
from cocrypt.trust import VERILOG_RUNS, require_trust

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cocrypt.rtl.tools import Tools

# Suffixes of files beside a design that it may include.
HEADERS = (*VERILOG, ".vh", ".svh")
# Messages of the design must not get in the way of figures on stdout.
PRINT_TO_STDERR = "-DVL_PRINTF(...)=std::fprintf(stderr,__VA_ARGS__)"


def libraries(register_maps: Sequence[Path]) -> dict[Path, Path]:
    """The libraries that coprocessors in Verilog are compiled to, by register map.

    Raises `RtlError` if a tool is missing or refuses the design.
    """
    loaded = ((path, Coprocessor.load(path)) for path in register_maps)
    return {path: _library(coprocessor) for path, coprocessor in loaded if coprocessor.is_verilog}


def _library(coprocessor: Coprocessor) -> Path:
    """The library of a design, compiled unless it is in the cache.

    It is loaded into this process, so it runs in no sandbox.
    """
    require_trust((coprocessor.path.parent, coprocessor.design.parent), VERILOG_RUNS)
    tools = find_tools()
    ours = folder("library")
    neighbours = sorted(
        path for path in coprocessor.design.parent.iterdir() if path.suffix.lower() in HEADERS
    )
    chosen = (CXX_FLAGS, VERILATOR_FLAGS, coprocessor.top, coprocessor.design.name)
    files = [*sorted(ours.iterdir()), *neighbours]
    parts: list[str | bytes] = [tools.versions, repr(chosen)]
    parts += [path.read_bytes() for path in files]
    return obtain(
        rtl_cache() / f"{coprocessor.top}-{digest(parts)}.so",
        lambda target, scratch: _make(tools, coprocessor, ours, target, scratch),
    )


def verilate(coprocessor: Coprocessor, output: Path) -> None:
    """Lets Verilator translate a design to C++ in a folder, without running it.

    Raises `RtlError` if Verilator is missing or refuses the design.
    """
    tools, name = find_tools(), coprocessor.design.name
    # A port that is missing is an error like any other; for a library Verilator only warns.
    command = [
        str(tools.verilator), *VERILATOR_FLAGS, "-Werror-PINMISSING", "--savable",
        "--top-module", "port", "--prefix", "Vport", "--Mdir", str(output),
        f"+define+COPROCESSOR={coprocessor.top}", f"+incdir+{coprocessor.design.parent}",
        str(folder("library") / "port.v"), str(coprocessor.design),
    ]  # fmt: skip
    environment = os.environ | {"VERILATOR_ROOT": str(tools.verilator_root)}
    call(command, f"Verilator refuses {name} as a coprocessor", environment)


def _make(tools: Tools, coprocessor: Coprocessor, ours: Path, target: Path, scratch: Path) -> None:
    name = coprocessor.design.name
    log.say(f"compiling {name}, which takes some seconds and is kept")
    generated, include = scratch / "made", tools.verilator_root / "include"
    verilate(coprocessor, generated)
    parts = sorted(path.name for path in generated.glob("*.cpp"))
    (scratch / "all.cpp").write_text("".join(f'#include "{part}"\n' for part in parts))
    folders = (f"-I{generated}", f"-I{include}", f"-I{include / 'vltstd'}")
    defines = ("-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL", PRINT_TO_STDERR)
    flags = (*CXX_FLAGS, *defines, "-fPIC")
    runtime = runtime_objects((*RUNTIME, "verilated_save.cpp"), flags)
    compile_all = [
        *tools.compiler, *flags, *precompiled(flags), *folders, "-shared",
        str(ours / "library.cpp"), str(scratch / "all.cpp"), *map(str, runtime), "-lpthread",
        "-o", str(target),
    ]  # fmt: skip
    call(compile_all, f"the C++ compiler refuses what Verilator made of {name}")
