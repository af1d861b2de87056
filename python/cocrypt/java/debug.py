"""The debug data of a program in Java: where each instruction of the machine comes from.

It stands in a section of the image that is not loaded, as DWARF does, so it takes no memory of the
device: JSON, compressed. Methods are named by the symbols of their code.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from cocrypt import _native
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.java.classfile import ClassFile

SECTION = ".cocrypt_java"
MOST = 64 << 20
"""Bytes of debug data at most."""
BROKEN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors of values that are not what they should be."""
ROW = 100
"""Bytes on a line of the C source."""


@dataclass(frozen=True)
class MappedInstruction:
    """An instruction of the machine at an offset in the code of its method.

    `text` is the bytecode that it was made of, behind its address there, as `javap` prints it;
    `line` is None where the class file is silent.
    """

    offset: int
    opcode: str
    text: str
    line: int | None


@dataclass(frozen=True)
class MethodDebug:
    """A method in bytecode: `symbol` has its code, `handlers` are offsets of exception handlers."""

    symbol: str
    name: str
    file: str | None
    size: int
    handlers: tuple[int, ...]
    instructions: tuple[MappedInstruction, ...]


def source_file(owner: ClassFile) -> str | None:
    """The source file of a class, below the root of all sources; None if it is not known."""
    if owner.source is None:
        return None
    return str(PurePosixPath(owner.name).parent / PurePosixPath(owner.source).name)


def directives(methods: Iterable[MethodDebug]) -> str:
    """The section with the debug data of these methods, as C source."""
    data = zlib.compress(json.dumps([asdict(each) for each in methods]).encode(), 9)
    rows = (data[at : at + ROW] for at in range(0, len(data), ROW))
    lines = [rf'    ".byte {",".join(map(str, row))}\n"' for row in rows]
    begin, end = rf'    ".section {SECTION},\"\",%progbits\n"', '    ".text"'
    return "\n".join(["__asm__(", begin, *lines, end, ");"]) + "\n"


def read(content: bytes) -> list[MethodDebug]:
    """The debug data of an image; nothing if it has none.

    Raises `InputError` where it is broken.
    """
    data = _native.image_section(content, SECTION)
    if data is None:
        return []
    try:
        return [_method(values) for values in json.loads(_unpacked(data))]
    except (*BROKEN, zlib.error) as error:
        raise broken() from error


def broken() -> InputError:
    """The error of debug data that no build has written."""
    return InputError("the image's debug data of Java is broken", "build it again")


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    unpacked = unpacker.decompress(data, MOST)
    if not unpacker.eof:
        raise ValueError(len(unpacked))
    return unpacked


def _method(values: dict[str, Any]) -> MethodDebug:
    instructions = tuple(
        MappedInstruction(**instruction) for instruction in values.pop("instructions")
    )
    handlers = tuple(values.pop("handlers"))
    return MethodDebug(**values, handlers=handlers, instructions=instructions)
