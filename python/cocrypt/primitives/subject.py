"""The subject of a measurement: one primitive, in one size, coded in one way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.toolchain import Unit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cocrypt.trust import Project

OPTIMISATIONS = ("-Os", "-O2", "-O3")
"""The optimisation levels of the compiler."""


@dataclass(frozen=True)
class Function:
    """A C function that does an operation; `arguments` are the roles of its parameters."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """A primitive (`aes128`) in one implementation (`small`).

    `sizes` are in bytes, by role. `functions` are by operation. `context` is the C type of the
    state that the functions keep between calls, declared in `header`. A `discovered` subject has
    no file that describes it, and may be for other processors. A subject of the workbench has no
    `project`. A mode has the sources of the cipher under it, which is `inner`, among its own.
    """

    primitive: str
    implementation: str
    title: str
    about: str
    kind: str
    family: str
    source: str | None
    sizes: Mapping[str, int]
    functions: Mapping[str, Function]
    sources: tuple[Path, ...]
    include: tuple[Path, ...]
    header: str | None = None
    context: str | None = None
    flags: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    constant_time: bool = False
    vectors: tuple[Path, ...] = ()
    over: str | None = None
    inner: Subject | None = None
    folder: Path | None = None
    further: tuple[Unit, ...] = ()
    discovered: bool = False
    project: Project | None = None

    @property
    def name(self) -> str:
        """Primitive and implementation, as people type them."""
        return f"{self.primitive}/{self.implementation}"

    def function(self, operation: str) -> Function:
        """The function of an operation; raises `InputError` where it has none."""
        if operation not in self.functions:
            raise InputError(
                f"{self.name} provides no `{operation}`, without which it cannot be called",
                f"it provides {', '.join(self.functions)}; name the function in primitive.toml",
            )
        return self.functions[operation]

    def takes(self, operation: str, role: str) -> bool:
        """Returns true if a function takes this role, in 32 bits or in 64."""
        function = self.functions.get(operation)
        return function is not None and not {role, f"{role}64"}.isdisjoint(function.arguments)

    def units(self, flags: tuple[str, ...]) -> list[Unit]:
        """Its sources, to be compiled with these options.

        A cipher's units are the same under all modes, so that each is compiled once.
        """
        include = (*self.include, paths.primitives() / "common")
        options = (*flags, *self.flags)
        shared = self.inner.units(flags) if self.inner else []
        others = {unit.source for unit in shared}
        own = [
            Unit(source, options, include, extensions=self.extensions)
            for source in self.sources
            if source not in others
        ]
        return [*own, *shared, *self.further]
