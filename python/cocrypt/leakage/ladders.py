"""Ladders on elliptic curves: the points of every step, for known points and a secret scalar.

The model is a ladder that begins at the highest bit of the scalar that is 1, in projective
coordinates, with complete additions. Each step adds two points and doubles one of them, and the bit
decides which one: the x coordinate of the double tells it.

Sources: J.-S. Coron, "Resistance Against Differential Power Analysis for Elliptic Curve
Cryptosystems", CHES 1999; J. Renes, C. Costello and L. Batina, "Complete addition formulas for
prime order elliptic curves", EUROCRYPT 2016, algorithm 4, for a = -3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.errors import InputError
from cocrypt.leakage.selections import Selection, computed, element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.leakage.traces import TraceSet

WORD = 0xFFFFFFFF
LEAST, MOST = 8, 24
"""Hamming weights of 32 bits that are told apart; a weight beyond them counts as the nearest."""
LEVELS = MOST - LEAST + 1
Point = tuple[int, int, int]
Step = tuple[Point, Point]
"""The two points of a ladder, whose difference is the known point."""


@dataclass(frozen=True)
class Curve:
    """A curve y² = x³ - 3 x + b modulo p; products are those modulo p times `factor`.

    A program with Montgomery's products has the inverse of their R as factor.
    """

    p: int
    b: int
    factor: int = 1

    @property
    def size(self) -> int:
        """The bytes of a coordinate."""
        return (self.p.bit_length() + 7) // 8

    def times(self, left: int, right: int) -> int:
        """A product, as the program computes it."""
        return left * right * self.factor % self.p

    def add(self, first: Point, second: Point) -> Point:
        """The sum of any two points."""
        p, times = self.p, self.times
        (x1, y1, z1), (x2, y2, z2) = first, second
        b = self.b * pow(self.factor, -1, p) % p
        xx, yy, zz = times(x1, x2), times(y1, y2), times(z1, z2)
        xy = (times((x1 + y1) % p, (x2 + y2) % p) - xx - yy) % p
        yz = (times((y1 + z1) % p, (y2 + z2) % p) - yy - zz) % p
        xz = (times((x1 + z1) % p, (x2 + z2) % p) - xx - zz) % p
        shared = 3 * (xz - times(b, zz)) % p
        low, high = (yy - shared) % p, (yy + shared) % p
        tail = 3 * (times(b, xz) - 3 * zz - xx) % p
        head = 3 * (xx - zz) % p
        return (
            (times(xy, high) - times(yz, tail)) % p,
            (times(high, low) + times(head, tail)) % p,
            (times(yz, low) + times(xy, head)) % p,
        )

    def begin(self, x: int, y: int) -> Step:
        """The points of a ladder before its first step."""
        return (0, 1, 0), (x, y, 1)

    def after(self, step: Step, bit: int) -> Step:
        """The points behind a step."""
        low, high = step
        total = self.add(low, high)
        return (total, self.add(high, high)) if bit else (self.add(low, low), total)


SECP160R1 = Curve(2**160 - 2**31 - 1, 0x1C97BEFC54BD7A8B65ACF89F81D4D4ADC565FA45)
"""SEC 2, version 1.0, section 2.4.2."""


@dataclass(frozen=True)
class Ladder:
    """The model of a ladder on a curve; a part is a bit of the scalar behind the highest one."""

    curve: Curve

    def select(
        self, traces: TraceSet, column: str, bit: int | None, lower: Sequence[int]
    ) -> Selection:
        """The next bit: the Hamming weight of the lowest 32 bits of the double's x coordinate.

        `bit` takes one of them instead. The column has x and y of the known point, highest byte
        first; raises `InputError` if it does not.
        """
        size = 2 * self.curve.size
        element(traces, column, size - 1)
        rows = np.ascontiguousarray(traces.column(column).reshape(len(traces), -1))
        if rows.shape[1] != size:
            raise InputError(
                f"the column `{column}` has {rows.shape[1]} bytes, and a point has {size}",
                "name a column with x and y of the points by --column",
            )
        steps = _steps(self.curve, rows.tobytes(), tuple(lower))
        levels = [self._levels(step, bit) for step in steps]
        classes = np.array([first * LEVELS + second for first, second in levels], np.uint16)
        low, high = np.divmod(np.arange(LEVELS * LEVELS), LEVELS)
        return computed(f"bit {len(lower)}", classes, np.stack([low, high]).astype(np.float64))

    def _levels(self, step: Step, bit: int | None) -> tuple[int, int]:
        """What is predicted for the guesses 0 and 1."""
        words = [self.curve.add(point, point)[0] & WORD for point in step]
        if bit is not None:
            return words[0] >> bit & 1, words[1] >> bit & 1
        weights = [min(max(word.bit_count(), LEAST), MOST) - LEAST for word in words]
        return weights[0], weights[1]

    @staticmethod
    def true_parts(key: bytes) -> list[int]:
        """The bits of a scalar behind its highest one, from the top."""
        return [int(digit) for digit in f"{int.from_bytes(key, 'big'):b}"[1:]]


@lru_cache(maxsize=2)
def _steps(curve: Curve, points: bytes, bits: tuple[int, ...]) -> list[Step]:
    """The points of all ladders behind the highest bit and these ones."""
    if bits:
        return [curve.after(step, bits[-1]) for step in _steps(curve, points, bits[:-1])]
    size = curve.size
    starts = range(0, len(points), 2 * size)
    numbers = [(points[at : at + size], points[at + size : at + 2 * size]) for at in starts]
    begun = [curve.begin(int.from_bytes(x, "big"), int.from_bytes(y, "big")) for x, y in numbers]
    return [curve.after(step, 1) for step in begun]
