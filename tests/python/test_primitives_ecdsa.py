"""ECDSA whose nonces are those of RFC 6979, with several hash functions."""

from __future__ import annotations

import hashlib
import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from ecdsa import NIST192p, NIST256p, SECP160r1, SECP256k1, SigningKey

from cavp import NIST
from cocrypt.primitives import library
from cocrypt.primitives.script import Buffer, Step
from hosted import Hosted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.primitives.subject import Subject

RFC6979 = NIST / "asymmetric/ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt"
CURVES = {"P-192": ("ecdsa_secp192r1", 24), "P-256": ("ecdsa_secp256r1", 32)}
# Hash functions, in the implementation whose functions are named as our primitives call them.
HASHES = {"sha1": "sha1/small", "sha256": "sha256/lean", "sha384": "sha384/lean"}
HASHES |= {"sha512": "sha512/lean", "sha3_256": "sha3_256/small", "sha3_512": "sha3_512/small"}


def with_hash(name: str, function: str) -> Hosted:
    """An implementation of ECDSA whose nonces come from HMAC with a hash function."""
    (subject,), (inner,) = library.named([name]), library.named([HASHES[function]])
    own = [path for path in subject.sources if "sha256" not in path.parts]
    flags = [flag for flag in subject.flags if not flag.startswith(("-DINNER", "-DOUTER"))]
    flags += [f"-DINNER={function}", f"-DOUTER=hmac_{function}"]
    flags += [f'-DINNER_HEADER="{inner.header}"', f"-DINNER_CONTEXT={inner.context}"]
    flags += [f"-DINNER_{of.upper()}={size}" for of, size in inner.sizes.items()]
    include = [path for path in subject.include if "sha256" not in path.parts]
    return Hosted(
        replace(
            subject,
            sources=(*own, *inner.sources),
            include=(*include, *inner.include),
            flags=(*flags, *inner.flags),
        )
    )


def signed(hosted: Hosted, secret: bytes, digest: bytes) -> bytes:
    signature = Buffer(size=hosted.subject.sizes["signature"])
    given = {"secret": Buffer(secret), "digest": Buffer(digest), "signature": signature}
    step = Step("sign_deterministic", given)
    outcome = hosted.run([step])
    assert outcome.results[step] == 0
    return outcome.contents[signature]


def answers() -> Iterator[tuple[str, str, int, bytes, bytes]]:
    """Curve, hash function, secret key, message and DER signature of each of OpenSSL's tests."""
    text = RFC6979.read_text()
    pem = r"PrivateKey=(\S+)_PRIV\n(-----BEGIN.*?END PRIVATE KEY-----)"
    keys = re.findall(pem, text, re.DOTALL)
    numbers = {}
    for curve, written in keys:
        key = load_pem_private_key(written.encode(), None) if curve in CURVES else None
        if isinstance(key, EllipticCurvePrivateKey):
            numbers[curve] = key.private_numbers().private_value
    form = r'DigestSign = (\S+)\nKey = (\S+)_PRIV\n.*?Input = "(\w+)"\nOutput = (\w+)'
    for function, curve, message, output in re.findall(form, text, re.DOTALL):
        name = function.lower().replace("-", "_")
        if curve in numbers and name in HASHES:
            yield curve, name, numbers[curve], message.encode(), bytes.fromhex(output)


@pytest.mark.long
@pytest.mark.parametrize("implementation", ["small", "fast", "lean"])
def test_nonces_are_those_of_rfc_6979(implementation: str) -> None:
    """Sections A.2.3 and A.2.5, and more of the same kind."""
    groups: dict[tuple[str, str], list[tuple[int, bytes, bytes]]] = {}
    for curve, function, secret, message, output in answers():
        groups.setdefault((curve, function), []).append((secret, message, output))
    assert {function for _, function in groups} >= {"sha1", "sha256", "sha384", "sha512"}
    for (curve, function), some in groups.items():
        name, size = CURVES[curve]
        hosted = with_hash(f"{name}/{implementation}", function)
        for secret, message, output in some:
            digest = hashlib.new(function, message).digest()
            expected = b"".join(number.to_bytes(size) for number in decode_dss_signature(output))
            assert signed(hosted, secret.to_bytes(size), digest) == expected, (curve, function)


@pytest.mark.parametrize("implementation", ["ref", "fold"])
@pytest.mark.parametrize("function", ["sha1", "sha256", "sha384", "sha512"])
def test_an_order_of_161_bits(implementation: str, function: str) -> None:
    """Every other candidate is above the order, and digests of SHA-1 are shorter than it."""
    hosted = with_hash(f"ecdsa_secp160r1/{implementation}", function)
    draw = random.Random(f"{function} on secp160r1")
    for count in range(8):
        key = SigningKey.from_secret_exponent(draw.randrange(1, SECP160r1.order), SECP160r1)
        digest = hashlib.new(function, bytes([count])).digest()
        name = getattr(hashlib, function)
        expected = key.sign_digest_deterministic(digest, name, allow_truncate=True)
        assert signed(hosted, key.to_string(), digest) == expected


