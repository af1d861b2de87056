"""Subroutines in assembly beside compiled code: `measure` and `portfolio` on RL78."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import output_schemas
from cocrypt import assembled
from cocrypt.device import Device
from cocrypt.errors import Exit, ProgramError
from cocrypt.subroutines import Measured, subroutines

if TYPE_CHECKING:
    from conftest import Verb

SMALL, LARGE = "aes128/encrypt_512_64", "aes128/encrypt_512"


@pytest.mark.parametrize("device", ["rl78-g13", "rl78-g14"])
def test_subroutines_are_measured_without_a_compiler(verb: Verb, device: str) -> None:
    answered = verb("measure", "present80/both_512", "--device", device, "--json")
    assert answered.code == Exit.FINE, answered.err
    values = json.loads(answered.out)
    output_schemas.check("measure", values)
    rows = {row["operation"]: row for row in values["rows"]}
    assert set(rows) == {"encrypt", "decrypt", "decrypt_last"}
    assert {row["implementation"] for row in rows.values()} == {"both_512"}
    assert all(row["verified"] and row["vectors"] for row in rows.values())
    # The paper's budgets for it, which count the stack as RAM.
    assert all(row["rom"] <= 512 and row["ram"] + row["stack"] <= 64 for row in rows.values())
    assert rows["encrypt"]["cycles_per_byte"] == rows["encrypt"]["cycles"] / 8
    assert values["provenance"]["toolchains"] == {}


def test_a_portfolio_takes_the_fastest_subroutine_that_fits(verb: Verb) -> None:
    budgets = ("--rom", "512,1024", "--ram", "32,64,128")
    answered = verb("portfolio", SMALL, LARGE, "--device", "rl78-g13", *budgets, "--json")
    assert answered.code == Exit.FINE, answered.err
    values = json.loads(answered.out)
    output_schemas.check("portfolio", values)
    found = {
        (row["rom_budget"], row["ram_budget"]): (row["verdict"], row["implementation"])
        for row in values["rows"]
    }
    assert found[512, 32] == ("impossible", None)
    assert found[512, 64] == ("fits", "encrypt_512_64")
    assert found[512, 128] == ("fits", "encrypt_512")
    assert found[1024, 128] == ("satiated", "encrypt_512")


def test_a_device_of_another_core_runs_none(verb: Verb) -> None:
    refused = verb("measure", SMALL, "--device", "picorv32")
    assert refused.code == Exit.INPUT
    assert "is a subroutine in assembly, which none of the devices runs" in refused.err
    assert "--device rl78-g13" in refused.err
    # Its flash memory ends before them.
    assert not assembled.runs(Device.load("rl78-g10"))


def test_a_primitive_names_its_subroutines() -> None:
    titles = [subroutine.title for subroutine in assembled.named(["aes128", "present"])]
    assert titles
    assert all(title.startswith(("aes128/", "present80/")) for title in titles)
    assert len(assembled.named([])) == len(subroutines())


def test_figures_carry_the_name_of_the_primitive() -> None:
    """Also where it is that of a family with others in it, as sha384 and sha512."""
    for subroutine in subroutines():
        subject = assembled.subject(subroutine)
        assert subject.name == subroutine.title
        assert subroutine.member in str(subject.vectors[0])


def test_no_figure_is_shown_of_a_subroutine_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = assembled.named([SMALL])

    def wrong(subroutine: object, _device: object) -> Measured:
        return Measured(subroutine, 1, 1, 1, {"encrypt": 1}, {"encrypt": 1.0}, ("vector 1",))  # type: ignore[arg-type]

    monkeypatch.setattr(assembled, "measure", wrong)
    with pytest.raises(ProgramError, match="these are wrong on rl78-g13: vector 1"):
        assembled.figures(chosen, Device.load("rl78-g13"))
