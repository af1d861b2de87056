"""The parts of toolchains that are there: on the PATH, or built by cocrypt and kept."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cocrypt import cache, eviction, paths
from cocrypt.crosstools.targets import PARTS, TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.crosstools.targets import CrossTarget, Part

KIND = "toolchains"
"""The kind of the cache's entries."""
RECORD = "toolchain.json"
"""The file in a part's folder that is written last; it says what the part was made from."""

ANSWERING = 10
"""Seconds within which a program must have printed its version."""

Origin = Literal["PATH", "cocrypt"]


@dataclass(frozen=True)
class InstalledProgram:
    """A part that is there: its first program, its version, and who put it there."""

    program: Path
    version: str
    origin: Origin


def folder(target: CrossTarget, part: Part) -> Path:
    """The folder in which a part is kept; another recipe has another one."""
    return paths.cache() / KIND / f"{target.name}-{part.name}-{target.recipe(part)}"


def record(target: CrossTarget, part: Part) -> dict[str, Any]:
    """The record of a part that is built: version, sources, seconds; empty if it is not."""
    return cache.read_record(folder(target, part) / RECORD)


def find(target: CrossTarget, part: Part) -> InstalledProgram | None:
    """A part that is there, that on the PATH before ours; None if there is none."""
    name = f"{target.name}-{part.programs[0]}"
    installed = shutil.which(name)
    if installed is not None:
        return InstalledProgram(Path(installed), version_of(installed) or "not stated", "PATH")
    values = record(target, part)
    if not values:
        return None
    program = folder(target, part) / "bin" / name
    return InstalledProgram(program, str(values.get("version")), "cocrypt")


def version_of(program: str | Path) -> str:
    """The first line that a program prints of its version; empty where it does not say.

    The GNU simulators have no such option; a file of another machine, or one that hangs, has none.
    """
    try:
        process = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=ANSWERING,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next(iter(process.stdout.splitlines()), "") if process.returncode == 0 else ""


def which(program: str) -> str | None:
    """The path of a program by its name: on the PATH, or of a toolchain that cocrypt has built."""
    return shutil.which(program) or next(_built(program), None)


def provider(program: str) -> tuple[CrossTarget, Part] | None:
    """The target and the part that a program such as `rl78-elf-as` belongs to."""
    for target in TARGETS.values():
        for part in PARTS.values():
            if program in {f"{target.name}-{name}" for name in part.programs}:
                return target, part
    return None


def _built(program: str) -> Iterator[str]:
    provided = provider(program)
    if provided is None or not record(*provided):
        return
    home = folder(*provided)
    eviction.used(home)
    path = home / "bin" / program
    if path.is_file():
        yield str(path)
