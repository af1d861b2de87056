"""Programs without sources: a function of an ELF file is replaced by a jump at its entry.

What takes its place is linked behind the program, with the program's own symbols in sight, and
added to the file as further segments; so every simulator runs the same image. A call of the
function then takes a jump more.

Sources: System V ABI, chapters 4 and 5; the RISC-V unprivileged manual, section 2.5.1, for JAL;
"ARM Architecture Reference Manual" (DDI 0100), A4.1.5, and "ARMv7-M" (DDI 0403), A7.7.12, for B.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import _native
from cocrypt.errors import InputError
from cocrypt.house import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from cocrypt.target import Target

MAGIC = b"\x7fELF"
_HEADER = struct.Struct("<16sHHIIIIIHHHHHH")
_PROGRAM = struct.Struct("<8I")
_SECTION = struct.Struct("<10I")
_SYMBOL = struct.Struct("<IIIBBH")
_LOADABLE, _SYMTAB = 1, 2
_ABSOLUTE = 0xFFF1
JUMP_BYTES = 4
SHORT_BRANCHES = ("cortex-m0", "cortex-m0plus", "cortex-m1", "arm7tdmi", "arm926ej-s")
"""Cores whose Thumb jumps no farther than 2 KiB by one instruction."""
ALIGNED = 16


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

    @property
    def end(self) -> int:
        """The first address behind it at which something else may begin."""
        ends = [one["address"] + one["size"] for one in self.info["segments"]]
        return int(-(-max(ends) // ALIGNED) * ALIGNED)

    def function(self, name: str) -> int:
        """The address of a function; raises `InputError` where there is no room for a jump."""
        functions = [one for one in self.info["symbols"] if one["kind"] == "function"]
        for one in functions:
            if one["name"] == name:
                size = one["size"]
                if size < JUMP_BYTES:
                    raise InputError(
                        f"{self.path}: `{name}` has {size} bytes, and a jump takes {JUMP_BYTES}",
                        "take another function as a candidate",
                    )
                return int(one["address"])
        raise InputError(
            f"{self.path} has no function `{name}`",
            suggestion(name, sorted({one["name"] for one in functions})),
        )


def patched(program: Program, addition: bytes, jumps: Mapping[str, str], target: Target) -> bytes:
    """The program with what was linked behind it; `jumps` say what replaces which functions.

    Raises `InputError` where a jump does not reach that far.
    """
    jump = _jump(target)
    info = _native.image_info(addition, "what replaces functions")
    symbols = {one["name"]: one for one in info["symbols"] if one["kind"] == "function"}
    content = bytearray(program.content)
    for name, instead in jumps.items():
        source = program.function(name)
        place = _offset(program.content, source)
        content[place : place + JUMP_BYTES] = jump.encoded(
            symbols[instead]["address"] - source, name
        )
    # The others are the program's own, which were in sight.
    added = [one for one in symbols.values() if one["address"] >= program.end]
    _add_symbols(content, [{**one, "address": one["address"] | target.thumb} for one in added])
    _add_segments(content, addition)
    return bytes(content)


@dataclass(frozen=True)
class Jump:
    """An instruction of four bytes that goes so far, `reach` bytes in each direction."""

    reach: int
    encode: Callable[[int], bytes]

    def encoded(self, distance: int, name: str) -> bytes:
        """Its bytes; raises `InputError` where it does not reach."""
        if not -self.reach <= distance < self.reach:
            raise InputError(
                f"what replaces `{name}` is too far from it for a jump: {distance:,} bytes"
            )
        return self.encode(distance)


def _jump(target: Target) -> Jump:
    """The jump of an instruction set; raises `InputError` where it has none of four bytes."""
    if target.cpu is None:
        return Jump(1 << 20, _jal)
    if not target.thumb:
        return Jump(1 << 25, _branch)
    if target.cpu in SHORT_BRANCHES:
        raise InputError(
            f"functions of a program for {target.cpu} cannot be replaced: its jumps are too short",
            "give the program's sources",
        )
    return Jump(1 << 24, _wide_branch)


def _jal(distance: int) -> bytes:
    """`jal x0` of RISC-V."""
    word = 0x6F
    word |= (distance >> 20 & 1) << 31 | (distance >> 1 & 0x3FF) << 21
    word |= (distance >> 11 & 1) << 20 | (distance >> 12 & 0xFF) << 12
    return word.to_bytes(JUMP_BYTES, "little")


def _branch(distance: int) -> bytes:
    """`b` of A32, which counts from two instructions further on."""
    return (0xEA000000 | (distance - 8) >> 2 & 0xFFFFFF).to_bytes(JUMP_BYTES, "little")


def _wide_branch(distance: int) -> bytes:
    """`b.w` of Thumb-2, which counts from behind itself."""
    offset = distance - 4
    sign = offset >> 24 & 1
    # Two bits are the offset's own where it is negative, and turned over elsewhere.
    high, low = (offset >> bit & 1 ^ sign ^ 1 for bit in (23, 22))
    first = 0xF000 | sign << 10 | offset >> 12 & 0x3FF
    second = 0x9000 | high << 13 | low << 11 | offset >> 1 & 0x7FF
    return first.to_bytes(2, "little") + second.to_bytes(2, "little")


def _programs(content: bytes | bytearray) -> list[tuple[int, ...]]:
    header = _HEADER.unpack_from(content)
    place, size, count = header[5], header[9], header[10]
    return [_PROGRAM.unpack_from(content, place + size * number) for number in range(count)]


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
    header = list(_HEADER.unpack_from(content))
    header[5] = _append(content, b"".join(_PROGRAM.pack(*one) for one in table))
    header[9], header[10] = _PROGRAM.size, len(table)
    _HEADER.pack_into(content, 0, *header)


def _add_symbols(content: bytearray, symbols: Sequence[Mapping[str, Any]]) -> None:
    """Gives the file's symbol table further functions, so that profiles name them."""
    header = _HEADER.unpack_from(content)
    place, count = header[6], header[12]
    places = [place + _SECTION.size * number for number in range(count)]
    sections = [list(_SECTION.unpack_from(content, one)) for one in places]
    tables = [number for number, section in enumerate(sections) if section[1] == _SYMTAB]
    if not tables:
        return
    table = sections[tables[0]]
    strings = sections[table[6]]
    names = bytes(content[strings[4] : strings[4] + strings[5]])
    entries = bytes(content[table[4] : table[4] + table[5]])
    code = next((n for n, section in enumerate(sections) if section[2] & 4), _ABSOLUTE)
    for one in symbols:
        # A global function.
        entries += _SYMBOL.pack(len(names), one["address"], one["size"], 0x12, 0, code)
        names += one["name"].encode() + b"\0"
    strings[4], strings[5] = _append(content, names), len(names)
    table[4], table[5] = _append(content, entries), len(entries)
    for number in (tables[0], table[6]):
        _SECTION.pack_into(content, places[number], *sections[number])


def _append(content: bytearray, more: bytes) -> int:
    content += b"\0" * (-len(content) % ALIGNED)
    place = len(content)
    content += more
    return place
