`include "wide.vh"
module wide(input [99:0] x, input signed [7:0] s, input clk, input rst, output [99:0] y, output signed [7:0] m, output reg [63:0] q);
  assign y = {x[0], x[99:1]} ^ `PATTERN;
  assign m = -s;
  always @(posedge clk) if (rst) q <= 64'h5; else q <= q + x[63:0];
endmodule
