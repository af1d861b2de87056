"""Decisions on what a project asks for: run as the user, in a sandbox, or not at all."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.trust import sandbox, store
from cocrypt.trust.allowed import COMPILER, refused
from cocrypt.trust.sandbox import Sandbox, home_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

VERILOG_RUNS = "a coprocessor in Verilog, which can run anything"


@dataclass(frozen=True)
class Project:
    """Code of others, or of the user: the folder that trust is given to, and others that it reads.

    `names_compiler` is true if the project names its compiler, not the user.
    """

    folder: Path
    beside: tuple[Path, ...] = ()
    names_compiler: bool = False

    def sandbox(
        self,
        compiler: str,
        flags: Iterable[Sequence[str]] = (),
        files: Iterable[Path] = (),
        programs: Iterable[str] = (),
    ) -> Sandbox | None:
        """The sandbox in which a compiler must run with these options and files; None for none.

        `programs` are others that run, by their names on the PATH.

        Raises `InputError` for what needs trust that the folder does not have.
        """
        if store.is_trusted(self.folder):
            return None
        options = dict.fromkeys(flag for words in flags for flag in refused(words))
        demands = [*self._compilers(compiler), *(f"the option `{option}`" for option in options)]
        paths = ((name, shutil.which(name)) for name in programs)
        own = [name for name, path in paths if path and self._has(Path(path))]
        demands += [f"the program `{name}`, which is in its folder" for name in own]
        readable = self.readable
        if Path.home().is_relative_to(self.folder):
            demands.append("compilers that would see all of it, your home folder included")
        outside = (file for file in files if not _is_in(file, readable))
        demands += [f"{file}, outside its folder" for file in dict.fromkeys(outside)]
        if not demands and not sandbox.works():
            demands = ["a compiler, and this host has no sandbox (bubblewrap) for it"]
        if demands:
            raise _untrusted(self.folder, demands)
        return Sandbox(readable)

    def _compilers(self, name: str) -> list[str]:
        """The compiler, unless it is a usual one that is installed in a folder of its own."""
        if name == "zig":
            return []
        is_usual = COMPILER.fullmatch(name) is not None
        path = shutil.which(name) if is_usual or not self.names_compiler else None
        if self.names_compiler and (not is_usual or (path and self._has(Path(path)))):
            return [f"the compiler `{name}`"]
        if path and Path.home().is_relative_to(home_of(Path(path))):
            return [f"the compiler {path}, which cannot be in a sandbox without the home folder"]
        return []

    def _has(self, path: Path) -> bool:
        return _is_in(path, [folder.resolve() for folder in (self.folder, *self.beside)])

    @property
    def readable(self) -> tuple[Path, ...]:
        """The folders that tools can read in a sandbox."""
        generated = paths.cache() / "generated"
        own = (self.folder, *self.beside)
        return (*(folder.resolve() for folder in own), *store.shipped(), generated)


def require_trust(folders: Iterable[Path], demand: str) -> None:
    """Raises `InputError` unless all these folders are trusted."""
    for folder in dict.fromkeys(folders):
        if not store.is_trusted(folder):
            raise _untrusted(folder, [demand])


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.resolve().is_relative_to(folder) for folder in folders)


def _untrusted(folder: Path, demands: Sequence[str]) -> InputError:
    listed = "; ".join(demands[:4]) + (f" (and {len(demands) - 4} more)" if demands[4:] else "")
    return InputError(
        f"{folder} is not trusted, and asks this host for {listed}",
        f"`cocrypt trust {folder}` if you know what it holds, with `--own` if it is yours; "
        "docs/security.md says more",
    )
