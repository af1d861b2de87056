"""`cocrypt synth`: areas against Yosys's own count, longest paths against OpenSTA."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

import output_schemas
from cocrypt.errors import InputError
from cocrypt.gates import library as libraries
from cocrypt.gates.synthesis import Wires, synthesis
from cocrypt.leakage.ciphers import AES_SBOX
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

DESIGN = ROOT / "docs/examples/coprocessor/adder.fdl"
NO_WIRES = Wires(0, 0)
NAND = 10
"""The area of a NAND of two inputs in generic180."""
STA = """read_liberty {library}
read_verilog netlist.v
link_design {top}
create_clock -name clk -period 100 clk
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
set_load -pin_load {load} [all_outputs]
report_checks -path_delay max -digits 6
exit
"""


@pytest.fixture(params=["generic180", "osu018"])
def library(request: pytest.FixtureRequest, need_tool: Callable[[str], str]) -> libraries.Library:
    """A library; that of Debian is skipped where the package is missing."""
    need_tool("yosys")
    name = str(request.param)
    installed = libraries.INSTALLED.get(name)
    if installed is not None and not installed.is_file():
        need_tool(f"{libraries.PACKAGES[name]} ({installed.name})")
    return libraries.load(name)


def test_the_longest_path_is_that_of_opensta(
    library: libraries.Library, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    sta = need_tool("sta")
    made = synthesis(DESIGN, None, library)
    report = made.report(NO_WIRES)
    (tmp_path / "netlist.v").write_text(made.verilog(), encoding="utf-8")
    load = library.output_load * 1e12
    script = STA.format(library=library.path, top=report["name"], load=load)
    (tmp_path / "sta.tcl").write_text(script, encoding="utf-8")
    run = subprocess.run(
        [sta, "-no_splash", "-exit", "sta.tcl"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    slack = re.search(r"^\s*(-?[\d.]+)\s+slack", run.stdout, re.MULTILINE)
    assert slack, run.stdout + run.stderr
    assert report["period_s"] * 1e9 == pytest.approx(100 - float(slack[1]), abs=2e-4)


def test_the_area_is_that_of_yosys(
    library: libraries.Library, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    made = synthesis(DESIGN, None, library)
    report = made.report(NO_WIRES)
    (tmp_path / "netlist.json").write_text(made.netlist, encoding="utf-8")
    words = f"read_json netlist.json; stat -liberty {library.path}"
    run = subprocess.run(
        [need_tool("yosys"), "-p", words], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    found = re.search(r"Chip area for module .*: ([\d.]+)", run.stdout)
    assert found, run.stdout
    assert report["area"] == pytest.approx(float(found[1]))
    assert report["area_GE"] == pytest.approx(
        report["area"] / {"generic180": 10}.get(library.name, 24)
    )
    assert sum(report["cells"].values()) == len(
        json.loads(made.netlist)["modules"]["adder"]["cells"]
    )


def test_wires_make_paths_longer(need_tool: Callable[[str], str]) -> None:
    need_tool("yosys")
    made = synthesis(DESIGN, None, libraries.load("generic180"))
    periods = [made.report(wires)["period_s"] for wires in (NO_WIRES, Wires(), Wires(1e-13, 0))]
    assert periods == sorted(set(periods))


def test_the_verb_prints_what_its_schema_says(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    result = verb("synth", DESIGN, "--json", "-o", "netlist.v")
    assert result.code == 0, result.text
    values = json.loads(result.out)
    output_schemas.check("synth", values)
    assert "DFFX1" in (tmp_path / "netlist.v").read_text(encoding="utf-8")
    # 64 bits of operands stand in registers.
    assert values["cells"]["DFFX1"] == 64
    shown = verb("synth", DESIGN)
    assert "longest path" in shown.out
    assert f"{values['area_GE']:,.1f} GE" in shown.out


HALF_CYCLE = """module half(input clk, d, output reg y);
  reg x;
  always @(posedge clk) x <= d;
  always @(negedge clk) y <= ~x;
endmodule
"""
INVERTED = """module inverted(input clk, d, output reg y);
  always @(negedge clk) y <= d;
