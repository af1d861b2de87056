"""Random keys and messages for primitives with public keys, and other libraries' results."""

from __future__ import annotations

import hashlib
import math
import random
from functools import cache
from typing import TYPE_CHECKING, Any

from Crypto.Cipher import PKCS1_OAEP, PKCS1_v1_5
from Crypto.Hash import SHA256
from Crypto.PublicKey import RSA
from Crypto.Signature import pkcs1_15
from Crypto.Util.number import getPrime, isPrime
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from ecdsa import ECDH, NIST192p, NIST256p, SECP160r1, SECP256k1, SigningKey

import implicit
from vectors import Given, Vectors
from vectors import checks as of_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cocrypt.primitives.script import Check
    from cocrypt.primitives.subject import Subject

CURVE_KEYS = 150
"""Keys of each elliptic curve; a multiplication takes milliseconds."""
SLOW_CURVE_KEYS = 10
"""Keys of secp160r1, whose affine points take longer."""
RSA_KEYS = {512: 8, 1024: 4, 2048: 2}
"""The number of keys by size in bits, each with several messages in all operations."""
RSA_MESSAGES = 5
TOY_NUMBERS = 1000


def checks(subject: Subject, context: int) -> list[Check]:
    """The checks of all vectors, for an implementation."""
    return of_vectors(subject, vectors(subject.primitive), context)


@cache
def vectors(primitive: str) -> Vectors:
    """The vectors drawn for a primitive, always the same; raises `KeyError` for an unknown one."""
    return MAKERS[primitive](random.Random(primitive))


def _turned(value: bytes, draw: random.Random) -> bytes:
    bit = draw.randrange(8 * len(value))
    return (int.from_bytes(value) ^ 1 << bit).to_bytes(len(value))


P25519 = 2**255 - 19
# Points with a shared secret of zero (D. J. Bernstein, cr.yp.to/ecdh.html, "validate").
SMALL_ORDER = (
    0,
    1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
    P25519 - 1,
    P25519,
    P25519 + 1,
)


def _x25519(draw: random.Random) -> Vectors:
    """Peers are public keys, and any bytes: half of these lie on the twist."""
    vectors = Vectors()
    for index in range(CURVE_KEYS):
        secret, peer = draw.randbytes(32), draw.randbytes(32)
        ours = X25519PrivateKey.from_private_bytes(secret)
        if index % 2:
            peer = X25519PrivateKey.from_private_bytes(peer).public_key().public_bytes_raw()
        shared = ours.exchange(X25519PublicKey.from_public_bytes(peer))
        public = ours.public_key().public_bytes_raw()
        vectors.add("shared", secret=secret, public=public, peer=peer, shared=shared)
    for point in SMALL_ORDER:
        peer = point.to_bytes(32, "little")
        try:
            X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(peer))
        except ValueError:
            vectors.refused.append(("shared", {"secret": draw.randbytes(32), "peer": peer}))
    assert len(vectors.refused) == len(SMALL_ORDER)
    return vectors


def _ed25519(draw: random.Random) -> Vectors:
    vectors = Vectors()
    for index in range(CURVE_KEYS):
        secret, message = draw.randbytes(32), draw.randbytes(index * 3)
        ours = Ed25519PrivateKey.from_private_bytes(secret)
        public, signature = ours.public_key().public_bytes_raw(), ours.sign(message)
        vectors.add("sign", secret=secret, public=public, message=message, signature=signature)
        arguments = {"public": public, "message": message + b"\0", "signature": signature}
        field = draw.choice(list(arguments))
        vectors.refused.append(("verify", arguments | {field: _turned(arguments[field], draw)}))
    return vectors


def _ecdsa(curve: Any, draw: random.Random, keys: int = CURVE_KEYS) -> Vectors:  # noqa: ANN401
    """Random secrets, and the least and the greatest."""
    vectors, order, size = Vectors(), curve.order, curve.baselen
    edges = [(1, 1), (order - 1, order - 1), (1, order - 1), (2, 1)]
    numbers = [(draw.randrange(1, order), draw.randrange(1, order)) for _ in range(keys)]
    for secret, nonce in [*edges, *numbers]:
        key = SigningKey.from_secret_exponent(secret, curve)
        digest = _digest(size, draw)
        signature = key.sign_digest(digest, k=nonce, allow_truncate=True)
        public, d, k = key.verifying_key.to_string(), secret.to_bytes(size), nonce.to_bytes(size)
        vectors.add("sign", secret=d, public=public, digest=digest, nonce=k, signature=signature)
        vectors.add("sign_deterministic", **_deterministic(key, digest))
        peer = SigningKey.from_secret_exponent(draw.randrange(1, order), curve).verifying_key
        shared = ECDH(curve, key, peer).generate_sharedsecret_bytes()
        vectors.add("shared", secret=d, public=public, peer=peer.to_string(), shared=shared)
        arguments = {"public": public, "digest": digest, "signature": signature}
        # The end of a digest that is longer than the order is not signed.
        field, signed = draw.choice(list(arguments)), size if len(digest) < size else size - 1
        turned = _turned(arguments[field][:signed], draw) + arguments[field][signed:]
        vectors.refused.append(("verify", arguments | {field: turned}))
    vectors.refused += _out_of_range(curve, draw)
    return vectors


