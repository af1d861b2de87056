"""The subroutines of the primitives, as the files `subroutines.toml` state them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.primitives.vectors import number, read_toml, unhex

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cocrypt.primitives.vectors import Vector

FILE = "subroutines.toml"


@dataclass(frozen=True, kw_only=True)
class Subroutine:
    """A subroutine and its parameter block; sizes and offsets in bytes.

    `operations` are the values of the byte at `mode` by operation. A block without `mode` has one
    operation. `banks` are the register banks that it changes besides its own, bank 0.
    """

    folder: Path
    name: str
    member: str
    source: str
    block: int
    operations: dict[str, int] = field(hash=False)
    mode: int | None = None
    banks: tuple[int, ...] = ()

    @property
    def with_banks(self) -> str:
        """The register banks that it changes besides bank 0, as words that follow a figure."""
        return "".join(f", with register bank {bank}" for bank in self.banks)

    @property
    def title(self) -> str:
        """Member and name, as messages call it."""
        return f"{self.member}/{self.name}"

    def vectors(self) -> dict[str, list[Vector]]:
        """The official vectors of the primitive's member by operation."""
        return read_toml(self.folder.parent / "vectors" / f"{self.member}.toml")


@dataclass(frozen=True, kw_only=True)
class Cipher(Subroutine):
    """A block cipher: the text is at offset 0, and the result takes its place.

    Its operations are `encrypt`, `decrypt`, and two that decrypt without the key's set-up:
    `decrypt_last` takes the last round key as the key, and `decrypt_again` the parameter block as a
    decryption left it, with another text. At `last_key` is the last round key after an encryption.
    """

    key: int
    last_key: int | None = None


@dataclass(frozen=True, kw_only=True)
class Hash(Subroutine):
    """A hash function: one call takes one block of the padded message.

    `message` is the offset of that block, `value` that of the chaining value: the initial value
    before the first block, the digest after the last. `position`, if there is one, is the offset
    of eight bytes, least significant first, for the number of the message's bytes up to the end
    of the block.

    Its operations are `next`, for blocks that no other is for, and `first`, `last` and `only`,
    which is both. If `sets_initial`, `first` and `only` set the initial value; else the caller
    does.
    """

    message: int
    value: int
    position: int | None = None
    sets_initial: bool = False

    def answers(self, *, repeated: bool = False) -> list[tuple[bytes, bytes]]:
        """Messages and digests of the official vectors.

        Those that state a message as many repetitions are left out, unless `repeated`: a device
        takes long for a million bytes.
        """
        return [
            (unhex(vector, "message") * number(vector, "repeat", 1), unhex(vector, "digest"))
            for vector in self.vectors()["hash"]
            if repeated or "repeat" not in vector
        ]

    def operation(self, place: int, blocks: int) -> str:
        """The operation for a block of a message, counted from 0."""
        first, last = place == 0, place == blocks - 1
        names = ["only"] * (first and last) + ["first"] * first + ["last"] * last
        return next((name for name in names if name in self.operations), "next")


def subroutines(core: str = "rl78") -> tuple[Cipher | Hash, ...]:
    """All subroutines for a family of cores, by primitive and in the order of their files."""
    files = sorted(paths.primitives().glob(f"*/{core}/{FILE}"))
    return tuple(
        _subroutine(path.parent, values)
        for path in files
        for values in tomllib.loads(path.read_text("utf-8"))["subroutine"]
    )


def _subroutine(folder: Path, values: Mapping[str, Any]) -> Cipher | Hash:
    kind = Cipher if "key" in values else Hash
    return kind(folder=folder, **{**values, "banks": tuple(values.get("banks", ()))})