endmodule
"""


@pytest.mark.parametrize(
    ("text", "library", "reason"),
    [
        (HALF_CYCLE, "osu018", "clk, the falling edge of clk"),
        (HALF_CYCLE, "generic180", "clocked by "),
        # This library has no register for the falling edge, so that an inverter makes it.
        (INVERTED, "generic180", "clocked by "),
    ],
)
def test_paths_between_clock_edges_have_no_period(
    verb: Verb,
    tmp_path: Path,
    need_tool: Callable[[str], str],
    text: str,
    library: str,
    reason: str,
) -> None:
    need_tool("yosys")
    installed = libraries.INSTALLED.get(library)
    if installed is not None and not installed.is_file():
        need_tool(f"{libraries.PACKAGES[library]} ({installed.name})")
    (tmp_path / "half.v").write_text(text)
    result = verb("synth", "half.v", "--library", library, "--json")
    assert result.code == 0, result.text
    values = json.loads(result.out)
    output_schemas.check("synth", values)
    assert (values["period_s"], values["path"]) == (None, None)
    assert reason in values["period_unknown"]
    assert values["area"] > 0
    shown = verb("synth", "half.v", "--library", library)
    assert f"longest path: not known, {values['period_unknown']}" in shown.out
    assert "MHz" not in shown.out


def test_a_wire_alone_has_no_frequency(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    (tmp_path / "wire.v").write_text("module w(input a, output y); assign y = a; endmodule\n")
    result = verb("synth", "wire.v")
    assert result.code == 0, result.text
    assert "longest path: 0.000 ns" in result.out
    assert "MHz" not in result.out


BROKEN = {
    "library (a) { cell (b) {": "no end",
    "library (a) { time_unit : 3m; }": "no unit",
    'library (a) { cell (b) { pin (Y) { function : "A +"; } } }': "no function",
    "cell (b) { }": "no group `library`",
    "library (a) { cell (b) { area : large; } }": "no number",
    "library (a) { cell (b) { pin (A) { capacitance : 1e9; } } }": "no pin of a cell has",
    "library (a) { }": "no flip-flops",
}


@pytest.mark.parametrize("text", BROKEN)
def test_broken_libraries_are_refused(verb: Verb, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.lib").write_text(text, encoding="utf-8")
    result = verb("synth", DESIGN, "--library", "a.lib")
    assert result.code == 1
    assert BROKEN[text] in " ".join(result.err.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nothing.v",), "cannot be read"),
        (("design.txt",), "neither FDL nor Verilog"),
        ((DESIGN, "--library", "generic"), "generic180"),
        ((DESIGN, "--library", "no.lib"), "no library file"),
        ((DESIGN, "--wire", "5"), "two numbers"),
        ((DESIGN, "--wire", "5,-3"), "two numbers"),
        ((DESIGN, "--wire", "1e12,0"), "from 0 to 1000000 fF"),
        (("design.v", "--top", "a; shell b"), "no name of a module"),
        (("design.v", "--top", "other"), "other"),
    ],
)
def test_what_cannot_be_synthesised_is_refused(
    verb: Verb,
    tmp_path: Path,
    need_tool: Callable[[str], str],
    words: tuple[str, ...],
    message: str,
) -> None:
    need_tool("yosys")
    for name in ("design.txt", "design.v"):
        (tmp_path / name).write_text("module m(input a, output y); assign y = a; endmodule\n")
    result = verb("synth", *words)
    assert result.code == 1, result.text
    assert message in result.err


def test_a_package_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(libraries.INSTALLED, "osu018", tmp_path / "none.lib")
    with pytest.raises(InputError, match="not installed"):
        libraries.find("osu018")


TABLE = """module table(input clk, input [7:0] x, output reg [7:0] kept, output [7:0] now);
  function [7:0] box;
    input [7:0] index;
    case (index)
      {rows}
      default: box = 0;
    endcase
  endfunction
  assign now = box(x);
  always @(posedge clk) kept <= box(x);
endmodule
"""


def test_a_table_is_small_and_a_register_behind_it_comes_once(
    tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    rows = " ".join(f"{index}: box = {value};" for index, value in enumerate(AES_SBOX))
    (tmp_path / "table.v").write_text(TABLE.format(rows=rows))
    report = synthesis(tmp_path / "table.v", None, libraries.load("generic180")).report(NO_WIRES)
    assert report["cells"]["DFFX1"] == 8
    # Multiplexers of a case statement with 256 rows take 1,000 gates and more, those of a ROM 650.
    assert report["area_GE"] - report["registers_area"] / NAND < 800
