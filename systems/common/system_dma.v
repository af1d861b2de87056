// A DMA controller between the core and the bus: it is the bus master while the core waits for the store
// that started it. It reads and then writes each word, with each request in the cycle after the previous
// answer.

module system_dma (
	input             clk,
	input             resetn,
	input             core_valid,   // the core's memory interface
	input             core_instr,
	input      [31:0] core_addr,
	input      [31:0] core_wdata,
	input      [ 3:0] core_wstrb,
	output            core_ready,
	output            bus_valid,    // the request to the bus
	output            bus_instr,
	output     [31:0] bus_addr,
	output     [31:0] bus_wdata,
	output     [ 3:0] bus_wstrb,
	input             bus_ready,
	input      [31:0] bus_rdata,
	input             write,        // the bus answers a store to one of its registers
	input      [31:0] address,      // the register: 0 source, 4 target, 8 words
	input      [31:0] wdata,
	output            read_ahead,   // at the end of this cycle memory reads the word at read_addr
	output     [31:0] read_addr
);
	reg         active, writing;
	reg  [31:0] source, target, word;
	reg  [15:0] left;

	wire starts = write && !active && address[3:2] == 2 && wdata[15:0] != 0;
	wire ends   = active && writing && bus_ready && left == 1;

	assign bus_valid  = active || core_valid;
	assign bus_instr  = !active && core_instr;
	assign bus_addr   = !active ? core_addr : writing ? target : source;
	assign bus_wdata  = active ? word : core_wdata;
	assign bus_wstrb  = !active ? core_wstrb : writing ? 4'hf : 4'h0;
	assign core_ready = active ? ends : bus_ready && !starts;
	assign read_ahead = starts || (active && writing && bus_ready && !ends);
	assign read_addr  = active ? source + 4 : source;

	always @(posedge clk) begin
		if (!resetn)
			active <= 0;
		else if (starts) begin
			active  <= 1;
			writing <= 0;
			left    <= wdata[15:0];
		end else if (active && bus_ready) begin
			writing <= !writing;
			if (!writing)
				word <= bus_rdata;
			else begin
				source <= source + 4;
				target <= target + 4;
				left   <= left - 1;
				active <= !ends;
			end
		end
		if (write && !active && address[3:2] == 0) source <= {wdata[31:2], 2'b00};
		if (write && !active && address[3:2] == 1) target <= {wdata[31:2], 2'b00};
	end
endmodule
