"""Masked primitives under leakage models: two groups of texts, with new masks for every trace."""

from __future__ import annotations

import ctypes
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from ecdsa import SECP160r1, SigningKey

from cocrypt.leakage import TraceSet
from cocrypt.primitives import library
from cocrypt.primitives.kinds import kind
from cocrypt.primitives.measuring import read_vectors
from cocrypt.primitives.script import Buffer, Step, failures
from hosted import Hosted

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Verb

TEXT = "da39a3ee5e6b4b0d3255bfef95601890"
RUNS = "600"
# Far beyond 4.5, so that no seed decides; the leaks of the first version had 30 and more.
LIMIT = 8.0


def dependent(
    verb: Verb,
    folder: Path,
    model: str,
    *masks: str,
    subject: str = "aes128/masked",
    fixed: str = f"text={TEXT}",
    runs: str = RUNS,
) -> pl.DataFrame:
    """The samples whose mean differs between the groups by Welch's t."""
    words = ("leak", "trace", subject, "-d", "stm32f4-24mhz", "-n", runs, "--model", model)
    groups = ("--fixed-vs-random", fixed, "--noise", "0.1", "-o", str(folder))
    result = verb(*words, *groups, *masks)
    assert result.code == 0, result.text
    found = TraceSet.open(folder)
    rows: Any = np.concatenate([traces for traces, _ in found.read()]).astype(float)
    group = found.column("group")
    one, other = rows[group == 0], rows[group == 1]
    spread = one.var(axis=0) / len(one) + other.var(axis=0) / len(other)
    t = (one.mean(axis=0) - other.mean(axis=0)) / np.sqrt(spread)
    axis = found.axis()
    assert axis is not None
    return axis.with_columns(t=np.abs(t)).filter(pl.col("t") > LIMIT)


def test_no_value_between_text_and_result_depends_on_the_text(verb: Verb, tmp_path: Path) -> None:
    masked = dependent(verb, tmp_path / "masked", "values", "--random", "keys:6")
    inner = masked.filter(pl.col("function").is_in(["substitute", "mix_columns"]))
    assert inner.is_empty()
    # Without random bytes nothing is masked, and the test sees it.
    bare = dependent(verb, tmp_path / "bare", "values")
    inner = bare.filter(pl.col("function").is_in(["substitute", "mix_columns"]))
    assert len(inner) > 100


def test_bytes_from_the_table_do_not_meet(verb: Verb, tmp_path: Path) -> None:
    found = dependent(verb, tmp_path / "set", "transitions", "--random", "keys:6")
    assert found.filter(pl.col("function") == "substitute").is_empty()


PRESENT = {"subject": "present80/masked", "fixed": f"text={TEXT[:16]}", "runs": "300"}
ASCON = {"subject": "ascon_aead128/masked", "fixed": f"nonce={TEXT}", "runs": "80"}
PRESENT_ROUNDS = ("add", "add_product", "invert", "add_key")
ASCON_ROUNDS = ("add", "add_product", "rotated", "ascon_turned", "ascon_turned_back")


@pytest.mark.parametrize("model", ["values", "transitions"])
def test_shares_of_present_do_not_meet(verb: Verb, tmp_path: Path, model: str) -> None:
    found = dependent(verb, tmp_path / "set", model, "--random", "keys:8", **PRESENT)
    assert found.filter(pl.col("function").is_in(PRESENT_ROUNDS)).is_empty()


def test_present_without_random_bytes_is_bare(verb: Verb, tmp_path: Path) -> None:
    bare = dependent(verb, tmp_path / "bare", "values", **PRESENT)
    assert len(bare.filter(pl.col("function").is_in(PRESENT_ROUNDS))) > 100


@pytest.mark.long
def test_ascon_is_masked_by_memory_that_no_function_gets(verb: Verb, tmp_path: Path) -> None:
    found = dependent(verb, tmp_path / "set", "values", "--random", "ascon_random", **ASCON)
    assert found.filter(pl.col("function").is_in(ASCON_ROUNDS)).is_empty()
    bare = dependent(verb, tmp_path / "bare", "values", **ASCON)
    assert len(bare.filter(pl.col("function").is_in(ASCON_ROUNDS))) > 100


def test_memory_that_is_neither_role_nor_symbol_is_told(verb: Verb, tmp_path: Path) -> None:
    result = verb(
        *("leak", "trace", "present80/masked", "-d", "stm32f4-24mhz"),
        *("--random", "texts", "-o", str(tmp_path / "set")),
    )
    assert result.code == 1
    assert "`texts` is no memory that present80_encrypt gets, and no symbol of its code" in (
        result.err
    )


def with_random(name: str, symbol: str, size: int, seed: int) -> Hosted:
    """An implementation on the host, with random bytes in its static memory."""
    (subject,) = library.named([name])
    hosted = Hosted(subject)
    memory = (ctypes.c_uint8 * size).in_dll(hosted.library, symbol)
    memory[:] = list(random.Random(seed).randbytes(size))
    return hosted


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ascon_has_the_same_answers_with_any_masks(seed: int) -> None:
    hosted = with_random("ascon_aead128/masked", "ascon_random", 136, seed)
    checks = kind(hosted.subject).checks(hosted.subject, read_vectors(hosted.subject), 0)
    assert failures(checks, hosted.run([step for check in checks for step in check.steps])) == []


def called(hosted: Hosted, operation: str, result: str, **given: bytes) -> tuple[int, bytes]:
    out = Buffer(size=hosted.subject.sizes[result])
    arguments = {role: Buffer(content) for role, content in given.items()}
    step = Step(operation, {**arguments, result: out})
    outcome = hosted.run([step])
    return outcome.results[step], outcome.contents[out]


@pytest.mark.parametrize("seed", range(6))
def test_a_blinded_ladder_multiplies_points(seed: int) -> None:
    hosted = with_random("ecdsa_secp160r1/blinded", "ecdsa_secp160r1_random", 60, seed)
    draw, order = random.Random(f"keys {seed}"), int(SECP160r1.order)
    edges = [1, 2, order - 1, order - 2]
    for number in (*edges, *(draw.randrange(1, order) for _ in range(4))):
        secret = number.to_bytes(21)
        key = SigningKey.from_secret_exponent(number, SECP160r1)
        assert called(hosted, "public", "public", secret=secret) == (
            0,
            key.get_verifying_key().to_string(),
        )
        peer = SigningKey.from_secret_exponent(draw.randrange(1, order), SECP160r1)
        point = peer.get_verifying_key().pubkey.point * number
        given = {"secret": secret, "peer": peer.get_verifying_key().to_string()}
        assert called(hosted, "shared", "shared", **given) == (0, int(point.x()).to_bytes(20))


def test_a_blinded_ladder_refuses_what_is_not_valid() -> None:
    hosted = with_random("ecdsa_secp160r1/blinded", "ecdsa_secp160r1_random", 60, 9)
    order = int(SECP160r1.order)
    good = SigningKey.from_secret_exponent(77, SECP160r1).get_verifying_key().to_string()
    for number in (0, order, order + 1, 256**21 - 1):
        secret = number.to_bytes(21)
        assert called(hosted, "public", "public", secret=secret)[0] == -1
        assert called(hosted, "shared", "shared", secret=secret, peer=good)[0] == -1
    off = good[:-1] + bytes([good[-1] ^ 1])
    for peer in (bytes(40), off, b"\xff" * 40):
        assert called(hosted, "shared", "shared", secret=(5).to_bytes(21), peer=peer)[0] == -1
