"""Other algorithms for the same functions: right on the host and on the device."""

from __future__ import annotations

import ctypes
import hashlib
import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt.explore import explore
from cocrypt.explore.bench import Bench, Trial
from cocrypt.partition import chosen
from cocrypt.study import Study
from curve import Point
from host import ECC, ROOT, Field, field, library, number, vectors

if TYPE_CHECKING:
    from pathlib import Path

VARIANTS = ROOT / "primitives/ecdsa-secp160r1/variants"
AES, SHA = ROOT / "primitives/aes", ROOT / "primitives/sha256"
P = 2**160 - 2**31 - 1
N = 0x0100000000000000000001F4C8F927AED3CA752257
G = (0x4A96B5688EF573284664698968C38BB913CBFC82, 0x23A628553168947D59DCC912042351377AC5FB32)
METHODS = sorted(
    path.stem.removeprefix("point_multiply_") for path in VARIANTS.glob("point_multiply_*.c")
)


def plus(first: tuple[int, int] | None, second: tuple[int, int] | None) -> tuple[int, int] | None:
    """Add points by the textbook's formulas, in Python's integers."""
    if first is None or second is None:
        return first or second
    if first[0] == second[0]:
        if (first[1] + second[1]) % P == 0:
            return None
        slope = (3 * first[0] ** 2 - 3) * pow(2 * first[1], -1, P)
    else:
        slope = (second[1] - first[1]) * pow(second[0] - first[0], -1, P)
    x = (slope**2 - first[0] - second[0]) % P
    return x, (slope * (first[0] - x) - first[1]) % P


def times(k: int, point: tuple[int, int] | None) -> tuple[int, int] | None:
    result = None
    while k:
        result = plus(result, point) if k & 1 else result
        point, k = plus(point, point), k >> 1
    return result


def as_point(value: tuple[int, int] | None) -> Point:
    x, y = value or (0, 0)
    return Point(field(x), field(y), int(value is None))


def from_point(value: Point) -> tuple[int, int] | None:
    return None if value.infinity else (number(value.x), number(value.y))


@pytest.mark.parametrize("method", METHODS)
def test_points_are_multiplied_right(method: str, tmp_path: Path) -> None:
    """Small and large factors, those around the order, the neutral element, two other points."""
    # The file with the affine multiplication stays, under another name.
    renamed = tmp_path / "point.c"
    text = (ECC / "point.c").read_text().replace("void point_multiply(", "void point_multiply_(")
    renamed.write_text(
        '#include "point.h"\nvoid point_multiply_(const DOMAIN *, const FIELDP *, const POINT *, '
        "POINT *);\n" + text
    )
    others = [path for path in ECC.glob("*.c") if path.name != "point.c"]
    sources = [renamed, *others, VARIANTS / f"point_multiply_{method}.c"]
    code = library(sources, [ECC, VARIANTS])
    domain = ctypes.c_char.in_dll(code, "secp160r1")
    rng = random.Random(7)
    factors = [0, 1, 2, 3, 7, 8, 15, 16, N - 2, N - 1, N, N + 1, 2**160, 2**161 - 1]
    factors += [rng.getrandbits(161) for _ in range(12)]
    for base in (G, times(12345, G), None):
        for k in factors:
            result = Point()
            code.point_multiply(
                ctypes.byref(domain),
                ctypes.byref(field(k)),
                ctypes.byref(as_point(base)),
                ctypes.byref(result),
            )
            assert from_point(result) == times(k, base), (method, k, base)


