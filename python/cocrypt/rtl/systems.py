"""The RTL systems: the values of each `systems/<core>/system.toml`, and its files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import HostError, InputError
from cocrypt.rtl.tools import RtlError, package_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COMMON = "common"


@dataclass(frozen=True, slots=True)
class System:
    """A real core's RTL system. `verilog` holds ours, then the core's, in the order of reading.

    `variants` has, for a parameter that chooses between files of the core, the files for each of
    its values.
    """

    core: str
    folder: Path
    top: str
    verilog: tuple[Path, ...]
    variants: Mapping[str, Mapping[int, tuple[Path, ...]]]
    include: tuple[Path, ...]
    flags: tuple[str, ...]

    @property
    def header(self) -> Path:
        """The C++ header that describes it to the harness."""
        return self.folder / "core.h"

    def files(self, parameters: Mapping[str, int | bool]) -> tuple[Path, ...]:
        """All Verilog that is read for these parameters; one that is left out counts as 0."""
        chosen = (
            files[int(parameters.get(name, 0))] for name, files in sorted(self.variants.items())
        )
        return (*(path for files in chosen for path in files), *self.verilog)


def cores() -> tuple[str, ...]:
    """Names the cores that have an RTL system."""
    return tuple(path.parent.name for path in sorted(_systems().glob("*/system.toml")))


def common() -> Path:
    """Find the folder that all systems share; raise RtlError if there is none."""
    return folder(COMMON)


def folder(name: str) -> Path:
    """Find a folder among the systems; raise RtlError if there is none."""
    path = _systems() / name
    if not path.is_dir():
        raise RtlError(f"there is no folder {path}", "install cocrypt again")
    return path


@cache
def system(core: str) -> System:
    """Find a core's system.

    Raises InputError where there is none, RtlError where the core's Verilog is not installed.
    """
    directory = _systems() / core
    if not (directory / "system.toml").is_file():
        raise InputError(
            f"there is no RTL system for the core {core}", paths.suggestion(core, list(cores()))
        )
    values = tomllib.loads((directory / "system.toml").read_text(encoding="utf-8"))["system"]
    package = _package(core, values["package"])
    ours = [*sorted(directory.glob("*.vlt")), *sorted(common().glob("*.v"))]
    theirs = [_existing(package / name, values["package"]) for name in values["sources"]]
    return System(
        core=core,
        folder=directory,
        top=values["top"],
        verilog=(*ours, *theirs, *sorted(directory.glob("*.v")), *sorted(directory.glob("*.sv"))),
        variants={
            name: {
                int(value): tuple(_existing(package / file, values["package"]) for file in files)
                for value, files in files_by_value.items()
            }
            for name, files_by_value in values.get("variants", {}).items()
        },
        include=tuple(package / name for name in values["include"]),
        flags=tuple(values["flags"]),
    )


def extension_verilog(core: str) -> tuple[Path, str] | None:
    """Find the unit beside a core that executes its extensions, and its top, if there is one."""
    directory = _systems() / core
    if not (directory / "system.toml").is_file():
        return None
    values = tomllib.loads((directory / "system.toml").read_text(encoding="utf-8"))
    unit = values.get("extensions")
    return (directory / unit["source"], unit["top"]) if unit else None


@dataclass(frozen=True, slots=True)
class CoreAlone:
    """A core without memory and bus, as it is mapped to gates; `verilog` in the order of reading.

    With one of the parameters `refused` it would need more than a memory.
    """

    verilog: tuple[Path, ...]
    top: str
    refused: tuple[str, ...]


def core_alone(core: str) -> CoreAlone | None:
    """Find the core of a system alone; None where there is no description of it.

    Raises RtlError where the core's Verilog is not installed.
    """
    directory = _systems() / core
    if not (directory / "system.toml").is_file():
        return None
    values = tomllib.loads((directory / "system.toml").read_text(encoding="utf-8"))
    if "gates" not in values:
        return None
    gates, theirs = values["gates"], values["system"]
    package = _package(core, theirs["package"])
    sources = [_existing(package / name, theirs["package"]) for name in theirs["sources"]]
    ours = directory / gates["source"]
    return CoreAlone((*sources, ours), gates["top"], tuple(gates["refused"]))


def cores_alone() -> tuple[str, ...]:
    """Names the cores that can be mapped to gates."""
    return tuple(
        path.parent.name
        for path in sorted(_systems().glob("*/system.toml"))
        if "gates" in tomllib.loads(path.read_text(encoding="utf-8"))
    )


def has_dma(core: str) -> bool:
    """Returns true if a core's system has a DMA controller."""
    values = tomllib.loads((_systems() / core / "system.toml").read_text(encoding="utf-8"))
    return bool(values["system"].get("dma", False))


def package(core: str) -> str:
    """The package that has a core's Verilog."""
    values = tomllib.loads((_systems() / core / "system.toml").read_text(encoding="utf-8"))
    return str(values["system"]["package"])


def _systems() -> Path:
    return paths.root() / "systems"


def _package(core: str, name: str) -> Path:
    folder = package_folder(name.replace("-", "_"))
    if folder is None:
        raise RtlError(
            f"the Verilog of {core} is missing: it is what runs at register-transfer level",
            "python -m pip install 'cocrypt[rtl]'",
        )
    return folder


def _existing(path: Path, package: str) -> Path:
    if not path.is_file():
        raise HostError(
            f"{path} is missing, so the package {package} is another version than expected",
            "install the versions that requirements/main.txt names",
        )
    return path
