"""Builds simulators: each configuration is verilated and compiled on its own, then all are linked.

Verilator's script is in Perl and its makefiles need make, so neither is used: `verilator_bin`
writes C++, and the compiler is called directly, two calls at a time. Every object and every binary
is kept in the cache under a hash of its sources, flags and tools.
"""

from __future__ import annotations

import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cocrypt import log
from cocrypt.cache import digest, is_whole, obtain
from cocrypt.rtl.cache import rtl_cache
from cocrypt.rtl.systems import System, common, system
from cocrypt.rtl.tools import RtlError, Tools, find_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cocrypt.rtl.configuration import Configuration

JOBS = 2
"""Compiler calls at a time."""

CXX_FLAGS = (
    "-std=c++20", "-O1", "-DVERILATOR=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0",
    "-DVL_TIME_CONTEXT",
)  # fmt: skip
# Verilator up to 5.050 merges nested dynamic shifts wrongly in its peephole pass (its issue 7955),
# so that pass stays off: a coprocessor may have such shifts.
VERILATOR_FLAGS = (
    "--cc", "-O3", "-fno-dfg-peephole", "--x-assign", "fast", "--x-initial", "fast", "--no-assert",
    "--no-timing", "-Wno-fatal", "-Wno-lint",
    "-Wno-TIMESCALEMOD",
)  # fmt: skip
RUNTIME = ("verilated.cpp", "verilated_threads.cpp")
HEADER = "precompiled.h"


def build(
    configurations: Sequence[Configuration],
    coprocessor: Path | None = None,
    top: str | None = None,
) -> Path:
    """Build a simulator of all the configurations, each with the coprocessor if there is one.

    `coprocessor` is a Verilog file and `top` its module with the register face. Raises RtlError
    when a tool is missing or refuses the sources.
    """
    if (coprocessor is None) != (top is None):
        raise RtlError("a coprocessor needs its Verilog file and the name of its top module")
    units = _units(find_tools(), list(dict.fromkeys(configurations)), coprocessor, top)
    objects = [unit.path for unit in units]
    binary = rtl_cache() / f"simulator-{digest(path.name for path in objects)}"

    def make(target: Path, _scratch: Path) -> None:
        _compile([unit for unit in units if not is_whole(unit.path)])
        _link(objects, target)

    return obtain(binary, make)


@dataclass(frozen=True, slots=True)
class _Unit:
    """An object file, and the function that makes it."""

    path: Path
    make: Callable[[Path, Path], None]


def _units(
    tools: Tools, configurations: Sequence[Configuration], coprocessor: Path | None, top: str | None
) -> list[_Unit]:
    shared = common()
    header = (shared / "harness.h").read_bytes()
    main = shared / "main.cpp"
    units = [_runtime_unit(tools, name, CXX_FLAGS) for name in RUNTIME]
    units.append(
        _unit(
            "main", [*_common(tools), header, main.read_bytes()], _compiling(tools, main, CXX_FLAGS)
        )
    )
    harness = [header, (shared / "system.cpp").read_bytes()]
    for configuration in configurations:
        verilated = _Verilated(tools, configuration, system(configuration.core), coprocessor, top)
        parts = [*_common(tools), *harness, *verilated.parts(), configuration.identifier]
        units.append(_unit(configuration.identifier, parts, verilated))
    return units


def _unit(name: str, parts: Sequence[str | bytes], make: Callable[[Path, Path], None]) -> _Unit:
    return _Unit(rtl_cache() / "objects" / f"{name}-{digest(parts)}.o", make)


def runtime_objects(names: Sequence[str], flags: Sequence[str]) -> list[Path]:
    """Returns object files of Verilator's runtime, which are compiled once for these flags.

    Raises RtlError when a tool is missing.
    """
    tools = find_tools()
    units = [_runtime_unit(tools, name, flags) for name in names]
    return [obtain(unit.path, unit.make) for unit in units]


@cache
def precompiled(flags: tuple[str, ...]) -> tuple[str, ...]:
    """The options that take Verilator's header from a compilation of it alone, with these flags.

    Parsing it takes a second of each model. clang gets none: its precompiled headers are named
    otherwise. Raises RtlError when a tool is missing.
    """
    tools = find_tools()
    if "clang" in tools.versions:
        return ()
    header = common() / HEADER
    parts: list[str | bytes] = [tools.versions, repr(flags), header.read_bytes()]
    made = rtl_cache() / "headers" / digest(parts) / f"{HEADER}.gch"
    obtain(made, _compiling(tools, header, (*flags, "-x", "c++-header")))
    # GCC looks for this name in each folder of headers, before the header itself.
    return (f"-I{made.parent}", f"-I{header.parent}", "-include", HEADER)


