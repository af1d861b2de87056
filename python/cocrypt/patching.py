"""Programs without sources: a function of an ELF file is replaced by a jump at its entry.

What takes its place is linked behind the program, with the program's own symbols in sight, and
added to the file as further segments; so every simulator runs the same image. On a device with
flash its code lies behind the program's code there, and its data behind the program's in RAM, from
where they are when the program starts. A call of the function then takes a jump more.

Source: System V ABI, chapters 4 and 5. What the jump is, the instruction set says.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import _native
from cocrypt.errors import InputError
from cocrypt.house import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cocrypt.device import Device
    from cocrypt.target import Target

MAGIC = b"\x7fELF"
_HEADER, _PROGRAM, _SECTION, _SYMBOL = "16sHHIIIIIHHHHHH", "8I", "10I", "IIIBBH"
_DATA, _BIG_ENDIAN = 5, 2
_LOADABLE, _SYMTAB = 1, 2
_ABSOLUTE = 0xFFF1
ALIGNED = 16
PLACES = ("address", "runs_at")


def is_program(path: Path) -> bool:
    """Whether a workload's source is a program that somebody else has built."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@dataclass(frozen=True)
class Program:
    """An ELF file with its symbols."""

    path: Path
    content: bytes
    info: dict[str, Any]

    @classmethod
    def load(cls, path: Path) -> Program:
        """Reads a program; raises `DiagnosticError` where it is none."""
        content = path.read_bytes()
        return cls(path, content, _native.image_info(content, str(path)))

    def end(self, memory: tuple[int, int] | None = None) -> int:
        """The first address behind it at which something else may begin.

        `memory` is where to look, base and size, in bytes, where a device has several.
        """
        base, size = memory or (0, 1 << 32)
        # What start-up code copies takes two places.
        places = [(one[at], one["size"]) for one in self.info["segments"] for at in PLACES]
        last = max((at + length for at, length in places if 0 <= at - base < size), default=base)
        return int(-(-last // ALIGNED) * ALIGNED)

    def function(self, name: str) -> Entry:
        """A function's entry; raises `InputError` where there is no such function."""
        functions = [one for one in self.info["symbols"] if one["kind"] == "function"]
        for one in functions:
            if one["name"] == name:
                return Entry(name, one["address"], one["size"], one["mode"])
        raise InputError(
            f"{self.path} has no function `{name}`",
            suggestion(name, sorted({one["name"] for one in functions})),
        )


@dataclass(frozen=True)
class Entry:
    """Where a function begins, and how many bytes it has.

    `mode` are the bits of a pointer to it that say how its code is decoded.
    """

    name: str
    address: int
    size: int
    mode: int

    def leading_to(self, place: int, target: Target, memory: int = 1 << 32) -> bytes:
        """What stands at the entry instead, so that calls go on at a place.

        Both are in a memory of so many bytes; a core with little may lack what reaches farther.
        Raises `InputError` where there is not enough room, or a jump does not reach that far.
        """
        reach, code = _native.jump(
            target.instructions.name,
            target.variant,
            (self.address, self.mode),
            (place, target.encoding.mode),
            memory,
        )
        distance = place - self.address
        if self.size < len(code):
            raise InputError(
                f"`{self.name}` has {self.size} bytes, and a jump takes {len(code)}",
                "take another function as a candidate",
            )
        if not -reach <= distance < reach:
            raise InputError(
                f"what replaces `{self.name}` is too far from it for a jump: {distance:,} bytes"
            )
        return code


def patched(program: Program, addition: bytes, jumps: Mapping[str, str], device: Device) -> bytes:
    """The program with what was linked behind it; `jumps` say what replaces which functions.

    Raises `InputError` where a function has no room for a jump, or it does not reach that far.
    """
    info = _native.image_info(addition, "what replaces functions")
    symbols = {one["name"]: one for one in info["symbols"] if one["kind"] == "function"}
    content = bytearray(program.content)
    memory = (device.flash or device.ram).size
    for name, instead in jumps.items():
        entry = program.function(name)
        jump = entry.leading_to(symbols[instead]["address"], device.target, memory)
        place = _offset(program.content, entry.address)
        content[place : place + len(jump)] = jump
    # The others are the program's own, which were in sight.
    held = [range(one["address"], one["address"] + one["size"]) for one in info["segments"]]
    added = [one for one in symbols.values() if any(one["address"] in place for place in held)]
    _add_symbols(content, [{**one, "address": one["address"] | one["mode"]} for one in added])
    _add_segments(content, addition)
    return bytes(content)


def _form(content: bytes | bytearray, fields: str) -> struct.Struct:
    """How a file has these fields, in its order of bytes."""
    return struct.Struct((">" if content[_DATA] == _BIG_ENDIAN else "<") + fields)


def _programs(content: bytes | bytearray) -> list[tuple[int, ...]]:
    header = _form(content, _HEADER).unpack_from(content)
    place, size, count = header[5], header[9], header[10]
    program = _form(content, _PROGRAM)
    return [program.unpack_from(content, place + size * number) for number in range(count)]


def _offset(content: bytes, address: int) -> int:
    """Where the file has the byte at an address."""
    for kind, offset, virtual, _, size, *_ in _programs(content):
        if kind == _LOADABLE and virtual <= address < virtual + size:
            return offset + address - virtual
    raise InputError(f"the program has nothing in its file at {address:#x}")


def _add_segments(content: bytearray, addition: bytes) -> None:
    """Appends the segments of another file, and a table of all segments."""
    table = _programs(content)
    for kind, offset, virtual, physical, size, memory, flags, _ in _programs(addition):
        if kind != _LOADABLE or not memory:
            continue
        place = _append(content, addition[offset : offset + size])
        table.append((kind, place, virtual, physical, size, memory, flags, 1))
    form, program = _form(content, _HEADER), _form(content, _PROGRAM)
    header = list(form.unpack_from(content))
    header[5] = _append(content, b"".join(program.pack(*one) for one in table))
    header[9], header[10] = program.size, len(table)
    form.pack_into(content, 0, *header)


def _add_symbols(content: bytearray, symbols: Sequence[Mapping[str, Any]]) -> None:
    """Gives the file's symbol table further functions, so that profiles name them."""
    header = _form(content, _HEADER).unpack_from(content)
    place, count = header[6], header[12]
    section, symbol = _form(content, _SECTION), _form(content, _SYMBOL)
    places = [place + section.size * number for number in range(count)]
    sections = [list(section.unpack_from(content, one)) for one in places]
    tables = [number for number, one in enumerate(sections) if one[1] == _SYMTAB]
    if not tables:
        return
    table = sections[tables[0]]
    strings = sections[table[6]]
    names = bytes(content[strings[4] : strings[4] + strings[5]])
    entries = bytes(content[table[4] : table[4] + table[5]])
    code = next((number for number, one in enumerate(sections) if one[2] & 4), _ABSOLUTE)
    for one in symbols:
        # A global function.
        entries += symbol.pack(len(names), one["address"], one["size"], 0x12, 0, code)
        names += one["name"].encode() + b"\0"
    strings[4], strings[5] = _append(content, names), len(names)
    table[4], table[5] = _append(content, entries), len(entries)
    for number in (tables[0], table[6]):
        section.pack_into(content, places[number], *sections[number])


def _append(content: bytearray, more: bytes) -> int:
    content += b"\0" * (-len(content) % ALIGNED)
    place = len(content)
    content += more
    return place
