"""Points, signatures and the calls of primitives/ecdsa-secp160r1, built for the host."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TypeAlias

from host import ECC, Field, field, library, number, vectors

GEC2 = vectors("primitives/ecdsa-secp160r1/vectors/gec2.toml")

# Affine coordinates; None is the neutral element.
Affine: TypeAlias = tuple[int, int] | None


class Point(ctypes.Structure):
    """POINT of point.h."""

    _fields_ = (("x", Field), ("y", Field), ("infinity", ctypes.c_uint32))


class Domain(ctypes.Structure):
    """DOMAIN of point.h."""

    _fields_ = (("p", Field), ("a", Field), ("b", Field), ("g", Point), ("n", Field))


class Signature(ctypes.Structure):
    """SIGNATURE of ecdsa.h."""

    _fields_ = (("r", Field), ("s", Field))


@cache
def code() -> ctypes.CDLL:
    """Build everything of the primitive."""
    return library(ECC.glob("*.c"), [ECC])


def call(name: str, *arguments: ctypes.Structure) -> int:
    """Call a function on the standard curve, with pointers to its other arguments."""
    curve = Domain.in_dll(code(), "secp160r1")
    return int(code()[name](*map(ctypes.byref, (curve, *arguments))))


def point(value: Affine) -> Point:
    """Convert coordinates."""
    return Point(field(0), field(0), 1) if value is None else Point(*map(field, value), 0)


def affine(value: Point) -> Affine:
    """Convert back."""
    return None if value.infinity else (number(value.x), number(value.y))


def public(key: int) -> Affine:
    """Compute the public key; None if the private key is out of range."""
    result = Point()
    return affine(result) if call("ecdsa_public_key", field(key), result) else None


def sign(key: int, nonce: int, digest: int) -> tuple[int, int] | None:
    """Sign; None if the function refuses."""
    result = Signature()
    is_signed = call("ecdsa_sign", field(key), field(nonce), field(digest), result)
    return (number(result.r), number(result.s)) if is_signed else None


def verify(key: Affine, digest: int, r: int, s: int) -> bool:
    """Verify a signature."""
    signature = Signature(field(r), field(s))
    return bool(call("ecdsa_verify", point(key), field(digest), signature))


def ecdh(key: int, peer: Affine) -> int | None:
    """Agree on a secret; None if the function refuses."""
    secret = Field()
    return number(secret) if call("ecdh", field(key), point(peer), secret) else None


def gec2(table: str, *names: str) -> tuple[int, ...]:
    """Read numbers of the standard's vectors."""
    return tuple(int(GEC2[table][name], 16) for name in names)
