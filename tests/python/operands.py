"""Operands for tests of field arithmetic, and Python integers as the reference."""

import math
import random
from collections.abc import Callable, Iterator
from itertools import product

P = 2**160 - 2**31 - 1
N = 0x0100000000000000000001F4C8F927AED3CA752257
OPERATIONS = ("add", "sub", "mul", "div")

Row = tuple[int, int, int]
"""y, x and the modulus."""


def divide(y: int, x: int, m: int) -> int:
    """Y / x mod m, and 0 where x has no inverse."""
    return y * pow(x, -1, m) % m if math.gcd(x, m) == 1 else 0


REFERENCE: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda y, x, m: (y + x) % m,
    "sub": lambda y, x, m: (y - x) % m,
    "mul": lambda y, x, m: y * x % m,
    "div": divide,
}


def rows(count: int, seed: int) -> list[Row]:
    """The first `count` rows: edge cases of p, n, small and composite moduli, then random ones."""
    source = random.Random(seed)
    table = list(_edges())
    while len(table) < count:
        m = source.choice([P, N, P, N, _odd(source)])
        y, x = source.randrange(m), source.randrange(m)
        table.append((y, source.choice([x, x, x, y]), m))
    return table[:count]


def _edges() -> Iterator[Row]:
    for m in (P, N):
        special = (0, 1, 2, m // 2, m - 1, 2**32, 2**159)
        yield from ((y, x, m) for y, x in product(special, repeat=2))
    for m in (3, 9, 15, 2**16 + 1, 2**32 - 1, 3**101):
        values = (0, 1, 3 % m, 5 % m, m - 1)
        yield from ((y, x, m) for y, x in product(values, repeat=2))


def _odd(source: random.Random) -> int:
    """Draw an odd modulus of any length, often with small factors."""
    return int(source.getrandbits(source.randrange(2, 162))) | 1 | 2


def words(value: int) -> bytes:
    """Convert a number to the form of the C side: six words, least significant first."""
    return value.to_bytes(24, "little")
