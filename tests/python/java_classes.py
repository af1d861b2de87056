"""Class files made by hand, for code that no compiler writes."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cocrypt.java import classfile
from cocrypt.java.emit import image
from cocrypt.java.reach import entry, reach
from cocrypt.java.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass
class Pool:
    """A constant pool that grows as constants are asked for."""

    entries: list[bytes] = field(default_factory=list)

    def _index(self, entry: bytes) -> int:
        if entry not in self.entries:
            self.entries.append(entry)
        return self.entries.index(entry) + 1

    def text(self, text: str) -> int:
        data = text.encode()
        return self._index(struct.pack(">BH", 1, len(data)) + data)

    def type(self, name: str) -> int:
        return self._index(struct.pack(">BH", 7, self.text(name)))

    def member(self, kind: int, owner: str, name: str, descriptor: str) -> int:
        pair = self._index(struct.pack(">BHH", 12, self.text(name), self.text(descriptor)))
        return self._index(struct.pack(">BHH", kind, self.type(owner), pair))

    def method(self, owner: str, name: str, descriptor: str) -> int:
        return self.member(10, owner, name, descriptor)

    def static(self, owner: str, name: str, descriptor: str) -> int:
        return self.member(9, owner, name, descriptor)


def made(
    name: str,
    code: bytes,
    pool: Pool | None = None,
    *,
    stack: int = 4,
    variables: int = 4,
    handlers: bytes = b"",
    above: str = "java/lang/Object",
    version: int = 49,
    flags: int = 0x21,
    interfaces: Sequence[str] = (),
    fields: Sequence[tuple[int, str, str]] = (),
    methods: Sequence[tuple[int, str, str, bytes | None]] = (),
) -> bytes:
    """A class with the method `static void main()` of this code.

    Fields are flags, name and descriptor; further methods have their code too, None for no code.
    """
    pool = pool or Pool()
    rows = struct.pack(">H", len(handlers) // 8) + handlers
    size = struct.pack(">HH", stack, variables)
    written = [_method(pool, (9, "main", "()V", code), size, rows)]
    written += [_method(pool, each, size, b"\0\0") for each in methods]
    members = struct.pack(">H", len(fields))
    for access, called, descriptor in fields:
        members += struct.pack(">HHHH", access, pool.text(called), pool.text(descriptor), 0)
    members += struct.pack(">H", len(written)) + b"".join(written)
    head = struct.pack(">HHHH", flags, pool.type(name), pool.type(above), len(interfaces))
    head += b"".join(pool.type(each).to_bytes(2) for each in interfaces)
    constants = struct.pack(">H", len(pool.entries) + 1) + b"".join(pool.entries)
    start = struct.pack(">IHH", 0xCAFEBABE, 0, version)
    return start + constants + head + members + b"\0\0"


def _method(
    pool: Pool, method: tuple[int, str, str, bytes | None], size: bytes, rows: bytes
) -> bytes:
    flags, name, descriptor, code = method
    start = struct.pack(">HHH", flags, pool.text(name), pool.text(descriptor))
    if code is None:
        return start + b"\0\0"
    body = size + struct.pack(">I", len(code)) + code + rows + b"\0\0"
    return start + struct.pack(">HHI", 1, pool.text("Code"), len(body)) + body


def load(files: Mapping[str, bytes], main: str, given: list[classfile.ClassFile]) -> str:
    """The image of classes by name, in C."""
    world = World([classfile.read(data, name) for name, data in files.items()], given)
    return image(reach(world, entry(world, main)), [each.name for each in given]).source
