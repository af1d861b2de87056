"""Bus wrappers in Verilog-2001 for designs with the register port (docs/adr/0002).

The port takes a transfer in a single cycle: `rdata` follows `address` and `read` at once, and a
write takes effect at the clock's edge. Each wrapper therefore strobes `read` or `write` in exactly
one cycle per transfer. A write that leaves out bytes of a word is answered and changes nothing.

Sources: AMBA APB (ARM IHI 0024), AMBA AXI4-Lite (ARM IHI 0022), Wishbone B4 (OpenCores),
PicoRV32's README, sections "Native Memory Interface" and "Pico Co-Processor Interface".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cocrypt import _native, visible
from cocrypt.errors import InputError
from cocrypt.hardware.recording import Port

if TYPE_CHECKING:
    from pathlib import Path

WIDTH = 32
EXPECTED = {"wdata": False, "write": False, "read": False, "address": False, "rdata": True}


class Bus(StrEnum):
    """The buses that have wrappers."""

    PORT = "port"
    APB = "apb"
    AXI4LITE = "axi4lite"
    WISHBONE = "wishbone"
    PICORV32 = "picorv32"
    PCPI = "pcpi"


@dataclass(frozen=True)
class Body:
    """A wrapper's clock and reset, its ports, and its logic."""

    clock: str
    reset: str
    ports: tuple[str, ...]
    text: str


def wrapper(design: Path, top: str, bus: Bus) -> str:
    """Write the Verilog module `<top>_<bus>` around an exported design."""
    described = _native.fdl_ports(design, top)
    ports = {port["name"]: Port(**port) for port in described["ports"]}
    _check(top, ports)
    body, high = BODIES[bus], ports["address"].width - 1
    lines = [f"  input  wire {body.clock}", f"  input  wire {body.reset.lstrip('~')}"]
    lines += [f"  {port}".replace("ADDRESS", f"[{high}:0]") for port in body.ports]
    connections = [f".clk({body.clock})", f".rst({body.reset})"]
    connections += [f".{ports[name].verilog}({name})" for name in EXPECTED]
    inner = f"  {described['verilog']} core(\n    " + ",\n    ".join(connections) + "\n  );\n"
    # Text behind a line's end in a file's name would not be part of the comment.
    head = f"// {top} behind {bus.value}, made from {visible.name(design.name)} by cocrypt.\n"
    name = f"module {top}_{bus.value}(\n" + ",\n".join(lines) + "\n);\n"
    signals = f"  wire [{high}:0] address;\n  wire [31:0] wdata, rdata;\n  wire read, write;\n"
    if bus is Bus.PORT:
        signals = ""
    text = body.text.replace("HIGH", str(high))
    return f"{head}{name}{signals}{text}\n{inner}endmodule\n"


def _check(top: str, ports: dict[str, Port]) -> None:
    directions = {name: port.output for name, port in ports.items()}
    widths = [ports[name].width for name in ("wdata", "rdata") if name in ports]
    if directions != EXPECTED or widths != [WIDTH, WIDTH]:
        raise InputError(
            f"`{top}` does not have the register port that a bus wrapper needs",
            "give it the inputs address, wdata (32 bits), write, read, and an output rdata (32)",
        )


