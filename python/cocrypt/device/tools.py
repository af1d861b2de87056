"""The tools that programs are built with, as device files and studies name them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Tools:
    """A compiler with its flags, an assembler, and a linker script; None if not stated.

    `compiler` is a name to be found on the PATH, or an absolute path; `assembler` is "compiler" or
    "gnu".
    """

    compiler: str | None = None
    flags: tuple[str, ...] = ()
    assembler: str | None = None
    script: Path | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any], folder: Path) -> Tools:
        """The tools of a checked dictionary; the compiler's path starts at a folder."""
        compiler, script = values["compiler"], values["script"]
        if compiler and "/" in compiler:
            compiler = str(folder.resolve() / compiler)
        return cls(
            compiler=compiler,
            flags=tuple(values["flags"]),
            assembler=values["assembler"],
            script=Path(script) if script else None,
        )

    @property
    def is_silent(self) -> bool:
        """True if no tool is stated."""
        return self == Tools()
