"""The tools that programs for a device are built with, who named them, and their sandbox."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from cocrypt import paths
from cocrypt.device import Tools
from cocrypt.gnu import program
from cocrypt.trust import Project, Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from cocrypt.device import Device

Value = TypeVar("Value")
ZIG = "zig"

# Files that a linker script reads: its manual, "Commands Dealing with Files".
READ = re.compile(r"\b(?:INCLUDE\s+|(?:INPUT|GROUP|STARTUP)\s*\()\s*([^)\n]*)")


@dataclass(frozen=True)
class BuildTools:
    """The tools to build with for a device: the choice that is nearest to it comes first.

    `compiler` is the user's choice. `own` are the project's tools for this device, before those of
    the device's file, and `general` its tools for all devices, behind them; the flags of the latter
    are those of its units.
    """

    device: Device
    compiler: str | None = None
    own: Tools = field(default_factory=Tools)
    general: Tools = field(default_factory=Tools)

    @property
    def compiler_name(self) -> str:
        """The compiler: zig, a name to be found on the PATH or in the cache, or a path.

        Where none is named it is zig. In zig's place GCC compiles for what LLVM lacks, unless the
        user asks for zig.
        """
        named = _first(tools.compiler for tools in self._levels) or ZIG
        instructions = self.device.target.instructions
        instead = instructions.gcc if named == ZIG and not instructions.llvm else named
        return self.compiler or instead

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of all units, behind their own."""
        return (*self.device.tools.flags, *self.own.flags)

    @property
    def assembler(self) -> str:
        """The assembler: `compiler`, or `gnu` for GNU's."""
        return _first(tools.assembler for tools in self._levels) or "compiler"

    @property
    def script(self) -> Path | None:
        """The linker script; None for the runtime's."""
        return _first(tools.script for tools in self._levels)

    def script_files(self) -> list[Path]:
        """The linker script with all that it reads from beside it."""
        files: list[Path] = []
        waiting = [self.script] if self.script else []
        while waiting:
            path = waiting.pop()
            if path not in files and path.is_file():
                files.append(path)
                waiting += _read_by(path)
        return files

    def sandbox(
        self,
        project: Project | None,
        flags: Iterable[Sequence[str]] = (),
        files: Iterable[Path] = (),
    ) -> Sandbox | None:
        """The sandbox of tools with these options and files of a project's; None for none.

        What the device's file names counts as its folder's. Raises `InputError` for what needs
        trust that the project, or that folder, does not have.
        """
        of_device = self._of_device()
        if project is None:
            return of_device
        is_own = self._compiler_of_device is None
        project_asked = replace(project, names_compiler=project.names_compiler and is_own)
        scripts = (tools.script for tools in (self.own, self.general) if tools.script)
        programs = [program(self.device.target.instructions)] if self.assembler == "gnu" else []
        of_project = project_asked.sandbox(
            self.compiler_name, [*flags, self.own.flags], [*files, *scripts], programs
        )
        if of_project is None and of_device is None:
            return None
        shown = (of_project or Sandbox(project.readable)).readable
        beside = of_device.readable if of_device else self._folder_of_script()
        return Sandbox((*shown, *beside))

    @property
    def _levels(self) -> tuple[Tools, Tools, Tools]:
        return (self.own, self.device.tools, self.general)

    @property
    def _compiler_of_device(self) -> str | None:
        """The compiler if it is the device's file that names it."""
        return None if self.compiler or self.own.compiler else self.device.tools.compiler

    def _of_device(self) -> Sandbox | None:
        """The sandbox of tools with what the device's file names; None for none."""
        tools = self.device.tools
        if tools.is_silent:
            return None
        files = [tools.script] if tools.script and self.script == tools.script else []
        folder = Project(self.device.path.parent.resolve(), names_compiler=True)
        return folder.sandbox(self._compiler_of_device or ZIG, [tools.flags], files)

    def _folder_of_script(self) -> tuple[Path, ...]:
        script = self.device.tools.script
        return (script.parent,) if script and self.script == script else ()


def _first(values: Iterable[Value | None]) -> Value | None:
    return next((value for value in values if value is not None), None)


def _read_by(script: Path) -> Iterator[Path]:
    """The files that a linker script names, from beside it."""
    text = paths.read_bytes(script).decode("utf-8", "replace")
    for names in READ.findall(text):
        for name in re.split(r"[\s,]+", names):
            path = script.parent / name.strip('"')
            if name.strip('"') and path.is_file():
                yield path
