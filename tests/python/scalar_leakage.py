"""An independent reference of leakage samples: RV32IM, executed by its text in assembly.

It shares nothing with the simulator but the disassembly: registers and memory are computed here,
and a sample is the sum that docs/simulated-traces.md defines.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cocrypt.machine import Machine

WORD = 0xFFFFFFFF
SOURCES = ("result", "register", "operand_a", "operand_b", "address", "data", "memory")


def signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "sll": lambda a, b: a << (b & 31),
    "srl": lambda a, b: a >> (b & 31),
    "sra": lambda a, b: signed(a) >> (b & 31),
    "slt": lambda a, b: int(signed(a) < signed(b)),
    "sltu": lambda a, b: int(a < b),
    "mul": lambda a, b: a * b,
    "mulhu": lambda a, b: a * b >> 32,
}
WIDTHS = {"b": 1, "h": 2, "w": 4}


class Reference:
    """The state of a machine at a function, and a model; `samples` executes from there."""

    def __init__(self, machine: Machine, model: Path) -> None:
        values = tomllib.loads(model.read_text(encoding="utf-8"))["weights"]
        self.weights = {source: values.get(source, {}) for source in SOURCES}
        self.registers = machine.registers()
        self.base = 0
        self.memory = bytearray(machine.read(0, 1 << 15))

    def samples(self, address: int, content: bytes, first: dict[str, Any]) -> np.ndarray[Any, Any]:
        """The samples of a run, whose cycles and addresses `first` has."""
        self.memory[address : address + len(content)] = content
        self.latches = dict.fromkeys(("result", "operand_a", "operand_b", "address", "data"), 0)
        text = {row["address"]: row["text"] for row in first["code"]}
        samples = np.zeros(first["cycles"])
        for cycle, pc in first["issues"]:
            samples[cycle] = self._step(text[pc])
        return samples

    def _term(self, source: str, value: int, replaced: int) -> float:
        weights = self.weights[source]
        weight: float = weights.get("weight", 0) * value.bit_count()
        distance: float = weights.get("distance", 0) * (value ^ replaced).bit_count()
        return weight + distance

    def _shared(self, source: str, value: int) -> float:
        replaced, self.latches[source] = self.latches[source], value
        return self._term(source, value, replaced)

    def _read(self, *names: str) -> float:
        read = [name for name in dict.fromkeys(names) if name != "zero"]
        ports = ("operand_a", "operand_b")
        values = zip(ports, read, strict=False)
        return sum(self._shared(port, self.registers[name]) for port, name in values)

    def _write(self, name: str, value: int) -> float:
        if name == "zero":
            return 0
        value &= WORD
        old, self.registers[name] = self.registers[name], value
        return self._shared("result", value) + self._term("register", value, old)

    def _access(self, address: int, value: int, replaced: int | None) -> float:
        sum_ = self._shared("address", address) + self._shared("data", value)
        return sum_ + (0 if replaced is None else self._term("memory", value, replaced))

    def _step(self, text: str) -> float:
        name, _, rest = text.partition(" ")
        words = [word for word in re.split(r"[,()\s]+", rest) if word]
        registers = self.registers
        if name in ("lb", "lbu", "lh", "lhu", "lw"):
            target, offset, base = words
            width = WIDTHS[name[1]]
            at = registers[base] + int(offset, 0) & WORD
            value = int.from_bytes(self.memory[at : at + width], "little")
            loaded = value
            if not name.endswith("u") and value >> (8 * width - 1):
                loaded = value - (1 << 8 * width)
            return self._read(base) + self._access(at, value, None) + self._write(target, loaded)
        if name in ("sb", "sh", "sw"):
            source, offset, base = words
            width = WIDTHS[name[1]]
            at = registers[base] + int(offset, 0) & WORD
            value = registers[source] & ((1 << 8 * width) - 1)
            old = int.from_bytes(self.memory[at : at + width], "little")
            read = self._read(source, base)
            self.memory[at : at + width] = value.to_bytes(width, "little")
            return read + self._access(at, value, old)
        if name in ("beq", "bne", "blt", "bge", "bltu", "bgeu"):
            return self._read(words[0], words[1])
        if name == "lui":
            return self._write(words[0], int(words[1], 0) << 12)
        if name in ("jal", "jalr"):
            # The program has no calls: these are jumps, and its return.
            assert words[0] == "zero", text
            return self._read(words[1]) if name == "jalr" else 0
        if name in BINARY:
            target, a, b = words
            value = BINARY[name](registers[a], registers[b])
            return self._read(a, b) + self._write(target, value)
        plain = {"sltiu": "sltu"}.get(name, name.removesuffix("i"))
        target, a, immediate = words
        value = BINARY[plain](registers[a], int(immediate, 0) & WORD)
        return self._read(a) + self._write(target, value)
