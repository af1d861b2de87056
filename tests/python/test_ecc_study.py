"""The study hau2011: inputs, expectations, and every workload in software and in hardware."""

from __future__ import annotations

import hashlib
import re
import struct
from functools import cache
from typing import TYPE_CHECKING

import pytest
from ecdsa.curves import SECP160r1
from ecdsa.ellipticcurve import Point

from cocrypt import measurement
from cocrypt.builder import Builder
from cocrypt.partition import partitions
from cocrypt.study import Study
from host import ROOT, vectors
from operands import OPERATIONS, REFERENCE, N, P

if TYPE_CHECKING:
    from cocrypt.measurement import Run

FOLDER = ROOT / "studies/hau2011"
GEC2 = vectors("primitives/ecdsa-secp160r1/vectors/gec2.toml")
PUBLISHED = vectors("studies/published/hau2011.toml")
# The package's plain affine points, not the projective ones that it signs with.
G = SECP160r1.generator.to_affine()
SOFTWARE: tuple[str, ...] = ()
HARDWARE = tuple(f"mod_{name}" for name in OPERATIONS)


@cache
def study() -> Study:
    return Study.load(ROOT / "studies/hau2011.toml")


@cache
def run(workload: str, hw: tuple[str, ...]) -> Run:
    partition = next(partition for partition in partitions(study()) if partition.hw == hw)
    built = Builder(study()).build([(study().workload(workload), partition)])[0]
    return measurement.run(study().device, built.image, built.name, built.coprocessors)


def gec2(table: str, *names: str) -> str:
    return "".join(GEC2[table][name] for name in names)


def public_key() -> Point:
    x, y = (int(gec2("ecdsa", f"public_key_{axis}"), 16) for axis in "xy")
    return Point(SECP160r1.curve, x, y, N)


def text(point: Point) -> str:
    return f"{int(point.x()):040X}{int(point.y()):040X}"


def seeded_key() -> int:
    """Draw the first number in range from the generator, as ecdsa_key.c does."""
    source = (FOLDER / "ecdsa_key.c").read_text()
    seed = re.search(r'seed\[PRNG_SEED\] = "([^"]{,20})"', source)
    assert seed
    padded = seed[1].encode().ljust(20, b"\0")
    key = int.from_bytes(hashlib.sha1(padded + bytes(4)).digest(), "big")
    assert 0 < key < N
    return key


def expectations() -> dict[str, str]:
    nonce = int(gec2("ecdsa", "nonce"), 16)
    gx, gy = int(G.x()), int(G.y())
    return {
        "ecdsa_sign": gec2("ecdsa", "r", "s"),
        "ecdsa_verify": "01",
        "ecdsa_key": text(G * seeded_key()),
        "ecdh": gec2("ecdh", "secret"),
        "point_mul": text(G * nonce),
        "point_add": text(G + public_key()),
        "point_double": text(G + G),
        **{f"mod_{name}": f"{REFERENCE[name](gy, gx, P):040X}" for name in OPERATIONS},
    }


def test_expectations_are_what_others_compute() -> None:
    stated = {
        workload.name: (workload.expect or b"").hex().upper() for workload in study().workloads
    }
    assert stated == expectations()
    assert stated["point_mul"].startswith(gec2("ecdsa", "r"))


@pytest.mark.parametrize(
    ("array", "value"),
    [
        ("PRIVATE_KEY", gec2("ecdsa", "private_key")),
        ("NONCE", gec2("ecdsa", "nonce")),
        ("PUBLIC_KEY", gec2("ecdsa", "public_key_x", "public_key_y")),
        ("SIGNATURE", gec2("ecdsa", "r", "s")),
        ("OTHER_KEY", gec2("ecdh", "public_key_v_x", "public_key_v_y")),
    ],
)
def test_inputs_are_those_of_the_vectors(array: str, value: str) -> None:
    body = re.search(
        rf"GEC2_{array}\[\d+\] = {{(.*?)}}", (FOLDER / "gec2.h").read_text(), re.DOTALL
    )
    assert body
    assert "".join(re.findall(r"0x(\w\w)", body[1])).upper() == value


@pytest.mark.parametrize("hw", [SOFTWARE, HARDWARE], ids=["software", "hardware"])
@pytest.mark.parametrize("workload", [workload.name for workload in study().workloads])
def test_workload_gives_what_is_expected(workload: str, hw: tuple[str, ...]) -> None:
    ended = run(workload, hw)
    measurement.require_clean(ended)
    stated = study().workload(workload)
    assert ended.output(stated.output, stated.size) == stated.expect


def test_partitions_are_those_of_the_paper() -> None:
    paper = {tuple(sorted(row["hw"])): row["name"] for row in PUBLISHED["partition"]}
    assert {tuple(sorted(hw)): name for hw, name in study().names.items()} == paper
    assert set(PUBLISHED["rtl"]) <= {workload.name for workload in study().workloads}


def test_published_figures_agree_among_themselves() -> None:
    """T = sigma + mu, gamma = mu / T, w = T of Arch. 1 / T, to the digits that were printed."""
    for row in PUBLISHED["partition"]:
        assert row["total"] == row["computation"] + row["communication"]
        overhead = 100 * row["communication"] / row["total"]
        assert row["overhead_percent"] == pytest.approx(overhead, abs=0.011)
        gain = PUBLISHED["partition"][0]["total"] / row["total"]
        assert row["gain"] == pytest.approx(gain, abs=0.006)
        assert row["communication"] % PUBLISHED["design"]["cycles_per_bus_transfer"] == 0


@pytest.mark.long
def test_where_functions_stand_costs_nothing() -> None:
    """Four functions in hardware change T by the sum of what each changes alone."""
    alone = {name: run("ecdsa_sign", (name,)).cycles for name in HARDWARE}
    software = run("ecdsa_sign", SOFTWARE).cycles
    changes = sum(cycles - software for cycles in alone.values())
    together = run("ecdsa_sign", HARDWARE).cycles - software
    # A short call, if the linker finds the callee near, saves a few cycles a call.
    assert abs(together - changes) < 0.0001 * software


@pytest.mark.parametrize("hw", [SOFTWARE, HARDWARE], ids=["software", "hardware"])
def test_signing_leaves_no_secret_on_the_stack(hw: tuple[str, ...]) -> None:
    ended = run("ecdsa_sign", hw)
    top, size = 0x20000, ended.values["stack"]
    stack = set(struct.unpack(f"<{size // 4}I", ended.machine.read(top - size, size)))

    def words(value: str) -> set[int]:
        return {int(value[i : i + 8], 16) for i in range(0, 40, 8)}

    assert not words(gec2("ecdsa", "private_key")) & stack
    assert not words(gec2("ecdsa", "nonce")) & stack
    # A public value is still there, so the search works.
    assert words(gec2("ecdsa", "r")) <= stack
