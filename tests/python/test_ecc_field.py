"""The four operations of a field against Python's integers: the software, built for the host."""

from __future__ import annotations

import ctypes
import random

import pytest

from host import ECC, Field, field, library, number
from operands import OPERATIONS, REFERENCE, N, P


@pytest.fixture(scope="module")
def code() -> ctypes.CDLL:
    return library([ECC / "field.c", *(ECC / f"mod_{name}.c" for name in OPERATIONS)], [ECC])


def compute(code: ctypes.CDLL, name: str, y: int, x: int, m: int) -> int:
    # The previous contents of the result must not matter.
    z = Field((ctypes.c_uint32 * 6)(*[0xA5A5A5A5] * 6))
    getattr(code, f"mod_{name}")(field(y), field(x), field(m), ctypes.byref(z))
    return number(z)


def odd_modulus(source: random.Random) -> int:
    """Draw any length up to 161 bits; every second one with small factors, to miss inverses."""
    bits = source.randint(1, 161)
    if bits > 16 and source.random() < 0.5:
        return 3 * 5 * 7 * 11 * (source.getrandbits(bits - 11) | 1)
    return source.getrandbits(bits) | 1


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("modulus", [P, N], ids=["p", "n"])
def test_random_operands(code: ctypes.CDLL, name: str, modulus: int) -> None:
    source = random.Random(f"{name} {modulus}")
    for _ in range(1000):
        y, x = source.randrange(modulus), source.randrange(modulus)
        assert compute(code, name, y, x, modulus) == REFERENCE[name](y, x, modulus), (y, x)


@pytest.mark.parametrize("name", OPERATIONS)
def test_any_odd_modulus(code: ctypes.CDLL, name: str) -> None:
    source = random.Random(name)
    for _ in range(1000):
        m = odd_modulus(source)
        y, x = source.randrange(m), source.randrange(m)
        assert compute(code, name, y, x, m) == REFERENCE[name](y, x, m), (y, x, m)


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize(
    "m", [1, 3, 9, 0xFFFF, 0x10001, 2**32 - 1, 2**32 + 1, 3**101, 2**161 - 1, P, N], ids=hex
)
def test_edges(code: ctypes.CDLL, name: str, m: int) -> None:
    edges = {value % m for value in (0, 1, 2, 3, m // 3, m // 2, m // 2 + 1, m - 2, m - 1)}
    for y in edges:
        for x in edges:
            assert compute(code, name, y, x, m) == REFERENCE[name](y, x, m), (y, x)
