"""What programs for a device are built with, who said so, and what that may do on the host."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from cocrypt import house
from cocrypt.device import Tools
from cocrypt.gnu import program
from cocrypt.trust import Project, Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from cocrypt.device import Device

Said = TypeVar("Said")
ZIG = "zig"

# Files that a linker script reads: its manual, "Commands Dealing with Files".
READ = re.compile(r"\b(?:INCLUDE\s+|(?:INPUT|GROUP|STARTUP)\s*\()\s*([^)\n]*)")


@dataclass(frozen=True)
class BuildTools:
    """What to build with for a device: what is nearest to it comes first.

    `compiler` is the user's word. `own` is what the project says for this device, before what the
    device's file says, and `general` what it says for all, behind that; the flags of the latter are
    those of its units.
    """

    device: Device
    compiler: str | None = None
    own: Tools = field(default_factory=Tools)
    general: Tools = field(default_factory=Tools)

    @property
    def compiler_name(self) -> str:
        """The compiler: zig, a name to be found on the PATH, or a path."""
        said = (one.compiler for one in self._levels)
        return self.compiler or _first(said) or ZIG

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of all units, behind their own."""
        return (*self.device.tools.flags, *self.own.flags)

    @property
    def assembler(self) -> str:
        """Who assembles: the compiler, or GNU's assembler."""
        return _first(one.assembler for one in self._levels) or "compiler"

    @property
    def script(self) -> Path | None:
        """The linker script; None for the runtime's."""
        return _first(one.script for one in self._levels)

    def script_files(self) -> list[Path]:
        """The linker script with all that it reads from beside it."""
        found: list[Path] = []
        waiting = [self.script] if self.script else []
        while waiting:
            path = waiting.pop()
            if path not in found and path.is_file():
                found.append(path)
                waiting += _read_by(path)
        return found

    def sandbox(
        self,
        project: Project | None,
        flags: Iterable[Sequence[str]] = (),
        files: Iterable[Path] = (),
    ) -> Sandbox | None:
        """Where tools may run with these options and files of a project's; None for anywhere.

        What the device's file names is its folder's word. Raises `InputError` for what needs trust
        that the project, or that folder, does not have.
        """
        theirs = self._of_device()
        if project is None:
            return theirs
        is_own = self._compiler_of_device is None
        asking = replace(project, names_compiler=project.names_compiler and is_own)
        scripts = (one.script for one in (self.own, self.general) if one.script)
        programs = [program(self.device.target.instructions)] if self.assembler == "gnu" else []
        ours = asking.sandbox(
            self.compiler_name, [*flags, self.own.flags], [*files, *scripts], programs
        )
        if ours is None and theirs is None:
            return None
        shown = (ours or Sandbox(project.readable)).readable
        beside = theirs.readable if theirs else self._folder_of_script()
        return Sandbox((*shown, *beside))

    @property
    def _levels(self) -> tuple[Tools, Tools, Tools]:
        return (self.own, self.device.tools, self.general)

    @property
    def _compiler_of_device(self) -> str | None:
        """The compiler if it is the device's file that names it."""
        return None if self.compiler or self.own.compiler else self.device.tools.compiler

    def _of_device(self) -> Sandbox | None:
        """Where tools may run with what the device's file names."""
        tools = self.device.tools
        if tools.is_silent:
            return None
        files = [tools.script] if tools.script and self.script == tools.script else []
        folder = Project(self.device.path.parent.resolve(), names_compiler=True)
        return folder.sandbox(self._compiler_of_device or ZIG, [tools.flags], files)

    def _folder_of_script(self) -> tuple[Path, ...]:
        script = self.device.tools.script
        return (script.parent,) if script and self.script == script else ()


def _first(said: Iterable[Said | None]) -> Said | None:
    return next((one for one in said if one is not None), None)


def _read_by(script: Path) -> Iterator[Path]:
    """The files that a linker script names, from beside it."""
    text = house.read_bytes(script).decode("utf-8", "replace")
    for names in READ.findall(text):
        for name in re.split(r"[\s,]+", names):
            path = script.parent / name.strip('"')
            if name.strip('"') and path.is_file():
                yield path
