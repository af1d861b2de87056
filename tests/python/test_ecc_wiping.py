"""Secrets are overwritten: the contents of states, buffers and generators after use."""

from __future__ import annotations

import ctypes
from itertools import product

import pytest

from host import ECC, PRNG, SHA1, library

# More than any state needs, so that the tests do not depend on its layout.
ROOM = 256


@pytest.fixture(scope="module")
def code() -> ctypes.CDLL:
    return library([SHA1 / "sha1.c", PRNG / "prng.c", ECC / "field.c"], [SHA1, PRNG, ECC])


def test_wipe_at_every_alignment(code: ctypes.CDLL) -> None:
    for at, size in product(range(8), range(20)):
        memory = ctypes.create_string_buffer(b"\xa5" * 32, 32)
        code.wipe(ctypes.byref(memory, at), ctypes.c_size_t(size))
        assert memory.raw == b"\xa5" * at + bytes(size) + b"\xa5" * (32 - at - size), (at, size)


def test_sha1_leaves_no_state(code: ctypes.CDLL) -> None:
    state, digest = ctypes.create_string_buffer(ROOM), ctypes.create_string_buffer(20)
    code.sha1_init(state)
    code.sha1_update(state, b"secret", ctypes.c_size_t(6))
    assert b"secret" in state.raw
    code.sha1_final(state, digest)
    assert state.raw == bytes(ROOM)


def test_generator_leaves_no_seed(code: ctypes.CDLL) -> None:
    state, seed = ctypes.create_string_buffer(ROOM), b"twenty bytes of seed"
    code.prng_init(state, seed)
    code.prng_bytes(state, ctypes.create_string_buffer(7), ctypes.c_size_t(7))
    assert seed in state.raw
    code.prng_wipe(state)
    assert state.raw == bytes(ROOM)
