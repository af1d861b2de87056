// Counts the bits of a word that are 1, four a cycle: a coprocessor in SystemVerilog, to show the port.
//
// `clk` is the clock, rising edge; `rst` is synchronous and active high. `address` counts bytes from the start
// of the window; `write` and `read` are 1 in the one cycle in which a transfer is answered, and `rdata` must
// hold the answer in that cycle.
module popcount (
  input  logic        clk,
  input  logic        rst,
  input  logic [11:0] address,
  input  logic [31:0] wdata,
  input  logic        write,
  input  logic        read,
  output logic [31:0] rdata
);
  logic [31:0] rest;
  logic [5:0] ones;
  logic [3:0] left;

  wire [2:0] nibble = 3'(rest[0]) + 3'(rest[1]) + 3'(rest[2]) + 3'(rest[3]);

  always_ff @(posedge clk)
    if (rst) begin
      rest <= '0;
      ones <= '0;
      left <= '0;
    end else if (write && address == 12'h040) begin
      rest <= wdata;
      ones <= '0;
      left <= 4'd8;
    end else if (left != 0) begin
      rest <= rest >> 4;
      ones <= ones + 6'(nibble);
      left <= left - 4'd1;
    end

  always_comb
    unique case (address)
      12'h004: rdata = {31'd0, read && left == 0};
      12'h080: rdata = read ? 32'(ones) : '0;
      default: rdata = '0;
    endcase
endmodule
