// The bus: decodes the address, and answers after the wait states of memory or the peripheral.
//
// A peripheral sees address, wdata and a strobe in the one cycle in which its transfer is answered,
// and zeros otherwise. It has word access only: narrow stores have their value on all byte lanes.

module system_bus #(
	parameter [31:0] MEMORY_SIZE      = 32'h0002_0000,
	parameter [31:0] CONSOLE_BASE     = 32'h8000_0000,
	parameter [31:0] CONSOLE_SIZE     = 32'h0000_0010,
	parameter [31:0] COUNTER_BASE     = 32'h8000_0010,
	parameter [31:0] COUNTER_SIZE     = 32'h0000_0010,
	parameter [31:0] EXIT_BASE        = 32'h8000_0020,
	parameter [31:0] EXIT_SIZE        = 32'h0000_0010,
	parameter [31:0] MARKS_BASE       = 32'h8000_0030,
	parameter [31:0] MARKS_SIZE       = 32'h0000_0010,
	parameter [31:0] TIMER_BASE       = 32'h8000_0040,
	parameter [31:0] TIMER_SIZE       = 32'h0000_0010,
	parameter [31:0] COPROCESSOR_BASE = 32'h8001_0000,
	parameter [31:0] COPROCESSOR_SIZE = 32'h0000_1000
) (
	input         clk,
	input         resetn,
	input  [15:0] fetch_wait,        // cycles before memory answers a fetch
	input  [15:0] data_wait,         // cycles before memory answers a load or store
	input  [15:0] bus_wait,          // cycles before a peripheral answers
	input         mem_valid,         // the core's memory interface
	input         mem_instr,
	input  [31:0] mem_addr,
	input  [31:0] mem_wdata,
	input  [ 3:0] mem_wstrb,
	output        mem_ready,
	output [31:0] mem_rdata,
	output        fault,             // no memory or peripheral at the address
	output        memory_write,      // memory takes mem_wdata at the end of this cycle
	input  [31:0] memory_rdata,
	output [31:0] address,           // byte offset in the window of the peripheral
	output [31:0] wdata,
	output        console_write,
	output        console_read,
	input  [31:0] console_rdata,
	output        counter_read,
	input  [31:0] counter_rdata,
	output        exit_write,
	output        marks_write,
	output        dma_write,
	output        timer_write,
	output        timer_read,
	input  [31:0] timer_rdata,
	output        coprocessor_write,
	output        coprocessor_read,
	input  [31:0] coprocessor_rdata
);
	wire [31:0] console_offset     = mem_addr - CONSOLE_BASE;
	wire [31:0] counter_offset     = mem_addr - COUNTER_BASE;
	wire [31:0] exit_offset        = mem_addr - EXIT_BASE;
	wire [31:0] marks_offset       = mem_addr - MARKS_BASE;
	wire [31:0] timer_offset       = mem_addr - TIMER_BASE;
	wire [31:0] coprocessor_offset = mem_addr - COPROCESSOR_BASE;

	wire hit_memory      = mem_addr < MEMORY_SIZE;
	wire hit_console     = !mem_instr && console_offset < CONSOLE_SIZE;
	wire hit_counter     = !mem_instr && counter_offset < COUNTER_SIZE;
	wire hit_exit        = !mem_instr && exit_offset < EXIT_SIZE;
	wire hit_marks       = !mem_instr && marks_offset < MARKS_SIZE;
	wire hit_timer       = !mem_instr && timer_offset < TIMER_SIZE;
	wire hit_coprocessor = !mem_instr && coprocessor_offset < COPROCESSOR_SIZE;
`ifdef DMA_AT
	wire [31:0] dma_offset = mem_addr - `DMA_AT;
	wire        hit_dma    = !mem_instr && dma_offset < 32'h10;
`else
	wire [31:0] dma_offset = 32'b0;
	wire        hit_dma    = 1'b0;
`endif
	wire hit_peripheral  = hit_dma || hit_console || hit_counter || hit_exit || hit_marks
	                    || hit_timer || hit_coprocessor;

	wire is_write          = mem_wstrb != 0;
	wire answer_peripheral = mem_ready && hit_peripheral;

`ifdef BURST_SAVES
	// A transfer at the address after that of the previous one has this many fewer wait states.
	reg  [31:2] next_word;
	reg         next_write, expects;
	wire        goes_on       = expects && mem_addr[31:2] == next_word && is_write == next_write;
	wire [15:0] transfer_wait = goes_on ? bus_wait - 16'd`BURST_SAVES : bus_wait;

	always @(posedge clk) begin
		if (!resetn)
			expects <= 0;
		else if (answer_peripheral) begin
			expects    <= 1;
			next_word  <= mem_addr[31:2] + 1;
			next_write <= is_write;
		end
	end
`else
	wire [15:0] transfer_wait = bus_wait;
`endif

	reg  [15:0] waited;
	wire [15:0] memory_wait = mem_instr ? fetch_wait : data_wait;
	wire [15:0] due         = hit_memory ? memory_wait : transfer_wait;

	assign mem_ready = mem_valid && (hit_memory || hit_peripheral) && waited == due;
	assign fault     = mem_valid && !hit_memory && !hit_peripheral;

	always @(posedge clk) begin
		if (!resetn || !mem_valid || mem_ready)
			waited <= 0;
		else
			waited <= waited + 1;
	end

	wire write             = mem_ready && is_write;
	wire read              = mem_ready && !is_write;

	assign memory_write      = write && hit_memory;
	assign console_write     = write && hit_console;
	assign exit_write        = write && hit_exit;
	assign marks_write       = write && hit_marks;
	assign dma_write         = write && hit_dma;
	assign timer_write       = write && hit_timer;
	assign coprocessor_write = write && hit_coprocessor;
	assign console_read      = read && hit_console;
	assign counter_read      = read && hit_counter;
	assign timer_read        = read && hit_timer;
	assign coprocessor_read  = read && hit_coprocessor;

	assign address = !answer_peripheral ? 32'b0
	               : hit_coprocessor    ? coprocessor_offset
	               : hit_counter        ? counter_offset
	               : hit_timer          ? timer_offset
	               : hit_console        ? console_offset
	               : hit_dma            ? dma_offset
	               :                      32'b0;
	assign wdata   = answer_peripheral && is_write ? mem_wdata : 32'b0;

	assign mem_rdata = hit_memory      ? memory_rdata
	                 : hit_counter     ? counter_rdata
	                 : hit_timer       ? timer_rdata
	                 : hit_console     ? console_rdata
	                 : hit_coprocessor ? coprocessor_rdata
	                 :                   32'b0;
endmodule