def _runtime_unit(tools: Tools, name: str, flags: Sequence[str]) -> _Unit:
    source = tools.verilator_root / "include" / name
    return _unit(source.stem, [tools.versions, repr(flags)], _compiling(tools, source, flags))


def _common(tools: Tools) -> list[str]:
    """List the inputs that every object depends on."""
    return [tools.versions, repr(CXX_FLAGS)]


@dataclass(frozen=True, slots=True)
class _Verilated:
    """Makes the object of one configuration."""

    tools: Tools
    configuration: Configuration
    system: System
    coprocessor: Path | None
    top: str | None

    def __call__(self, target: Path, scratch: Path) -> None:
        name = self.configuration.identifier
        self._verilate(scratch)
        # All of Verilator's output is compiled at once, so that the compiler can inline.
        parts = sorted(path.name for path in scratch.glob("*.cpp"))
        (scratch / "all.inc").write_text("".join(f'#include "{part}"\n' for part in parts))
        defines = (f"-DMODEL=V{name}", f'-DMODEL_NAME="{name}"', '-DMODEL_SOURCES="all.inc"')
        folders = (f"-I{scratch}", f"-I{self.system.folder}")
        flags = (*CXX_FLAGS, *precompiled(CXX_FLAGS), *folders, *defines)
        _compiling(self.tools, common() / "system.cpp", flags)(target, scratch)

    def parts(self) -> list[str | bytes]:
        """List the inputs that the object depends on, beside tools and harness."""
        files = [*self._verilog(), self.system.header]
        return [
            repr((VERILATOR_FLAGS, self.system.top, self.system.flags, self.top)),
            *(path.read_bytes() for path in files),
        ]

    def _verilog(self) -> list[Path]:
        own = list(self.system.files(self.configuration.core_parameters()))
        return own if self.coprocessor is None else [*own, self.coprocessor]

    def _verilate(self, scratch: Path) -> None:
        values = self.configuration.verilog_parameters()
        # Verilator takes values of parameters as Verilog literals.
        parameters = [f"-G{name}=32'd{int(value)}" for name, value in values.items()]
        macros = {"COPROCESSOR": self.top} if self.top else {}
        macros |= {name: str(value) for name, value in self.configuration.macros().items()}
        define = [f"+define+{name}={value}" for name, value in macros.items()]
        command = [
            str(self.tools.verilator), *VERILATOR_FLAGS, "--top-module", self.system.top,
            *self.system.flags, *(f"+incdir+{path}" for path in self.system.include),
            *parameters, *define,
            "--prefix", f"V{self.configuration.identifier}", "--Mdir", str(scratch),
            *map(str, self._verilog()),
        ]  # fmt: skip
        environment = os.environ | {"VERILATOR_ROOT": str(self.tools.verilator_root)}
        call(command, "Verilator refuses the system", environment)


def _compiling(tools: Tools, source: Path, flags: Sequence[str]) -> Callable[[Path, Path], None]:
    include = tools.verilator_root / "include"
    folders = (f"-I{include}", f"-I{include / 'vltstd'}", f"-I{common()}")

    def make(target: Path, _scratch: Path) -> None:
        command = [*tools.compiler, *flags, *folders, "-c", str(source)]
        call([*command, "-o", str(target)], f"the C++ compiler refuses {source.name}")

    return make


def _compile(units: Sequence[_Unit]) -> None:
    if not units:
        return
    started = time.monotonic()
    log.say(f"building an RTL simulator: {len(units)} parts, a few seconds each")
    with ThreadPoolExecutor(JOBS) as pool:
        # Reading the results raises the errors of threads.
        list(pool.map(lambda unit: obtain(unit.path, unit.make), units))
    log.say(f"built in {time.monotonic() - started:.0f} s, kept in {rtl_cache()}")


def _link(objects: Sequence[Path], target: Path) -> None:
    command = [*find_tools().compiler, *map(str, objects), "-lpthread", "-o", str(target)]
    call(command, "the simulator does not link")


def call(command: list[str], wrong: str, environment: dict[str, str] | None = None) -> str:
    """Run a tool and return what it prints.

    If it fails, its messages become an RtlError that begins with `wrong`.
    """
    with log.command(command):
        result = subprocess.run(
            command, env=environment, capture_output=True, text=True, errors="replace", check=False
        )
    if result.returncode != 0:
        messages = "\n".join((result.stdout + result.stderr).splitlines()[:20])
        raise RtlError(f"{wrong}:\n{messages}")
    return result.stdout
