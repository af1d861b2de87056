"""The reproduction of matsui2013: the paper's categories, our figures there, and its findings."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import pytest

import output_schemas
from cocrypt.reproduce.matsui2013 import experiment
from cocrypt.reproduce.matsui2013.best import best, least_ram, most
from cocrypt.reproduce.matsui2013.categories import (
    BLOCK,
    DRAWN,
    IMPOSSIBLE,
    SATIATED,
    Printed,
    printed,
)
from cocrypt.reproduce.matsui2013.chosen import count, sort
from cocrypt.reproduce.matsui2013.experiment import Reproduction
from cocrypt.reproduce.matsui2013.tables import per_byte, verdict
from cocrypt.subroutines import Hash, Measured, measure, subroutines
from cocrypt.subroutines.measuring import BLOCKS
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

FIGURES = ROOT / "studies/published/matsui2013.toml"
PAGE = ROOT / "docs/matsui2013.md"
NAMES = {
    "aes128": "AES-128",
    "present80": "PRESENT-80",
    "sha256": "SHA-256",
    "sha512": "SHA-512",
    "keccak256": "Keccak-256",
    "keccak512": "Keccak-512",
    "skein256": "Skein-256",
    "skein512": "Skein-512",
    "groestl256": "Grøstl-256",
    "groestl512": "Grøstl-512",
}
NAMED = {"camellia128": "Camellia-128", "clefia128": "CLEFIA-128"}
ROWS = {"min_rom": "least ROM, ", "rom": "", "fast": "fastest, "}
DRAWN_ALONE = {
    "sha256",
    "sha512",
    "keccak512",
    "skein256",
    "skein512",
    "groestl256",
    "groestl512",
}
"""Primitives without figures in the paper's tables."""
OPERATIONS = {"decrypt": "decrypt with key set-up", "decrypt_last": "decrypt without it"}
COMPUTED = ("encrypt_computed", "both_computed", "both_512")
"""The subroutines of AES without tables of the S-boxes."""


def test_all_figures_of_the_tables_are_read() -> None:
    found = set(printed(tomllib.loads(FIGURES.read_text("utf-8"))))
    both = "encrypt_decrypt"
    for expected in (
        Printed("aes128", "encrypt_only", "min_rom", 486, 128, "encrypt", 7288),
        Printed("aes128", "encrypt_only", "rom", 512, 64, "encrypt", IMPOSSIBLE),
        Printed("aes128", both, "rom", 2048, 64, "decrypt", 6804),
        Printed("aes128", both, "rom", 2048, 64, "decrypt_last", 5911),
        Printed("present80", both, "rom", 512, 64, "encrypt", 61634),
        Printed("keccak256", "", "fast", 2214, 512, "second variant", 110651),
    ):
        assert expected in found
    # 5 + 18 of AES, 3 + 9 of PRESENT, 10 of Keccak-256.
    tables = [figure for figure in found if figure.primitive not in DRAWN_ALONE]
    assert len(tables) == 5 + 18 + 3 + 9 + 10
    words = {figure.figure for figure in found if figure.primitive in DRAWN_ALONE}
    assert words == {DRAWN, IMPOSSIBLE}


def figures(rom: int, ram: int, cycles: int) -> Measured:
    """A subroutine that encrypts AES-128, of these sizes and cycles."""
    subroutine = next(entry for entry in subroutines() if entry.member == "aes128")
    means = {"encrypt": float(cycles)}
    return Measured(subroutine, rom, ram, 6, {"encrypt": cycles}, means, ())


def category(rom: int, ram: int, figure: int | str = 4000) -> Printed:
    return Printed("aes128", "encrypt_only", "rom", rom, ram, "encrypt", figure)


def test_a_category_is_satiated_if_a_smaller_one_is_as_fast() -> None:
    # Half of 2,380 bytes is less than 2,009, and half of 1,024 is more than 400.
    fastest, slow = figures(2009, 62, 3817), figures(400, 62, 9000)
    budgets = [category(512, 64), category(1024, 64), category(2048, 64), category(2380, 64)]
    found = [entry.satiated for entry in sort([fastest, slow], budgets)]
    assert found == [False, True, False, True]
    # Neither alone has less of both.
    crossed = [category(2048, 128), category(2380, 64)]
    assert [entry.satiated for entry in sort([fastest], crossed)] == [False, False]
    other = Printed("aes128", "encrypt_only", "rom", 2048, 64, "decrypt", 4000)
    assert [entry.satiated for entry in sort([fastest], [other, category(2380, 64)])][1] is False


