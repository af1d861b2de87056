"""Programs without sources: a function of an ELF file is replaced by a jump at its entry.

What takes its place is linked behind the program, with the program's own symbols in sight, and
added to the file as further segments; so every simulator runs the same image. On a device with
flash its code lies behind the program's code there, and its data behind the program's in RAM, from
where they are when the program starts. A call of the function then takes a jump more.

Sources: System V ABI, chapters 4 and 5; the RISC-V unprivileged manual, section 2.5.1, for JAL;
"ARM Architecture Reference Manual" (DDI 0100), A4.1.5 and A7.1, and "ARMv7-M" (DDI 0403), A7.7.12,
for jumps; "Procedure Call Standard for the Arm Architecture" (IHI 0042), 6.3.1.1, for `ip`, which
any call may change.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import partial
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
NEAR = ("cortex-m0", "cortex-m0plus", "cortex-m1", "arm7tdmi", "arm926ej-s")
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

    def end(self, memory: tuple[int, int] | None = None) -> int:
        """The first address behind it at which something else may begin.

        `memory` is where to look, base and size, in bytes, where a device has several.
        """
        base, size = memory or (0, 1 << 32)
        parts = [one for one in self.info["segments"] if base <= one["address"] < base + size]
        last = max((one["address"] + one["size"] for one in parts), default=base)
        return int(-(-last // ALIGNED) * ALIGNED)

    def function(self, name: str) -> Entry:
        """A function's entry; raises `InputError` where there is no such function."""
        functions = [one for one in self.info["symbols"] if one["kind"] == "function"]
        for one in functions:
            if one["name"] == name:
                return Entry(name, one["address"], one["size"], one["thumb"])
        raise InputError(
            f"{self.path} has no function `{name}`",
            suggestion(name, sorted({one["name"] for one in functions})),
        )


@dataclass(frozen=True)
class Entry:
    """Where a function begins, how many bytes it has, and whether it is Thumb code of ARM."""

    name: str
    address: int
    size: int
    thumb: bool

    def leading_to(self, place: int, target: Target) -> bytes:
        """What stands at the entry instead, so that calls go on at a place.

        Raises `InputError` where there is not enough room, or a jump does not reach that far.
        """
        jump = _jump(target, self.thumb)
        distance = place - self.address
        if self.size < jump.size:
            raise InputError(
                f"`{self.name}` has {self.size} bytes, and a jump takes {jump.size}",
                "take another function as a candidate",
            )
        if not -jump.reach <= distance < jump.reach:
            raise InputError(
                f"what replaces `{self.name}` is too far from it for a jump: {distance:,} bytes"
            )
        return jump.encode(self.address, place)


def patched(program: Program, addition: bytes, jumps: Mapping[str, str], target: Target) -> bytes:
    """The program with what was linked behind it; `jumps` say what replaces which functions.

    Raises `InputError` where a function has no room for a jump, or it does not reach that far.
    """
    info = _native.image_info(addition, "what replaces functions")
    symbols = {one["name"]: one for one in info["symbols"] if one["kind"] == "function"}
    content = bytearray(program.content)
    for name, instead in jumps.items():
        entry = program.function(name)
        jump = entry.leading_to(symbols[instead]["address"], target)
        place = _offset(program.content, entry.address)
        content[place : place + len(jump)] = jump
    # The others are the program's own, which were in sight.
    held = [range(one["address"], one["address"] + one["size"]) for one in info["segments"]]
    added = [one for one in symbols.values() if any(one["address"] in place for place in held)]
    _add_symbols(content, [{**one, "address": one["address"] | one["thumb"]} for one in added])
    _add_segments(content, addition)
    return bytes(content)


@dataclass(frozen=True)
class Jump:
    """What goes from one address to another: `size` bytes, `reach` bytes in each direction."""

    size: int
    reach: int
    encode: Callable[[int, int], bytes]


def _jump(target: Target, thumb: bool) -> Jump:
    """The jump from a function of Thumb code, or of the only other, to the target's code."""
    if target.cpu is None:
        return Jump(4, 1 << 20, _jal)
    if thumb and target.cpu in NEAR:
        return Jump(16, 1 << 32, partial(_by_thumb, thumb=target.thumb))
    if thumb:
        return Jump(4, 1 << 24, _wide_branch)
    if target.thumb:
        return Jump(12, 1 << 32, _to_thumb)
    return Jump(4, 1 << 25, _branch)


def _jal(source: int, place: int) -> bytes:
    """`jal x0` of RISC-V."""
    distance = place - source
    word = 0x6F
    word |= (distance >> 20 & 1) << 31 | (distance >> 1 & 0x3FF) << 21
    word |= (distance >> 11 & 1) << 20 | (distance >> 12 & 0xFF) << 12
    return word.to_bytes(4, "little")


def _branch(source: int, place: int) -> bytes:
    """`b` of A32, which counts from two instructions further on."""
    return (0xEA000000 | (place - source - 8) >> 2 & 0xFFFFFF).to_bytes(4, "little")


def _to_thumb(_source: int, place: int) -> bytes:
    """From A32 to Thumb: `ldr ip, [pc]`, `bx ip` and the address."""
    return struct.pack("<III", 0xE59FC000, 0xE12FFF1C, place | 1)


def _wide_branch(source: int, place: int) -> bytes:
    """`b.w` of Thumb-2, which counts from two short instructions further on."""
    offset = place - source - 4
    sign = offset >> 24 & 1
    # Two bits are the offset's own where it is negative, and turned over elsewhere.
    high, low = (offset >> bit & 1 ^ sign ^ 1 for bit in (23, 22))
    first = 0xF000 | sign << 10 | offset >> 12 & 0x3FF
    second = 0x9000 | high << 13 | low << 11 | offset >> 1 & 0x7FF
    return first.to_bytes(2, "little") + second.to_bytes(2, "little")


def _by_thumb(source: int, place: int, thumb: bool) -> bytes:
    """From Thumb without wide branches, by way of `ip`: these can only load the first registers.

    `push {r0}`, `ldr r0, =place`, `mov ip, r0`, `pop {r0}`, `bx ip`, and the aligned address.
    """
    padding = b"" if source % 4 else (0x46C0).to_bytes(2, "little")
    ahead = 1 if source % 4 else 2
    code = struct.pack("<5H", 0xB401, 0x4800 | ahead, 0x4684, 0xBC01, 0x4760)
    return code + padding + (place | thumb).to_bytes(4, "little")


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
