"""Designs for gates with file names and forms that are rare: names as commands, loops, ports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.hardware.yosys import OWN

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

XOR = "module gate(input a, b, output y); assign y = a ^ b; endmodule\n"
VERBS = ("synth", "harden")


def words(name: str) -> tuple[str, ...]:
    """The words of a verb that make it quick."""
    return (name, *(("--runs", "2") if name == "harden" else ()))


@pytest.mark.parametrize("name", VERBS)
@pytest.mark.parametrize("file", ["a design.v", "x; exec -- exit 9 ;.v"])
def test_the_name_of_a_design_is_no_command(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str], name: str, file: str
) -> None:
    need_tool("yosys")
    # A script with the file's name would read this file, and then obey the rest of the name.
    (tmp_path / "x").write_text(XOR)
    (tmp_path / file).write_text(f'`include "x"\n// {file}\n')
    result = verb(*words(name), file)
    assert result.code == 0, result.text


# The names of what cocrypt itself gives to Yosys.
TAKEN = ("library.lib", "constraints.txt", "pairs.genlib", "script.ys", "design.v", "netlist.json")


@pytest.mark.parametrize("name", VERBS)
def test_files_of_a_design_have_any_name(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str], name: str
) -> None:
    need_tool("yosys")
    uses = []
    for number, file in enumerate(TAKEN):
        (tmp_path / file).write_text(XOR.replace("gate", f"gate{number}"))
        uses.append(f"gate{number} g{number}(w[{number}], a, w[{number + 1}]);")
    includes = "".join(f'`include "{file}"\n' for file in TAKEN)
    body = f"wire [{len(TAKEN)}:0] w; assign w[0] = b; {' '.join(uses)} assign y = w[{len(TAKEN)}];"
    text = f"{includes}module top(input a, b, output y); {body} endmodule\n"
    (tmp_path / "flip_flop.v").write_text(text)
    result = verb(*words(name), "flip_flop.v")
    assert result.code == 0, result.text


def test_messages_of_yosys_name_the_file(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    (tmp_path / "wrong.v").write_text("module gate(input a;\n")
    result = verb("synth", "wrong.v")
    assert result.code == 1, result.text
    assert "wrong.v:1" in result.err
    assert OWN not in result.err


LOOP = "wire n = ~(a & m); wire m = ~(b & n); assign y = n;"
REGISTER = "module part({ports}); always @(posedge {clock}) q <= d; endmodule\n"
BOX = "(* blackbox *) module box(input a, output y); endmodule\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"module gate(input a, b, output y); {LOOP} endmodule\n", "loop without a register"),
        (
            REGISTER.format(ports="input [1:0] c, input d, output reg q", clock="c[0]"),
            "the clock of part is a bit of a wider port",
        ),
        (
            "module gate(input a, en, inout y); assign y = en ? a : 1'bz; endmodule\n",
            "the port `y` of gate is bidirectional",
        ),
        (
            f"{BOX}module gate(input a, b, output y); box u(.a(a ^ b), .y(y)); endmodule\n",
            "a cell `u` of the kind `box`",
        ),
        (
            REGISTER.format(ports="input clk, d, output reg q = 1", clock="clk"),
            "give registers their values by a reset",
        ),
    ],
)
def test_designs_that_have_no_two_rails_are_refused(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str], text: str, message: str
) -> None:
    need_tool("yosys")
    (tmp_path / "design.v").write_text(text)
    result = verb("harden", "design.v", "--runs", "2")
    assert result.code == 1, result.text
    assert message in " ".join(result.err.split())


def test_more_data_than_memory_holds_are_refused(verb: Verb, tmp_path: Path) -> None:
    (tmp_path / "design.v").write_text(XOR)
    result = verb("harden", "design.v", "--runs", "100000", "--cycles", "11")
    assert result.code == 1, result.text
    assert "ask for fewer by --runs or --cycles" in result.err