def test_of_equally_fast_subroutines_the_smallest_is_taken() -> None:
    small, large, roomy = (figures(*sizes, 3000) for sizes in ((900, 62), (950, 62), (800, 64)))
    for order in ([small, large, roomy], [roomy, large, small]):
        assert best(order, category(1024, 64)) is small


def test_a_hash_functions_slowest_operation_counts() -> None:
    subroutine = Hash(
        folder=ROOT,
        name="one",
        member="keccak256",
        source="one.S",
        block=400,
        operations={"next": 0, "first": 1},
        message=0,
        value=136,
    )
    cycles = {"next": 300, "first": 200}
    ours = Measured(subroutine, 500, 420, 20, cycles, {"next": 1.0, "first": 1.0}, ())
    budgets = [
        Printed("keccak256", "", "rom", 512, 512, variant, figure)
        for variant, figure in (("first variant", 299), ("second variant", 301))
    ]
    assert [entry.reached for entry in sort([ours], budgets)] == [False, True]


def test_the_last_block_does_not_count_where_the_paper_only_draws() -> None:
    subroutine = next(entry for entry in subroutines() if entry.member == "skein256")
    cycles = {"next": 300, "first": 310, "last": 600, "only": 610}
    ours = Measured(subroutine, 500, 120, 20, cycles, dict.fromkeys(cycles, 1.0), ())
    drawn = Printed("skein256", "", "rom", 512, 256, BLOCK, DRAWN)
    assert most(ours, drawn) == 310
    assert most(ours, Printed("keccak256", "", "rom", 512, 512, "first variant", 700)) == 610


def test_only_categories_with_both_figures_are_counted() -> None:
    ours = figures(600, 62, 5000)
    rows = ((512, 3000), (1024, 4999), (1024, 5000), (2048, SATIATED), (513, IMPOSSIBLE))
    chosen = sort([ours], [category(rom, 64, figure) for rom, figure in rows])
    assert [entry.reached for entry in chosen] == [None, False, True, None, None]
    assert count(chosen) == (1, 2)


def test_no_finding_holds_for_want_of_a_subroutine() -> None:
    nothing = Reproduction({}, (), ())
    assert nothing.findings
    # Message block, chaining value and return address: 72 + 200 + 4 and 128 + 128 + 4 bytes.
    proved = [f"{name} is no option with 256 bytes of RAM" for name in ("Keccak-512", "Grøstl-512")]
    assert [finding.claim for finding in nothing.findings if finding.holds] == proved


def test_only_what_the_interface_excludes_is_called_impossible() -> None:
    budgets = [(name, 2048, 256) for name in ("keccak512", "groestl512", "sha512")]
    found = [Printed(name, "", "rom", rom, ram, BLOCK, IMPOSSIBLE) for name, rom, ram in budgets]
    assert [verdict(entry) for entry in sort([], found)] == [
        "impossible: parameters and call take 276",
        "impossible: parameters and call take 260",
        "none of ours, which proves nothing",
    ]


def test_the_note_on_the_curves_names_all_measured_blocks() -> None:
    note = per_byte(Reproduction({}, (), ())).sentence
    assert note.startswith(f"Means of the official vectors and {BLOCKS} random blocks.")


def documented(entry: dict[str, Any]) -> str:
    """The row of a category in the documentation, from the command's record."""
    paper, ours = entry["paper"], entry["ours"]
    operation = OPERATIONS.get(entry["operation"], entry["operation"])
    cells = (
        NAMES[entry["primitive"]],
        f"{ROWS[entry['row']]}{entry['rom_budget']:,}, {entry['ram_budget']}",
        operation + (", nothing else" if entry["scope"] == "encrypt_only" else ""),
        f"{paper:,}" if isinstance(paper, int) else paper,
        f"{ours['cycles']:,}",
        f"{ours['rom']:,}, {ours['ram']}",
    )
    return f"| {' | '.join(cells)} |"


