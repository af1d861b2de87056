"""Floating point: its instructions as those of integers, and the operations that are its own.

A float is an int of its bits for the machine, and a double a long, so all that only moves values is
the instruction of ints or longs. What computes is a function of `runtime/java/floating.h`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cocrypt.java import classfile
from cocrypt.java.arithmetic import wrapped

if TYPE_CHECKING:
    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import Constant, Pool

OPERATIONS = {
    **{f"f{name}": ("FF", "F") for name in ("add", "sub", "mul", "div", "rem")},
    **{f"d{name}": ("DD", "D") for name in ("add", "sub", "mul", "div", "rem")},
    "fneg": ("F", "F"), "dneg": ("D", "D"),
    "i2f": ("I", "F"), "i2d": ("I", "D"), "l2f": ("J", "F"), "l2d": ("J", "D"),
    "f2i": ("F", "I"), "f2l": ("F", "J"), "f2d": ("F", "D"),
    "d2i": ("D", "I"), "d2l": ("D", "J"), "d2f": ("D", "F"),
    "fcmpl": ("FF", "I"), "fcmpg": ("FF", "I"), "dcmpl": ("DD", "I"), "dcmpg": ("DD", "I"),
}  # fmt: skip
"""The types of the operands, the last of which is on top of the stack, and of the result."""

CONSTANTS = {
    "fconst_0": 0, "fconst_1": 0x3F800000, "fconst_2": 0x40000000,
    "dconst_0": 0, "dconst_1": 0x3FF << 52,
}  # fmt: skip
"""The bits of the constants that have instructions."""

MOVES = {
    f"{kind}{name}": f"{other}{name}"
    for kind, other in (("f", "i"), ("d", "l"))
    for name in ("load", "store", "aload", "astore", "return")
}
"""Instructions that move values, and those of ints and longs that do the same."""

NAMES = {*OPERATIONS, *CONSTANTS, *MOVES}
"""All instructions on floating point; constants of the pool and arrays are beside them."""

KINDS = {"F": "I", "D": "J"}
"""The types whose values have the same slots."""


def lowered(each: Instruction, pool: Pool) -> Instruction:
    """An instruction without floating point, unless it computes.

    A constant becomes `iconst` or `lconst`, whose operand is the number that has its bits.
    """
    name = each.name
    if name in MOVES:
        return replace(each, name=MOVES[name], origin=name)
    if name in CONSTANTS:
        return _constant(each, CONSTANTS[name], is_wide=name.startswith("d"))
    if name in ("ldc", "ldc2"):
        constant = pool.constant(each.operand)
        if constant.kind in (classfile.FLOAT, classfile.DOUBLE):
            return _constant(each, constant.value, is_wide=name == "ldc2")
    return each


def _constant(each: Instruction, bits: int, *, is_wide: bool) -> Instruction:
    name, value = "lconst" if is_wide else "iconst", wrapped(bits, 64 if is_wide else 32)
    return replace(each, name=name, operand=value, origin=each.name)


def number(constant: Constant) -> int:
    """The value of a constant that is a number, as that of an int or a long with the same bits."""
    is_wide = constant.kind in (classfile.LONG, classfile.DOUBLE)
    return wrapped(constant.value, 64 if is_wide else 32)


def entry(name: str) -> str:
    """A function in C that takes an operation's operands from Java's stack; it returns the top."""
    operands, result = OPERATIONS[name]
    widths = [_width(kind) for kind in operands]
    total = sum(widths)
    places = [total - sum(widths[:index]) for index in range(len(widths))]
    taken = ", ".join(
        f"java_get_long(sp - {at})" if width == 2 else f"sp[-{at}]"
        for at, width in zip(places, widths, strict=True)
    )
    call = f"java_{name}({taken})"
    put = (
        f"java_put_long(sp - {total}, {call})" if _width(result) == 2 else f"sp[-{total}] = {call}"
    )
    moved = _width(result) - total
    top = f"sp + {moved}" if moved > 0 else f"sp - {-moved}"
    head = f"static int32_t *floating_{name}(int32_t *sp)"
    return f"{head}\n{{\n    {put};\n    return {top};\n}}\n"


def _width(kind: str) -> int:
    return 2 if kind in "JD" else 1
