// The console: the low byte of every word written to it leaves the system.

module system_console (
	input         write,     // the bus hands over wdata in this cycle
	input  [31:0] wdata,
	output        out_write, // out_byte is a new character in this cycle
	output [ 7:0] out_byte
);
	assign out_write = write;
	assign out_byte  = wdata[7:0];
endmodule
