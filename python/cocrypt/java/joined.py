"""Runs of bytecode that the machine executes as one instruction.

They are the most frequent ones in profiles of Bouncy Castle's AES, DES, RC4, SHA-1 and RSA that
save cycles there, on the SA-1110 and on PicoRV32.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cocrypt.java import classfile
from cocrypt.java.classfile import slots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.layout import Layout
    from cocrypt.java.verify import Verified

LOADED = {"iaload": "load_iaload", "aaload": "load_iaload", "baload": "load_baload"}
"""The instructions for an element whose index is a variable."""
LOW_WORD = 0xFFFFFFFF
BYTE = range(-0x80, 0x80)


@dataclass(frozen=True)
class Joined:
    """An instruction of the machine for `count` of bytecode; operands are values and bytes."""

    name: str
    operands: tuple[tuple[int, int], ...]
    count: int = 2


class Joiner:
    """Finds the runs in one method."""

    def __init__(self, verified: Verified, layout: Layout) -> None:
        self.method, self.layout = verified.method, layout
        self.rows: Sequence[Instruction] = list(verified.instructions.values())
        self.entries = _entries(verified)

    def at(self, index: int) -> Joined | None:
        """The run that begins with an instruction, if there is one."""
        rows = self.rows[index : index + 3]
        for count, (each, behind) in enumerate(pairwise(rows), 1):
            if behind.at in self.entries or behind.at != each.at + each.size:
                rows = rows[:count]
                break
        found = self._three(rows) if len(rows) == 3 else None
        return found or (self._two(*rows) if len(rows) > 1 else None)

    def _three(self, rows: Sequence[Instruction]) -> Joined | None:
        """An int as a long without its sign."""
        if [each.name for each in rows] != ["i2l", "ldc2", "land"]:
            return None
        mask = self.method.owner.pool.constant(rows[1].operand).value
        return Joined("i2ul", (), 3) if mask == LOW_WORD else None

    def _two(
        self, first: Instruction, second: Instruction, third: Instruction | None = None
    ) -> Joined | None:
        if _is_load(first):
            return self._loaded(first, second, third)
        if first.name in ("bipush", "sipush") and second.name == "iand":
            return Joined("sconst_iand", ((first.operand, 2),))
        is_store = first.name in ("istore", "astore") and first.operand <= 0xFF
        if is_store and _is_load(second) and not _is_better(third):
            return Joined("store_load", ((first.operand, 1), (second.operand, 1)))
        return None

    def _loaded(
        self, first: Instruction, second: Instruction, third: Instruction | None
    ) -> Joined | None:
        """A variable, and what comes behind it."""
        variable = (first.operand, 1)
        if second.name in LOADED:
            return Joined(LOADED[second.name], (variable,))
        if second.name == "getfield":
            return self._field(second, variable)
        number = _constant(second)
        if number is not None:
            return Joined("load_bconst", (variable, (number, 1)))
        if not _is_load(second) or _is_better(third):
            return None
        return Joined("load_load", (variable, (second.operand, 1)))

    def _field(self, each: Instruction, variable: tuple[int, int]) -> Joined | None:
        member = self.method.owner.pool.member(each.operand, classfile.FIELD)
        found = self.layout.reached.world.field(member, str(self.method), is_static=False)
        if slots(found.descriptor) == 2:
            return None
        return Joined("load_getfield", (variable, (self.layout.fields[found], 1)))


def _entries(verified: Verified) -> set[int]:
    """The addresses that control comes to from elsewhere, and where handlers begin and end."""
    rows = verified.instructions.values()
    found = {target for each in rows for target in each.targets}
    found |= {each.at + each.size for each in rows if each.name == "jsr"}
    for row in verified.code.handlers:
        found |= {row.start, row.end, row.target}
    return found


def _is_better(behind: Instruction | None) -> bool:
    """True if a variable is better joined with what comes behind it than with what is before it."""
    return behind is not None and (behind.name in LOADED or behind.name == "getfield")


def _is_load(each: Instruction) -> bool:
    """True for a variable of one slot whose number takes a byte."""
    return each.name in ("iload", "aload") and each.operand <= 0xFF


def _constant(each: Instruction) -> int | None:
    """The constant of a byte that an instruction pushes."""
    if each.name.startswith("iconst_"):
        return int(each.name[7:].replace("m", "-"))
    if each.name in ("bipush", "sipush") and each.operand in BYTE:
        return each.operand
    return None
