"""The subroutines of the primitives, as the files `subroutines.toml` state them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.primitives.vectors import read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.primitives.vectors import Vector

FILE = "subroutines.toml"


@dataclass(frozen=True)
class Subroutine:
    """A subroutine and its parameter block; sizes and offsets in bytes.

    `operations` are the values of the byte at `mode` by operation: `encrypt`, `decrypt`, and
    `decrypt_last`, which takes the last round key as the key. A block without `mode` has one
    operation. At `last_key` is the last round key after an encryption.
    """

    folder: Path
    name: str
    member: str
    source: str
    block: int
    key: int
    operations: dict[str, int] = field(hash=False)
    mode: int | None = None
    last_key: int | None = None

    @property
    def title(self) -> str:
        """Member and name, as messages call it."""
        return f"{self.member}/{self.name}"

    def vectors(self) -> dict[str, list[Vector]]:
        """The official vectors of the primitive's member by operation."""
        return read_toml(self.folder.parent / "vectors" / f"{self.member}.toml")


def subroutines(core: str = "rl78") -> tuple[Subroutine, ...]:
    """All subroutines for a family of cores, by primitive and in the order of their files."""
    files = sorted(paths.primitives().glob(f"*/{core}/{FILE}"))
    return tuple(
        Subroutine(path.parent, **values)
        for path in files
        for values in tomllib.loads(path.read_text("utf-8"))["subroutine"]
    )
