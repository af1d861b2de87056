"""Points and the standard's vectors: the portable C on the host against the package `ecdsa`."""

from __future__ import annotations

import ctypes
import random

import pytest
from ecdsa import ellipticcurve

from curve import Affine, Domain, Point, affine, call, code, ecdh, gec2, point, public, sign, verify
from host import field
from operands import N, P

# SEC 2, version 1.0, section 2.4.2; the tests below show that the C file has the same values.
B = 0x1C97BEFC54BD7A8B65ACF89F81D4D4ADC565FA45
G = (0x4A96B5688EF573284664698968C38BB913CBFC82, 0x23A628553168947D59DCC912042351377AC5FB32)
CURVE = ellipticcurve.CurveFp(P, P - 3, B)
BASE = ellipticcurve.Point(CURVE, *G, N)
NEUTRAL = ellipticcurve.INFINITY


def expected(value: ellipticcurve.Point) -> Affine:
    return None if value == NEUTRAL else (int(value.x()), int(value.y()))


def multiply(k: int, p: ellipticcurve.Point) -> Affine:
    product = Point()
    call("point_multiply", field(k), point(expected(p)), product)
    return affine(product)


def test_sums_and_doubles() -> None:
    """All pairs are added, among them the neutral element, P + P and P - P, also in place."""
    source = random.Random(5)
    points = [NEUTRAL, BASE, BASE * 2, BASE * (N - 1), BASE * (N - 2)]
    points += [BASE * source.randrange(1, N) for _ in range(4)]
    for a in points:
        for b in points:
            total = point(expected(a))
            call("point_add", total, point(expected(b)), total)
            assert affine(total) == expected(a + b)
        twice = point(expected(a))
        call("point_double", twice, twice)
        assert affine(twice) == expected(a + a)


def test_a_point_of_order_two_doubles_to_the_neutral_element() -> None:
    """No point of secp160r1 has order two, but (0, 0) on y^2 = x^3 + x over GF(7) does."""
    curve = Domain(field(7), field(1), field(0), point((0, 0)), field(2))
    twice = Point()
    code().point_double(*map(ctypes.byref, (curve, curve.g, twice)))
    assert affine(twice) is None


def test_multiples() -> None:
    source = random.Random(6)
    for k in [0, 1, 2, 3, N - 1, N, N + 1, *(source.randrange(N) for _ in range(20))]:
        assert multiply(k, BASE) == expected(BASE * k)
    assert multiply(5, NEUTRAL) is None


def test_gec2_signature() -> None:
    key, nonce, digest = gec2("ecdsa", "private_key", "nonce", "digest")
    r, s = gec2("ecdsa", "r", "s")
    x, y = gec2("ecdsa", "public_key_x", "public_key_y")
    assert sign(key, nonce, digest) == (r, s)
    assert public(key) == (x, y)
    assert verify((x, y), digest, r, s)


@pytest.mark.parametrize(("mine", "theirs"), [("u", "v"), ("v", "u")])
def test_gec2_shared_secret(mine: str, theirs: str) -> None:
    (key,) = gec2("ecdh", f"private_key_{mine}")
    x, y = gec2("ecdh", f"public_key_{theirs}_x", f"public_key_{theirs}_y")
    assert (ecdh(key, (x, y)),) == gec2("ecdh", "secret")
