"""`cocrypt harden`: hardened netlists against the FSMD at gate level, and proofs that can fail.

`COCRYPT_GATE_DESIGNS` names the coprocessors, with commas between, and `COCRYPT_GATE_RUNS` the
recorded runs of each; see test_gate_simulation.py.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

import output_schemas
from cocrypt.errors import InputError
from cocrypt.gates import hardening, proof, wddl
from cocrypt.gates import library as libraries
from cocrypt.gates.glitches import Delays
from cocrypt.gates.hardening import hardened, random_data
from cocrypt.gates.pairs import Pairs
from cocrypt.gates.synthesis import Wires
from cocrypt.hardware import simulators
from cocrypt.hardware.recording import Port, Recording
from test_gate_simulation import DESIGNS, path_of, recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from conftest import Verb

STYLES = wddl.REGISTERS
# One form of registers is enough for larger designs, unless these are asked for.
CASES = [
    (name, style)
    for name in DESIGNS
    for style in STYLES
    if (name, style) != ("trivium", wddl.GATED) or "COCRYPT_GATE_DESIGNS" in os.environ
]
VERILATED = DESIGNS if "COCRYPT_GATE_DESIGNS" in os.environ else ["pow2"]
"""Designs that are compiled by Verilator too, which takes longer than all else."""
# The bench's own reset starts the netlist; outputs are hidden until the design's reset is over.
WRAPPER = """module wrapped(input clk, rst, {ports});
  reg [2:0] count = 0;
  wire init = rst | count == 0;
  always @(posedge clk) count <= rst ? 0 : count < 4 ? count + 1 : count;
  {wires}
  {name} core({connections});
endmodule
"""
HIDDEN = 3


def wrapper(made: hardening.Pair) -> tuple[str, tuple[Port, ...]]:
    """A module with the ports that benches know, around a hardened netlist."""
    ports, texts, wires, connections = [], [], [], [".clk(clk)"]
    for port in made.hardened.netlist.ports:
        if port.name in ("clk", wddl.INITIALISE):
            continue
        width = len(port.bits)
        ports.append(Port(port.name, port.is_output, width, port.name, port.name))
        texts.append(f"{'output' if port.is_output else 'input'} [{width - 1}:0] {port.name}")
        net = port.name
        if port.is_output:
            net = f"{port.name}_core"
            wires.append(f"wire [{width - 1}:0] {net};")
            wires.append(f"assign {port.name} = count < {HIDDEN} ? 0 : {net};")
        connections.append(f".{port.name}({net})")
    if made.hardened.registers:
        connections.append(f".{wddl.INITIALISE}(init)")
    text = WRAPPER.format(
        name=made.hardened.netlist.name,
        ports=", ".join(texts),
        wires="\n  ".join(wires),
        connections=", ".join(connections),
    )
    return text, tuple(ports)


def rails(values: Mapping[str, tuple[int, int]], valid: int) -> dict[str, int]:
    """The two rails of each value with its width, or their precharge."""
    row: dict[str, int] = {}
    for name, (value, width) in values.items():
        full = (1 << width) - 1 if valid else 0
        row |= {f"{name}_t": value & full, f"{name}_f": ~value & full}
    return row


def doubled(run: Recording, ports: tuple[Port, ...]) -> Recording:
    """A recorded run with two cycles for each of its own, behind the start and the reset."""
    ins, outs = ([(p.name, p.verilog, p.width) for p in side] for side in (run.ins, run.outs))
    control = {wddl.EVALUATE} & {port.name for port in ports}
    inputs, outputs = [], []

    def add(row: Mapping[str, int], reset: int, answer: Mapping[str, int] | None) -> None:
        given = {verilog: (row.get(name, 0), width) for name, verilog, width in ins}
        given["rst"] = reset, 1
        wanted = {verilog: ((answer or {}).get(name, 0), width) for name, verilog, width in outs}
        for valid in (1, 0):
            inputs.append(rails(given, valid) | dict.fromkeys(control, valid))
            outputs.append(rails(wanted, valid and answer is not None))

    add({}, 1, None)
    inputs.insert(0, inputs[1])
    outputs.insert(0, outputs[1])
    for row, answer in zip(run.inputs, run.outputs, strict=True):
        add(row, 0, answer)
    return Recording(run.name, "wrapped", "wrapped", ports, tuple(inputs), tuple(outputs))


@pytest.mark.parametrize(("name", "style"), CASES)
@pytest.mark.long
def test_gates_of_two_rails_compute_what_the_fsmd_does(
    name: str, style: str, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    need_tool("iverilog")
    made = hardened(path_of(name), None, libraries.load("generic180"), style)
    assert made.proof.holds
    text, ports = wrapper(made)
    run = doubled(recorded(path_of(name), 1), ports)
    output = simulators.icarus([run], [made.verilog(with_cells=True), text], tmp_path)
    assert simulators.verdicts(output) == ({run.name}, set()), output


@pytest.mark.parametrize("name", VERILATED)
@pytest.mark.long
def test_the_netlist_runs_under_verilator(
    name: str, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    made = hardened(path_of(name), None, libraries.load("generic180"), wddl.MASTER_SLAVE)
    text, ports = wrapper(made)
    run = doubled(recorded(path_of(name), 2), ports)
    output = simulators.verilator([run], [made.verilog(with_cells=True), text], tmp_path)
    assert simulators.verdicts(output) == ({run.name}, set()), output


@pytest.mark.parametrize("style", STYLES)
def test_proofs_find_a_gate_that_is_wrong(
    style: str, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    library = libraries.load("generic180")
    made = hardened(path_of("pow2"), None, library, style)
    pairs = Pairs(library)
    netlist = made.hardened.netlist
    number = next(n for n, cell in enumerate(netlist.cells) if cell.kind == "AND2X1")
    cells = list(netlist.cells)
    cells[number] = replace(cells[number], kind="NAND2X1")
    wrong = replace(made.hardened, netlist=replace(netlist, cells=cells))
    found = proof.prove(made.mapped.single, wrong, pairs, tmp_path)
    assert not found.equal
    assert not found.positive
    assert not found.precharged
    assert made.proof == proof.prove(made.mapped.single, made.hardened, pairs, tmp_path)


def test_registers_without_a_start_are_not_initialised(
    tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    library = libraries.load("generic180")
    made = hardened(path_of("pow2"), None, library, wddl.MASTER_SLAVE)
    net = made.hardened.controls[wddl.INITIALISE]
    # The gates for `init` remain, but nothing drives them.
    loose = replace(made.hardened, controls={wddl.INITIALISE: made.hardened.netlist.net("loose")})
    assert net != loose.controls[wddl.INITIALISE]
    assert not proof.prove(made.mapped.single, loose, Pairs(library), tmp_path).initialised


PLAIN = """module plain(input clk, input [1:0] a, b, input s, output [1:0] same, inverse, one,
                    output sum, output reg [1:0] kept);
  assign same = a;
  assign inverse = ~b;
  assign one = 2'b01;
  assign sum = ^a ^ ^b;
  always @(posedge clk) kept <= s ? a : ~b;
