"""Floating point for the tests' interpreter of bytecode: values are ints and longs of their bits.

Python's floats are IEEE 754's binary64. Sums, products and quotients of two floats of 32 bits are
rounded to those exactly by way of 64 bits, for these have more than twice as many digits.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

FORMATS = {"f": ("<f", "<i"), "d": ("<d", "<q")}
NANS = {"f": 0x7FC00000, "d": 0x7FF8 << 48}
BOUNDS = {"i": 31, "l": 63}


def value(kind: str, bits: int) -> float:
    """The number of these bits."""
    number, whole = FORMATS[kind]
    found: float = struct.unpack(number, struct.pack(whole, bits))[0]
    return found


def bits(kind: str, number: float) -> int:
    """The bits of a number, rounded to the nearest one of the kind."""
    if math.isnan(number):
        return NANS[kind]
    form, whole = FORMATS[kind]
    try:
        packed = struct.pack(form, number)
    except OverflowError:
        packed = struct.pack(form, math.copysign(math.inf, number))
    found: int = struct.unpack(whole, packed)[0]
    return found


def arithmetic(kind: str, name: str, left: int, right: int) -> int:
    """The bits of a result: of `add`, `sub`, `mul`, `div` or `rem`."""
    one, two = value(kind, left), value(kind, right)
    if name == "div" and two == 0:
        sign = math.copysign(1, one) * math.copysign(1, two)
        return bits(kind, math.nan if one == 0 or math.isnan(one) else sign * math.inf)
    if name == "rem" and (two == 0 or math.isinf(one)):
        return NANS[kind]
    if name == "rem":
        return bits(kind, math.fmod(one, two))
    results = {"add": one + two, "sub": one - two, "mul": one * two}
    return bits(kind, results[name] if name in results else one / two)


def compared(kind: str, left: int, right: int, unordered: int) -> int:
    """The order of two numbers, or another result if one is none."""
    one, two = value(kind, left), value(kind, right)
    if math.isnan(one) or math.isnan(two):
        return unordered
    return (one > two) - (one < two)


def converted(source: str, target: str, given: int) -> int:
    """A number as another kind: `i`, `l`, `f` or `d`."""
    if source in BOUNDS:
        return _of_whole(target, given)
    number = value(source, given)
    if target in FORMATS:
        return bits(target, number)
    if math.isnan(number):
        return 0
    bound = 1 << BOUNDS[target]
    return max(-bound, min(bound - 1, math.trunc(number) if math.isfinite(number) else (
        bound if number > 0 else -bound
    )))  # fmt: skip


def _of_whole(kind: str, number: int) -> int:
    """The nearest float to a whole number, the even one of two that are as near."""
    digits = {"f": 24, "d": 53}[kind]
    dropped = max(abs(number).bit_length() - digits, 0)
    unit = 1 << dropped
    # Fractions are rounded to even.
    return bits(kind, float(round(Fraction(number, unit)) * unit))
