"""Selection functions: predictions against hashlib, and keys found on both kinds of core."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cocrypt import _native, paths
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.leakage import TraceSet, TraceSetWriter, attack, computed, part
from cocrypt.leakage.ciphers import HAMMING
from cocrypt.leakage.hashes import (
    INNER_PAD,
    OUTER_PAD,
    SHA1_INITIAL,
    SHA256,
    SHA512,
    Sha2,
    sha1_compress,
    sha1_sum,
)
from cocrypt.leakage.ladders import SECP160R1, Curve
from cocrypt.leakage.turns import TURNS, selections
from cocrypt.machine import Machine
from cocrypt.toolchain import Toolchain, Unit

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from conftest import Verb

PRIMITIVES = paths.root() / "primitives"
CORES = ("picorv32", "stm32f4-24mhz")
KEY = b"a key of HMAC"
COUNT = 400


def words(state: tuple[int, ...], size: int = 4) -> bytes:
    return b"".join(word.to_bytes(size, "big") for word in state)


def padded(message: bytes, before: int = 0, block: int = 64) -> bytes:
    """A message of one block with its padding, behind so many bytes."""
    size = 8 * (before + len(message))
    length = block // 8
    zeros = bytes(block - len(message) - 1 - length)
    return message + b"\x80" + zeros + size.to_bytes(length, "big")


@pytest.mark.parametrize("sha", [SHA256, SHA512], ids=lambda sha: sha.name)
def test_the_state_behind_a_key_is_that_of_hashlib(sha: Sha2) -> None:
    size, block = sha.width // 8, sha.block
    first = sha.compress(sha.initial, padded(b"abc", 0, block))
    assert words(first, size) == hashlib.new(sha.name, b"abc").digest()
    inner = sha.compress(sha.keyed(KEY, INNER_PAD), padded(b"text", block, block))
    digest = words(inner, size)
    tag = sha.compress(sha.keyed(KEY, OUTER_PAD), padded(digest, block, block))
    assert words(tag, size) == hmac.new(KEY, b"text", sha.name).digest()
    long = b"k" * (block + 1)
    assert sha.first_sum(long) == sha.first_sum(hashlib.new(sha.name, long).digest())


def test_the_state_of_sha1_is_that_of_hashlib() -> None:
    assert words(sha1_compress(SHA1_INITIAL, padded(b"abc"))) == hashlib.sha1(b"abc").digest()
    assert sha1_sum(b"k" * 65) == sha1_sum(hashlib.sha1(b"k" * 65).digest())


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of which four samples leak the bytes of a sum of the message's word and a secret."""
    path = tmp_path_factory.mktemp("sums") / "set"
    random = np.random.default_rng(7)
    messages = random.integers(0, 256, (COUNT, 64), np.uint8)
    value = messages[:, :4].copy().view(">u4")[:, 0].astype(np.uint64) + SHA256.first_sum(KEY)
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
    found = TraceSet.open(sums)
    chosen = part(found)
    made = selections(found, chosen, TURNS["hmac-sha256"], "message", None, None)
    outcomes = attack(found, chosen, made, [chosen.count])[0]
    assert bytes(outcome.best for outcome in outcomes) == SHA256.first_sum(KEY).to_bytes(
        4, "little"
    )


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


# For each model the primitive, its source, and the line that ends with the sum.
SUMS = {
    "hmac-sha1": ("hmac_sha1", "sha1", "uint32_t sum = rotl32"),
    "hmac-sha256-a": ("hmac_sha256", "sha256", "s[0] = first + sum"),
    "hmac-sha256-e": ("hmac_sha256", "sha256", "s[4] += sum"),
}


@pytest.mark.long
@pytest.mark.parametrize("model", SUMS)
def test_sums_of_other_steps_and_hashes_are_found(model: str, verb: Verb, tmp_path: Path) -> None:
    primitive, folder, line = SUMS[model]
    # An addition reads the message's word or T1, too, which another guess predicts.
    results = tmp_path / "results.toml"
    results.write_text('[leakage]\ntitle = "results"\n[weights.result]\nweight = 1.0\n', "utf-8")
    words = ("--from", "update", "--noise", "0.5", "--model", str(results))
    path = tmp_path / "set"
    set_of(verb, path, f"{primitive}/small", "message", CORES[1], 400, *words)
    begin, end = samples_of(path, folder, line)
    some = ("--model", model, "--steps", "1", "--samples", f"{begin}:{end}")
    assert attacked(verb, path, *some)["found"] == 4


