"""Selection functions: predictions against hashlib, and keys found on both kinds of core."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.leakage import TraceSet, TraceSetWriter, attack, computed, part
from cocrypt.leakage.ciphers import HAMMING
from cocrypt.leakage.sha256 import INITIAL, compress, first_sum

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from conftest import Verb

PRIMITIVES = paths.root() / "primitives"
CORES = ("picorv32", "stm32f4-24mhz")
KEY = b"a key of HMAC"
COUNT = 400


def words(state: tuple[int, ...]) -> bytes:
    return b"".join(word.to_bytes(4, "big") for word in state)


def padded(message: bytes, before: int = 0) -> bytes:
    """A message of one block with its padding, behind so many bytes."""
    size = 8 * (before + len(message))
    return message + b"\x80" + bytes(55 - len(message)) + size.to_bytes(8, "big")


def test_the_state_behind_a_key_is_that_of_hashlib() -> None:
    assert words(compress(INITIAL, padded(b"abc"))) == hashlib.sha256(b"abc").digest()
    inner = bytes(byte ^ 0x36 for byte in KEY.ljust(64, b"\0"))
    outer = bytes(byte ^ 0x5C for byte in KEY.ljust(64, b"\0"))
    digest = words(compress(compress(INITIAL, inner), padded(b"text", 64)))
    tag = words(compress(compress(INITIAL, outer), padded(digest, 64)))
    assert tag == hmac.new(KEY, b"text", "sha256").digest()
    assert first_sum(b"k" * 65) == first_sum(hashlib.sha256(b"k" * 65).digest())


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of which four samples leak the bytes of a sum of the message's word and a secret."""
    path = tmp_path_factory.mktemp("sums") / "set"
    random = np.random.default_rng(7)
    messages = random.integers(0, 256, (COUNT, 64), np.uint8)
    value = messages[:, :4].copy().view(">u4")[:, 0].astype(np.uint64) + first_sum(KEY)
    power = random.normal(0, 2, (COUNT, 9))
    for byte in range(4):
        power[:, 2 + byte] += 2 * HAMMING[(value >> np.uint64(8 * byte)) & np.uint64(0xFF)]
    columns = {"message": ("uint8", (64,)), "key": ("uint8", (len(KEY),))}
    keys = np.tile(np.frombuffer(KEY, np.uint8), (COUNT, 1))
    with TraceSetWriter.create(path, 9, "float32", columns, "simulated") as writer:
        writer.append(power.astype(np.float32), message=messages, key=keys)
    return path


def attacked(verb: Verb, *words: object) -> dict[str, Any]:
    result = verb("leak", "attack", *map(str, words), "--json")
    assert result.code == 0, result.err
    values: dict[str, Any] = json.loads(result.out)
    return values


def test_bytes_of_a_sum_are_guessed_in_turn(verb: Verb, sums: Path) -> None:
    values = attacked(verb, sums, "--model", "hmac-sha256")
    assert values["found"] == 4
    assert [entry["sample"] for entry in values["parts"]] == [2, 3, 4, 5]
    # A wrong key: bytes follow its wrong ones, so that its last guess is not the best.
    values = attacked(verb, sums, "--model", "hmac-sha256", "--key", "00")
    assert values["found"] < 4


def test_an_unknown_key_is_guessed_in_turn(sums: Path) -> None:
    from cocrypt.leakage.turns import TURNS, selections

    found = TraceSet.open(sums)
    chosen = part(found)
    made = selections(found, chosen, TURNS["hmac-sha256"], "message", None, None)
    outcomes = attack(found, chosen, made, [chosen.count])[0]
    assert bytes(outcome.best for outcome in outcomes) == first_sum(KEY).to_bytes(4, "little")


def test_parts_in_turn_have_no_signal(verb: Verb, sums: Path) -> None:
    result = verb("leak", "snr", str(sums), "--model", "hmac-sha256")
    assert result.code == 1
    assert "guesses its parts in turn" in result.err


def test_classes_beyond_the_table_are_refused() -> None:
    with pytest.raises(InputError, match="from 0 to 3, and the table has 2"):
        computed("bit", [0, 3], [[0, 1], [1, 0]])
    with pytest.raises(InputError, match="not guesses × classes"):
        computed("bit", [0, 1], [0, 1])


@pytest.mark.long
@pytest.mark.parametrize("device", CORES)
def test_the_key_of_a_table_of_aes_is_found(device: str, verb: Verb, tmp_path: Path) -> None:
    set_of(verb, tmp_path / "set", "aes128/ref", "text", device, 150)
    some = ("--parts", "0,1,7,14", "--steps", "1")
    assert attacked(verb, tmp_path / "set", "--column", "text", *some)["found"] == 4
    last = ("--column", "result", "--model", "aes-last-value", *some)
    assert attacked(verb, tmp_path / "set", *last)["found"] == 4


@pytest.mark.long
@pytest.mark.parametrize("device", CORES)
def test_the_key_of_present_is_found(device: str, verb: Verb, tmp_path: Path) -> None:
    set_of(verb, tmp_path / "set", "present80/small", "text", device, 150)
    words = ("--column", "text", "--model", "present-first", "--steps", "1")
    assert attacked(verb, tmp_path / "set", *words)["found"] == 16


@pytest.mark.long
@pytest.mark.parametrize("device", CORES)
def test_a_sum_behind_the_key_of_hmac_is_found(device: str, verb: Verb, tmp_path: Path) -> None:
    words = ("--from", "update", "--noise", "0")
    set_of(verb, tmp_path / "set", "hmac_sha256/small", "message", device, 300, *words)
    begin, end = window_of_sum(tmp_path / "set")
    model = ("--model", "hmac-sha256", "--steps", "1", "--samples", f"{begin}:{end}")
    assert attacked(verb, tmp_path / "set", *model)["found"] == 4


def window_of_sum(folder: Path) -> tuple[int, int]:
    """The samples from the last addition of T1 in the first step to the first one that uses it.

    Before, the message's word alone is read, which the guess 0 predicts.
    """
    axis = TraceSet.open(folder).axis()
    assert axis is not None
    end = int(line_of(axis, "s[0] = first + sum").arg_true()[0])
    last = int(line_of(axis[:end], "sum += sha256").arg_true()[-1])
    return int((axis["pc"][: last + 1] == axis["pc"][last]).arg_true()[0]), end


def line_of(axis: pl.DataFrame, text: str) -> pl.Series:
    """True for the samples of the line of `sha256/small` that begins with a text."""
    source = PRIMITIVES / "sha256" / "small" / "sha256_small.c"
    lines = source.read_text(encoding="utf-8").splitlines()
    number = next(index for index, line in enumerate(lines, 1) if line.strip().startswith(text))
    return axis["file"].str.ends_with(source.name) & (axis["line"] == number)


def set_of(
    verb: Verb, folder: Path, subject: str, role: str, device: str, runs: int, *words: str
) -> None:
    """Traces of a primitive with random values of a role, with noise."""
    result = verb(
        *("leak", "trace", subject, "--random", role, "-d", device, "-n", str(runs)),
        *("--model", "values", "-o", str(folder), *(words or ("--noise", "1"))),
    )
    assert result.code == 0, result.text
