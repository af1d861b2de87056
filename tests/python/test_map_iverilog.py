"""The exported modular arithmetic processor under Icarus Verilog, cycle by cycle.

Verilator is the simulator that `cocrypt verify` uses; a second one, of other authors and with
four-valued logic, sees what the first one's optimisations might hide, unset registers among it.
"""

from __future__ import annotations

import subprocess
from random import Random
from typing import TYPE_CHECKING

from cocrypt import _native
from test_map import DIVIDE, LONGEST, MAP, ORDER, PRIME, Row, _load, _read, _result, _start

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BENCH = """
module bench;
  reg clk = 0, rst = 1;
  reg [45:0] rows [0:ROWS-1];
  reg [45:0] row = 0;
  wire [31:0] rdata;
  integer cycle;
  map dut(.clk(clk), .rst(rst), .read(row[45]), .write(row[44]), .address(row[43:32]),
          .wdata(row[31:0]), .rdata(rdata));
  initial begin
    $readmemh("rows.hex", rows);
    #1 clk = 1; #1 clk = 0; rst = 0;
    for (cycle = 0; cycle < ROWS; cycle = cycle + 1) begin
      row = rows[cycle];
      #1 $display("%h", rdata);
      clk = 1; #1 clk = 0;
    end
    $finish;
  end
endmodule
"""


def stimuli() -> list[Row]:
    """Each operation on random operands modulo p and n, with the status polled in every cycle."""
    source, rows = Random(4), []
    for modulus in (PRIME, ORDER):
        for opcode in range(DIVIDE + 1):
            rows += _load(source.randrange(modulus), source.randrange(modulus), modulus)
            rows += [*_start(opcode), *[_read(4)] * LONGEST, *_result()]
    return rows


def packed(row: Row) -> str:
    """A row in the format of the test bench."""
    get = row.get
    strobes = get("read", 0) << 45 | get("write", 0) << 44
    return f"{strobes | get('address', 0) << 32 | get('wdata', 0):x}"


def test_icarus_agrees_in_every_cycle(need_tool: Callable[[str], str], tmp_path: Path) -> None:
    compiler, runtime = need_tool("iverilog"), need_tool("vvp")
    rows = [{"address": 0, "wdata": 0, "write": 0, "read": 0, **row} for row in stimuli()]
    (tmp_path / "rows.hex").write_text("\n".join(map(packed, rows)))
    (tmp_path / "map.v").write_text(_native.fdl_verilog(MAP, "map"))
    (tmp_path / "bench.v").write_text(BENCH.replace("ROWS", str(len(rows))))
    build = [compiler, "-g2001", "-Wall", "-o", "bench", "bench.v", "map.v"]
    compiled = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr
    done = subprocess.run(
        [runtime, "bench"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    shown = [line for line in done.stdout.split() if len(line) == 8]
    expected = [f"{row['rdata']:08x}" for row in _native.fdl_simulate(MAP, "map", rows)]
    assert len(shown) == len(rows)
    differences = [
        (n, a, b) for n, (a, b) in enumerate(zip(shown, expected, strict=True)) if a != b
    ]
    assert not differences, differences[:5]
