"""Self-checking test benches: they repeat a recorded run, and compare all outputs in each cycle.

A bench prints `PASS name` or `FAIL name` at its end. Inputs change after the clock's edge and
outputs are read before the next edge, as in our simulator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.hardware.recording import Port, Recording, Row

VERILOG = """// Test bench of {name}: {count} cycles, recorded by cocrypt.
`timescale 1ns / 1ps
module {bench};
  parameter FINISH = 1;  // 0 where other benches run beside this one
  reg clk = 0, rst = 1;
  // One row a cycle. Inputs, highest first: {ins}.
  reg [{in_high}:0] stimuli [0:{last}];
  // Outputs, highest first: {outs}.
  reg [{out_high}:0] expected [0:{last}];
  reg [{in_high}:0] row = 0;
  reg [{out_high}:0] wanted = 0;
  wire [{out_high}:0] found;
  integer cycle, errors = 0;

  {verilog} dut(
    {connections}
  );

  initial begin
{rows}
    #5 clk = 1;
    #5 clk = 0;
    rst = 0;
    for (cycle = 0; cycle < {count}; cycle = cycle + 1) begin
      row = stimuli[cycle];
      wanted = expected[cycle];
      #4 if (found !== wanted) begin
        errors = errors + 1;
        if (errors < 10)
          $display("{name}: cycle %0d: found %h, expected %h", cycle, found, wanted);
      end
      #1 clk = 1;
      #5 clk = 0;
    end
    if (errors == 0) $display("PASS {name}: {count} cycles");
    else $display("FAIL {name}: %0d of {count} cycles differ", errors);
    if (FINISH) $finish;
  end
endmodule
"""

VHDL = """-- Test bench of {name}: {count} cycles, recorded by cocrypt.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity {bench} is
end entity;

architecture test of {bench} is
  -- One row a cycle. Inputs, highest first: {ins}.
  type input_rows is array (0 to {last}) of unsigned({in_high} downto 0);
  -- Outputs, highest first: {outs}.
  type output_rows is array (0 to {last}) of unsigned({out_high} downto 0);
  constant stimuli : input_rows := (
{stimuli}
  );
  constant expected : output_rows := (
{expected}
  );
  signal clk : std_logic := '0';
  signal rst : std_logic := '1';
  signal row : unsigned({in_high} downto 0) := (others => '0');
  signal found : unsigned({out_high} downto 0);
begin
  dut : entity work.{vhdl} port map (
    {connections}
  );

  process
    variable errors : natural := 0;
  begin
    wait for 5 ns;
    clk <= '1';
    wait for 5 ns;
    clk <= '0';
    rst <= '0';
    for cycle in stimuli'range loop
      row <= stimuli(cycle);
      wait for 4 ns;
      if std_logic_vector(found) /= std_logic_vector(expected(cycle)) then
        errors := errors + 1;
        report "{name}: cycle " & integer'image(cycle) & " differs" severity error;
      end if;
      wait for 1 ns;
      clk <= '1';
      wait for 5 ns;
      clk <= '0';
    end loop;
    assert errors = 0
      report "FAIL {name}: " & integer'image(errors) & " of {count} cycles differ"
      severity failure;
    report "PASS {name}: {count} cycles" severity note;
    wait;
  end process;
end architecture;
"""


def verilog_bench(recording: Recording) -> str:
    """The bench of a recording in Verilog-2001."""
    common, (in_width, out_width) = _common(recording)
    connections = [".clk(clk)", ".rst(rst)"]
    for port, signal, (high, low) in _slices(recording):
        connections.append(f".{port.verilog}({signal}[{high}:{low}])")
    rows = [
        f"    stimuli[{cycle}] = {in_width}'h{_pack(recording.ins, ins):x};"
        f" expected[{cycle}] = {out_width}'h{_pack(recording.outs, outs):x};"
        for cycle, (ins, outs) in _cycles(recording)
    ]
    return VERILOG.format(
        **common,
        verilog=recording.verilog,
        connections=",\n    ".join(connections),
        rows="\n".join(rows),
    )


def vhdl_bench(recording: Recording) -> str:
    """The bench of a recording in VHDL-93, which is VHDL-2008 as well."""
    common, (in_width, out_width) = _common(recording)
    connections = ["clk => clk", "rst => rst"]
    for port, signal, (high, low) in _slices(recording):
        connections.append(f"{port.vhdl} => {signal}({high} downto {low})")
    stimuli, expected = [], []
    for cycle, (ins, outs) in _cycles(recording):
        stimuli.append(f'    {cycle} => "{_pack(recording.ins, ins):0{in_width}b}"')
        expected.append(f'    {cycle} => "{_pack(recording.outs, outs):0{out_width}b}"')
    return VHDL.format(
        **common,
        vhdl=recording.vhdl,
        connections=",\n    ".join(connections),
        stimuli=",\n".join(stimuli),
        expected=",\n".join(expected),
    )


def bench_name(recording: Recording) -> str:
    """The name of the bench in both languages."""
    return f"test_{recording.name.strip('_').replace('__', '_')}"


def _common(recording: Recording) -> tuple[dict[str, object], tuple[int, int]]:
    widths = (_width(recording.ins), _width(recording.outs))
    count = len(recording.inputs)
    values: dict[str, object] = {
        "name": recording.name,
        "bench": bench_name(recording),
        "count": count,
        "last": count - 1,
        "ins": _list(recording.ins),
        "outs": _list(recording.outs),
        "in_high": widths[0] - 1,
        "out_high": widths[1] - 1,
    }
    return values, widths


def _list(ports: list[Port]) -> str:
    return ", ".join(f"{port.name} ({port.width})" for port in ports) or "none"


def _width(ports: list[Port]) -> int:
    return max(1, sum(port.width for port in ports))


def _slices(recording: Recording) -> Iterator[tuple[Port, str, tuple[int, int]]]:
    """Each port, the vector that it is a part of, and its highest and lowest bit there."""
    for ports, signal in ((recording.ins, "row"), (recording.outs, "found")):
        low = sum(port.width for port in ports)
        for port in ports:
            high, low = low - 1, low - port.width
            yield port, signal, (high, low)


def _cycles(recording: Recording) -> Iterator[tuple[int, tuple[Row, Row]]]:
    return enumerate(zip(recording.inputs, recording.outputs, strict=True))


def _pack(ports: list[Port], row: Row) -> int:
    word = 0
    for port in ports:
        word = word << port.width | row[port.name]
    return word
