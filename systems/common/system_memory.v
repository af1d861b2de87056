// The memory: one array from address 0, read ahead of the transfer, written when it is answered.
//
// The read follows PicoRV32's look-ahead interface (mem_la_read), so that the word is available in the
// first cycle of mem_valid. This works for any number of wait states: only the bus decides when the
// core gets the word, and nothing else can change it meanwhile.

module system_memory #(
	parameter [31:0] SIZE = 32'h0002_0000 // bytes, a multiple of 4
) (
	input             clk,
	input             read,       // at the end of this cycle the word at read_addr is read
	input      [31:0] read_addr,
	output reg [31:0] rdata,      // the word last read
	input             fetch,      // the same for a second read port, for cores with an instruction port
	input      [31:0] fetch_addr,
	output reg [31:0] fetched,
	input             write,      // at the end of this cycle wdata is written
	input      [31:0] write_addr,
	input      [31:0] wdata,
	input      [ 3:0] wstrb       // byte enables
);
	localparam integer BITS = index_bits(SIZE / 4);

	reg [31:0] words [0:SIZE/4-1];

	wire [BITS-1:0] read_index  = read_addr[BITS+1:2];
	wire [BITS-1:0] fetch_index = fetch_addr[BITS+1:2];
	wire [BITS-1:0] write_index = write_addr[BITS+1:2];

	always @(posedge clk) begin
		if (read)
			rdata <= words[read_index];
		if (fetch)
			fetched <= words[fetch_index];
		if (write) begin
			if (wstrb[0]) words[write_index][ 7: 0] <= wdata[ 7: 0];
			if (wstrb[1]) words[write_index][15: 8] <= wdata[15: 8];
			if (wstrb[2]) words[write_index][23:16] <= wdata[23:16];
			if (wstrb[3]) words[write_index][31:24] <= wdata[31:24];
		end
	end

	// The number of bits of an index into `count` words.
	function integer index_bits(input [31:0] count);
		for (index_bits = 0; (32'd1 << index_bits) < count; index_bits = index_bits + 1) begin
		end
	endfunction
endmodule
