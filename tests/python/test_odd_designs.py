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
