"""The logic of matsuoka2004: stimuli, variation, the paper's figures, and verdicts.

`COCRYPT_REPRODUCE_MATSUOKA2004=1` runs the whole experiment, which takes minutes.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from itertools import pairwise
from statistics import fmean, pvariance
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import output_schemas
from cocrypt.hardware.recording import record_rows
from cocrypt.reproduce.matsuoka2004 import Reproduction as Whole
from cocrypt.reproduce.matsuoka2004 import called, java, native
from cocrypt.reproduce.matsuoka2004.logic.encryptions import (
    CYCLES,
    KEY,
    Variation,
    encryptions,
    run_of,
    variation,
)
from cocrypt.reproduce.matsuoka2004.logic.experiment import DESIGNS, TOP, Logic, Reproduction, Size
from cocrypt.reproduce.matsuoka2004.logic.tables import mismatches
from conftest import ROOT
from host import vectors

if TYPE_CHECKING:
    from conftest import Verb

PUBLISHED = vectors("studies/published/matsuoka2004.toml")
FAST, SMALL = (PUBLISHED["wddl"][name] for name in ("fast", "small"))
MISMATCHES = (0.0, 0.1, 0.4)


@pytest.mark.parametrize("name", DESIGNS)
def test_stimuli_are_encryptions(name: str) -> None:
    texts = [bytes(range(n, n + 16)) for n in range(3)]
    rows = run_of(texts)
    assert [row["rst"] for row in rows] == [1] + [0] * (len(rows) - 1)
    given = [{key: value for key, value in row.items() if key != "rst"} for row in rows]
    run = record_rows(ROOT / "coprocessors" / DESIGNS[name], TOP, given)
    results = [row["result"].to_bytes(16, "little") for row in run.outputs[CYCLES::CYCLES]]
    encryptor = Cipher(algorithms.AES(KEY), modes.ECB()).encryptor()
    assert b"".join(results) == encryptor.update(b"".join(texts))


def test_runs_have_other_texts_and_do_not_change() -> None:
    runs = encryptions(3, 2, 5)
    assert runs == encryptions(3, 2, 5) != encryptions(3, 2, 6)
    texts = [run[start]["text"] for run in runs for start in range(1, len(run), CYCLES)]
    assert len(set(texts)) == len(texts) == 3 * 3


def test_the_variation_is_among_encryptions_alone() -> None:
    # The first encryption of a run, with large energies, does not count.
    runs = [
        [9_000 + n for n in range(CYCLES)] + [100 * cycle + number for cycle in range(CYCLES)]
        for number in (0, 7, 2)
    ]
    counted = [run[CYCLES:] for run in runs]
    mean = fmean(value for run in counted for value in run)
    squares = fmean(pvariance(column) for column in zip(*counted, strict=True))
    found = variation(runs)
    assert found.mean == pytest.approx(mean)
    assert found.deviation == pytest.approx(squares**0.5 / mean)
    assert variation([run[:CYCLES] + counted[0] for run in runs]).deviation == 0


def test_the_papers_figures_agree_with_one_another() -> None:
    for row, ratio, interval in ((FAST, 1.92, 8.46), (SMALL, 2.33, 21.36)):
        assert row["area_ratio"] == ratio
        assert row["ddl_kgates"] / row["plain_kgates"] == pytest.approx(ratio, abs=0.005)
        assert row["new_input_every_ns"] == pytest.approx(2 * row["ddl_ns"]) == interval


def logic(design: str, gates: float, ratio: float, path: float, longer: float) -> Logic:
    """A design whose variance with two rails is 1e-4 and 0.01 times the square of the mismatch."""
    single = Size(path * 1e-9, gates * 1e3, path * 1e-9)
    double = Size((path + longer) * 1e-9, ratio * gates * 1e3, 2 * (path + longer) * 1e-9)
    variations = {
        mismatch: (Variation(1.0, 0.5), Variation(2.0, (1e-4 + 0.01 * mismatch**2) ** 0.5))
        for mismatch in MISMATCHES
    }
    glitches = (Variation(4.0, 0.6), variations[0.0][1])
    return Logic(design, "osu018", "Yosys 0", single, double, variations, glitches, 100)


def reproduction(*changes: Logic) -> Reproduction:
    """The paper's own sizes, unless changed."""
    rows = {
        "fast": logic("fast", 53.2, 102.2 / 53.2, 3.44, 0.79),
        "small": logic("small", 26.3, 61.3 / 26.3, 9.84, 0.84),
    }
    rows |= {row.design: row for row in changes}
    return Reproduction(PUBLISHED, tuple(rows.values()), ("generic180",))