def samples_of(path: Path, folder: str, text: str) -> tuple[int, int]:
    """The last addition of a line of an implementation `small` before its instructions repeat."""
    (source,) = (PRIMITIVES / folder / "small").glob("*.c")
    lines = source.read_text(encoding="utf-8").splitlines()
    number = next(index for index, line in enumerate(lines, 1) if line.strip().startswith(text))
    axis = TraceSet.open(path).axis()
    assert axis is not None
    at = axis["file"].str.ends_with(source.name) & (axis["line"] == number)
    # The compiler has two steps of SHA-1 in a loop; each begins with a rotation by five.
    turned = (axis["instruction"].str.ends_with("ror #27") & at).arg_true().to_list()
    at &= axis["instruction"].str.starts_with("add")
    places: dict[str, int] = {}
    for index in at.arg_true().to_list():
        if axis["pc"][index] in places or (turned and index > second_step(axis, turned[0])):
            break
        places[axis["pc"][index]] = index
    last = max(places.values())
    return last, last + 1


def second_step(axis: pl.DataFrame, first: int) -> int:
    """The sample of the second rotation by five."""
    later = axis["instruction"][first + 1 :].str.ends_with("ror #27")
    return first + 1 + int(later.arg_true()[0])


@pytest.mark.parametrize("model", ["hmac-sha512", "hmac-sha256-outer"])
def test_sums_of_wide_words_and_outer_keys_are_found(
    model: str, verb: Verb, tmp_path: Path
) -> None:
    """The secret is that of a state which hashlib confirms; power is drawn here."""
    column = "message" if model == "hmac-sha512" else "inner"
    secret = SHA512.first_sum(KEY) if column == "message" else SHA256.first_sum(KEY, OUTER_PAD)
    size = 8 if column == "message" else 4
    random = np.random.default_rng(11)
    texts = random.integers(0, 256, (COUNT, 64), np.uint8)
    numbers = [int.from_bytes(text[:size].tobytes(), "big") + secret for text in texts]
    power = random.normal(0, 2, (COUNT, size))
    for byte in range(size):
        power[:, byte] += [2 * (number >> 8 * byte & 0xFF).bit_count() for number in numbers]
    columns = {column: ("uint8", (64,)), "key": ("uint8", (len(KEY),))}
    keys = np.tile(np.frombuffer(KEY, np.uint8), (COUNT, 1))
    with TraceSetWriter.create(tmp_path / "set", size, "float32", columns, "drawn") as writer:
        writer.append(power.astype(np.float32), **{column: texts, "key": keys})
    values = attacked(verb, tmp_path / "set", "--model", model)
    assert [part["sample"] for part in values["parts"]] == list(range(size))
    assert values["found"] == size


SECP160R1_BASE = (
    0x4A96B5688EF573284664698968C38BB913CBFC82,
    0x23A628553168947D59DCC912042351377AC5FB32,
)
LADDER = """#include "domain.h"
#include "fold.h"
#include "steady.h"
#undef MUL
#define MUL(y, x, z) fold_multiply(&domain->p, &(y), &(x), z)
#include "complete.h"
uint8_t point[40], key[1];
static PROJECTIVE low, high;
__attribute__((noinline)) void ladder(void) {
    const DOMAIN *domain = &secp160r1;
    low = (PROJECTIVE){{{0}}, {{1}}, {{0}}};
    high = (PROJECTIVE){{{0}}, {{0}}, {{1}}};
    field_from_bytes(&high.x, point, 20);
    field_from_bytes(&high.y, point + 20, 20);
    for (unsigned bit = BITS; bit-- > 0;) {
        uint32_t swap = key[0] >> bit & 1u;
        exchange(swap, &low, &high);
        add(domain, &low, &high, &high);
        add(domain, &low, &low, &low);
        exchange(swap, &low, &high);
    }
}
int main(void) { ladder(); return 0; }
"""


