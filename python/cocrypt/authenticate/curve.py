"""ECDSA and ECDH on secp160r1 in plain integers (SEC 1 and SEC 2, version 1.0).

Firmware is compared with it, and shares no code with it. It is not constant-time: no secret that
matters belongs here.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

Point: TypeAlias = tuple[int, int] | None
"""Affine coordinates; None is the neutral element."""

P = 2**160 - 2**31 - 1
A = P - 3
B = 0x1C97BEFC54BD7A8B65ACF89F81D4D4ADC565FA45
G = (0x4A96B5688EF573284664698968C38BB913CBFC82, 0x23A628553168947D59DCC912042351377AC5FB32)
N = 0x0100000000000000000001F4C8F927AED3CA752257
"""The order of G, a prime of 161 bits; the cofactor is 1."""

COORDINATE, NUMBER = 20, 21
"""Bytes of a coordinate, and of a number modulo N."""


def is_on_curve(point: tuple[int, int]) -> bool:
    """Returns whether both coordinates are in range, and the equation holds."""
    x, y = point
    return 0 <= x < P and 0 <= y < P and (y * y - (x * x + A) * x - B) % P == 0


def add(left: Point, right: Point) -> Point:
    """The sum of two points of the curve."""
    if left is None or right is None:
        return right if left is None else left
    if left[0] == right[0] and (left[1] + right[1]) % P == 0:
        return None
    if left == right:
        slope = (3 * left[0] * left[0] + A) * pow(2 * left[1], -1, P) % P
    else:
        slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, P) % P
    x = (slope * slope - left[0] - right[0]) % P
    return x, (slope * (left[0] - x) - left[1]) % P


def multiply(factor: int, point: Point) -> Point:
    """A point times `factor`, which is 0 or more."""
    total: Point = None
    for bit in f"{factor:b}":
        total = add(total, total)
        if bit == "1":
            total = add(total, point)
    return total


@cache
def _doubled() -> list[Point]:
    """G, 2 G, 4 G and so on: half of the work of its multiples, cached."""
    points: list[Point] = [G]
    for _ in range(N.bit_length() - 1):
        points.append(add(points[-1], points[-1]))
    return points


def public(d: int) -> tuple[int, int]:
    """The public key of a private one from 1 to N - 1."""
    point: Point = None
    for bit, doubled in zip(reversed(f"{d:b}"), _doubled(), strict=False):
        if bit == "1":
            point = add(point, doubled)
    if point is None:
        raise ValueError(f"the private key {d} is a multiple of the order")
    return point


def sign(d: int, e: int, k: int) -> tuple[int, int] | None:
    """The signature (r, s) of a digest as a number, with the nonce k; None if r or s is 0."""
    r = public(k)[0] % N
    s = (e + d * r) * pow(k, -1, N) % N
    return (r, s) if r and s else None


def is_in_range(r: int, s: int) -> bool:
    """Returns whether both numbers of a signature are from 1 to N - 1."""
    return 0 < r < N and 0 < s < N


def verify(q: tuple[int, int], e: int, r: int, s: int) -> bool:
    """Returns whether a signature of a digest as a number is that of a public key's owner."""
    if not is_in_range(r, s) or not is_on_curve(q):
        return False
    w = pow(s, -1, N)
    point = add(multiply(e * w % N, G), multiply(r * w % N, q))
    return point is not None and point[0] % N == r


def to_bytes(point: tuple[int, int]) -> bytes:
    """The coordinates, x first, each with its highest byte first."""
    return b"".join(coordinate.to_bytes(COORDINATE) for coordinate in point)


def from_bytes(text: bytes) -> tuple[int, int]:
    """The inverse of `to_bytes`; the result need not be a point of the curve."""
    return int.from_bytes(text[:COORDINATE]), int.from_bytes(text[COORDINATE:])
