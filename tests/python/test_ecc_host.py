"""The portable C on the host against Python integers, hashlib and the package `ecdsa`."""

import ctypes
import hashlib
import random
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from ecdsa import ellipticcurve

from operands import OPERATIONS, REFERENCE, N, P, rows

ROOT = Path(__file__).resolve().parents[2]
PRIMITIVES = ROOT / "primitives"
B = 0x1C97BEFC54BD7A8B65ACF89F81D4D4ADC565FA45
G = (0x4A96B5688EF573284664698968C38BB913CBFC82, 0x23A628553168947D59DCC912042351377AC5FB32)
CURVE = ellipticcurve.CurveFp(P, P - 3, B)
BASE = ellipticcurve.Point(CURVE, *G, N)
FLAGS = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")


class Field(ctypes.Structure):
    """FIELDP."""

    _fields_ = (("w", ctypes.c_uint32 * 6),)


class Point(ctypes.Structure):
    """POINT."""

    _fields_ = (("x", Field), ("y", Field), ("infinity", ctypes.c_uint32))


class Signature(ctypes.Structure):
    """SIGNATURE."""

    _fields_ = (("r", Field), ("s", Field))


def field(value: int) -> Field:
    return Field.from_buffer_copy(value.to_bytes(24, "little"))


def integer(value: Field) -> int:
    return int.from_bytes(bytes(value), "little")


def point(value: ellipticcurve.Point) -> Point:
    if value == ellipticcurve.INFINITY:
        return Point(field(0), field(0), 1)
    return Point(field(value.x()), field(value.y()), 0)


def coordinates(value: Point) -> tuple[int, int] | None:
    return None if value.infinity else (integer(value.x), integer(value.y))


def expected(value: ellipticcurve.Point) -> tuple[int, int] | None:
    return None if value == ellipticcurve.INFINITY else (value.x(), value.y())


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """All primitives in one shared library, compiled without a warning."""
    compiler = shutil.which("cc") or shutil.which("c++")
    assert compiler, "the tests need the C++ compiler that the README names"
    target = tmp_path_factory.mktemp("host") / "primitives.so"
    sources = sorted(PRIMITIVES.glob("*/ref/*.c"))
    include = [f"-I{folder}" for folder in sorted(PRIMITIVES.glob("*/ref"))]
    language = ["-x", "c"] if compiler.endswith("c++") else []
    command = [compiler, *FLAGS, *include, "-shared", "-fPIC", "-o", str(target), *language]
    subprocess.run([*command, *map(str, sources)], check=True)
    return ctypes.CDLL(str(target))


@pytest.fixture(scope="module")
def domain(library: ctypes.CDLL) -> ctypes.c_void_p:
    return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(library, "secp160r1")))