def multiples(count: int) -> list[tuple[int, int]]:
    """The first multiples of the base point of secp160r1, by the affine formulas of SEC 1."""
    p, (x0, y0) = SECP160R1.p, SECP160R1_BASE
    found = [SECP160R1_BASE]
    for _ in range(count - 1):
        x, y = found[-1]
        same = (x, y) == (x0, y0)
        slope = (3 * x * x - 3) * pow(2 * y, -1, p) if same else (y0 - y) * pow(x0 - x, -1, p)
        third = (slope * slope - x - x0) % p
        found.append((third, (slope * (x - third) - y) % p))
    return found


@pytest.mark.parametrize(
    "curve", [SECP160R1, replace(SECP160R1, factor=3)], ids=["plain", "factor"]
)
def test_a_ladder_has_the_multiples_of_a_point(curve: Curve) -> None:
    """With any factor of products: it divides coordinates alike, and the point stays the same."""
    points = multiples(13)
    p = curve.p
    # A factor f means that a number n stands for f n.
    form = pow(curve.factor, -1, p)
    x0, y0 = (value * form % p for value in SECP160R1_BASE)
    step = (0, form, 0), (x0, y0, form)
    for bit in (1, 1, 0):
        step = curve.after(step, bit)
    for (x, y, z), expected in zip(step, (points[5], points[6]), strict=True):
        inverse = pow(z, -1, p)
        assert (x * inverse % p, y * inverse % p) == expected


@pytest.mark.long
def test_bits_of_a_ladder_are_found(verb: Verb, tmp_path: Path) -> None:
    folder = PRIMITIVES / "ecdsa-secp160r1"
    key, bits, count = 0b1101, 4, 80
    (tmp_path / "main.c").write_text(f"#define BITS {bits}\n{LADDER}", encoding="utf-8")
    include = [f"-I{folder / name}" for name in ("ref", "variants", "blinded")]
    flags = ("-O2", "-g", "-DFIELD_STEADY", *include)
    toolchain = Toolchain(Device.load(CORES[1]))
    sources = [tmp_path / "main.c", folder / "ref/domain.c", folder / "ref/field.c"]
    units = [*toolchain.runtime(("-O1",)), *(Unit(source, flags) for source in sources)]
    image = toolchain.link(list(toolchain.compile_needed(units).values()), "ladder")
    rows = traces_of_points(image, tmp_path / "set", key, count)
    result = verb(
        *("leak", "attack", tmp_path / "set", "--model", "ladder-secp160r1", "--key", f"{key:02x}"),
        *("--steps", "1", "--json"),
    )
    assert result.code == 0, result.text
    values = json.loads(result.out)
    assert [part["guess"] for part in values["parts"]] == [1, 0, 1]
    assert (values["found"], rows) == (bits - 1, count)
    # Without the key, each guess follows those before.
    unknown = TraceSet.open(tmp_path / "set")
    chosen = part(unknown)
    made = selections(unknown, chosen, TURNS["ladder-secp160r1"], "point", None, None, count=3)
    outcomes = attack(unknown, chosen, made, [chosen.count])[0]
    assert [outcome.best for outcome in outcomes] == [1, 0, 1]


def traces_of_points(image: Path, path: Path, key: int, count: int) -> int:
    """Traces of the ladder with multiples of the base point, without noise; returns how many."""
    machine = Machine(CORES[1], image)
    machine.native.run_to(machine.address("ladder"), 1_000_000)
    places = [(machine.address("key"), 1), (machine.address("point"), 40)]
    model = paths.root() / "devices/leakage/values.toml"
    sampler = _native.LeakageSampler(machine.native, model, places, [], 1_000_000, 2)
    rows = [
        bytes([key]) + b"".join(value.to_bytes(20, "big") for value in each)
        for each in multiples(count)
    ]
    length = sampler.first(rows[0])["cycles"]
    samples, cycles, _, _ = sampler.run(b"".join(rows), count, length)
    assert len(set(cycles)) == 1
    power = np.frombuffer(samples, np.float32).reshape(count, length)
    points = np.frombuffer(b"".join(row[1:] for row in rows), np.uint8).reshape(count, 40)
    with TraceSetWriter.create(path, length, "float32", {"point": ("uint8", (40,))}, "x") as writer:
        writer.append(power, point=points)
    return len(power)
