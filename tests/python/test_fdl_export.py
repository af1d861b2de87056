"""Exported designs with their benches under Icarus Verilog, Verilator and GHDL."""

from __future__ import annotations

import dataclasses
import json
import os
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from cocrypt import _native
from cocrypt.cli import app
from cocrypt.errors import HostError, InputError
from cocrypt.fuzz.fdl.make import make
from cocrypt.hardware import simulators
from cocrypt.hardware.exported import differing
from cocrypt.hardware.recording import Recording, record
from cocrypt.interrupt import threads

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

ROOT = Path(__file__).resolve().parents[2]
MAP = ROOT / "coprocessors/map/map.fdl"
CASES = sorted((ROOT / "tests/cases/fdl/run").glob("*.fdl"))
DESIGNS = 50

# Reserved names, names that VHDL cannot distinguish, and names with `_` where VHDL forbids it.
NAMES = """
dp loop(in clk, Map, Value : ns(8); in value : ns(8); out wait_ : ns(8); out signal : tc(9)) {
  reg begin, Begin, __x : ns(8);
  lookup table : ns(8) = { 3, 1, 4, 1, 5 };
  sfg process { begin = Value; Begin = value; }
  sfg always_ { __x = clk + begin; }
  always { wait_ = __x ^ Begin; signal = -(table((ns(2)) Map)); }
}
fsm case_(loop) {
  initial entity;
  state of;
  @entity if (begin == 3) then process -> entity; else process -> of;
  @of (process, always_) -> entity;
}
"""


# What belongs to a memory has names of its own in both languages: m_index, m_words and read_m.
MEMORIES = """
dp arrays(in a, b : ns(8); out o : ns(8)) {
  reg m_index, read_m, M_words : ns(8);
  reg m(4) : ns(8) = { 1, 2, 3 };
  reg M(3) : ns(8);
  reg m_words(5) : ns(8) = { 7, 0, 9 };
  always {
    m_index = a; read_m = b; M_words = a ^ b;
    m((ns(2)) a) = m_words((ns(2)) b); M((ns(2)) b) = m((ns(2)) a); m_words((ns(3)) b) = m_index;
    o = m((ns(2)) m_index) ^ M((ns(2)) read_m) ^ m_words((ns(3)) a) ^ M_words;
  }
}
"""


@pytest.mark.long
def test_random_designs_agree_everywhere(need_tool: Callable[[str], str], tmp_path: Path) -> None:
    for tool in ("iverilog", "vvp", "ghdl"):
        need_tool(tool)
    designs, _ = make(tmp_path, seed=1, count=DESIGNS, cycles=24)
    for simulator, names in differing(designs, tmp_path).items():
        assert not names, simulator


