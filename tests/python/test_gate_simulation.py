"""Designs as gates: values against the FSMD and Icarus Verilog, energies against sums of toggles.

`COCRYPT_GATE_RUNS` sets the number of random runs of each design, 64 by default, and
`COCRYPT_GATE_DESIGNS` the coprocessors, with commas between their names.
"""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cocrypt.errors import InputError, ProgramError
from cocrypt.gates import library as libraries
from cocrypt.gates.check import check
from cocrypt.gates.synthesis import Wires, synthesis
from cocrypt.hardware import simulators
from cocrypt.hardware.recording import Recording, record_rows
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from cocrypt.gates.synthesis import Synthesis
    from cocrypt.hardware.recording import Port
    from conftest import Verb

RUNS, CYCLES = int(os.environ.get("COCRYPT_GATE_RUNS", "64")), 24
DESIGNS = os.environ.get("COCRYPT_GATE_DESIGNS", "trivium,pow2").split(",")
DRAWN = 512
"""Random runs that are enough to meet a wrong cell of `pow2`."""
FLIP_FLOP = """
module DFFX1(input CLK, D, output reg Q);
  initial Q = 0;
  always @(posedge CLK) Q <= D;
endmodule
"""


def path_of(name: str) -> Path:
    return ROOT / f"coprocessors/{name}/{name.replace('-', '_')}.fdl"


def recorded(path: Path, seed: int) -> Recording:
    """A run with random inputs; addresses are those of registers."""
    draw = random.Random(seed)
    ports = record_rows(path, None, []).ins
    small = {"address": lambda: 4 * draw.randrange(16)}
    rows = [
        {
            port.name: small.get(port.name, lambda p=port: draw.getrandbits(p.width))()
            for port in ports
        }
        for _ in range(CYCLES)
    ]
    return record_rows(path, None, rows)


def bits(ports: list[Port], row: Mapping[str, int], reset: int) -> bytes:
    """A row as the gate simulator takes it: ports by their names in Verilog, `rst` among them."""
    values = {port.verilog: (row.get(port.name, 0), port.width) for port in ports}
    values["rst"] = (reset, 1)
    return bytes(
        value >> bit & 1 for _, (value, width) in sorted(values.items()) for bit in range(width)
    )


def simulated(made: Synthesis, runs: list[Recording]) -> tuple[list[list[bytes]], list[list[int]]]:
    """Outputs and energies of runs; the cycle of the reset in front is left out."""
    stimuli = [
        [bits(run.ins, {}, 1), *(bits(run.ins, row, 0) for row in run.inputs)] for run in runs
    ]
    outputs, energies, _ = made.simulate(stimuli, Wires())
    return [rows[1:] for rows in outputs], [row[1:] for row in energies]


@pytest.mark.parametrize("name", DESIGNS)
def test_gates_compute_what_the_fsmd_does(name: str, need_tool: Callable[[str], str]) -> None:
    need_tool("yosys")
    made = synthesis(path_of(name), None, libraries.load("generic180"))
    runs = [recorded(path_of(name), seed) for seed in range(RUNS)]
    outputs, energies = simulated(made, runs)
    for run, rows in zip(runs, outputs, strict=True):
        ports = sorted(run.outs, key=lambda port: port.verilog)
        expected = [
            bytes(row[port.name] >> bit & 1 for port in ports for bit in range(port.width))
            for row in run.outputs
        ]
        assert rows == expected
    assert len({tuple(row) for row in energies}) == len(runs)


