"""Comments of a design are in its exports, where they belong, and direct no tool."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native

if TYPE_CHECKING:
    from pathlib import Path

DESIGN = """#!/usr/bin/fdlsim
// A counter that
// stops at ten.
dp d(in go : ns(1);  // starts it
     out o : ns(8)) {
  // The count.
  reg n : ns(8);
  /* two lines
   * in a block */
  sig s : ns(8); // verilator lint_off
  lookup t : ns(8) = { 1, 2 }; // squares
  always { o = n; // the way out
    // what comes next
    s = n + 1; }
  // counts
  sfg up { n = s; }
  sfg hold { n = t(n[0]) & n & go; }
}
fsm f(d) {
  initial s0; // the first one
  state s1;
  // as long as it goes
  @s0 if (n == 10) then hold -> s1; else up -> s0;
  @s1 hold -> s1; // \u00fcber \u202ehere
}
// the same again
dp e : d
dp top(out a, b : ns(8)) {
  // the first instance
  use d(1, a);
  use e(1, b); // the second one
}
"""


def texts(folder: Path) -> dict[str, str]:
    """The design as Verilog and VHDL."""
    path = folder / "d.fdl"
    path.write_text(DESIGN, encoding="utf-8")
    vhdl = {str(standard): _native.fdl_vhdl(path, None, standard) for standard in (93, 2008)}
    return {"verilog": _native.fdl_verilog(path, None), **vhdl}


@pytest.mark.parametrize("kind", ["verilog", "93", "2008"])
def test_each_comment_is_there_once(kind: str, tmp_path: Path) -> None:
    text = texts(tmp_path)[kind]
    comments = (
        "A counter that", "stops at ten.", "starts it", "The count.", "two lines", "in a block",
        "verilator lint_off", "squares", "the way out", "what comes next", "counts",
        "the first one", "as long as it goes", "ber ", "the same again", "the first instance",
        "the second one",
    )  # fmt: skip
    for comment in comments:
        own = [line for line in text.splitlines() if "lint_off DECLFILENAME" not in line]
        assert sum(comment in line for line in own) == 1, comment
    assert "fdlsim" not in text


def test_comments_stand_where_they_belong(tmp_path: Path) -> None:
    lines = texts(tmp_path)["verilog"].splitlines()

    def below(comment: str) -> str:
        return lines[lines.index(comment) + 1]

    assert below("// FDL: stops at ten.") == "module d("
    assert "  input  wire go,  // FDL: starts it" in lines
    assert below("  // FDL: The count.") == "  reg  [7:0] n;  // line 7"
    assert below("  // FDL: what comes next") == "  assign s = n + 8'd1;  // line 14"
    assert "  assign o = n;  // line 12: the way out" in lines
    assert below("  // FDL: the first instance") == "  d d_instance(  // line 30"


def test_no_comment_begins_with_a_tools_name(tmp_path: Path) -> None:
    for kind, text in texts(tmp_path).items():
        mark = "//" if kind == "verilog" else "--"
        bodies = [line.partition(mark)[2] for line in text.splitlines() if mark in line]
        bodies = [body for body in bodies if body != " verilator lint_off DECLFILENAME"]
        assert not [body for body in bodies if body.split()[0] == "verilator"]
        # Text that turns its direction would hide what stands there.
        assert "\u202e" not in text
        assert text.isascii() or kind == "verilog"


@pytest.mark.skipif(shutil.which("ghdl") is None, reason="GHDL is not installed")
def test_ghdl_takes_the_comments(tmp_path: Path) -> None:
    for standard, option in (("93", "93"), ("2008", "08")):
        (tmp_path / "d.vhd").write_text(texts(tmp_path)[standard], encoding="utf-8")
        command = ["ghdl", "-a", f"--std={option}", f"--workdir={tmp_path}", "d.vhd"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
