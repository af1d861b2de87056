"""SHA-1, the generator and the stream cipher, which signatures need, against hashlib."""

from __future__ import annotations

import ctypes
import hashlib
import random
from functools import cache

import pytest

from host import PRNG, SHA1, XOR_STREAM, library, vectors

# More than any state needs, so that the tests do not depend on its layout.
ROOM = 256
FOLDERS = [SHA1, PRNG, XOR_STREAM]


@cache
def code() -> ctypes.CDLL:
    return library([path for folder in FOLDERS for path in folder.glob("*.c")], FOLDERS)


def digest(*pieces: bytes) -> str:
    state, result = ctypes.create_string_buffer(ROOM), ctypes.create_string_buffer(20)
    code().sha1_init(state)
    for piece in pieces:
        code().sha1_update(state, piece, ctypes.c_size_t(len(piece)))
    code().sha1_final(state, result)
    return result.raw.hex()


def keystream(seed: bytes, size: int) -> bytes:
    """Block i is SHA-1(seed || i): prng.h."""
    blocks = (hashlib.sha1(seed + i.to_bytes(4, "big")).digest() for i in range(size // 20 + 1))
    return b"".join(blocks)[:size]


@pytest.mark.parametrize("vector", vectors("primitives/sha1/vectors/fips180.toml")["digest"])
def test_standard_digests(vector: dict[str, str]) -> None:
    message = vector["message"].encode() * int(vector.get("repeat", 1))
    assert digest(message) == vector["sha1"]


def test_every_length_in_pieces() -> None:
    source = random.Random(8)
    for size in range(200):
        message = source.randbytes(size)
        cuts = sorted(source.randrange(size + 1) for _ in range(3))
        ends = zip([0, *cuts], [*cuts, size], strict=True)
        assert digest(*(message[a:b] for a, b in ends)) == hashlib.sha1(message).hexdigest()


def test_generator_in_pieces() -> None:
    seed = b"twenty bytes of seed"
    state = ctypes.create_string_buffer(ROOM)
    code().prng_init(state, seed)
    output = b""
    for size in (0, 1, 19, 20, 21, 40, 100):
        piece = ctypes.create_string_buffer(size + 1)
        code().prng_bytes(state, piece, ctypes.c_size_t(size))
        output += piece.raw[:size]
    assert output == keystream(seed, len(output))


def test_stream_there_and_back() -> None:
    key, message = bytes(range(20)), bytes(range(100, 217))
    size = ctypes.c_size_t(len(message))
    buffer = ctypes.create_string_buffer(message, len(message))
    # In place, for callers that are short of memory.
    code().xor_stream(key, buffer, buffer, size)
    pad = keystream(key, len(message))
    assert buffer.raw == bytes(a ^ b for a, b in zip(message, pad, strict=True))
    code().xor_stream(key, buffer, buffer, size)
    assert buffer.raw == message