BODIES = {
    Bus.PORT: Body(
        "clk",
        "rst",
        (
            "input  wire ADDRESS address",
            "input  wire [31:0] wdata",
            "input  wire write",
            "input  wire read",
            "output wire [31:0] rdata",
        ),
        "",
    ),
    Bus.APB: Body(
        "pclk",
        "~presetn",
        (
            "input  wire psel",
            "input  wire penable",
            "input  wire pwrite",
            "input  wire [3:0] pstrb",
            "input  wire ADDRESS paddr",
            "input  wire [31:0] pwdata",
            "output wire [31:0] prdata",
            "output wire pready",
            "output wire pslverr",
        ),
        """
  // The access phase takes one cycle.
  assign pready = 1'b1;
  assign pslverr = 1'b0;
  assign address = paddr;
  assign wdata = pwdata;
  assign write = psel & penable & pwrite & (pstrb == 4'hf);
  assign read = psel & penable & ~pwrite;
  assign prdata = rdata;
""",
    ),
    Bus.WISHBONE: Body(
        "clk_i",
        "rst_i",
        (
            "input  wire cyc_i",
            "input  wire stb_i",
            "input  wire we_i",
            "input  wire [3:0] sel_i",
            "input  wire ADDRESS adr_i",
            "input  wire [31:0] dat_i",
            "output wire [31:0] dat_o",
            "output wire ack_o",
        ),
        """
  // Classic cycles, answered at once; addresses count bytes.
  assign ack_o = cyc_i & stb_i;
  assign address = adr_i;
  assign wdata = dat_i;
  assign write = ack_o & we_i & (sel_i == 4'hf);
  assign read = ack_o & ~we_i;
  assign dat_o = rdata;
""",
    ),
    Bus.PICORV32: Body(
        "clk",
        "~resetn",
        (
            "input  wire select",
            "input  wire mem_valid",
            "output wire mem_ready",
            "input  wire ADDRESS mem_addr",
            "input  wire [31:0] mem_wdata",
            "input  wire [3:0] mem_wstrb",
            "output wire [31:0] mem_rdata",
        ),
        """
  // `select` is the address decoder's word that the transfer is for this design.
  assign mem_ready = mem_valid & select;
  assign address = mem_addr;
  assign wdata = mem_wdata;
  assign write = mem_ready & (mem_wstrb == 4'hf);
  assign read = mem_ready & (mem_wstrb == 4'h0);
  assign mem_rdata = rdata;
""",
    ),
    Bus.PCPI: Body(
        "clk",
        "~resetn",
        (
            "input  wire pcpi_valid",
            "input  wire [31:0] pcpi_insn",
            "input  wire [31:0] pcpi_rs1",
            "input  wire [31:0] pcpi_rs2",
            "output wire pcpi_wr",
            "output wire [31:0] pcpi_rd",
            "output wire pcpi_wait",
            "output wire pcpi_ready",
        ),
        """
  // Opcode custom-0, funct7 0. funct3 0: rd = register at rs1; funct3 1: register at rs1 = rs2.
  wire mine = pcpi_valid & (pcpi_insn[6:0] == 7'b0001011) & (pcpi_insn[31:25] == 7'd0);
  assign address = pcpi_rs1[HIGH:0];
  assign wdata = pcpi_rs2;
  assign read = mine & (pcpi_insn[14:12] == 3'd0);
  assign write = mine & (pcpi_insn[14:12] == 3'd1);
  assign pcpi_wr = read;
  assign pcpi_rd = rdata;
  assign pcpi_wait = 1'b0;
  assign pcpi_ready = read | write;
""",
    ),
    Bus.AXI4LITE: Body(
        "aclk",
        "~aresetn",
        (
            "input  wire s_axi_awvalid",
            "output wire s_axi_awready",
            "input  wire ADDRESS s_axi_awaddr",
            "input  wire [2:0] s_axi_awprot",
            "input  wire s_axi_wvalid",
            "output wire s_axi_wready",
            "input  wire [31:0] s_axi_wdata",
            "input  wire [3:0] s_axi_wstrb",
            "output wire s_axi_bvalid",
            "input  wire s_axi_bready",
            "output wire [1:0] s_axi_bresp",
            "input  wire s_axi_arvalid",
            "output wire s_axi_arready",
            "input  wire ADDRESS s_axi_araddr",
            "input  wire [2:0] s_axi_arprot",
            "output wire s_axi_rvalid",
            "input  wire s_axi_rready",
            "output wire [31:0] s_axi_rdata",
            "output wire [1:0] s_axi_rresp",
        ),
        """
  // Address and data of a write come in any order and are kept until both are there.
  reg has_address, has_data, responding, answering;
  reg [HIGH:0] kept_address;
  reg [31:0] kept_data, answer;
  reg [3:0] kept_strobes;
  assign s_axi_awready = ~has_address;
  assign s_axi_wready = ~has_data;
  assign s_axi_bvalid = responding;
  assign s_axi_bresp = 2'b00;
  assign s_axi_rvalid = answering;
  assign s_axi_rresp = 2'b00;
  assign s_axi_rdata = answer;
  // A write that is complete goes first; a read waits until its answer has a place.
  wire finish = has_address & has_data & ~responding;
  assign s_axi_arready = ~finish & ~answering;
  assign address = finish ? kept_address : s_axi_araddr;
  assign wdata = kept_data;
  assign write = finish & (kept_strobes == 4'hf);
  assign read = s_axi_arvalid & s_axi_arready;

  always @(posedge aclk) begin
    if (~aresetn) begin
      has_address <= 1'b0;
      has_data <= 1'b0;
      responding <= 1'b0;
      answering <= 1'b0;
    end else begin
      if (finish) has_address <= 1'b0;
      else if (s_axi_awvalid & s_axi_awready) has_address <= 1'b1;
      if (finish) has_data <= 1'b0;
      else if (s_axi_wvalid & s_axi_wready) has_data <= 1'b1;
      if (finish) responding <= 1'b1;
      else if (s_axi_bready) responding <= 1'b0;
      if (read) answering <= 1'b1;
      else if (s_axi_rready) answering <= 1'b0;
    end
    if (s_axi_awvalid & s_axi_awready) kept_address <= s_axi_awaddr;
    if (s_axi_wvalid & s_axi_wready) begin
      kept_data <= s_axi_wdata;
      kept_strobes <= s_axi_wstrb;
    end
    if (read) answer <= rdata;
  end
""",
    ),
}