def test_synth_checks_a_netlist_against_its_design(
    verb: Verb, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    printed = verb("synth", path_of("pow2"), "--check", str(RUNS))
    assert printed.code == 0, printed.text
    assert f"computes what the design does in {RUNS:,} runs" in printed.out


def test_a_netlist_that_differs_is_found(need_tool: Callable[[str], str]) -> None:
    need_tool("yosys")
    made = synthesis(path_of("pow2"), None, libraries.load("generic180"))
    # The last of the cells of a kind computes something else.
    before, after = made.netlist.rsplit('"NAND2X1"', 1)
    wrong = replace(made, netlist=f'{before}"NOR2X1"{after}')
    with pytest.raises(ProgramError, match=r"differs from the design: `\w+` is 0x"):
        check(wrong, None, DRAWN, lambda *_: None)


def test_a_design_in_verilog_is_not_checked(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    design = tmp_path / "wire.v"
    design.write_text("module wire_(input a, output b); assign b = a; endmodule\n")
    refused = verb("synth", design, "--check", "1")
    assert refused.code == 1
    assert "is not a design in FDL" in refused.err


def models(library: libraries.Library) -> Iterator[str]:
    """The library's cells in Verilog, from Yosys's own description of its functions."""
    for cell in library.values["cells"]:
        if cell["inputs"] is not None:
            terms = [
                "("
                + " & ".join(
                    f"{'' if row >> index & 1 else '~'}{pin}"
                    for index, pin in enumerate(cell["inputs"])
                )
                + ")"
                for row in range(1 << len(cell["inputs"]))
                if cell["table"] >> row & 1
            ]
            pins = ", ".join(cell["inputs"])
            yield f"module {cell['name']}(input {pins}, output Y); assign Y = {' | '.join(terms)};"
            yield "endmodule"


def test_the_netlist_in_verilog_runs_under_icarus(
    tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("iverilog")
    need_tool("yosys")
    library = libraries.load("generic180")
    made = synthesis(path_of("pow2"), None, library)
    recording = recorded(path_of("pow2"), 1)
    text = "\n".join([made.verilog(), FLIP_FLOP, *models(library)])
    output = simulators.icarus([recording], [text], tmp_path)
    assert simulators.verdicts(output) == ({recording.name}, set())


COLLIDING = """
module colliding(input clk, g0, n2, n_3, \\wire , output reg y, output \\always );
  wire next = (g0 ^ n2) & ~n_3;
  assign \\always = next ^ \\wire ;
  always @(posedge clk) y <= next;
endmodule
"""
BENCH = """
module bench;
  reg [5:0] in; wire y, z; integer row;
  colliding tested(.clk(in[5]), .g0(in[0]), .n2(in[1]), .n_3(in[2]),
    .\\wire (in[3]), .y(y), .\\always (z));
  initial begin
    for (row = 0; row < 64; row = row + 1) begin
      in = {1'b0, row[4:0]}; #1 in[5] = 1; #1 $display("%b%b", y, z);
    end
    $finish;
  end
endmodule
"""


def test_ports_named_like_nets_and_keywords_keep_their_function(
    tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    iverilog, vvp = need_tool("iverilog"), need_tool("vvp")
    need_tool("yosys")
    library = libraries.load("generic180")
    design = tmp_path / "colliding.v"
    design.write_text(COLLIDING)
    netlist = "\n".join([synthesis(design, None, library).verilog(), FLIP_FLOP, *models(library)])
    printed = []
    for name, text in (("design", COLLIDING), ("netlist", netlist)):
        source, program = tmp_path / f"{name}_bench.v", tmp_path / name
        source.write_text(text + BENCH)
        subprocess.run([iverilog, "-g2001", "-s", "bench", "-o", program, source], check=True)
        run = subprocess.run([vvp, "-N", program], capture_output=True, text=True, check=True)
        printed.append(run.stdout.splitlines())
    assert len(set(printed[0])) == 4
    assert printed[1] == printed[0]


def test_the_energy_is_that_of_toggled_nets(
    tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    design = tmp_path / "gate.v"
    design.write_text("module gate(input a, b, output y); assign y = ~(a & b); endmodule\n")
    made = synthesis(design, None, libraries.load("generic180"))
    assert made.report(Wires())["cells"] == {"NAND2X1": 1}
    # Before the first row all inputs are 0, so that the output is 1; it falls, stays, and rises.
    rows = [bytes(row) for row in ((0, 1), (1, 1), (1, 1), (1, 0))]
    outputs, energies, weights = made.simulate([rows], Wires())
    assert [row[0] for row in outputs[0]] == [1, 0, 0, 1]
    # The wire of 5 fF, and four inverters of 9 fF, in tenths of femtofarads.
    assert weights["y"] == 50 + 360
    assert energies[0] == [0, 410, 0, 410]


def test_what_is_not_simulated_has_no_energy(
    verb: Verb, tmp_path: Path, need_tool: Callable[[str], str]
) -> None:
    need_tool("yosys")
    text = """module two(input a, b, d, output reg x, y);
      always @(posedge a) x <= d;
      always @(posedge b) y <= d;
    endmodule"""
    (tmp_path / "two.v").write_text(text)
    result = verb("synth", "two.v")
    assert result.code == 0
    assert "the energy is not known: the registers are clocked by a, b" in result.err
    assert "energy of a cycle" not in result.out
    assert "longest path: not known, the registers are clocked by a, b" in result.out
    assert "MHz" not in result.out
    assert "area: " in result.out


def test_energies_grow_with_wires(need_tool: Callable[[str], str]) -> None:
    need_tool("yosys")
    made = synthesis(path_of("pow2"), None, libraries.load("generic180"))
    means: list[Any] = [made.energy(wires)["mean_J"] for wires in (Wires(0, 0), Wires())]
    assert 0 < means[0] < means[1] < 1e-9


def test_wires_are_two_numbers() -> None:
    assert Wires.parse("2,0") == Wires(2e-15, 0)
    with pytest.raises(InputError):
        Wires.parse("nan,1")


def test_absurd_wires_are_refused() -> None:
    assert Wires.parse("1e6,1e6") == Wires(1e-9, 1e-9)
    for text in ("1e7,0", "0,1e7", "inf,0"):
        with pytest.raises(InputError):
            Wires.parse(text)
