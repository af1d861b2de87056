"""The verbs on ARM devices: profiles, portfolios, explorations, and the debugger."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt import Machine
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.explore import explore
from cocrypt.partition import partition
from cocrypt.study import Study
from cocrypt.toolchain import Toolchain, Unit
from conftest import ROOT, STUDY
from test_gdb import PROGRAM, Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

FAST, SMALL = "stm32f4-24mhz", "stm32f0"
HARDWARE = ("mod_mul", "mod_div")


def test_a_profile_finds_what_is_hot(cocrypt: Cocrypt) -> None:
    """256 bytes are 16 blocks under one key, and nearly all of the cycles go to the cipher."""
    study = Study.load(ROOT / "studies/aes128.toml").on(Device.load(FAST))
    (built,) = Builder(study).build([(study.workload("ctr"), partition(study, ()))])
    result = cocrypt("profile", built.path, "--device", FAST, "--json")
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    functions = {function["name"]: function for function in values["functions"]}
    hottest = max(values["functions"], key=lambda function: function["self_cycles"])
    assert hottest["name"] == "aes128_encrypt"
    assert {name: functions[f"aes128_{name}"]["calls"] for name in ("expand", "encrypt")} == {
        "expand": 1,
        "encrypt": 16,
    }
    shares = sum(function["self_cycles"] for function in values["functions"])
    assert functions["_start"]["total_cycles"] == shares
    assert hottest["self_cycles"] > 0.8 * shares


@pytest.mark.long
def test_a_portfolio_tells_what_fits(cocrypt: Cocrypt) -> None:
    """Verdicts follow the sizes, and figures are those that `measure` prints."""
    subjects, options = ("speck64_128", "present80"), ("-d", SMALL, "-O", "s", "--json")
    words = ("portfolio", *subjects, *options, "--rom", "128,512,8192,16384", "--ram", "32,512")
    result, measured = cocrypt(*words), cocrypt("measure", *subjects, *options)
    assert (result.returncode, measured.returncode) == (0, 0), result.stderr + measured.stderr
    values = json.loads(result.stdout)
    assert {"fits", "satiated", "impossible"} == {row["verdict"] for row in values["rows"]}
    ends = {(end_row["primitive"], end_row["job"]): end_row for end_row in values["ends"]}
    cycles = {
        (row["primitive"], row["implementation"]): row["cycles"]
        for row in json.loads(measured.stdout)["rows"]
        if row["operation"] == "encrypt"
    }
    for row in values["rows"]:
        end = ends[row["primitive"], row["job"]]
        if row["verdict"] == "impossible":
            assert row["rom_budget"] < end["smallest"]["rom"] or row["ram_budget"] == 32
        else:
            assert row["rom"] <= row["rom_budget"]
            assert row["ram"] <= row["ram_budget"]
            assert row["cycles"] == cycles[row["primitive"], row["implementation"]]


def test_an_exploration_predicts_its_cycles() -> None:
    """The operations that a field processor takes over, one by one and together."""
    study = Study.load(STUDY).on(Device.load(FAST))
    candidates = tuple(
        candidate if candidate.function in HARDWARE else replace(candidate, options=())
        for candidate in study.candidates
    )
    study = replace(study, candidates=candidates)
    exploration = explore(study, study.workload("point_mul"))
    assert exploration.verified
    assert {row.measurement.partition.hw for row in exploration.rows} == {
        (),
        *((function,) for function in HARDWARE),
        HARDWARE,
    }
    errors = {row.measurement.partition.hw: row.error for row in exploration.rows}
    error = errors[HARDWARE]
    assert error is not None
    assert abs(error) < 0.001
    totals = {row.measurement.partition.hw: row.measurement.split.total for row in exploration.rows}
    assert totals[HARDWARE] < min(totals["mod_mul",], totals["mod_div",]) < totals[()]


@pytest.fixture
def firmware(tmp_path: Path) -> Callable[[str], Path]:
    """Builds the debugger's program for a device."""

    def build(name: str) -> Path:
        source, chain = tmp_path / "main.c", Toolchain(Device.load(name))
        source.write_text(PROGRAM, encoding="utf-8")
        units = [*chain.runtime(("-O1",)), Unit(source, ("-O1", "-g"))]
        return chain.link(list(chain.compile_needed(units).values()), source.name)

    return build


@pytest.mark.parametrize("name", [FAST, SMALL, "at91sam9", "sa1110"])
def test_the_debugger_sees_and_sets(
    name: str, firmware: Callable[[str], Path], need_tool: Callable[[str], str]
) -> None:
    """Thumb and A32, with the interpreter's state in the middle of a run."""
    gdb, image = need_tool("gdb-multiarch"), firmware(name)
    script = (
        *("break square", "continue", "continue", "continue", "info registers r0", "backtrace"),
        *("stepi", "print $pc > (unsigned) &square", "finish", "print $r0", "print total"),
        *("set var other = 100", "print other", "delete", "watch total", "continue", "detach"),
    )
    session = Session(gdb, image, *script, device=name)
    halts = session.figures(r"^Breakpoint 1, square \(value=(?:value@entry=)?(\d+)\)")
    assert halts == [0, 1, 2], session.said
    assert session.finds(r"^r0\s+0x2\s+2$")
    assert session.finds(r"^#1 .* main \(\)")
    values = [("1", "1"), ("3", "4"), ("4", "1"), ("5", "100")]
    assert session.finds(r"^\$(\d) = (\d+)$") == values, session.said
    assert session.finds(r"^Old value = (\d+)\nNew value = (\d+)") == [("1", "5")]
    assert session.end == "detached"
    result, alone = session.machine.run(), Machine(name, image)
    assert result.cycles == alone.run().cycles
    assert result.values["console"] == b"k\n"
    assert session.machine.registers() == alone.registers()
