// The exit device: a write ends the run with the written word as the exit code.

module system_exit (
	input         write,  // the bus writes wdata in this cycle
	input  [31:0] wdata,
	output        exited, // the program ends in this cycle
	output [31:0] code
);
	assign exited = write;
	assign code   = wdata;
endmodule
