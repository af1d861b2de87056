"""Class files made by hand, for code that no compiler writes."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field


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
) -> bytes:
    """A class with the method `static void main()` of this code."""
    pool = pool or Pool()
    rows = struct.pack(">H", len(handlers) // 8) + handlers
    body = struct.pack(">HHI", stack, variables, len(code)) + code + rows + b"\0\0"
    attribute = struct.pack(">HI", pool.text("Code"), len(body)) + body
    method = struct.pack(">HHHH", 9, pool.text("main"), pool.text("()V"), 1) + attribute
    head = struct.pack(">HHHHH", 0x21, pool.type(name), pool.type(above), 0, 0)
    constants = struct.pack(">H", len(pool.entries) + 1) + b"".join(pool.entries)
    start = struct.pack(">IHH", 0xCAFEBABE, 0, version)
    return start + constants + head + struct.pack(">H", 1) + method + b"\0\0"
