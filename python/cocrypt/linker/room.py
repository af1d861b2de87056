"""What takes the most of a memory, by the map that LLD writes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.device import Device
    from cocrypt.device.parts import Memory

# Columns of `writeMapFile` of LLD: addresses and sizes in hexadecimal, then the name of an output
# section, or eight columns further in that of a section of a file: `main.o:(.text.main)`.
LINE = re.compile(r"\s*([0-9a-f]+)\s+([0-9a-f]+)\s+([0-9a-f]+)\s+\d+ ( *)(\S.*)")
PIECE = re.compile(r"(.+):\(([^()]+)\)")
INDENTED = 8
NOT_LOADED = re.compile(r"\.(debug_|symtab|strtab|shstrtab|comment|note|\w+\.attributes)")
PREFIX = re.compile(r"\.(text|rodata|data|bss|sdata|sbss|srodata)\.")
SHOWN = 5


@dataclass(frozen=True)
class Piece:
    """A section of a file in the image; `address` is where it runs, `loaded` where it is kept."""

    name: str
    file: str
    size: int
    address: int
    loaded: int

    def __str__(self) -> str:
        symbol = PREFIX.sub("", self.name)
        return f"`{symbol}` of {Path(self.file).name} ({self.size:,} bytes)"


def pieces(text: str) -> Iterator[Piece]:
    """The sections of files in a map, without what no memory holds."""
    loaded = True
    for line in text.splitlines():
        found = LINE.fullmatch(line)
        if found is None:
            continue
        address, kept, size = (int(digits, 16) for digits in found.groups()[:3])
        name = found[5]
        if not found[4]:
            loaded = NOT_LOADED.match(name) is None
        piece = PIECE.fullmatch(name)
        if loaded and piece and len(found[4]) == INDENTED and size:
            yield Piece(piece[2], piece[1], size, address, kept)


def largest(text: str, memory: str, device: Device) -> list[Piece]:
    """The largest pieces in a memory, of which linker scripts say the name."""
    flash, ram = device.flash, device.ram
    wanted = flash if flash and re.search("flash|rom", memory, re.IGNORECASE) else ram

    def owner(address: int) -> Memory:
        # What has no room goes on behind a memory's end.
        begun = [one for one in (ram, flash) if one and one.base <= address]
        return max(begun, key=lambda one: one.base, default=ram)

    there = [
        piece
        for piece in pieces(text)
        if owner(piece.address if wanted is ram else piece.loaded) is wanted
    ]
    return sorted(there, key=lambda piece: (-piece.size, piece.file, piece.name))[:SHOWN]
