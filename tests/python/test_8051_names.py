"""Names of functions in programs of SDCC, from the map beside an Intel HEX file."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.machine import Machine
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

SOURCE = ROOT / "tests/cases/8051/profiled.c"
LARGE = "--model-large"
"""Functions of the library are code of its own then, such as quotients of 16 bits."""


@pytest.fixture
def program(need_tool: Callable[[str], str], tmp_path: Path) -> Path:
    """The program with its map, in which static functions are named."""
    path = tmp_path / "profiled.ihx"
    command: list[str | Path] = [need_tool("sdcc"), "-mmcs51", "--std-c11", "--debug", LARGE]
    subprocess.run([*command, SOURCE, "-o", path], check=True, capture_output=True, cwd=tmp_path)
    return path


def functions(verb: Verb, program: Path) -> tuple[int, dict[str, dict[str, Any]]]:
    """All cycles, and the rows of a profile by the names of functions."""
    result = verb("profile", program, "--device", "i8052", "--json")
    assert result.code == 0, result.err
    values = json.loads(result.out)
    return values["total_cycles"], {row["name"]: row for row in values["functions"]}


def test_profiles_name_functions(verb: Verb, program: Path) -> None:
    total, rows = functions(verb, program)
    calls = {name: rows[name]["calls"] for name in ("main", "outer", "inner", "_divuint")}
    assert calls == {"main": 1, "outer": 2, "inner": 40, "_divuint": 2}
    assert sum(row["self_cycles"] for row in rows.values()) == total


def test_addresses_are_those_of_the_debug_information(program: Path) -> None:
    """SDCC writes them a second time, to its file for debuggers."""
    listed = re.findall(
        r"^L:(?:G|F\w+)\$(\w+)\$0_?0?\$0:(\w+)",
        program.with_suffix(".cdb").read_text(),
        re.MULTILINE,
    )
    addresses = {name: int(address, 16) for name, address in listed}
    machine = Machine("i8052", program)
    for name in ("main", "outer", "inner"):
        assert machine.address(name) == addresses[name]


def test_a_program_is_the_same_with_its_names(program: Path) -> None:
    named = Machine("i8052", program).info
    program.with_suffix(".map").unlink()
    plain = Machine("i8052", program).info
    assert named["symbols"]
    assert not plain["symbols"]
    assert (named["hash"], named["segments"]) == (plain["hash"], plain["segments"])


@pytest.mark.parametrize(
    ("before", "behind"),
    [("C:   0000", "C:   000F"), ("ASxxxx Linker", "another linker"), ("CSEG ", "CONST")],
)
def test_another_map_names_nothing(program: Path, before: str, behind: str) -> None:
    """Of another program, of another linker, or without code beyond the start-up code's."""
    path = program.with_suffix(".map")
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, behind))
    names = {symbol["name"] for symbol in Machine("i8052", program).info["symbols"]}
    assert not names & {"main", "outer", "inner"}