endmodule
"""


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("library", ["generic180", "osu018"])
def test_wires_inverters_and_constants_have_two_rails(
    tmp_path: Path, need_tool: Callable[[str], str], library: str, style: str
) -> None:
    need_tool("yosys")
    installed = libraries.INSTALLED.get(library)
    if installed is not None and not installed.is_file():
        need_tool(f"{libraries.PACKAGES[library]} ({installed.name})")
    design = tmp_path / "plain.v"
    design.write_text(PLAIN)
    made = hardened(design, None, libraries.load(library), style)
    # The simulation compares each value with the single rail's, and each precharge with zeros.
    values = made.figures(Wires(), (0.0, 1), (64, 8, 1))
    assert values["proof"]["outputs"] == 9 + 2
    ranks = {wddl.MASTER_SLAVE: 4, wddl.GATED: 2}[style]
    flip_flops = values["double"]["cells"][made.mapped.flip_flop.kind]
    assert flip_flops == ranks * values["single"]["cells"][made.mapped.flip_flop.kind] == ranks * 2


def test_logic_without_registers_is_perfectly_balanced_but_for_wires(
    tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    design = tmp_path / "gate.v"
    design.write_text("module gate(input a, b, output y); assign y = a ^ b; endmodule\n")
    made = hardened(design, None, libraries.load("generic180"), wddl.MASTER_SLAVE)
    spreads = [
        made.figures(Wires(), (mismatch, 1), (64, 8, 1))["double"]["normalised_deviation"]
        for mismatch in (0.0, 0.1, 0.3)
    ]
    # The inputs of both gates load the rails alike, and so do the outputs.
    assert spreads[0] == 0
    assert spreads == sorted(set(spreads))


def test_the_verb_prints_what_its_schema_says(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    words = ("harden", path_of("pow2"), "--style", "wddl", "--runs", "8")
    result = verb(*words, "--json", "-o", "hard.v", "--cells")
    assert result.code == 0, result.text
    values = json.loads(result.out)
    output_schemas.check("harden", values)
    assert values["double"]["interval_s"] == pytest.approx(2 * values["double"]["period_s"])
    assert values["ratios"]["area"] > 2
    assert "module DFFX1(" in (tmp_path / "hard.v").read_text(encoding="utf-8")
    shown = verb(*words, "--registers", "gated")
    assert "proven by ABC" in shown.out
    assert "secure" not in shown.out


TWO_CLOCKS = """module two(input a, b, d, output reg x, y);
  always @(posedge a) x <= d;
  always @(posedge b) y <= d;
