"""Bus wrappers around the modular arithmetic processor, driven by bus-functional benches."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cocrypt import _native
from cocrypt.errors import InputError
from cocrypt.hardware.wrappers import Bus, wrapper

if TYPE_CHECKING:
    from collections.abc import Callable

MAP = Path(__file__).resolve().parents[2] / "coprocessors/map/map.fdl"

# Writes every word of x, y and m, adds, waits for `done`, and reads every word of z, for operands
# below 2^161; 100 times over on buses that may stall.
COMMON = """
  reg clk = 0, rst = 1;
  always #5 clk = ~clk;
  reg [31:0] got;
  reg [160:0] x, y, m, z, wanted;
  reg [191:0] wide;
  integer word, round, wrong = 0, polls;
  initial begin
    repeat (3) @(posedge clk);
    #1 rst = 0;
    for (round = 0; round < 100; round = round + 1) begin
      m = {$random, $random, $random, $random, $random, $random} | 161'd1 | (161'd1 << 160);
      x = {$random, $random, $random, $random, $random} % m;
      y = {$random, $random, $random, $random, $random} % m;
      wide = {31'd0, x};
      for (word = 0; word < 6; word = word + 1) put(12'h040 + 4 * word, wide[32 * word +: 32]);
      wide = {31'd0, y};
      for (word = 0; word < 6; word = word + 1) put(12'h060 + 4 * word, wide[32 * word +: 32]);
      wide = {31'd0, m};
      for (word = 0; word < 6; word = word + 1) put(12'h080 + 4 * word, wide[32 * word +: 32]);
      put(12'h000, 32'd4);
      got = 0;
      for (polls = 0; !got[0] && polls < 20; polls = polls + 1) get(12'h004);
      if (got != 32'd1) wrong = wrong + 1;
      wide = 0;
      for (word = 0; word < 6; word = word + 1) begin
        get(12'h0a0 + 4 * word);
        wide[32 * word +: 32] = got;
      end
      wanted = ({1'b0, x} + {1'b0, y}) % {1'b0, m};
      if (wide !== {31'd0, wanted}) wrong = wrong + 1;
    end
    if (wrong == 0) $display("PASS"); else $display("FAIL %0d", wrong);
    $finish;
  end
  initial #2000000 begin $display("FAIL: no answer"); $finish; end
"""

APB = """
  reg psel = 0, penable = 0, pwrite = 0;
  reg [11:0] paddr = 0; reg [31:0] pwdata = 0; wire [31:0] prdata; wire pready, pslverr;
  map_apb dut(.pclk(clk), .presetn(~rst), .psel(psel), .penable(penable), .pwrite(pwrite),
    .pstrb({4{pwrite}}), .paddr(paddr), .pwdata(pwdata), .prdata(prdata), .pready(pready),
    .pslverr(pslverr));
  task transfer(input w, input [11:0] a, input [31:0] d); begin
    psel = 1; pwrite = w; paddr = a; pwdata = d;
    @(posedge clk); #1 penable = 1;
    #1 while (!pready) begin @(posedge clk); #2; end
    got = prdata;
    @(posedge clk); #1 psel = 0; penable = 0;
  end endtask
"""

WISHBONE = """
  reg cyc = 0, stb = 0, we = 0; reg [11:0] adr = 0; reg [31:0] dat = 0;
  wire [31:0] answer; wire ack;
  map_wishbone dut(.clk_i(clk), .rst_i(rst), .cyc_i(cyc), .stb_i(stb), .we_i(we), .sel_i(4'hf),
    .adr_i(adr), .dat_i(dat), .dat_o(answer), .ack_o(ack));
  task transfer(input w, input [11:0] a, input [31:0] d); begin
    cyc = 1; stb = 1; we = w; adr = a; dat = d;
    #1 while (!ack) begin @(posedge clk); #2; end
    got = answer;
    @(posedge clk); #1 cyc = 0; stb = 0;
  end endtask
"""

PICORV32 = """
  reg valid = 0; reg [11:0] adr = 0; reg [31:0] dat = 0; reg [3:0] strobes = 0;
  wire [31:0] answer; wire ready;
  map_picorv32 dut(.clk(clk), .resetn(~rst), .select(1'b1), .mem_valid(valid), .mem_ready(ready),
    .mem_addr(adr), .mem_wdata(dat), .mem_wstrb(strobes), .mem_rdata(answer));
  task transfer(input w, input [11:0] a, input [31:0] d); begin
    valid = 1; strobes = {4{w}}; adr = a; dat = d;
    #1 while (!ready) begin @(posedge clk); #2; end
    got = answer;
    @(posedge clk); #1 valid = 0;
  end endtask
"""

PCPI = """
  reg valid = 0; reg [31:0] insn = 0, rs1 = 0, rs2 = 0;
  wire [31:0] rd; wire wr, waits, ready;
  map_pcpi dut(.clk(clk), .resetn(~rst), .pcpi_valid(valid), .pcpi_insn(insn), .pcpi_rs1(rs1),
    .pcpi_rs2(rs2), .pcpi_wr(wr), .pcpi_rd(rd), .pcpi_wait(waits), .pcpi_ready(ready));
  task transfer(input w, input [11:0] a, input [31:0] d); begin
    valid = 1; rs1 = a; rs2 = d; insn = w ? 32'h00c5900b : 32'h0005850b;
    #1 while (!ready) begin @(posedge clk); #2; end
    if (wr == w) wrong = wrong + 1;
    got = rd;
    @(posedge clk); #1 valid = 0;
  end endtask
"""

PORT = """
  reg read = 0, write = 0; reg [11:0] adr = 0; reg [31:0] dat = 0; wire [31:0] answer;
  map_port dut(.clk(clk), .rst(rst), .address(adr), .wdata(dat), .write(write), .read(read),
    .rdata(answer));
  task transfer(input w, input [11:0] a, input [31:0] d); begin
    read = ~w; write = w; adr = a; dat = d;
    #1 got = answer;
    @(posedge clk); #1 read = 0; write = 0;
  end endtask
"""

# Channels start in random order, and answers are taken late; an answer must stay until it is taken.
AXI = """
  reg awvalid = 0, wvalid = 0, bready = 0, arvalid = 0, rready = 0;
  reg [11:0] adr = 0; reg [31:0] dat = 0, held; wire [31:0] answer;
  wire awready, wready, bvalid, arready, rvalid; wire [1:0] bresp, rresp;
  map_axi4lite dut(.aclk(clk), .aresetn(~rst), .s_axi_awvalid(awvalid), .s_axi_awready(awready),
    .s_axi_awaddr(adr), .s_axi_awprot(3'd0), .s_axi_wvalid(wvalid), .s_axi_wready(wready),
    .s_axi_wdata(dat), .s_axi_wstrb(4'hf), .s_axi_bvalid(bvalid), .s_axi_bready(bready),
    .s_axi_bresp(bresp), .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_araddr(adr),
    .s_axi_arprot(3'd0), .s_axi_rvalid(rvalid), .s_axi_rready(rready), .s_axi_rdata(answer),
    .s_axi_rresp(rresp));
  task pause; repeat ($random & 3) begin @(posedge clk); #1; end endtask
  task transfer(input w, input [11:0] a, input [31:0] d); begin
    adr = a; dat = d;
    if (w) begin
      fork
        begin pause; awvalid = 1; #1 while (!awready) begin @(posedge clk); #2; end
          @(posedge clk); #1 awvalid = 0; end
        begin pause; wvalid = 1; #1 while (!wready) begin @(posedge clk); #2; end
          @(posedge clk); #1 wvalid = 0; end
      join
      while (!bvalid) begin @(posedge clk); #1; end
      pause; if (!bvalid || bresp != 0) wrong = wrong + 1;
      bready = 1; @(posedge clk); #1 bready = 0;
      if (bvalid) wrong = wrong + 1;
    end else begin
      pause; arvalid = 1; #1 while (!arready) begin @(posedge clk); #2; end
      @(posedge clk); #1 arvalid = 0;
      while (!rvalid) begin @(posedge clk); #1; end
      held = answer; pause; if (!rvalid || answer !== held || rresp != 0) wrong = wrong + 1;
      got = answer; rready = 1; @(posedge clk); #1 rready = 0;
      if (rvalid) wrong = wrong + 1;
    end
  end endtask
"""

BENCHES = {
    Bus.PORT: PORT,
    Bus.APB: APB,
    Bus.AXI4LITE: AXI,
    Bus.WISHBONE: WISHBONE,
    Bus.PICORV32: PICORV32,
    Bus.PCPI: PCPI,
}

TASKS = """
  task put(input [11:0] a, input [31:0] d); transfer(1'b1, a, d); endtask
  task get(input [11:0] a); transfer(1'b0, a, 32'd0); endtask
"""


@pytest.mark.parametrize("bus", Bus)
def test_every_register_is_reached(
    bus: Bus, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    iverilog, vvp = need_tool("iverilog"), need_tool("vvp")
    _write(bus, tmp_path)
    bench = f"module bench;\n{COMMON}{BENCHES[bus]}{TASKS}endmodule\n"
    (tmp_path / "bench.v").write_text(bench)
    build = [iverilog, "-g2005-sv", "-o", "bench", "bench.v", "wrapper.v", "map.v"]
    subprocess.run(build, cwd=tmp_path, check=True)
    process = subprocess.run(
        [vvp, "bench"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert process.stdout.splitlines()[0] == "PASS"


@pytest.mark.parametrize("bus", Bus)
def test_yosys_has_no_complaint(bus: Bus, need_tool: Callable[[str], str], tmp_path: Path) -> None:
    yosys = need_tool("yosys")
    _write(bus, tmp_path)
    script = f"read_verilog map.v wrapper.v; hierarchy -check -top map_{bus}; proc; check -assert"
    process = subprocess.run(
        [yosys, "-q", "-p", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stdout + process.stderr) == (0, "")


def test_a_design_without_the_port_is_refused() -> None:
    with pytest.raises(InputError, match="does not have the register port"):
        wrapper(MAP, "word_writer", Bus.APB)


def _write(bus: Bus, folder: Path) -> None:
    (folder / "map.v").write_text(_native.fdl_verilog(MAP, "map"))
    (folder / "wrapper.v").write_text(wrapper(MAP, "map", bus))


def test_the_name_of_a_design_stays_in_its_comment(tmp_path: Path) -> None:
    design = tmp_path / "map\nmodule evil; endmodule\n`define x .fdl"
    design.write_text(MAP.read_text(encoding="utf-8"), encoding="utf-8")
    for bus in Bus:
        lines = wrapper(design, "map", bus).splitlines()
        assert [line[:2] for line in lines if "evil" in line] == ["//"]
