"""The area of coprocessors: Yosys' counts, cached by content, and the Pareto front."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from cocrypt.errors import InputError
from cocrypt.hardware.area import area
from cocrypt.hardware.yosys import yosys
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

EXAMPLE = ROOT / "docs/examples/studies/example.toml"
REGISTERS = """module registers(input clk, input [7:0] d, output reg [7:0] q);
  always @(posedge clk) q <= d;
endmodule
"""
NANDS = """module nands(input [15:0] a, b, output [15:0] y);
  assign y = ~(a & b);
endmodule
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.v"
    path.write_text(text)
    return path


def test_a_nand_is_one_gate_equivalent(tmp_path: Path, need_tool: Callable[[str], str]) -> None:
    need_tool("yosys")
    report = area(written(tmp_path, "nands", NANDS), "nands")
    assert (report.gate_equivalents, report.luts, report.flip_flops) == (16, 16, 0)
    assert report.yosys.startswith("Yosys ")


@pytest.mark.parametrize("top", ["nands; shell echo", "nands\nshell", "1nand", "", "n\u00e4nds"])
def test_a_top_that_is_no_identifier_is_refused(tmp_path: Path, top: str) -> None:
    with pytest.raises(InputError, match="no name of a module"):
        area(written(tmp_path, "nands", NANDS), top)


@pytest.mark.long
def test_without_a_system_yosys_that_of_pypi_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    yosys.cache_clear()
    try:
        report = area(written(tmp_path, "nands", NANDS), "nands")
    finally:
        yosys.cache_clear()
    assert (report.gate_equivalents, report.luts, report.flip_flops) == (16, 16, 0)
    assert report.yosys.startswith("YoWASP Yosys ")


@pytest.mark.long
def test_flip_flops_are_counted(tmp_path: Path, need_tool: Callable[[str], str]) -> None:
    need_tool("yosys")
    report = area(written(tmp_path, "registers", REGISTERS), "registers")
    # Yosys counts 16 transistors for a flip-flop.
    assert (report.gate_equivalents, report.flip_flops) == (8 * 16 / 4, 8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module other(); endmodule\n", "wrong"),
        ("module wrong( endmodule\n", "wrong.v"),
        ("module wrong(input a); black box(a); endmodule\n", "black"),
    ],
)
def test_designs_that_cannot_be_synthesised_are_refused(
    tmp_path: Path, need_tool: Callable[[str], str], text: str, message: str
) -> None:
    need_tool("yosys")
    with pytest.raises(InputError, match=message):
        area(written(tmp_path, "wrong", text), "wrong")


@pytest.mark.long
def test_the_front_is_of_cycles_against_area(
    cocrypt: Cocrypt, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    result = cocrypt("explore", EXAMPLE, "--area", "--json")
    assert result.returncode == 0, result.stderr
    rows = {
        row["name"]: row
        for row in json.loads(result.stdout)["rows"]
        if row["device"] == "picorv32" and "bus_wait" not in row["settings"]
    }
    # The unit of extensions is far larger than an adder.
    assert rows["sum: extension"]["area_GE"] > 5 * rows["Hardware"]["area_GE"]
    assert rows["Software"]["area_GE"] == 0
    # 64 bits of operands stand in registers.
    assert rows["Hardware"]["area_GE"] > 64 * 4
    assert rows["Hardware"]["flip_flops"] >= 64
    assert rows["Hardware"]["area_GE"] == rows["sum: short"]["area_GE"]
    assert [name for name, row in rows.items() if row["pareto"]] == ["Software", "sum: assembly"]
    result = cocrypt("explore", EXAMPLE, "--area")
    assert "an estimate of Yosys" in " ".join(result.stdout.split())
