"""Programs without sources: a function of an ELF file is replaced by a jump at its entry.

The replacement is linked behind the program, against the program's own symbols, and added to the
file as further segments; so every simulator runs the same image. On a device with flash its code
lies behind the program's code there, and its data behind the program's data in RAM, where they are
when the program starts. A call of the function then takes a jump more.

Source: System V ABI, chapters 4 and 5. The instruction set defines the jump.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import _native
from cocrypt.errors import InputError
from cocrypt.paths import suggestion

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
ADDRESSES = ("address", "runs_at")


def is_program(path: Path | None) -> bool:
    """Returns whether a workload's source is a program that is built already."""
    if path is None:
        return False
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
        """The first aligned address behind the program.

        `memory` are base and size, in bytes, of the memory to look in, where a device has several.
        """
        base, size = memory or (0, 1 << 32)
        # Data that start-up code copies takes two ranges.
        segments = self.info["segments"]
        ranges = [(segment[key], segment["size"]) for segment in segments for key in ADDRESSES]
        last = max((at + length for at, length in ranges if 0 <= at - base < size), default=base)
        return int(-(-last // ALIGNED) * ALIGNED)

    def function(self, name: str) -> Entry:
        """A function's entry; raises `InputError` where there is no such function."""
        functions = [symbol for symbol in self.info["symbols"] if symbol["kind"] == "function"]
        for symbol in functions:
            if symbol["name"] == name:
                return Entry(name, symbol["address"], symbol["size"], symbol["mode"])
        raise InputError(
            f"{self.path} has no function `{name}`",
            suggestion(name, sorted({symbol["name"] for symbol in functions})),
        )


@dataclass(frozen=True)
class Entry:
    """The address of a function, and its size in bytes.

    `mode` are the bits of a pointer to it that say how its code is decoded.
    """

    name: str
    address: int
    size: int
    mode: int

    def leading_to(self, destination: int, target: Target, memory: int = 1 << 32) -> bytes:
        """The jump that replaces the code at the entry, so that calls go on at a destination.

        Both are in `memory` bytes; a core with little memory may lack jumps that reach farther.
        Raises `InputError` where there is not enough room, or a jump does not reach that far.
        """
        reach, code = _native.jump(
            target.instructions.name,
            target.variant,
            (self.address, self.mode),
            (destination, target.encoding.mode),
            memory,
        )
        distance = destination - self.address
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
    """The program with an addition behind it; `jumps` are functions with their replacements.

    Raises `InputError` where a function has no room for a jump, or it does not reach that far.
    """
    info = _native.image_info(addition, "what replaces functions")
    symbols = {symbol["name"]: symbol for symbol in info["symbols"] if symbol["kind"] == "function"}
    content = bytearray(program.content)
    memory = (device.flash or device.ram).size
    for name, replacement in jumps.items():
        entry = program.function(name)
        jump = entry.leading_to(symbols[replacement]["address"], device.target, memory)
        offset = _offset(program.content, entry.address)
        content[offset : offset + len(jump)] = jump
    # Other symbols are the program's own, against which the addition was linked.
    ranges = [
        range(segment["address"], segment["address"] + segment["size"])
        for segment in info["segments"]
    ]
    added = [
        symbol
        for symbol in symbols.values()
        if any(symbol["address"] in addresses for addresses in ranges)
    ]
    pointers = [{**symbol, "address": symbol["address"] | symbol["mode"]} for symbol in added]
    _add_symbols(content, pointers)
    _add_segments(content, addition)
    return bytes(content)


def _form(content: bytes | bytearray, fields: str) -> struct.Struct:
    """The layout of these fields in a file, in its byte order."""
    return struct.Struct((">" if content[_DATA] == _BIG_ENDIAN else "<") + fields)


def _programs(content: bytes | bytearray) -> list[tuple[int, ...]]:
    header = _form(content, _HEADER).unpack_from(content)
    offset, size, count = header[5], header[9], header[10]
    program = _form(content, _PROGRAM)
    return [program.unpack_from(content, offset + size * number) for number in range(count)]


def _offset(content: bytes, address: int) -> int:
    """The offset in the file of the byte at an address."""
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
        appended = _append(content, addition[offset : offset + size])
        table.append((kind, appended, virtual, physical, size, memory, flags, 1))
    form, program = _form(content, _HEADER), _form(content, _PROGRAM)
    header = list(form.unpack_from(content))
    header[5] = _append(content, b"".join(program.pack(*entry) for entry in table))
    header[9], header[10] = program.size, len(table)
    form.pack_into(content, 0, *header)


def _add_symbols(content: bytearray, symbols: Sequence[Mapping[str, Any]]) -> None:
    """Gives the file's symbol table further functions, so that profiles name them."""
    header = _form(content, _HEADER).unpack_from(content)
    start, count = header[6], header[12]
    form, symbol_form = _form(content, _SECTION), _form(content, _SYMBOL)
    offsets = [start + form.size * number for number in range(count)]
    sections = [list(form.unpack_from(content, offset)) for offset in offsets]
    tables = [number for number, section in enumerate(sections) if section[1] == _SYMTAB]
    if not tables:
        return
    table = sections[tables[0]]
    strings = sections[table[6]]
    names = bytes(content[strings[4] : strings[4] + strings[5]])
    entries = bytes(content[table[4] : table[4] + table[5]])
    code = next((number for number, section in enumerate(sections) if section[2] & 4), _ABSOLUTE)
    for symbol in symbols:
        # A global function.
        entries += symbol_form.pack(len(names), symbol["address"], symbol["size"], 0x12, 0, code)
        names += symbol["name"].encode() + b"\0"
    strings[4], strings[5] = _append(content, names), len(names)
    table[4], table[5] = _append(content, entries), len(entries)
    for number in (tables[0], table[6]):
        form.pack_into(content, offsets[number], *sections[number])


def _append(content: bytearray, more: bytes) -> int:
    content += b"\0" * (-len(content) % ALIGNED)
    offset = len(content)
    content += more
    return offset
