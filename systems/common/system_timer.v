// The timer: the current cycle, low half at offset 0, high half at 4 (read-only), and the compare value
// from which on it requests an interrupt, low half at 8, high half at 12.

module system_timer (
	input         clk,
	input         resetn,
	input  [63:0] cycle,    // number of this cycle
	input  [31:0] address,  // byte offset, valid with write and read
	input         write,    // the bus writes wdata in this cycle
	input  [31:0] wdata,
	input         read,     // the bus reads rdata in this cycle
	output [31:0] rdata,
	output        interrupt // the counter has reached the compare value
);
	reg  [63:0] compare;
	wire [63:0] shown = address[3] ? compare : cycle;

	assign rdata     = !read      ? 32'b0
	                 : address[2] ? shown[63:32]
	                 :              shown[31:0];
	assign interrupt = cycle >= compare;

	always @(posedge clk) begin
		if (!resetn)
			compare <= ~64'b0;
		else if (write && address[3]) begin
			if (address[2])
				compare[63:32] <= wdata;
			else
				compare[31:0] <= wdata;
		end
	end
endmodule
