"""Whether what a project asks for may be done: as the user, in a sandbox, or not at all."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import house
from cocrypt.errors import InputError
from cocrypt.trust import sandbox, store
from cocrypt.trust.allowed import COMPILER, refused
from cocrypt.trust.sandbox import Sandbox, home_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

VERILOG_RUNS = "a coprocessor in Verilog, which can run anything"


@dataclass(frozen=True)
class Project:
    """Code of others, or of the user: the folder that it is trusted by, and what it reads beside.

    `names_compiler` says that the project names it, and not the user.
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
        """Where a compiler may run for it with these options and files; None for anywhere.

        `programs` are others that run, by their names on the PATH.

        Raises `InputError` for what needs trust that the folder does not have.
        """
        if store.is_trusted(self.folder):
            return None
        options = dict.fromkeys(flag for words in flags for flag in refused(words))
        demands = [*self._compilers(compiler), *(f"the option `{one}`" for one in options)]
        places = ((one, shutil.which(one)) for one in programs)
        own = [name for name, place in places if place and self._has(Path(place))]
        demands += [f"the program `{one}`, which is in its folder" for one in own]
        readable = self.readable
        if Path.home().is_relative_to(self.folder):
            demands.append("compilers that would see all of it, your home folder included")
        far = (one for one in files if not _is_in(one, readable))
        demands += [f"{one}, outside its folder" for one in dict.fromkeys(far)]
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
        found = shutil.which(name) if is_usual or not self.names_compiler else None
        if self.names_compiler and (not is_usual or (found and self._has(Path(found)))):
            return [f"the compiler `{name}`"]
        if found and Path.home().is_relative_to(home_of(Path(found))):
            return [f"the compiler {found}, which cannot be in a sandbox without the home folder"]
        return []

    def _has(self, path: Path) -> bool:
        return _is_in(path, [one.resolve() for one in (self.folder, *self.beside)])

    @property
    def readable(self) -> tuple[Path, ...]:
        """The folders that tools are shown in a sandbox."""
        generated = house.cache() / "generated"
        own = (self.folder, *self.beside)
        return (*(one.resolve() for one in own), *store.shipped(), generated)


def require_trust(folders: Iterable[Path], demand: str) -> None:
    """Raises `InputError` unless all these folders are trusted."""
    for folder in dict.fromkeys(folders):
        if not store.is_trusted(folder):
            raise _untrusted(folder, [demand])


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.resolve().is_relative_to(one) for one in folders)


def _untrusted(folder: Path, demands: Sequence[str]) -> InputError:
    asked = "; ".join(demands[:4]) + (f" (and {len(demands) - 4} more)" if demands[4:] else "")
    return InputError(
        f"{folder} is not trusted, and asks this host for {asked}",
        f"`cocrypt trust {folder}` if you know what it holds, with `--own` if it is yours; "
        "docs/security.md says more",
    )
