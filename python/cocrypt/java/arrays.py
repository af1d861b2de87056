"""Arrays of a program in Java in the memory of a machine: what a static field refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cocrypt.target import Order

SIZE_IN_CLASS = 25
"""The byte of a class in `vm.h` with the binary logarithm of its elements' bytes, and one."""


def is_field(info: Mapping[str, Any], symbol: str) -> bool:
    """Returns whether a symbol of an image is that of a static field in Java."""
    places = {each["name"]: each for each in info["symbols"] if each["kind"] == "object"}
    statics, found = places.get("java_statics"), places.get(symbol)
    if statics is None or found is None or "." not in symbol:
        return False
    return found["address"] in range(statics["address"], statics["address"] + statics["size"])


def located(
    read: Callable[[int, int], bytes], order: Order, symbol: str, field: int
) -> tuple[int, int]:
    """Address and bytes of the elements of the array that the field at an address refers to.

    `read` gives bytes of the machine's memory, whose words have them in this order. Raises
    `ProgramError` for null.
    """

    def word(address: int) -> int:
        return int.from_bytes(read(address, 4), order)

    array = word(field)
    if array == 0:
        raise ProgramError(f"`{symbol}` is null at the end: the program has left no result there")
    shift = read(word(array) + SIZE_IN_CLASS, 1)[0] - 1
    return array + 8, word(array + 4) << shift
