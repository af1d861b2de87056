"""Measurements of subroutines: sizes, vectors, and cycles of random blocks."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cocrypt.primitives.vectors import unhex
from cocrypt.reproduce.matsui2013.categories import BOTH
from cocrypt.subroutines import Caller, secret_timing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.reproduce.matsui2013.categories import Printed
    from cocrypt.subroutines import Subroutine

BLOCKS = 16
"""Random blocks of each operation: the time of a multiplication in a field depends on the data."""


@dataclass(frozen=True)
class Measured:
    """A subroutine's figures; `cycles` has the most, `mean` the mean of a block by operation.

    Sizes are bytes; `ram` is the parameter block and the stack. `wrong` names vectors and random
    blocks whose result is not as expected. `constant_time` says of each operation that no
    instruction's time depends on key or text.
    """

    subroutine: Subroutine
    rom: int
    ram: int
    stack: int
    cycles: dict[str, int]
    mean: dict[str, float]
    wrong: tuple[str, ...]
    constant_time: dict[str, bool] = field(default_factory=dict)


def measure(subroutine: Subroutine) -> Measured:
    """Measures a subroutine with the official vectors and with random keys and texts."""
    caller = Caller(subroutine)
    vectors = subroutine.vectors()["encrypt"]
    cases = [(unhex(vector, "key"), unhex(vector, "text")) for vector in vectors]
    results = [unhex(vector, "result") for vector in vectors]
    generator = random.Random(1)
    key_bytes, text_bytes = (len(part) for part in cases[0])
    cases += [
        (generator.randbytes(key_bytes), generator.randbytes(text_bytes)) for _ in range(BLOCKS)
    ]
    cycles: dict[str, list[int]] = {name: [] for name in subroutine.operations}
    wrong: list[str] = []
    for number, (key, text) in enumerate(cases):
        result, call = caller.crypt("encrypt", key, text)
        cycles["encrypt"].append(call.cycles)
        if number < len(results) and result != results[number]:
            wrong.append(f"{subroutine.title} vector {number + 1}")
        for name in list(cycles)[1:]:
            last = _last_key(subroutine, call.block, len(key)) if name == "decrypt_last" else key
            back, call_back = caller.crypt(name, last, result)
            cycles[name].append(call_back.cycles)
            if back != text:
                wrong.append(f"{subroutine.title} {name} of block {number + 1}")
    return Measured(
        subroutine,
        caller.rom,
        caller.ram,
        caller.stack,
        {name: max(values) for name, values in cycles.items()},
        {name: sum(values) / len(values) for name, values in cycles.items()},
        tuple(wrong),
        {name: not secret_timing(caller, name) for name in cycles},
    )


def best(measured: Iterable[Measured], figure: Printed) -> Measured | None:
    """The fastest subroutine within a category's budgets; of equals that with least RAM, then ROM.

    None if none fits.
    """
    fitting = [
        one
        for one in measured
        if one.subroutine.member == figure.primitive
        and figure.operation in one.cycles
        and (figure.scope != BOTH or "decrypt" in one.cycles)
        and one.rom <= figure.rom
        and one.ram <= figure.ram
    ]
    return min(
        fitting, key=lambda one: (one.cycles[figure.operation], one.ram, one.rom), default=None
    )


def _last_key(subroutine: Subroutine, block: bytes, size: int) -> bytes:
    """The last round key, which an encryption leaves in its parameter block."""
    place = subroutine.last_key
    assert place is not None, subroutine.title
    return block[place : place + size]