endmodule
"""
CLEARED = """module cleared(input clk, clear, d, output reg x);
  always @(posedge clk or posedge clear) if (clear) x <= 0; else x <= d;
endmodule
"""
CLOCK_IN_LOGIC = """module mixed(input clk, d, output reg x, output y);
  assign y = clk & x;
  always @(posedge clk) x <= d;
endmodule
"""
TAKEN = "module taken(input a, a_t, output y); assign y = a & a_t; endmodule\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TWO_CLOCKS, "not clocked by the rising edge of one input"),
        (CLEARED, "use synchronous sets and resets"),
        (CLOCK_IN_LOGIC, "clock of mixed is also an input of its logic"),
        (TAKEN, None),
        (TAKEN.replace("a_t", "init"), None),
        ("module none(output y); assign y = 1; endmodule\n", "neither inputs nor registers"),
    ],
)
def test_what_cannot_be_hardened_is_refused(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str], text: str, message: str | None
) -> None:
    need_tool("yosys")
    (tmp_path / "design.v").write_text(text)
    result = verb("harden", "design.v", "--runs", "2")
    if message is None:
        assert result.code == 0, result.text
        return
    assert result.code == 1, result.text
    assert message in " ".join(result.err.split())


def test_a_netlist_that_is_not_simulated_is_proven_all_the_same(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    # A table of states may say more than the flip-flop beside it, so the simulator takes neither.
    table = 'statetable ("D CLK", "IQ") { table : "L R : - : L, H R : - : H"; }\n'
    text = libraries.load("generic180").text.replace("ff (IQ, IQN)", f"{table} ff (IQ, IQN)")
    (tmp_path / "tables.lib").write_text(text)
    result = verb("harden", path_of("pow2"), "--library", "tables.lib", "--runs", "2", "--json")
    assert result.code == 0, result.text
    said = " ".join(result.err.split())
    assert "the energy is not known, and outputs are not compared by simulation: " in said
    assert "has a state other than that of one flip-flop" in said
    values = json.loads(result.out)
    output_schemas.check("harden", values)
    assert values["double"]["mean_J"] is values["ratios"]["variation"] is None
    assert values["proof"]["equal"]


def test_ports_that_would_be_named_alike_are_refused(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    (tmp_path / "design.v").write_text(
        "module taken(input d_t, d, output reg q); always @(posedge d_t) q <= d; endmodule\n"
    )
    result = verb("harden", "design.v", "--runs", "2")
    assert result.code == 1, result.text
    assert "would be named `d_t`" in result.err


@pytest.mark.parametrize("delays", [Delays.parse("unit"), Delays.parse("10ps")])
def test_two_rails_have_no_glitches(delays: Delays, need_tool: Callable[[str], str]) -> None:
    need_tool("yosys")
    pair = hardened(path_of("pow2"), None, libraries.load("generic180"), "master-slave")
    draw = Random(1)
    data = [random_data(pair.mapped.single, 8, draw) for _ in range(64)]
    single, double = pair.simulate(data, Wires())
    with_glitches, with_two = pair.simulate(data, Wires(), delays=delays)
    # A rail rises once and falls once in a datum, whatever the delays are.
    assert with_two == double
    for above, settled in zip(with_glitches, single, strict=True):
        assert all(large >= small for large, small in zip(above, settled, strict=True))
    assert with_glitches != single


def test_delays_are_none_unit_or_a_tick() -> None:
    assert Delays.parse("none").tick is None
    assert Delays.parse("unit").tick == 0
    assert Delays.parse("2.5ps").tick == pytest.approx(2.5e-12)
    for text in ("0ps", "10", "-1ps", "nanps", ""):
        with pytest.raises(InputError):
            Delays.parse(text)
