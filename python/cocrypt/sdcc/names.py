"""Names of a program's functions, from the map that SDCC's linker writes beside the Intel HEX file.

The program becomes an ELF file with the same bytes at the same addresses. Sources: the linker's
listings; "Tool Interface Standard, Executable and Linking Format", version 1.2, book I.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from struct import pack
from types import MappingProxyType
from typing import TYPE_CHECKING

from cocrypt import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

NO_SIZES: Mapping[str, int] = MappingProxyType({})
MAP = ".map"
HEADER = "ASxxxx Linker"
"""The first words of such a map."""
AREA = re.compile(r"^(\w+) +[0-9A-F]{8} +[0-9A-F]{8} = ")
SYMBOL = re.compile(r"^ *C: +([0-9A-F]{8})  (\S+)")
ANY = re.compile(r"^ *[CD]: +([0-9A-F]{8})  (\S+)")
EXTERNAL, INTERNAL = 0x10000, 0x20000
"""Where the machine has external and internal data."""
BASES = dict.fromkeys(("XSEG", "XISEG", "XABS", "PSEG"), EXTERNAL) | dict.fromkeys(
    ("DSEG", "ISEG", "OSEG", "IABS"), INTERNAL
)
"""Where the machine has the spaces of areas that hold data."""
CODE = re.compile(r"CSEG|HOME|GSINIT\d*|GSFINAL")
"""Areas of the linker that hold code and no constants."""
GLOBAL, STATIC = re.compile(r"_(\w+)$"), re.compile(r"F\w+\$(\w+)\$")
"""The functions of C, and with `--debug` those of one file."""
MACHINE = 165
"""EM_8051, in the registry of ELF machines."""
FILE_HEADER, SEGMENT_HEADER, SECTION_HEADER, ENTRY = 52, 32, 40, 16
LOADED, EXECUTABLE_AND_READABLE, READABLE_AND_WRITABLE = 1, 5, 6
TABLE, STRINGS = 2, 3
GLOBAL_FUNCTION, GLOBAL_OBJECT, ABSOLUTE = 0x12, 0x11, 0xFFF1
DATA = 0x10000
"""Addresses of the machine from here on are not code."""


@dataclass(frozen=True)
class Part:
    """Bytes at an address."""

    address: int
    content: bytes


def read(path: Path) -> bytes:
    """A program's file; an ELF file with names if SDCC's linker wrote a map beside it.

    The map counts only if each of its functions is in the program.
    """
    content = paths.read_named(path)
    beside = path.with_suffix(MAP)
    if not content.startswith(b":") or not beside.is_file():
        return content
    functions = _functions(beside.read_text(encoding="utf-8", errors="replace"))
    parts = _parts(content)
    if not functions or not parts or not all(_holds(parts, at) for at in functions):
        return content
    return _elf(parts, {name: at for at, name in functions.items()})


def of_program(
    content: bytes,
    symbols: Mapping[str, int],
    sizes: Mapping[str, int] = NO_SIZES,
    reserved: Sequence[tuple[int, int]] = (),
) -> bytes:
    """An ELF file with the bytes of an Intel HEX file of SDCC's linker, and with these names.

    `reserved` are addresses, and numbers of bytes there, that the program may write.
    """
    return _elf(_parts(content), symbols, sizes, reserved)


def symbols(listing: str) -> dict[str, int]:
    """The machine's addresses of a map's global symbols, and of functions of one file."""
    found: dict[str, int] = {}
    area = ""
    for line in listing.splitlines():
        if begins := AREA.match(line):
            area = begins[1]
        symbol = ANY.match(line)
        name = symbol and (GLOBAL.match(symbol[2]) or STATIC.match(symbol[2]))
        if symbol and name:
            found.setdefault(name[1], int(symbol[1], 16) + BASES.get(area, 0))
    return found


def _functions(text: str) -> dict[int, str]:
    """The names of a map by their addresses; empty for another file."""
    if HEADER not in text[:200]:
        return {}
    found: dict[int, str] = {}
    area = ""
    for line in text.splitlines():
        if begins := AREA.match(line):
            area = begins[1]
        symbol = SYMBOL.match(line) if CODE.fullmatch(area) else None
        name = symbol and (GLOBAL.match(symbol[2]) or STATIC.match(symbol[2]))
        if symbol and name:
            found.setdefault(int(symbol[1], 16), name[1])
    return found


def _parts(content: bytes) -> list[Part]:
    """The program's bytes in order; empty where a record is none that SDCC's linker writes."""
    found: dict[int, bytes] = {}
    for line in content.split():
        try:
            record = bytes.fromhex(line[1:].decode("ascii"))
        except ValueError:
            return []
        if len(record) < 5 or record[0] != len(record) - 5 or record[3] > 1:
            return []
        if record[3] == 0 and record[0]:
            found[int.from_bytes(record[1:3])] = record[4:-1]
    return list(_joined(found))


def _joined(found: Mapping[int, bytes]) -> Iterator[Part]:
    """Records that follow one another, as one."""
    part = Part(0, b"")
    for address in sorted(found):
        if address == part.address + len(part.content):
            part = Part(part.address, part.content + found[address])
            continue
        if part.content:
            yield part
        part = Part(address, found[address])
    if part.content:
        yield part


def _holds(parts: Iterable[Part], address: int) -> bool:
    return any(part.address <= address < part.address + len(part.content) for part in parts)


def _elf(
    parts: Sequence[Part],
    names: Mapping[str, int],
    sizes: Mapping[str, int] = NO_SIZES,
    reserved: Sequence[tuple[int, int]] = (),
) -> bytes:
    """An ELF file with these segments, and a table of symbols."""
    strings, symbols = b"\0", bytes(ENTRY)
    for address, name in sorted((address, name) for name, address in names.items()):
        kind = GLOBAL_FUNCTION if address < DATA else GLOBAL_OBJECT
        values = (len(strings), address, sizes.get(name, 0), kind, 0, ABSOLUTE)
        symbols += pack("<3I2BH", *values)
        strings += b"_" + name.encode() + b"\0"
    held = [part.content for part in parts] + [symbols, strings]
    count = len(parts) + len(reserved)
    start = FILE_HEADER + SEGMENT_HEADER * count
    places = [start + sum(map(len, held[:number])) for number in range(len(held) + 1)]
    segments = b"".join(
        pack(
            "<8I", LOADED, place, part.address, part.address, size, size, EXECUTABLE_AND_READABLE, 1
        )
        for place, part in zip(places, parts, strict=False)
        for size in [len(part.content)]
    )
    segments += b"".join(
        pack("<8I", LOADED, start, address, address, 0, size, READABLE_AND_WRITABLE, 1)
        for address, size in reserved
    )
    # A table of symbols names the section of its strings, and how many of its symbols are local.
    sections = bytes(SECTION_HEADER)
    sections += pack("<10I", 0, TABLE, 0, 0, places[-3], len(symbols), 2, 1, 4, ENTRY)
    sections += pack("<10I", 0, STRINGS, 0, 0, places[-2], len(strings), 0, 0, 1, 0)
    counts = (FILE_HEADER, SEGMENT_HEADER, count, SECTION_HEADER, 3, 2)
    header = b"\x7fELF\x01\x01\x01" + bytes(9)
    header += pack("<2H5I6H", 2, MACHINE, 1, 0, FILE_HEADER, places[-1], 0, *counts)
    return header + segments + b"".join(held) + sections
