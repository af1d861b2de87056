// A multiplier whose products add up: `sum` of the cycle before, and `next`, which depends on inputs at once.
module mac #(
  parameter WIDTH = 8,
  parameter START = 0
) (
  input  wire                 clk,
  input  wire                 rst,
  input  wire [WIDTH-1:0]     a,
  input  wire [WIDTH-1:0]     b,
  output reg  [2*WIDTH+7:0]   sum,
  output wire [2*WIDTH+7:0]   next
);
  assign next = sum + a * b;
  always @(posedge clk) sum <= rst ? START : next;
endmodule
