module inv #(parameter [15:0] MASK = 0, parameter NAME = "") (input [15:0] a, output [15:0] y);
  assign y = a ^ MASK ^ (NAME == "odd" ? 16'd1 : 16'd0);
endmodule