def _digest(size: int, draw: random.Random) -> bytes:
    """A digest as long as the order, at times greater than it, or of another length."""
    text = draw.randbytes(draw.choice((16, 20, 28, 32, 48, 64, draw.randint(1, 80))))
    return draw.choice((draw.randbytes(size), bytes(size), b"\xff" * size, text))


def _deterministic(key: SigningKey, digest: bytes) -> Given:
    """A signature whose nonce comes from HMAC with SHA-256."""
    signature = key.sign_digest_deterministic(digest, hashlib.sha256, allow_truncate=True)
    secret, public = key.to_string(), key.verifying_key.to_string()
    return {"secret": secret, "public": public, "digest": digest, "signature": signature}


def _out_of_range(curve: Any, draw: random.Random) -> list[tuple[str, Given]]:  # noqa: ANN401
    """Numbers and points that FIPS 186-4 and SEC 1 forbid."""
    order, size, p = curve.order, curve.baselen, curve.curve.p()
    key = SigningKey.from_secret_exponent(draw.randrange(1, order), curve)
    public, d, digest = key.verifying_key.to_string(), key.to_string(), draw.randbytes(size)
    refused: list[tuple[str, Given]] = []
    for number in (0, order, order + 1, 256**size - 1):
        bad, good = number.to_bytes(size), draw.randrange(1, order).to_bytes(size)
        refused.append(("public", {"secret": bad}))
        refused.append(("shared", {"secret": bad, "peer": public}))
        refused.append(("sign", {"secret": bad, "digest": digest, "nonce": good}))
        refused.append(("sign_deterministic", {"secret": bad, "digest": digest}))
        refused.append(("sign", {"secret": d, "digest": digest, "nonce": bad}))
        for signature in (bad + good, good + bad):
            arguments = {"public": public, "digest": digest, "signature": signature}
            refused.append(("verify", arguments))
    half = len(public) // 2
    x, y = public[:half], public[half:]
    signature = key.sign_digest(digest, allow_truncate=True)
    wrong = [bytes(2 * half), x + _turned(y, draw), p.to_bytes(half) + y, b"\xff" * 2 * half]
    for point in wrong:
        refused.append(("shared", {"secret": d, "peer": point}))
        refused.append(("verify", {"public": point, "digest": digest, "signature": signature}))
    return refused


def _rsa(bits: int, draw: random.Random) -> Vectors:
    vectors = Vectors()
    for _ in range(RSA_KEYS[bits]):
        key = _rsa_key(bits, draw)
        for _ in range(RSA_MESSAGES):
            _rsa_numbers(vectors, key, draw)
            _rsa_pkcs1(vectors, key, draw)
            _rsa_oaep(vectors, key, draw)
            _rsa_signature(vectors, key, draw)
    return vectors


