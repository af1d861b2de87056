"""Signatures against the package ecdsa, and everything that must be refused: built for the host."""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

import pytest
from ecdsa import SigningKey
from ecdsa.curves import SECP160r1

from curve import Affine, ecdh, gec2, public, sign, verify
from operands import N, P

if TYPE_CHECKING:
    from ecdsa.ellipticcurve import PointJacobi

G = SECP160r1.generator


def reference(value: PointJacobi) -> Affine:
    return (int(value.x()), int(value.y()))


def digest_of(message: bytes) -> int:
    return int.from_bytes(hashlib.sha1(message).digest(), "big")


def test_signatures_against_the_reference() -> None:
    source = random.Random(3)
    for _ in range(10):
        key, nonce, message = source.randrange(1, N), source.randrange(1, N), source.randbytes(40)
        signer = SigningKey.from_secret_exponent(key, SECP160r1, hashlib.sha1)
        theirs = signer.sign(message, k=nonce, sigencode=lambda r, s, _: (int(r), int(s)))
        ours = sign(key, nonce, digest_of(message))
        assert ours == theirs
        assert public(key) == reference(signer.verifying_key.pubkey.point)
        assert verify(public(key), digest_of(message), *theirs)


def test_tampered_signatures_are_refused() -> None:
    key, r, s = gec2("ecdsa", "private_key", "r", "s")
    digest, good = digest_of(b"abc"), public(key)
    for bit in range(0, 160, 7):
        assert not verify(good, digest ^ 1 << bit, r, s)
        assert not verify(good, digest, r ^ 1 << bit, s)
        assert not verify(good, digest, r, s ^ 1 << bit)
    assert not verify(reference(G), digest, r, s)


@pytest.mark.parametrize("wrong", [0, N, N + 1, 2**191], ids=hex)
def test_numbers_out_of_range_are_refused(wrong: int) -> None:
    key, nonce, r, s = gec2("ecdsa", "private_key", "nonce", "r", "s")
    digest, good = digest_of(b"abc"), public(key)
    assert not verify(good, digest, wrong, s)
    assert not verify(good, digest, r, wrong)
    # Values that are equal modulo n must be refused as well.
    assert not verify(good, digest, r + N, s)
    assert sign(wrong, nonce, digest) is None
    assert sign(key, wrong, digest) is None
    assert public(wrong) is None
    assert ecdh(wrong, reference(G)) is None


@pytest.mark.parametrize("wrong", ["neutral", "off the curve", "x beyond p", "y beyond p"])
def test_points_that_may_not_be_used_are_refused(wrong: str) -> None:
    key, r, s = gec2("ecdsa", "private_key", "r", "s")
    x, y = gec2("ecdsa", "public_key_x", "public_key_y")
    bad: dict[str, Affine] = {
        "neutral": None,
        "off the curve": (x, y ^ 1),
        "x beyond p": (x + P, y),
        "y beyond p": (x, y + P),
    }
    assert not verify(bad[wrong], digest_of(b"abc"), r, s)
    assert ecdh(key, bad[wrong]) is None
