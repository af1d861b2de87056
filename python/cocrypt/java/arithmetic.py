"""Arithmetic on ints and longs: The Java Virtual Machine Specification, Java SE 8, chapter 6.

Results of the operations in the tables have more bits than Java keeps; `wrapped` drops them.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

INT, LONG = (1 << 32) - 1, (1 << 64) - 1

COMMON: dict[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor,
}  # fmt: skip
INTS = {f"i{name}": function for name, function in COMMON.items()} | {
    "ishl": lambda left, right: left << (right & 31),
    "ishr": lambda left, right: left >> (right & 31),
    "iushr": lambda left, right: (left & INT) >> (right & 31),
}
LONGS = {f"l{name}": function for name, function in COMMON.items()} | {
    "lshl": lambda left, right: left << (right & 63),
    "lshr": lambda left, right: left >> (right & 63),
    "lushr": lambda left, right: (left & LONG) >> (right & 63),
}
CONVERSIONS: dict[str, tuple[str, str, Callable[[int], int]]] = {
    "i2l": ("I", "J", lambda value: value),
    "l2i": ("J", "I", lambda value: wrapped(value, 32)),
    "i2b": ("I", "I", lambda value: wrapped(value, 8)),
    "i2s": ("I", "I", lambda value: wrapped(value, 16)),
    "i2c": ("I", "I", lambda value: value & 0xFFFF),
    "ineg": ("I", "I", lambda value: wrapped(-value, 32)),
    "lneg": ("J", "J", lambda value: wrapped(-value, 64)),
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "ge": operator.ge, "gt": operator.gt, "le": operator.le,
}  # fmt: skip


def wrapped(value: int, bits: int) -> int:
    """The lower bits of a number, as one with a sign."""
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half


def quotient(left: int, right: int) -> int:
    """The quotient towards zero; the divisor is not 0."""
    whole = abs(left) // abs(right)
    return whole if (left < 0) == (right < 0) else -whole
