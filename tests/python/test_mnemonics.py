"""Functions with the names of instructions: candidates, and their options in assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt import boundary, gnu, paths
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.measurement import require_clean, run
from cocrypt.partition import partitions
from cocrypt.study import Study
from cocrypt.target import instruction_set

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STUDY = """[study]
name = "s"
title = "S"
device = "{device}"
[toolchain]
flags = ["-O2"]
assembler = "{assembler}"
[[workload]]
name = "w"
title = "W"
source = "main.c"
output = "output"
expect = "0a000000"
[[candidate]]
function = "add"
[[candidate.option]]
name = "other"
source = "{source}"
"""
MAIN = """int output;
static int add(int a, int b) { return a + b; }
int main(void) { for (int i = 1; i < 5; i++) output = add(output, i); return 0; }
"""
ADD = {
    "picorv32": """    .globl add
    .type add, @function
add: nop; nop; add a0, a0, a1 # add
    ret
""",
    "stm32f0": """    .syntax unified
    .thumb
    .global add
    .type add, %function
add: nop; nop; adds r0, r0, r1 @ add
    bx lr
""",
}


@pytest.mark.parametrize("source", ["add.S", "add.s"])
@pytest.mark.parametrize("assembler", ["compiler", "gnu"])
@pytest.mark.parametrize("device", ADD)
def test_they_are_replaced(
    tmp_path: Path, device: str, assembler: str, source: str, need_tool: Callable[[str], str]
) -> None:
    if assembler == "gnu":
        need_tool(gnu.program(Device.load(device).target.instructions))
    text = STUDY.format(device=paths.device(device), assembler=assembler, source=source)
    (tmp_path / "study.toml").write_text(text)
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / source).write_text(ADD[device])
    study = Study.load(tmp_path / "study.toml")
    cycles = []
    for build in Builder(study).build(
        [(study.workload(), partition) for partition in partitions(study)]
    ):
        ended = run(study.device, build.image, "add")
        require_clean(ended)
        assert ended.output("output", 4) == b"\x0a\0\0\0"
        cycles.append(ended.cycles)
    assert cycles[1] > cycles[0], "the other one has instructions that do nothing"


def test_instructions_and_texts_stay() -> None:
    instructions = instruction_set("rv32")
    text = 'add: add a0, a0, a1; call add # add\n\t.asciz "x; call add"\n\t.word add, add_one\n'
    bounded = boundary.bounded(text, ["add"], instructions).splitlines()
    name = boundary.BOUNDARY + "add"
    assert bounded == [
        f"add: add a0, a0, a1; jal ra, {name} # add",
        '\t.asciz "x; call add"',
        f"\t.word {name}, add_one",
        "\t.globl add",
    ]
    name = boundary.REPLACEMENT + "add"
    assert boundary.replacing(text, "add", instructions).splitlines() == [
        f"{name}: add a0, a0, a1; call {name} # add",
        '\t.asciz "x; call add"',
        f"\t.word {name}, add_one",
    ]
