"""The reproduction of matsui2013: the paper's categories, our figures there, and its findings."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import output_schemas
from cocrypt.reproduce.matsui2013.categories import IMPOSSIBLE, Printed, printed
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

FIGURES = ROOT / "studies/published/matsui2013.toml"


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
    # 5 + 18 of AES, 3 + 9 of PRESENT, 10 of Keccak.
    assert len(found) == 5 + 18 + 3 + 9 + 10


def test_the_record_has_ours_beside_the_papers(cocrypt: Cocrypt, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = cocrypt("reproduce", "matsui2013", "--json", "--report", page)
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    output_schemas.check("reproduce-matsui2013", values)
    assert all(subroutine["verified"] for subroutine in values["subroutines"])
    for category in values["categories"]:
        ours, paper = category["ours"], category["paper"]
        if ours:
            assert ours["rom"] <= category["rom_budget"]
            assert ours["ram"] <= category["ram_budget"]
        if ours and isinstance(paper, int):
            assert category["reached"] == (ours["cycles"] <= paper)
    missed = {entry["primitive"] for entry in values["categories"] if not entry["reached"]}
    # There is no subroutine for it; all others are no slower than in the paper.
    assert missed == {"keccak256"}
    assert '<div class="chart" id="curves"' in page.read_text("utf-8")


def test_the_command_prints_the_tables(cocrypt: Cocrypt) -> None:
    result = cocrypt("reproduce", "matsui2013", columns=150)
    assert result.returncode == 0, result.stderr
    for words in ("aes128, encryption only", "least ROM 486", "Cycles of a byte", "findings"):
        assert words in result.stdout