PACKAGED = {
    "ecdsa_secp160r1": SECP160r1,
    "ecdsa_secp192r1": NIST192p,
    "ecdsa_secp256r1": NIST256p,
    "ecdsa_secp256k1": SECP256k1,
}
LENGTHS = (1, 19, 20, 21, 24, 28, 32, 33, 48, 64, 100)


def subjects() -> list[Subject]:
    """The implementations that sign; test_masked.py has the one that does not."""
    ours = (subject for subject in library.ours() if subject.kind == "ecdsa")
    return [subject for subject in ours if "sign" in subject.functions]


@pytest.mark.parametrize(
    "subject", [pytest.param(subject, id=subject.name) for subject in subjects()]
)
def test_an_empty_digest_is_zero(subject: Subject) -> None:
    """No package takes an empty digest; a digest of zeros is the same number."""
    hosted, size = Hosted(subject), subject.sizes["secret"]
    secret = (5).to_bytes(size)
    assert signed(hosted, secret, b"") == signed(hosted, secret, bytes(size))


@pytest.mark.parametrize(
    "subject", [pytest.param(subject, id=subject.name) for subject in subjects()]
)
def test_digests_of_any_length_count_by_their_leftmost_bits(subject: Subject) -> None:
    """FIPS 186-5, 6.4.1, step 2, and SEC 1, 4.1.3, step 5: as many bits as the order has."""
    hosted, curve = Hosted(subject), PACKAGED[subject.primitive]
    draw = random.Random(f"lengths on {subject.primitive}")
    key = SigningKey.from_secret_exponent(draw.randrange(1, curve.order), curve)
    size, order = subject.sizes["secret"], int(curve.order)
    secret, nonce = key.to_string(), draw.randrange(1, order)
    for length in LENGTHS:
        for digest in (draw.randbytes(length), b"\xff" * length, bytes(length)):
            expected = key.sign_digest(digest, k=nonce, allow_truncate=True)
            given = {"secret": Buffer(secret), "digest": Buffer(digest)}
            given |= {"nonce": Buffer(nonce.to_bytes(size)), "signature": Buffer(bytes(2 * size))}
            step = Step("sign", given)
            outcome = hosted.run([step])
            assert outcome.results[step] == 0, length
            assert outcome.contents[given["signature"]] == expected, length
            drawn = key.sign_digest_deterministic(digest, hashlib.sha256, allow_truncate=True)
            assert signed(hosted, secret, digest) == drawn, length
            assert verified(hosted, key, digest, expected), length
            # The last bit that counts, and the first that does not.
            last = min(8 * length, order.bit_length()) - 1
            assert not verified(hosted, key, flipped(digest, last), expected), length
            if last + 1 < 8 * length:
                assert verified(hosted, key, flipped(digest, last + 1), expected), length


def verified(hosted: Hosted, key: SigningKey, digest: bytes, signature: bytes) -> bool:
    public = key.get_verifying_key().to_string()
    given = {"public": public, "digest": digest, "signature": signature}
    step = Step("verify", {role: Buffer(content) for role, content in given.items()})
    return hosted.run([step]).results[step] == 0


def flipped(digest: bytes, bit: int) -> bytes:
    """The digest with one bit changed, counted from the left."""
    mask = 1 << (8 * len(digest) - 1 - bit)
    return (int.from_bytes(digest) ^ mask).to_bytes(len(digest))


@pytest.mark.parametrize(
    "subject", [pytest.param(subject, id=subject.name) for subject in subjects()]
)
def test_numbers_out_of_range_are_refused(subject: Subject) -> None:
    """Secrets, nonces and parts of signatures are from 1 to n - 1 (FIPS 186-5, 6.2 to 6.4)."""
    hosted, curve = Hosted(subject), PACKAGED[subject.primitive]
    size, order = subject.sizes["secret"], int(curve.order)
    key = SigningKey.from_secret_exponent(77, curve)
    digest = bytes(range(20))
    good = key.sign_digest(digest, k=5, allow_truncate=True)
    assert verified(hosted, key, digest, good)
    wrong = (0, order, order + 1, 256**size - 1)
    for number in wrong:
        secret, part = number.to_bytes(size), number.to_bytes(size)
        for signature in (part + good[size:], good[:size] + part):
            assert not verified(hosted, key, digest, signature), number
        for operation, given in (
            ("sign", {"secret": secret, "digest": digest, "nonce": (5).to_bytes(size)}),
            ("sign", {"secret": key.to_string(), "digest": digest, "nonce": part}),
            ("sign_deterministic", {"secret": secret, "digest": digest}),
            ("public", {"secret": secret}),
        ):
            result = "public" if operation == "public" else "signature"
            room = Buffer(b"\xa5" * subject.sizes[result])
            step = Step(operation, {**{k: Buffer(v) for k, v in given.items()}, result: room})
            assert hosted.run([step]).results[step] == -1, (operation, number)
    public = key.get_verifying_key().to_string()
    off = public[:-1] + bytes([public[-1] ^ 1])
    for wrong_public in (bytes(len(public)), off, b"\xff" * len(public)):
        given = {"public": wrong_public, "digest": digest, "signature": good}
        step = Step("verify", {role: Buffer(content) for role, content in given.items()})
        assert hosted.run([step]).results[step] == -1
