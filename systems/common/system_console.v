// The console: a write sends the low byte of the word; offset 0 reads the next received character, or
// all ones if there is none, and offset 4 reads 1 if there is one.

module system_console (
	input         write,     // the bus writes wdata in this cycle
	input  [31:0] wdata,
	input  [31:0] address,   // byte offset, valid with write and read
	input         read,      // the bus reads rdata in this cycle
	output [31:0] rdata,
	output        out_write, // out_byte is a new character in this cycle
	output [ 7:0] out_byte,
	input         in_valid,  // in_byte is the next received character
	input  [ 7:0] in_byte,
	output        in_take    // in_byte is consumed at the end of this cycle
);
	assign out_write = write && !address[2];
	assign out_byte  = wdata[7:0];
	assign in_take   = read && !address[2] && in_valid;
	assign rdata     = address[2] ? {31'b0, in_valid}
	                 : in_valid   ? {24'b0, in_byte}
	                 :              32'hffff_ffff;
endmodule
