"""The sections that take the most of a memory, by the map that LLD or the GNU linker writes."""

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
# The GNU linker's map: a heading, output sections from the first column on, and one further in
# those of files, whose long names have a line of their own.
MAP_OF_GNU = "\nLinker script and memory map\n"
FOLDED = re.compile(r"^( ?\.\S+)\n +(?=0x)", re.MULTILINE)
LINE_OF_GNU = re.compile(
    r"( ?)(\.\S+) +0x([0-9a-f]+) +0x([0-9a-f]+)(?: load address 0x([0-9a-f]+)| (\S.*))?"
)
NOT_LOADED = re.compile(r"\.(debug_|symtab|strtab|shstrtab|comment|note|\w+\.attributes)")
PREFIX = re.compile(r"\.(text|rodata|data|bss|sdata|sbss|srodata)\.")
SHOWN = 5


@dataclass(frozen=True)
class Piece:
    """A section of a file in the image; `address` is where it runs, `loaded` where it is stored."""

    name: str
    file: str
    size: int
    address: int
    loaded: int

    def __str__(self) -> str:
        symbol = PREFIX.sub("", self.name)
        return f"`{symbol}` of {Path(self.file).name} ({self.size:,} bytes)"


def pieces(text: str) -> Iterator[Piece]:
    """The sections of files in a map that a memory holds."""
    _, of_gnu, rest = text.partition(MAP_OF_GNU)
    return _pieces_of_gnu(rest) if of_gnu else _pieces_of_lld(text)


def _pieces_of_gnu(text: str) -> Iterator[Piece]:
    away, loaded = 0, False
    for line in FOLDED.sub(r"\1 ", text).splitlines():
        columns = LINE_OF_GNU.fullmatch(line)
        if columns is None:
            continue
        name, file = columns[2], columns[6]
        address, size = int(columns[3], 16), int(columns[4], 16)
        if not columns[1]:
            loaded = NOT_LOADED.match(name) is None
            away = int(columns[5], 16) - address if columns[5] else 0
        elif loaded and file and size:
            yield Piece(name, file, size, address, address + away)


def _pieces_of_lld(text: str) -> Iterator[Piece]:
    loaded = True
    for line in text.splitlines():
        columns = LINE.fullmatch(line)
        if columns is None:
            continue
        address, loaded_at, size = (int(digits, 16) for digits in columns.groups()[:3])
        name = columns[5]
        if not columns[4]:
            loaded = NOT_LOADED.match(name) is None
        piece = PIECE.fullmatch(name)
        if loaded and piece and len(columns[4]) == INDENTED and size:
            yield Piece(piece[2], piece[1], size, address, loaded_at)


def largest(text: str, memory: str, device: Device) -> list[Piece]:
    """The largest pieces in a memory, given by its name in the linker script."""
    flash, ram = device.flash, device.ram
    searched = flash if flash and re.search("flash|rom|mirror", memory, re.IGNORECASE) else ram

    def owner(address: int) -> Memory:
        # A section that does not fit goes on behind its memory's end.
        begun = [memory for memory in (ram, flash) if memory and memory.base <= address]
        return max(begun, key=lambda memory: memory.base, default=ram)

    members = [
        piece
        for piece in pieces(text)
        if owner(piece.address if searched is ram else piece.loaded) is searched
    ]
    return sorted(members, key=lambda piece: (-piece.size, piece.file, piece.name))[:SHOWN]