def _rsa_key(bits: int, draw: random.Random) -> RSA.RsaKey:
    """A key with a public exponent that is common; p is the greater prime by turns."""
    e = draw.choice((3, 17, 65537))
    while True:
        p, q = (getPrime(bits // 2, draw.randbytes) for _ in range(2))
        phi = (p - 1) * (q - 1)
        if (p * q).bit_length() == bits and math.gcd(e, phi) == 1:
            return RSA.construct((p * q, e, pow(e, -1, phi), p, q))


def _rsa_given(key: RSA.RsaKey) -> tuple[Given, Given, Given]:
    """The public key, the private key, and the values that belong to the primes."""
    size = key.size_in_bytes()
    n, half = key.n.to_bytes(size), size // 2
    crt = {"p": key.p, "q": key.q, "dp": key.d % (key.p - 1), "dq": key.d % (key.q - 1)}
    crt["qinv"] = pow(key.q, -1, key.p)
    primes = {name: int(value).to_bytes(half) for name, value in crt.items()}
    return {"n": n, "e": key.e.to_bytes(4)}, {"n": n, "d": key.d.to_bytes(size)}, primes


def _rsa_numbers(vectors: Vectors, key: RSA.RsaKey, draw: random.Random) -> None:
    public, private, primes = _rsa_given(key)
    size, n = key.size_in_bytes(), int(key.n)
    message = draw.choice((draw.randrange(n), 0, 1, n - 1))
    vectors.add(
        "public", **public, message=message.to_bytes(size), result=_power(message, key.e, n)
    )
    number, result = message.to_bytes(size), _power(message, key.d, n)
    vectors.add("private", **private, message=number, result=result)
    vectors.add("private_crt", **primes, message=number, result=result)
    for beyond in (n, draw.randrange(n, 256**size)):
        bad = {"message": beyond.to_bytes(size)}
        vectors.refused += [("public", {**public, **bad}), ("private", {**private, **bad})]


def _power(number: int, exponent: int, n: int) -> bytes:
    return pow(number, int(exponent), n).to_bytes(-(-n.bit_length() // 8))


def _rsa_pkcs1(vectors: Vectors, key: RSA.RsaKey, draw: random.Random) -> None:
    public, private, _ = _rsa_given(key)
    size = key.size_in_bytes()
    message = draw.randbytes(draw.randint(0, size - 11))
    random_bytes = bytes(draw.randint(1, 255) for _ in range(size - 3 - len(message)))
    padding = iter(random_bytes)
    cipher = PKCS1_v1_5.new(key, lambda count: bytes(next(padding) for _ in range(count)))
    sealed = cipher.encrypt(message)
    vectors.add("encrypt_pkcs1", **public, random=random_bytes, message=message, result=sealed)
    vectors.opened.append(("decrypt_pkcs1", {**private, "cipher": sealed}, message))
    block = b"\0\2" + random_bytes + b"\0" + message
    for wrong in (b"\0\1" + block[2:], b"\1" + block[1:], block[:2] + bytes(1) + block[3:]):
        number = pow(int.from_bytes(wrong) % int(key.n), int(key.e), int(key.n))
        if int.from_bytes(wrong) < int(key.n):
            arguments = {**private, "cipher": number.to_bytes(size)}
            vectors.refused.append(("decrypt_pkcs1", arguments))
    _, last = vectors.refused[-1]
    stands_for_it = implicit.opened(int(key.n), int(key.d), last["cipher"])
    vectors.opened.append(("decrypt_pkcs1_implicit", last, stands_for_it))


def _rsa_oaep(vectors: Vectors, key: RSA.RsaKey, draw: random.Random) -> None:
    public, private, _ = _rsa_given(key)
    size, seed = key.size_in_bytes(), draw.randbytes(32)
    label = draw.randbytes(draw.choice((0, 0, 20)))
    if size < 66:
        arguments = {**public, "seed": seed, "label": label, "message": b""}
        vectors.refused.append(("encrypt_oaep", arguments))
        return
    message = draw.randbytes(draw.randint(0, size - 66))
    cipher = PKCS1_OAEP.new(key, hashAlgo=SHA256, label=label, randfunc=lambda _count: seed)
    sealed = cipher.encrypt(message)
    arguments = {"label": label, "message": message}
    vectors.add("encrypt_oaep", **public, seed=seed, **arguments, result=sealed)
    vectors.opened.append(("decrypt_oaep", {**private, "cipher": sealed, "label": label}, message))
    mislabelled = {**private, "cipher": sealed, "label": label + b"\0"}
    turned = {**private, "cipher": _turned(sealed[1:], draw).rjust(size, b"\0"), "label": label}
    vectors.refused += [("decrypt_oaep", mislabelled), ("decrypt_oaep", turned)]


def _rsa_signature(vectors: Vectors, key: RSA.RsaKey, draw: random.Random) -> None:
    public, private, _ = _rsa_given(key)
    hashed = SHA256.new(draw.randbytes(draw.randrange(200)))
    digest, signature = hashed.digest(), pkcs1_15.new(key).sign(hashed)
    vectors.add("sign_pkcs1", **private, digest=digest, signature=signature)
    vectors.add("verify_pkcs1", **public, digest=digest, signature=signature)
    arguments = {**public, "digest": digest, "signature": signature}
    for field in ("digest", "signature"):
        vectors.refused.append(
            ("verify_pkcs1", arguments | {field: _turned(arguments[field], draw)})
        )


def _toy(draw: random.Random) -> Vectors:
    """Vectors by Python's integers; the keys are those of the paper, and not drawn."""
    vectors = Vectors()
    for _ in range(TOY_NUMBERS):
        a, b = draw.randrange(2**32), draw.randrange(1, 2**32)
        start, n = draw.randrange(2, 65522), draw.randrange(2, 2**32)
        prime = next(number for number in range(start, 65522) if isPrime(number))
        x, y = draw.randrange(n), draw.randrange(2**32)
        vectors.add("prime", **{"from": _word(start)}, result=_word(prime))
        vectors.add("gcd", a=_word(a), b=_word(b), result=_word(math.gcd(a, b)))
        vectors.add("power", exponent=_word(a % 32), result=_word(1 << a % 32))
        vectors.add("encrypt", x=_word(x), y=_word(y), n=_word(n), result=_word(pow(x, y, n)))
        vectors.add(
            "crypt", text=_word(x) * 2, y=_word(y), n=_word(n), result=_word(pow(x, y, n)) * 2
        )
    return vectors


def _word(number: int) -> bytes:
    return number.to_bytes(4)


MAKERS: Mapping[str, Callable[[random.Random], Vectors]] = {
    "x25519": _x25519,
    "ed25519": _ed25519,
    "ecdsa_secp192r1": lambda draw: _ecdsa(NIST192p, draw),
    "ecdsa_secp256r1": lambda draw: _ecdsa(NIST256p, draw),
    "ecdsa_secp256k1": lambda draw: _ecdsa(SECP256k1, draw),
    "ecdsa_secp160r1": lambda draw: _ecdsa(SECP160r1, draw, SLOW_CURVE_KEYS),
    "rsa512": lambda draw: _rsa(512, draw),
    "rsa1024": lambda draw: _rsa(1024, draw),
    "rsa2048": lambda draw: _rsa(2048, draw),
    "rsa_toy": _toy,
}
