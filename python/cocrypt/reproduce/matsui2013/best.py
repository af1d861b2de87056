"""The subroutines that compete in a category of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.reproduce.matsui2013.categories import BLOCK, BOTH
from cocrypt.subroutines.paddings import PADDINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.reproduce.matsui2013.categories import Printed
    from cocrypt.subroutines import Measured

LAST = frozenset(["last", "only"])
"""A hash function's operations for the last block of a message."""
RETURN_ADDRESS = 4
"""Bytes of the stack that a call takes."""


def least_ram(primitive: str) -> int:
    """Bytes of RAM that no subroutine for a hash function can do without; 0 for a cipher.

    The interface has message block and chaining value in RAM, and the call its return address.
    """
    padding = PADDINGS.get(primitive)
    return padding.block + len(padding.initial) + RETURN_ADDRESS if padding else 0


def most(measured: Measured, figure: Printed) -> int:
    """The most cycles of a block in a category: of a hash function over all its operations.

    Of hash functions that the paper only draws, the last block does not count: it may have an
    output transformation.
    """
    if figure.scope:
        return measured.cycles[figure.operation]
    left_out = LAST if figure.operation == BLOCK else frozenset()
    return max(cycles for name, cycles in measured.cycles.items() if name not in left_out)


def best(measured: Iterable[Measured], figure: Printed) -> Measured | None:
    """The fastest subroutine within a category's budgets; of equals that with least RAM, then ROM.

    None if none fits.
    """
    fitting = [
        one
        for one in measured
        if one.subroutine.member == figure.primitive
        and (not figure.scope or figure.operation in one.cycles)
        and (figure.scope != BOTH or "decrypt" in one.cycles)
        and one.rom <= figure.rom
        and one.ram <= figure.ram
    ]
    return min(fitting, key=lambda one: (most(one, figure), one.ram, one.rom), default=None)
