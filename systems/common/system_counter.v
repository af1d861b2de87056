// The cycle counter: the number of the cycle in which it is read, low half at offset 0, high at 4.

module system_counter (
	input             clk,
	input             resetn,
	input      [31:0] address, // byte offset, valid with read
	input             read,    // the bus reads rdata in this cycle
	output     [31:0] rdata,
	output reg [63:0] cycle    // number of this cycle; 0 is the first with resetn high
);
	assign rdata = !read      ? 32'b0
	             : address[2] ? cycle[63:32]
	             :              cycle[31:0];

	always @(posedge clk) begin
		if (!resetn)
			cycle <= 0;
		else
			cycle <= cycle + 1;
	end
endmodule