def test_the_papers_own_sizes_hold() -> None:
    result = reproduction()
    assert [finding.holds for finding in result.findings] == [True] * 4
    values = json.loads(json.dumps(result.record()))
    output_schemas.check("reproduce-matsuoka2004", values, "logic")
    assert [row["reduction"] for row in values["variation"][:2]] == pytest.approx([50, 35.36], 1e-3)
    glitches = [row for row in values["variation"] if row["delays"]["kind"] == "library"]
    assert [row["reduction"] for row in glitches] == pytest.approx([60, 60])
    assert [row["energy"] for row in glitches] == [0.5, 0.5]
    table = result.tables[0]
    for row in table.rows:
        cells = dict(zip(table.heads, row, strict=True))
        pairs = [
            (cells[f"{name}, paper"], cells[f"{name}, ours"]) for name in ("path ns", "gates k")
        ]
        assert all(paper == ours for paper, ours in pairs)
    assert [row[6:] for row in table.rows[1::2]] == [
        ("1.92", "1.92", "8.46", "8.46"),
        ("2.33", "2.33", "21.36", "21.36"),
    ]


def test_both_parts_are_on_one_page_and_in_one_record() -> None:
    own_aes = java.Reproduction(PUBLISHED, 206_400_000, "", "no network", (), ())
    both = Whole(own_aes, called.reproduce(PUBLISHED), native.reproduce(PUBLISHED), reproduction())
    values = json.loads(json.dumps(both.record()))
    output_schemas.check("reproduce-matsuoka2004", values)
    assert values["java"]["missing"] == "no network"
    assert len(values["findings"]) == len(own_aes.findings) + 4 + 4
    page = both.page()
    held = sum(finding.holds for finding in both.findings)
    assert f"{held} of {len(both.findings)} findings hold" in page
    assert "no network" in page
    assert "Table 3 with osu018" in page


@pytest.mark.parametrize(
    ("changed", "holding"),
    [
        (logic("fast", 53.2, 2.9, 3.44, 0.79), [False, True, True, True]),
        (logic("fast", 53.2, 1.92, 3.44, 0.3), [True, False, True, True]),
        (logic("small", 40.0, 2.33, 9.84, 0.84), [True, True, False, True]),
    ],
)
def test_other_sizes_do_not(changed: Logic, holding: list[bool]) -> None:
    assert [finding.holds for finding in reproduction(changed).findings] == holding


@pytest.mark.parametrize(("double", "holds"), [(0.002, False), (0.5 / 40, True), (0.4, False)])
def test_a_reduction_out_of_the_papers_range_does_not_hold(double: float, holds: bool) -> None:
    variations = {mismatch: (Variation(1, 0.5), Variation(1, double)) for mismatch in MISMATCHES}
    changed = replace(logic("fast", 53.2, 1.92, 3.44, 0.79), variations=variations)
    assert reproduction(changed).findings[-1].holds is holds


def test_the_wires_with_a_factor_are_on_the_line() -> None:
    row = logic("fast", 53.2, 1.92, 3.44, 0.79)
    # 0.5 / 40 is the root of 1e-4 + 0.01 m^2 where m is 7.5 %.
    assert mismatches(row, row.factor(0.1), 40) == "8 to 10 %"
    assert mismatches(row, 2, 40) == "8 % and more"
    assert mismatches(row, 2, 3) == "more than 40 %"
    assert mismatches(row, 40, 60) == "no value"


@pytest.mark.skipif(
    "COCRYPT_REPRODUCE_MATSUOKA2004" not in os.environ,
    reason="COCRYPT_REPRODUCE_MATSUOKA2004 is not set",
)
def test_the_whole_experiment(verb: Verb) -> None:
    result = verb("reproduce", "matsuoka2004", "--json")
    assert result.code == 0, result.text
    values = json.loads(result.out)
    output_schemas.check("reproduce-matsuoka2004", values)
    for row in values["logic"]["table3"]:
        assert 1.8 < row["ours"]["area_ratio"] < 3.5
    by_design: dict[tuple[str, str], list[float]] = {}
    double: dict[tuple[str, str], set[float]] = {}
    for row in values["logic"]["variation"]:
        key = row["design"], row["library"]
        if row["mismatch"] == 0:
            double.setdefault(key, set()).add(row["double"])
        if row["delays"]["kind"] == "none":
            by_design.setdefault(key, []).append(row["reduction"])
    # A rail of two changes once, whatever the delays are.
    assert all(len(found) == 1 for found in double.values())
    for factors in by_design.values():
        # Wires that differ more balance the rails less.
        assert all(more > less > 1 for more, less in pairwise(factors))