def vectors(path: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((PRIMITIVES / path).read_text())


@pytest.mark.parametrize("operation", OPERATIONS)
def test_field_operations(library: ctypes.CDLL, operation: str) -> None:
    function = getattr(library, f"mod_{operation}")
    for y, x, m in rows(1000, seed=10):
        z = Field()
        function(field(y), field(x), field(m), ctypes.byref(z))
        assert integer(z) == REFERENCE[operation](y, x, m), f"{y:#x} {x:#x} mod {m:#x}"


def add(library: ctypes.CDLL, domain: ctypes.c_void_p, a: Point, b: Point) -> Point:
    total = Point()
    library.point_add(domain, ctypes.byref(a), ctypes.byref(b), ctypes.byref(total))
    return total


def test_points(library: ctypes.CDLL, domain: ctypes.c_void_p) -> None:
    source = random.Random(5)
    points = [ellipticcurve.INFINITY, BASE, BASE * 2, BASE * (N - 1)]
    points += [BASE * source.randrange(1, N) for _ in range(4)]
    for a in points:
        for b in points:
            total = add(library, domain, point(a), point(b))
            assert coordinates(total) == expected(a + b)
        twice = Point()
        library.point_double(domain, ctypes.byref(point(a)), ctypes.byref(twice))
        assert coordinates(twice) == expected(a + a)


def multiply(library: ctypes.CDLL, domain: ctypes.c_void_p, k: int, p: Point) -> Point:
    product = Point()
    library.point_multiply(domain, ctypes.byref(field(k)), ctypes.byref(p), ctypes.byref(product))
    return product


def test_multiples(library: ctypes.CDLL, domain: ctypes.c_void_p) -> None:
    source = random.Random(6)
    for k in [0, 1, 2, 3, N - 1, N, N + 1, *(source.randrange(N) for _ in range(20))]:
        assert coordinates(multiply(library, domain, k, point(BASE))) == expected(BASE * k)


def sign(
    library: ctypes.CDLL, domain: ctypes.c_void_p, key: int, nonce: int, digest: int
) -> Signature | None:
    signature = Signature()
    arguments = (ctypes.byref(field(value)) for value in (key, nonce, digest))
    done = library.ecdsa_sign(domain, *arguments, ctypes.byref(signature))
    return signature if done else None


def verify(
    library: ctypes.CDLL, domain: ctypes.c_void_p, key: Point, digest: int, signature: Signature
) -> bool:
    arguments = (ctypes.byref(value) for value in (key, field(digest), signature))
    return bool(library.ecdsa_verify(domain, *arguments))


def test_gec2_signature(library: ctypes.CDLL, domain: ctypes.c_void_p) -> None:
    vector = {
        name: int(value, 16)
        for name, value in vectors("ecdsa-secp160r1/vectors/gec2.toml")["ecdsa"].items()
        if name != "message"
    }
    signature = sign(library, domain, vector["private_key"], vector["nonce"], vector["digest"])
    assert signature is not None
    assert (integer(signature.r), integer(signature.s)) == (vector["r"], vector["s"])
    key = multiply(library, domain, vector["private_key"], point(BASE))
    assert coordinates(key) == (vector["public_key_x"], vector["public_key_y"])
    assert verify(library, domain, key, vector["digest"], signature)


def test_gec2_shared_secret(library: ctypes.CDLL, domain: ctypes.c_void_p) -> None:
    vector = {
        name: int(value, 16)
        for name, value in vectors("ecdsa-secp160r1/vectors/gec2.toml")["ecdh"].items()
    }
    for mine, theirs in (("u", "v"), ("v", "u")):
        secret = Field()
        other = Point(
            field(vector[f"public_key_{theirs}_x"]), field(vector[f"public_key_{theirs}_y"]), 0
        )
        key = ctypes.byref(field(vector[f"private_key_{mine}"]))
        assert library.ecdh(domain, key, ctypes.byref(other), ctypes.byref(secret))
        assert integer(secret) == vector["secret"]


def test_what_is_not_signed_is_refused(library: ctypes.CDLL, domain: ctypes.c_void_p) -> None:
    source = random.Random(7)
    key, nonce, digest = (source.randrange(1, N) for _ in range(3))
    good = sign(library, domain, key, nonce, digest)
    assert good is not None
    public = multiply(library, domain, key, point(BASE))
    assert verify(library, domain, public, digest, good)
    r, s = integer(good.r), integer(good.s)
    for bad in ((0, s), (r, 0), (N, s), (r, N), (r ^ 1, s), (r, s ^ 1), (s, r)):
        assert not verify(library, domain, public, digest, Signature(*map(field, bad)))
    assert not verify(library, domain, public, digest ^ 1, good)
    off = Point(public.x, field(integer(public.y) ^ 1), 0)
    for wrong in (point(BASE), off, Point(field(0), field(0), 1), Point(field(P), public.y, 0)):
        assert not verify(library, domain, wrong, digest, good)
    for bad_key, bad_nonce in ((0, nonce), (N, nonce), (key, 0), (key, N)):
        assert sign(library, domain, bad_key, bad_nonce, digest) is None


def test_sha1(library: ctypes.CDLL) -> None:
    class State(ctypes.Structure):
        _fields_ = (
            ("h", ctypes.c_uint32 * 5),
            ("length", ctypes.c_uint64),
            ("block", ctypes.c_uint8 * 64),
        )

    def digest(pieces: list[bytes]) -> str:
        state, out = State(), ctypes.create_string_buffer(20)
        library.sha1_init(ctypes.byref(state))
        for piece in pieces:
            library.sha1_update(ctypes.byref(state), piece, ctypes.c_size_t(len(piece)))
        library.sha1_final(ctypes.byref(state), out)
        return out.raw.hex()

    table = tomllib.loads((PRIMITIVES / "sha1/vectors/fips180.toml").read_text())["digest"]
    for row in table:
        assert digest([row["message"].encode() * row.get("repeat", 1)]) == row["sha1"]
    source = random.Random(8)
    for size in range(200):
        message = source.randbytes(size)
        cut = source.randrange(size + 1)
        assert digest([message[:cut], message[cut:]]) == hashlib.sha1(message).hexdigest()


def test_generator_and_stream(library: ctypes.CDLL) -> None:
    key = bytes(range(20))
    blocks = (hashlib.sha1(key + i.to_bytes(4, "big")).digest() for i in range(6))
    keystream = b"".join(blocks)
    message = bytes(range(100, 217))
    out = ctypes.create_string_buffer(len(message))
    library.xor_stream(key, message, out, ctypes.c_size_t(len(message)))
    assert out.raw == bytes(a ^ b for a, b in zip(message, keystream, strict=False))
    back = ctypes.create_string_buffer(len(message))
    library.xor_stream(key, out.raw, back, ctypes.c_size_t(len(message)))
    assert back.raw == message
