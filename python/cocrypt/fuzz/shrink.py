"""Shrinks a program on which model and RTL differ.

Delta debugging (Zeller and Hildebrandt, 2002) over the program's items: pieces are left out, large
ones first, as long as the two still differ. A piece whose labels are needed elsewhere stays.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cocrypt.fuzz.encoder import Data, Insn, Item, Label, assemble
from cocrypt.fuzz.generate import Program, image
from cocrypt.fuzz.privileged import HANDLER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ATTEMPTS = 400
"""Programs to try at most; each takes some milliseconds."""


def shrink(program: Program, differs: Callable[[Program], bool]) -> Program:
    """The smallest program found that still differs; at worst the given one."""
    best, attempts = program, 0
    size = max(1, len(best.items) // 2)
    while size and attempts < ATTEMPTS:
        start = 0
        while start < len(best.items) and attempts < ATTEMPTS:
            smaller = _without(best, start, start + size)
            attempts += smaller is not None
            if smaller is not None and differs(smaller):
                best = smaller
            else:
                start += size
        size //= 2
    return best


def _without(program: Program, start: int, end: int) -> Program | None:
    """The program without some items; None if the rest cannot be assembled."""
    items = (*program.items[:start], *program.items[end:])
    labels = {item.name for item in items if isinstance(item, Label)}
    targets = {item.target for item in items if isinstance(item, Insn) and item.target}
    if not targets <= labels:
        return None
    code, labels_left = assemble(items)
    behind = program.image[HANDLER:]
    return replace(program, items=items, labels=labels_left, image=image(code, behind))


def listing(items: Sequence[Item]) -> list[str]:
    """A program as assembly, one line for each item, with addresses."""
    lines, address = [], 0
    for item in items:
        if isinstance(item, Label):
            lines.append(f"        {item.name}:")
            continue
        lines.append(f"{address:6x}  {_text(item)}")
        address += item.size
    return lines


def _text(item: Insn | Data) -> str:
    if isinstance(item, Data):
        return f".byte {item.content.hex(' ')}"
    operands = [f"rd=x{item.rd}" if item.rd else "", f"rs1=x{item.rs1}" if item.rs1 else ""]
    operands += [f"rs2=x{item.rs2}" if item.rs2 else "", f"{item.imm:#x}" if item.imm else ""]
    return " ".join([item.name, *filter(None, [*operands, item.target or ""])])