def documented_subroutine(entry: dict[str, Any], *operations: str) -> str:
    """The row of a subroutine of a cipher, without the cipher's name."""
    cycles = entry["cycles"]
    found = [f"{cycles[name]:,}" if name in cycles else "-" for name in operations]
    cells = (f"{entry['rom']:,}", str(entry["ram"]), *found)
    return f"| `{entry['name']}` | {' | '.join(cells)} |"


def rows(section: str) -> list[str]:
    """The rows of the table in a section of the page."""
    text = PAGE.read_text("utf-8").split(f"## {section}")[1].split("\n## ")[0]
    return [line for line in text.splitlines() if line.startswith("|")][2:]


_measured_once = cache(measure)


@pytest.fixture(autouse=True)
def _same_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets all runs of the command take the same measurements, which are most of their time."""
    monkeypatch.setattr(experiment, "measure", _measured_once)


@pytest.mark.long
def test_the_record_is_as_documented(cocrypt: Cocrypt, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = cocrypt("reproduce", "matsui2013", "--json", "--report", page)
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    found = [entry for entry in values["categories"] if entry["ours"]]
    printed_rows = [documented(entry) for entry in found if entry["paper"] != "satiated"]
    assert rows("Figures") == printed_rows
    ways = ("encrypt", "decrypt", "decrypt_again")
    named = [entry for entry in values["subroutines"] if entry["primitive"] in NAMED]
    assert rows("Camellia and CLEFIA") == [
        f"| {NAMED[entry['primitive']]} {documented_subroutine(entry, *ways)}" for entry in named
    ]
    aes = [entry for entry in values["subroutines"] if entry["primitive"] == "aes128"]
    assert rows("AES with less ROM") == [
        documented_subroutine(entry, *ways[:2]) for entry in aes if entry["name"] in COMPUTED
    ]
    for scope in ({"encrypt"}, {"encrypt", "decrypt"}):
        least = min((entry for entry in aes if scope <= {*entry["cycles"]}), key=itemgetter("rom"))
        assert least["name"] in COMPUTED
    possible = {finding["claim"]: finding["holds"] for finding in values["findings"]}
    assert not possible["AES with decryption is no option with 512 bytes of ROM"]
    for name in ("Camellia", "CLEFIA"):
        assert not possible[f"{name} is no option with 512 bytes of ROM"]
        assert not possible[f"{name} with decryption is no option with 1 KB of ROM"]
        assert possible[f"{name} encrypts with 2 KB of ROM and 64 bytes of RAM"]
    output_schemas.check("reproduce-matsui2013", values)
    assert all(subroutine["verified"] for subroutine in values["subroutines"])
    for subroutine in values["subroutines"]:
        for operation, cycles in subroutine["cycles"].items():
            # What varies is found; and nothing varies where nothing is found.
            if cycles != subroutine["mean_cycles"][operation]:
                assert not subroutine["constant_time"][operation], (subroutine, operation)
    marked = {
        f"{entry['primitive']}/{entry['name']}": set(entry["constant_time"].values())
        for entry in values["subroutines"]
    }
    assert marked["present80/both_2048"] == marked["camellia128/both_2048"] == {True}
    assert marked["aes128/encrypt_1024"] == marked["camellia128/encrypt_512"] == {False}
    for category in values["categories"]:
        ours, paper = category["ours"], category["paper"]
        if ours:
            assert ours["rom"] <= category["rom_budget"]
            assert ours["ram"] <= category["ram_budget"]
        both = ours and isinstance(paper, int)
        assert category["reached"] == (ours["cycles"] <= paper if both else None)
    # Each category has one of ours, or no room for the parameters and the call.
    left = [entry for entry in values["categories"] if not entry["ours"]]
    assert all(entry["ram_budget"] < least_ram(entry["primitive"]) for entry in left)
    printed_only = [entry for entry in values["categories"] if isinstance(entry["paper"], int)]
    assert [entry for entry in printed_only if entry["reached"] is not True] == []
    assert '<div class="chart" id="curves"' in page.read_text("utf-8")


@pytest.mark.long
def test_the_command_prints_the_tables(cocrypt: Cocrypt) -> None:
    result = cocrypt("reproduce", "matsui2013", columns=150)
    assert result.returncode == 0, result.stderr
    for words in ("aes128, encryption only", "least ROM 486", "Cycles of a byte", "findings"):
        assert words in result.stdout