@pytest.mark.parametrize("method", ["montgomery", "fold"])
def test_numbers_are_multiplied_right(method: str) -> None:
    sources = [path for path in ECC.glob("*.c") if path.name != "mod_mul.c"]
    code = library([*sources, VARIANTS / f"mod_mul_{method}.c"], [ECC, VARIANTS])
    code.mod_mul.argtypes = [Field, Field, Field, ctypes.POINTER(Field)]
    rng = random.Random(11)
    for m in (P, N, 3, 2**161 - 1, 2**160 + 7, rng.getrandbits(150) | 1):
        corners = [0, 1, 2, m - 1, m - 2, m // 2]
        pairs = [(y, x) for y in corners for x in corners if y < m and x < m]
        pairs += [(rng.randrange(m), rng.randrange(m)) for _ in range(300)]
        for y, x in pairs:
            z = Field()
            code.mod_mul(field(y), field(x), field(m), ctypes.byref(z))
            assert number(z) == y * x % m, (method, hex(m), hex(y), hex(x))


def words(text: str) -> list[int]:
    return [int(word, 16) for word in re.findall(r"0x[0-9a-f]{8}", text)]


def test_tables_are_what_they_say() -> None:
    table = (VARIANTS / "comb_table.h").read_text().split("COMB[(1", 1)[1]
    limbs = words(table)
    values = [
        sum(word << 32 * index for index, word in enumerate(limbs[at : at + 5]))
        for at in range(0, len(limbs), 5)
    ]
    points = list(zip(values[::2], values[1::2], strict=True))
    assert points == [
        times(sum(2 ** (41 * tooth) for tooth in range(4) if entry >> tooth & 1), G)
        for entry in range(1, 16)
    ]
    constants = words((VARIANTS / "montgomery.h").read_text().split("MONTGOMERY_KNOWN[2]", 1)[1])
    for at, m in ((0, P), (13, N)):
        low, square = (
            sum(
                word << 32 * index
                for index, word in enumerate(constants[at + start : at + start + 6])
            )
            for start in (0, 6)
        )
        assert (low, square) == (m, 2**384 % m)
        assert constants[at + 12] * m % 2**32 == 2**32 - 1


@pytest.mark.parametrize("variant", ["ref", "tables"])
def test_aes_gives_the_standard_s_blocks(variant: str) -> None:
    sources = [AES / "ref/aes128_expand.c", AES / "ref/aes128_sbox.c"]
    code = library([*sources, AES / variant / "aes128_encrypt.c"], [AES / "ref"])
    for vector in vectors("primitives/aes/vectors/aes128.toml")["encrypt"]:
        keys, result = ctypes.create_string_buffer(176), ctypes.create_string_buffer(16)
        code.aes128_expand(keys, bytes.fromhex(vector["key"]))
        code.aes128_encrypt(keys, bytes.fromhex(vector["text"]), result)
        assert result.raw.hex() == vector["result"]


@pytest.mark.parametrize("variant", ["ref", "unrolled"])
@pytest.mark.parametrize("blocks", [False, True])
def test_sha256_gives_hashlib_s_digests(variant: str, blocks: bool, tmp_path: Path) -> None:
    sources = [SHA / "ref/sha256_constants.c", SHA / variant / "sha256_compress.c"]
    text = (SHA / "ref/sha256.c").read_text()
    if blocks:
        text = text.replace("void sha256_update(", "void sha256_update_(", 1)
        text = text.replace("void sha256_init", "void sha256_update_();\nvoid sha256_init", 1)
        sources.append(ROOT / "studies/sha256/update_blocks.c")
    (tmp_path / "sha256.c").write_text(text)
    flags = ["-Wno-strict-prototypes"] if blocks else []
    code = library([*sources, tmp_path / "sha256.c"], [SHA / "ref"], *flags)
    rng = random.Random(5)
    messages = [
        bytes.fromhex(vector["message"])
        for vector in vectors("primitives/sha256/vectors/sha256.toml")["hash"]
    ]
    messages += [rng.randbytes(size) for size in (1, 55, 56, 63, 64, 65, 119, 128, 1000)]
    for message in messages:
        state, digest = ctypes.create_string_buffer(120), ctypes.create_string_buffer(32)
        code.sha256_init(state)
        at = 0
        while at < len(message):
            piece = message[at : at + rng.randrange(1, 90)]
            code.sha256_update(state, piece, ctypes.c_size_t(len(piece)))
            at += len(piece)
        code.sha256_final(state, digest)
        assert digest.raw == hashlib.sha256(message).digest()


def load(name: str) -> Study:
    return Study.load(ROOT / "studies" / f"{name}.toml")


@pytest.mark.parametrize(("name", "workload"), [("aes128", "one_block"), ("sha256", "abc")])
def test_other_workloads_are_right_in_every_partition(name: str, workload: str) -> None:
    study = load(name)
    result = explore(study, study.workload(workload))
    assert result.verified
    assert max(result.errors) < 0.01


@pytest.mark.long
@pytest.mark.parametrize("name", ["aes128", "sha256", "ecdsa", "dma"])
def test_predictions_of_the_studies_are_within_a_hundredth(name: str) -> None:
    study = load(name)
    result = explore(study, study.workload())
    assert result.verified
    assert len(result.errors) > 5
    assert max(result.errors) < 0.01


@pytest.mark.long
def test_every_way_to_multiply_signs_verifies_and_agrees() -> None:
    """All workloads of the study with each algorithm, in software and with the coprocessor."""
    study = load("ecdsa")
    options = [None, *(option.name for option in study.candidates[0].options)]
    fields: tuple[dict[str, str], ...]
    fields = ({}, {"mod_mul": "coprocessor", "mod_div": "coprocessor"}, {"mod_mul": "fold"})
    choices = [
        chosen(study, {**field_options, **({"point_multiply": option} if option else {})})
        for option in options
        for field_options in fields
    ]
    for workload in study.workloads:
        done = Bench(study, workload).run([Trial(choice) for choice in choices])
        assert all(result.measurement.verified for result in done), workload.name


@pytest.mark.long
def test_a_better_algorithm_beats_the_coprocessor_and_the_report_says_so() -> None:
    from cocrypt.report import text

    study = load("ecdsa")
    result = explore(study, study.workload())
    totals = {row.measurement.partition.name: row.measurement.split.total for row in result.rows}
    alone = totals["point_multiply: fast_comb"]
    coprocessor = totals["mod_mul + mod_div"]
    assert alone < coprocessor
    assert "Better algorithms beat hardware" in text.summary(result)


def test_a_core_without_an_extension_has_no_option_that_needs_it() -> None:
    from cocrypt.device import Device

    study = load("aes128")
    names = {
        candidate.function: [option.name for option in candidate.options]
        for candidate in study.on(Device.load("serv")).candidates
    }
    assert names == {
        "aes128_expand": [],
        "aes128_encrypt": ["tables", "coprocessor", "serial"],
    }
    on = replace(study, device=study.device)
    assert on.device_of({"aes128_encrypt": "zkne"}).parameters["EXTENSIONS"] == 1
    assert on.device_of({"aes128_encrypt": "tables"}).settings == {}
