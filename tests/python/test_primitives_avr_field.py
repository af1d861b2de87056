"""X25519's field in assembly for AVR computes as integers do, at the ends of its ranges too."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.measuring import Build, Task
from cocrypt.primitives.script import Buffer, Check, Step
from cocrypt.primitives.subject import Function

if TYPE_CHECKING:
    from collections.abc import Callable

PRIME = 2**255 - 19
SMALL = 121665
BYTES = 32
HALVES = [0, 1, 2**128 - 1, 2**127, 2**64 - 1, 2**128 - 2**64]
"""Halves of factors: one half is greater than the other, less, or equal."""
ENDS = [PRIME - 1, PRIME, PRIME + 1, 2 * PRIME - 1, 2 * PRIME, 2**256 - 38, 2**256 - 1, 2**248 - 1]
OPERATIONS: dict[str, tuple[tuple[str, ...], Callable[[int, int], int]]] = {
    "multiply": (("result", "a", "b"), lambda a, b: a * b),
    "square": (("result", "a"), lambda a, _b: a * a),
    "add": (("result", "a", "b"), lambda a, b: a + b),
    "subtract": (("result", "a", "b"), lambda a, b: a - b),
    # A number of 32 bits comes after its higher half.
    "add_multiple": (("result", "a", "b", "high", "low"), lambda a, b: a + b * SMALL),
}


@pytest.fixture
def calling(need_tool: Callable[[str], str]) -> Calling:
    """Calls of the functions of the field, one at a time."""
    need_tool("avr-gcc")
    (subject,) = library.named(["x25519/avr"])
    functions = {
        name: Function(f"fe25519_{name}", roles) for name, (roles, _) in OPERATIONS.items()
    }
    subject, device = replace(subject, functions=functions), Device.load("atmega2560")
    return Calling(device, subject, Task(subject, device, Build(("-Os",))).images.callable())


def numbers() -> list[int]:
    """Elements that are not reduced, as the functions take them."""
    draw = Random(25519)
    halves = [low | high << 128 for low, high in product(HALVES, HALVES)]
    return [*halves, *ENDS, *(draw.randrange(2**256) for _ in range(8))]


def step(name: str, a: int, b: int) -> Step:
    """A call, whose result has memory of its own."""
    given: dict[str, Buffer | int] = {
        "result": Buffer(size=BYTES),
        "a": Buffer(a.to_bytes(BYTES, "little")),
        "b": Buffer(b.to_bytes(BYTES, "little")),
        "high": SMALL >> 16,
        "low": SMALL & 0xFFFF,
    }
    return Step(name, {role: given[role] for role in OPERATIONS[name][0]})


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_are_those_of_integers(calling: Calling, name: str) -> None:
    draw = Random(name)
    pairs = [(a, b) for a in numbers() for b in draw.sample(numbers(), 12)]
    pairs += list(product(ENDS, ENDS))
    steps = [step(name, a, b) for a, b in pairs]
    contents = calling.check([Check(name, (call,)) for call in steps]).contents
    wrong = [
        (hex(a), hex(b))
        for (a, b), call in zip(pairs, steps, strict=True)
        for result in [dict(call.buffers)["result"]]
        if (int.from_bytes(contents[result], "little") - OPERATIONS[name][1](a, b)) % PRIME
    ]
    assert wrong == []