@pytest.mark.parametrize("tool", ["ghdl", "g++"])
def test_a_tool_ends_when_its_result_is_not_needed(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another simulator fails, and this one would run for minutes; the compiler in a pool below."""
    monkeypatch.delenv("CXX", raising=False)
    simulate = partial(simulators.ghdl, standard="93") if tool == "ghdl" else simulators.verilator
    path = tmp_path / tool
    path.write_text(f"#!/bin/sh\necho begins > {tmp_path}/begun\nexec sleep 600\n")
    path.chmod(0o755)
    recording = record(CASES[0], None, 4, 1, None)
    text = "" if tool == "ghdl" else _native.fdl_verilog(CASES[0], None)
    if tool == "g++":
        simulators.verilator([recording], [text], tmp_path)  # Makes what is kept by the compiler.
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    runs: list[Future[str]] = []
    with suppress(HostError), threads(1) as pool:
        runs.append(pool.submit(simulate, [recording], [text], tmp_path))
        while not (tmp_path / "begun").exists() and not runs[0].done():
            time.sleep(0.05)
        raise HostError("another simulator fails")
    assert isinstance(runs[0].exception(), KeyboardInterrupt)


def test_a_design_that_computes_much_in_a_cycle_runs_an_eighth_of_them(tmp_path: Path) -> None:
    designs, _ = make(tmp_path, seed=413, count=2, cycles=24)
    assert [len(design.recording.inputs) for design in designs] == [24, 3]


@pytest.mark.parametrize("standard", ["93", "08"])
def test_vhdl_of_every_case_agrees(
    standard: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    need_tool("ghdl")
    for number, path in enumerate(CASES):
        recording = record(path, None, 24, number, None)
        if not recording.outs:  # A system has no ports that a bench could check.
            continue
        vhdl = _native.fdl_vhdl(path, None, 93 if standard == "93" else 2008)
        at = tmp_path / path.stem
        at.mkdir()
        passed, printed = simulators.verdicts(simulators.ghdl([recording], [vhdl], at, standard))
        assert passed == {recording.name}, f"{path}: {printed}"


def test_names_survive_both_languages(need_tool: Callable[[str], str], tmp_path: Path) -> None:
    for tool in ("iverilog", "vvp", "ghdl"):
        need_tool(tool)
    path = tmp_path / "names.fdl"
    path.write_text(NAMES)
    recording = record(path, None, 100, 1, None)
    vhdl = _native.fdl_vhdl(path, None, 93)
    for name in (
        "\\loop\\",
        "Value : in",
        "\\value\\ : in",
        "\\__x\\",
        "\\wait_\\ : out",
        "clk_1 : in",
    ):
        assert name in vhdl, vhdl
    assert _passes(recording, path, tmp_path)


def test_names_of_memories_survive(need_tool: Callable[[str], str], tmp_path: Path) -> None:
    for tool in ("iverilog", "vvp", "ghdl"):
        need_tool(tool)
    path = tmp_path / "memories.fdl"
    path.write_text(MEMORIES)
    assert _passes(record(path, None, 100, 1, None), path, tmp_path)


def test_a_bench_sees_a_wrong_bit(need_tool: Callable[[str], str], tmp_path: Path) -> None:
    for tool in ("iverilog", "vvp", "ghdl"):
        need_tool(tool)
    path = tmp_path / "names.fdl"
    path.write_text(NAMES)
    recording = record(path, None, 20, 1, None)
    last = {**recording.outputs[-1], "signal": recording.outputs[-1]["signal"] ^ 0x100}
    wrong = dataclasses.replace(recording, outputs=(*recording.outputs[:-1], last))
    printed = simulators.icarus([wrong], [_native.fdl_verilog(path, None)], tmp_path)
    assert simulators.verdicts(printed) == (set(), {"loop"})
    printed = simulators.ghdl([wrong], [_native.fdl_vhdl(path, None, 93)], tmp_path, "93")
    assert simulators.verdicts(printed) == (set(), {"loop"})


def test_a_package_runs_with_stimuli_of_its_own(
    need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    """The modular arithmetic processor adds: 5 + 4 mod 7 is 2."""
    iverilog, vvp = need_tool("iverilog"), need_tool("vvp")
    rows: list[dict[str, object]] = []
    for address, value in ((0x40, 5), (0x60, 4), (0x80, 7), (0x00, "0x4")):
        rows.append({"address": address, "wdata": value, "write": 1, "read": 0})
    rows.append({"write": 0, "read": 1, "address": 4})
    rows += [{}, {}, {"address": "0xA0"}]
    stimuli = tmp_path / "rows.json"
    stimuli.write_text(json.dumps(rows))
    folder = tmp_path / "map"
    arguments = ["fdl", "export", str(MAP), str(folder), "--stimuli", str(stimuli)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    names = {"map.v", "map.vhd", "test_map.v", "test_map.vhd", "map.core", "README.md"}
    assert {path.name for path in folder.iterdir()} == names
    recording = record(MAP, None, 1, 1, stimuli)
    assert recording.outputs[-1]["rdata"] == 2
    call = simulators._call
    call([iverilog, "-g2001", "-o", "bench", "map.v", "test_map.v"], folder)
    assert "PASS map: 8 cycles" in call([vvp, "bench"], folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "must hold a list of rows"),
        ('[{"adress": 1}]', "no input `adress`"),
        ('[{"wdata": "x"}]', "`x` is no number for `wdata`"),
    ],
)
def test_wrong_stimuli_are_refused(text: str, message: str, tmp_path: Path) -> None:
    stimuli = tmp_path / "rows.json"
    stimuli.write_text(text)
    with pytest.raises(InputError, match=message):
        record(MAP, None, 1, 1, stimuli)


def _passes(recording: Recording, path: Path, folder: Path) -> bool:
    verilog = [_native.fdl_verilog(path, None)]
    printed = simulators.icarus([recording], verilog, folder)
    for year, standard in ((93, "93"), (2008, "08")):
        vhdl = [_native.fdl_vhdl(path, None, year)]
        printed += simulators.ghdl([recording], vhdl, folder, standard)
    return printed.count(f"PASS {recording.name}:") == 3
