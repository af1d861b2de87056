"""Exports that synthesise well: block RAMs, a module for alike instances, nothing to lint."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native
from cocrypt.hardware import simulators
from cocrypt.hardware.recording import record
from cocrypt.rtl.tools import verilator_root
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MAPS = sorted((ROOT / "coprocessors").glob("*/registers.toml"))

MEMORY = """
ipblock m(in address : ns(10); in wr, rd : ns(1); in idata : ns(32); out odata : ns(32)) {
  iptype "ram"; ipparm "size=1024"; ipparm "wl=32";
}
dp top(in a : ns(10); in w, r : ns(1); in d : ns(32); out q : ns(32)) { use m(a, w, r, d, q); }
"""

# Stores with an enable: in a state, at an index that is chosen too, at one that is not; and a store
# that writes back a word of another index, which is no enable.
STORES = """
dp top(in a, b : ns(3); in e : ns(1); in d : ns(8); out p, q, r : ns(8)) {
  reg m(8), n(8), o(8) : ns(8);
  always { p = m(b); q = n(b); r = o(b); }
  sfg chosen { m(e ? a : 2) = e ? d : m(2); }
  sfg plain { n(a) = e ? d : n(a); o(a) = e ? d : o(b); }
}
fsm f(top) {
  initial s;
  @s if (d[0]) then (chosen, plain) -> s; else plain -> s;
}
"""

CLONES = """
dp box(in a : ns(8); out b : ns(8)) { lookup t : ns(8) = { 3, 1, 4, 1, 5, 9, 2, 6 };
  always { b = t(a[2:0]) ^ a; } }
dp keep(in a : ns(8); out b : ns(8)) { reg r : ns(8); sig s : ns(8); use box(r, s);
  always { r = a; b = s; } }
dp keep2 : keep
dp keep3 : keep
dp wide(in a : ns(9); out b : ns(8)) { use box(a, b); }
dp top(in a : ns(9); out b, c, d, e : ns(8)) {
  use keep(a, b); use keep2(b, c); use keep3(c, d); use wide(a, e); }
"""

#: The command of each family up to the mapping of block RAMs, and the block RAMs of 32 Kbit.
FAMILIES = {
    "ice40": ("synth_ice40", r"SB_RAM40_4K +8\b"),
    "ecp5": ("synth_ecp5", r"DP16KD +2\b"),
    "xilinx": ("synth_xilinx", r"RAMB36E1 +1\b"),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.long
def test_memories_are_block_rams(
    family: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    (tmp_path / "m.fdl").write_text(MEMORY)
    (tmp_path / "m.v").write_text(_native.fdl_verilog(tmp_path / "m.fdl", None))
    command, expected = FAMILIES[family]
    script = f"read_verilog m.v; {command} -top top -run begin:map_ffram; stat"
    arguments = [need_tool("yosys"), "-p", script]
    process = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    statistics = process.stdout[process.stdout.rindex("Printing statistics") :]
    assert re.search(expected, statistics), statistics


@pytest.mark.parametrize("text", [MEMORY, STORES, CLONES], ids=["memory", "stores", "clones"])
def test_exports_agree(text: str, need_tool: Callable[[str], str], tmp_path: Path) -> None:
    for tool in ("iverilog", "vvp", "ghdl"):
        need_tool(tool)
    path = tmp_path / "d.fdl"
    path.write_text(text)
    recording = record(path, None, 300, 1, None)
    passed, printed = simulators.verdicts(
        simulators.icarus([recording], [_native.fdl_verilog(path, None)], tmp_path)
    )
    assert passed == {recording.name}, printed
    passed, printed = simulators.verdicts(
        simulators.ghdl([recording], [_native.fdl_vhdl(path, None, 93)], tmp_path, "93")
    )
    assert passed == {recording.name}, printed


def test_stores_with_an_enable_are_found(tmp_path: Path) -> None:
    path = tmp_path / "d.fdl"
    path.write_text(STORES)
    stores = re.findall(r"(?:if \(.*\) )?\w+\[\w+\] <= .*;", _native.fdl_verilog(path, None))
    assert stores[0] == "if (sfg_chosen && e) m[a] <= d;"
    assert stores[1] == "if (sfg_plain && e) n[a] <= d;"
    assert re.fullmatch(r"if \(sfg_plain\) o\[a\] <= e \? d : \w+;", stores[2])


def test_instances_that_are_alike_share_a_module(tmp_path: Path) -> None:
    path = tmp_path / "d.fdl"
    path.write_text(CLONES)
    verilog = _native.fdl_verilog(path, None)
    assert re.findall(r"^module (\w+)", verilog, re.MULTILINE) == ["top", "keep", "box", "wide"]
    assert verilog.count("\n  keep keep") == 3
    vhdl = _native.fdl_vhdl(path, None, 93)
    assert re.findall(r"^entity (\w+)", vhdl, re.MULTILINE) == ["box", "wide", "keep", "top"]
    # What holds nothing has no clock.
    module = verilog.partition("module box(")[2].partition("endmodule")[0]
    entity = vhdl.partition("entity box is")[2].partition("end entity")[0]
    assert "input" in module
    assert " : in " in entity
    assert "clk" not in module + entity


def lint(folder: Path, path: Path, top: str | None) -> tuple[int, str]:
    """The exit status of Verilator's linter, and what it says of a design."""
    name = _native.fdl_ports(path, top)["verilog"].strip("\\ ")
    (folder / "design.v").write_text(_native.fdl_verilog(path, top), encoding="utf-8")
    root = verilator_root()
    options = ["--lint-only", "-Wall", "-Wno-DECLFILENAME", "--top-module", name]
    process = subprocess.run(
        [str(root / "bin" / "verilator_bin"), *options, "design.v"],
        cwd=folder,
        env=os.environ | {"VERILATOR_ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    return process.returncode, process.stderr


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.parent.name)
def test_linters_have_nothing_to_say(path: Path, tmp_path: Path) -> None:
    values = _native.load_coprocessor(path)
    assert lint(tmp_path, values["design"], values["top"]) == (0, "")


CASES = sorted((ROOT / "tests/cases/fdl").glob("[rp]*/*.fdl"))
ODD = {"false_loop", "reserved_words"}
"""Designs of which Verilator warns with reason: a signal depends on itself, names are C++'s."""
HIDDEN = """dp box(in box : ns(1); out o : ns(1)) { sig a : ns(1); always { a = box; o = a; } }
dp d(in a : ns(9); out o, p : ns(8)) {
  sig top : ns(8); reg m(3) : ns(8); reg n(1) : ns(4); reg unread(4) : ns(8);
  sfg none { } sfg some { m(a) = a; n(a) = m(2); unread(a[0]) = 1; }
  always { top = m(a[0]); o = top + m(5) + n(0); p = m(a) + n(a[3:0]); }
}
fsm f(d) { initial s; @s if (a == 1) then none -> s; else some -> s; }
dp top(in a : ns(9); out o : ns(8); out p : ns(1)) { use d(a, o); use box(a[0], p); }
"""


@pytest.mark.long
def test_linters_have_nothing_to_say_of_the_tests_designs(tmp_path: Path) -> None:
    (tmp_path / "top.fdl").write_text(HIDDEN)
    said = {}
    for path in [*CASES, tmp_path / "top.fdl"]:
        if "//@ gezel" in path.read_text(encoding="utf-8") or path.stem in ODD:
            continue
        said[path.stem] = lint(tmp_path, path, None)
    assert len(said) > 60
    assert {name: what for name, what in said.items() if what != (0, "")} == {}
