"""Portfolios: the paper's verdicts for each category, and the output of the verb."""

from __future__ import annotations

import json
import random
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.device import Device
from cocrypt.primitives import library
from cocrypt.primitives.measuring import Build
from cocrypt.primitives.page import worthwhile
from cocrypt.primitives.portfolio import (
    BUDGETS,
    JOBS,
    RAM_BUDGETS,
    ROM_BUDGETS,
    Choice,
    Point,
    Portfolio,
)
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cocrypt

PAPER = tomllib.loads((ROOT / "studies/published/matsui2013.toml").read_text())
(SUBJECT,) = library.named(["aes128/lean"])


def portfolio_of(points: list[tuple[int, int, int]]) -> Portfolio:
    """A primitive with implementations of these sizes of ROM and RAM, and cycles."""
    filled = tuple(
        Point(
            replace(SUBJECT, implementation=f"i{index}"), Build(), "encrypt", cycles, rom, ram, 16
        )
        for index, (rom, ram, cycles) in enumerate(points)
    )
    primitive = Choice("aes128", "AES-128", "block_cipher", "encrypt", filled)
    return Portfolio(Device.load("picorv32"), ROM_BUDGETS, RAM_BUDGETS, (primitive,))


def published(table: dict[str, dict[str, Any]]) -> dict[tuple[int, int], Any]:
    """The paper's figure or verdict for each category of ROM and RAM."""
    return {
        (int(rom.removeprefix("rom_")), int(ram.removeprefix("ram_"))): figure
        for rom, cells in table.items()
        if rom.startswith("rom_")
        for ram, figure in cells.items()
    }


@pytest.mark.parametrize("primitive", ["aes128", "present80"])
def test_the_paper_s_categories_come_out(primitive: str) -> None:
    cells = published(PAPER[primitive]["encrypt_only"])
    # Each figure is an implementation that is as large as its category allows.
    points = [(rom, ram, cycles) for (rom, ram), cycles in cells.items() if isinstance(cycles, int)]
    portfolio = portfolio_of(points)
    (row,) = portfolio.choices
    for (rom, ram), figure in cells.items():
        entry = portfolio.entry(row, rom, ram)
        if figure == "x":
            assert entry.verdict == "impossible", (rom, ram)
        elif figure == "-":
            assert entry.verdict == "satiated", (rom, ram)
        else:
            assert entry.point is not None
            assert (entry.verdict, entry.point.cycles) == ("fits", figure), (rom, ram)


def test_more_memory_never_makes_it_slower() -> None:
    portfolio = portfolio_of([(486, 128, 7288), (512, 128, 6622), (1024, 64, 3855), (3000, 600, 1)])
    (row,) = portfolio.choices
    assert (row.smallest.rom, row.leanest.ram, row.fastest.cycles) == (486, 64, 1)
    speeds = {
        (entry.rom_budget, entry.ram_budget): entry.point.cycles if entry.point else 10**9
        for entry in portfolio.entries
    }
    for (rom, ram), cycles in speeds.items():
        smaller = (speeds[budgets] for budgets in speeds if budgets[0] <= rom and budgets[1] <= ram)
        assert cycles == min(smaller)
    assert 1 not in speeds.values(), "what fits no category is in none"


def test_the_verb_prints_every_category(cocrypt: Cocrypt) -> None:
    words = ("portfolio", "speck64_128", "present80/lean", "-O", "s", "--rom", "256,512,4096")
    done = cocrypt(*words, "--ram", "64,512", "--json")
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    rows = values["rows"]
    assert len(rows) == 2 * 2 * 3 * 2
    for row in rows:
        fits = row["verdict"] != "impossible"
        assert fits == (row["cycles"] is not None)
        if fits:
            assert row["rom"] <= row["rom_budget"]
            assert row["ram"] <= row["ram_budget"]
    largest = [row for row in rows if (row["rom_budget"], row["ram_budget"]) == (4096, 512)]
    ends = {(end["primitive"], end["job"]): end for end in values["ends"]}
    for row in largest:
        assert row["cycles"] == ends[row["primitive"], row["job"]]["fastest"]["cycles"]
    assert {"fits", "satiated", "impossible"} == {row["verdict"] for row in rows}


def test_the_table_and_the_page_tell_the_same(cocrypt: Cocrypt, tmp_path: Path) -> None:
    done = cocrypt("portfolio", "md4", "md5", "-O", "s", "--report", "p.html")
    assert done.returncode == 0, done.stderr
    assert "fastest of all" in done.stdout
    page = (tmp_path / "p.html").read_text()
    assert "Hash functions: hash" in page
    assert '<td class="none">\u00d7</td>' in page


def test_footprints_of_a_job_hold_all_that_it_needs(cocrypt: Cocrypt) -> None:
    jobs = json.loads(cocrypt("portfolio", "camellia128/fast", "-O", "2", "--json").stdout)["ends"]
    alone, both = sorted((end["fastest"] for end in jobs), key=lambda figures: figures["rom"])
    assert alone["rom"] < both["rom"]
    assert alone["cycles"] == both["cycles"]


def test_the_front_is_what_nothing_beats() -> None:
    """The front agrees with its definition, applied to every pair of points."""
    draw = random.Random(7)
    points = [("p", draw.randrange(1, 40), float(draw.randrange(1, 40))) for _ in range(200)]
    front = worthwhile(points)

    def beats(first: tuple[str, int, float], second: tuple[str, int, float]) -> bool:
        return first[1] <= second[1] and first[2] <= second[2] and first[1:] != second[1:]

    assert {point[1:] for point in front} == {
        point[1:] for point in points if not any(beats(rival, point) for rival in points)
    }


def test_budgets_are_those_of_the_kind_unless_they_are_given() -> None:
    device = Device.load("picorv32")
    own = Portfolio(device, None, None, ())
    given = Portfolio(device, (100, 200), None, ())
    assert own.roms("hash") == ROM_BUDGETS
    # The budgets of signatures begin where a signature can fit.
    assert min(own.rams("signature")) > max(own.rams("hash"))
    assert given.roms("signature") == (100, 200)
    assert given.rams("signature") == BUDGETS["signature"][1]
    assert set(BUDGETS) <= set(JOBS)
