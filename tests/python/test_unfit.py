"""Implementations too large for a device's memory: listed beside the figures of the others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cocrypt.primitives.measuring import LENGTHS
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

FITTING, UNFIT = "aes128/ref", "aes128/fast"
"""The second has tables of 8 KiB."""
KEYS = {"primitive", "implementation", "device", "flags", "reason"}


@pytest.fixture(params=["atmega328p", "picorv32"])
def small(request: pytest.FixtureRequest, need_tool: Callable[[str], str], tmp_path: Path) -> Path:
    """A device with constants in RAM, and one with a single memory, made smaller."""
    if request.param == "atmega328p":
        need_tool("avr-gcc")
    (tmp_path / "cores").symlink_to(ROOT / "devices" / "cores")
    text = (ROOT / "devices" / f"{request.param}.toml").read_text(encoding="utf-8")
    text = text.replace("size       = 0x0002_0000", "size       = 0x0000_1800")
    device = tmp_path / "small.toml"
    name = f'name     = "{request.param}"'
    device.write_text(text.replace(name, 'name     = "small"'), encoding="utf-8")
    return device


@pytest.mark.long
def test_the_others_are_measured(cocrypt: Cocrypt, small: Path) -> None:
    words = ("--device", small, "--lengths", "16", "-O", "s")
    both = cocrypt("measure", FITTING, UNFIT, *words, "--json")
    assert both.returncode == 0, both.stderr
    values = json.loads(both.stdout)
    alone = json.loads(cocrypt("measure", FITTING, *words, "--json").stdout)
    assert values["rows"] == alone["rows"]
    assert alone["unfit"] == []
    (unfit,) = values["unfit"]
    assert set(unfit) == KEYS
    assert (unfit["implementation"], unfit["device"]) == ("fast", "small")
    assert "too much" in unfit["reason"]
    table = cocrypt("measure", FITTING, UNFIT, *words)
    assert f"{UNFIT} does not fit small, -Os: {unfit['reason']}" in table.stdout


def test_a_portfolio_leaves_it_out(cocrypt: Cocrypt, small: Path) -> None:
    words = ("--device", small, "-O", "s", "--rom", "8192", "--ram", "1024")
    done = cocrypt("portfolio", FITTING, UNFIT, *words, "--json")
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    assert {row["implementation"] for row in values["rows"]} == {"ref"}
    assert [entry["implementation"] for entry in values["unfit"]] == ["fast"]
    assert f"{UNFIT} does not fit" in cocrypt("portfolio", FITTING, UNFIT, *words).stdout


def test_where_none_fits_the_linker_says_why(cocrypt: Cocrypt, small: Path) -> None:
    done = cocrypt("measure", UNFIT, "--device", small, "-O", "s")
    assert done.returncode == 1
    assert "will not fit in region" in done.stderr
    assert "more memory" in done.stderr
    assert "Traceback" not in done.stderr


def test_lengths_that_do_not_fit_are_left_out(
    cocrypt: Cocrypt, need_tool: Callable[[str], str]
) -> None:
    need_tool("avr-gcc")
    # It has 2 KiB of RAM.
    words = ("measure", "chacha20/small", "--device", "atmega328p", "-O", "s")
    done = cocrypt(*words, "--json")
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    fitting = [row["length"] for row in values["rows"] if row["length"] is not None]
    assert 64 in fitting
    (unfit,) = values["unfit"]
    left_out = [length for length in LENGTHS if length not in fitting]
    assert left_out
    named = ", ".join(f"{length:,}" for length in left_out)
    assert unfit["reason"] == f"ram is too small for messages of {named} bytes"
    alone = cocrypt(*words, "--lengths", str(left_out[-1]))
    assert alone.returncode == 1
    assert "or shorter messages: `measure --lengths 16`" in alone.stderr


def test_secrets_are_followed_through_the_others(cocrypt: Cocrypt, small: Path) -> None:
    done = cocrypt("leak", "ct", "aes128/small", UNFIT, "--device", small, "-O", "s", "--json")
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    assert {row["implementation"] for row in values["rows"]} == {"small"}
    assert {row["implementation"] for row in values["unfit"]} == {"fast"}
