// The parts of every system except core and memory: the bus, the console, the cycle counter, the exit
// device, the timer and, if the macro COPROCESSOR names a module, that coprocessor.

module system_peripherals #(
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
	input  [15:0] fetch_wait,    // as in system_bus
	input  [15:0] data_wait,
	input  [15:0] bus_wait,
	input         mem_valid,
	input         mem_instr,
	input  [31:0] mem_addr,
	input  [31:0] mem_wdata,
	input  [ 3:0] mem_wstrb,
	output        mem_ready,
	output [31:0] mem_rdata,
	output        fault,
	output        memory_write,
	input  [31:0] memory_rdata,
	output [63:0] cycle,         // number of this cycle
	output        console_write, // the console sends console_byte in this cycle
	output [ 7:0] console_byte,
	input         console_valid, // console_input is the next received character
	input  [ 7:0] console_input,
	output        console_take,  // the character is consumed at the end of this cycle
	output        mark_write,    // the program writes mark_value as a mark in this cycle
	output [31:0] mark_value,
	output        exited,        // the exit device takes exit_code in this cycle
	output [31:0] exit_code,
	output        interrupt,     // timer interrupt
	output [31:0] memory_addr,   // address and data of memory_write, from the core or the DMA controller
	output [31:0] memory_wdata,
	output [ 3:0] memory_wstrb,
	output        read_ahead,    // the DMA controller reads the word at read_ahead_addr, as mem_la_read does
	output [31:0] read_ahead_addr
);
	wire        console_read, counter_read, coprocessor_read, coprocessor_write;
	wire        timer_read, timer_write;
	wire        console_strobe, exit_strobe;
	wire [31:0] console_rdata, counter_rdata, timer_rdata, coprocessor_rdata;
	wire [31:0] bus_address, bus_wdata;

	wire        bus_valid, bus_instr, bus_ready, dma_write;
	wire [31:0] bus_addr, bus_data;
	wire [ 3:0] bus_wstrb;

	assign memory_addr  = bus_addr;
	assign memory_wdata = bus_data;
	assign memory_wstrb = bus_wstrb;

`ifdef DMA_AT
	system_dma dma (
		.clk       (clk            ),
		.resetn    (resetn         ),
		.core_valid(mem_valid      ),
		.core_instr(mem_instr      ),
		.core_addr (mem_addr       ),
		.core_wdata(mem_wdata      ),
		.core_wstrb(mem_wstrb      ),
		.core_ready(mem_ready      ),
		.bus_valid (bus_valid      ),
		.bus_instr (bus_instr      ),
		.bus_addr  (bus_addr       ),
		.bus_wdata (bus_data       ),
		.bus_wstrb (bus_wstrb      ),
		.bus_ready (bus_ready      ),
		.bus_rdata (mem_rdata      ),
		.write     (dma_write      ),
		.address   (bus_address    ),
		.wdata     (bus_wdata      ),
		.read_ahead(read_ahead     ),
		.read_addr (read_ahead_addr)
	);
`else
	assign bus_valid       = mem_valid;
	assign bus_instr       = mem_instr;
	assign bus_addr        = mem_addr;
	assign bus_data        = mem_wdata;
	assign bus_wstrb       = mem_wstrb;
	assign mem_ready       = bus_ready;
	assign read_ahead      = 1'b0;
	assign read_ahead_addr = 32'b0;
`endif

	system_bus #(
		.MEMORY_SIZE     (MEMORY_SIZE     ),
		.CONSOLE_BASE    (CONSOLE_BASE    ),
		.CONSOLE_SIZE    (CONSOLE_SIZE    ),
		.COUNTER_BASE    (COUNTER_BASE    ),
		.COUNTER_SIZE    (COUNTER_SIZE    ),
		.EXIT_BASE       (EXIT_BASE       ),
		.EXIT_SIZE       (EXIT_SIZE       ),
		.MARKS_BASE      (MARKS_BASE      ),
		.MARKS_SIZE      (MARKS_SIZE      ),
		.TIMER_BASE      (TIMER_BASE      ),
		.TIMER_SIZE      (TIMER_SIZE      ),
		.COPROCESSOR_BASE(COPROCESSOR_BASE),
`ifdef COPROCESSOR
		.COPROCESSOR_SIZE(COPROCESSOR_SIZE)
`else
		.COPROCESSOR_SIZE(32'h0000_0000   )
`endif
	) bus (
		.clk              (clk              ),
		.resetn           (resetn           ),
		.fetch_wait       (fetch_wait       ),
		.data_wait        (data_wait        ),
		.bus_wait         (bus_wait         ),
		.mem_valid        (bus_valid        ),
		.mem_instr        (bus_instr        ),
		.mem_addr         (bus_addr         ),
		.mem_wdata        (bus_data         ),
		.mem_wstrb        (bus_wstrb        ),
		.mem_ready        (bus_ready        ),
		.mem_rdata        (mem_rdata        ),
		.fault            (fault            ),
		.memory_write     (memory_write     ),
		.memory_rdata     (memory_rdata     ),
		.address          (bus_address      ),
		.wdata            (bus_wdata        ),
		.console_write    (console_strobe   ),
		.console_read     (console_read     ),
		.console_rdata    (console_rdata    ),
		.counter_read     (counter_read     ),
		.counter_rdata    (counter_rdata    ),
		.exit_write       (exit_strobe      ),
		.marks_write      (mark_write       ),
		.dma_write        (dma_write        ),
		.timer_write      (timer_write      ),
		.timer_read       (timer_read       ),
		.timer_rdata      (timer_rdata      ),
		.coprocessor_write(coprocessor_write),
		.coprocessor_read (coprocessor_read ),
		.coprocessor_rdata(coprocessor_rdata)
	);

	system_console console (
		.write    (console_strobe),
		.wdata    (bus_wdata     ),
		.address  (bus_address   ),
		.read     (console_read  ),
		.rdata    (console_rdata ),
		.out_write(console_write ),
		.out_byte (console_byte  ),
		.in_valid (console_valid ),
		.in_byte  (console_input ),
		.in_take  (console_take  )
	);

	assign mark_value = bus_wdata;

	system_counter counter (
		.clk    (clk           ),
		.resetn (resetn        ),
		.address(bus_address   ),
		.read   (counter_read  ),
		.rdata  (counter_rdata ),
		.cycle  (cycle         )
	);

	system_timer timer (
		.clk      (clk        ),
		.resetn   (resetn     ),
		.cycle    (cycle      ),
		.address  (bus_address),
		.write    (timer_write),
		.wdata    (bus_wdata  ),
		.read     (timer_read ),
		.rdata    (timer_rdata),
		.interrupt(interrupt  )
	);

	system_exit exit_device (
		.write (exit_strobe),
		.wdata (bus_wdata  ),
		.exited(exited     ),
		.code  (exit_code  )
	);

`ifdef COPROCESSOR
`ifdef CLOCK_DIVIDE
	// The coprocessor's clock is slower. Its inputs are held until the end of its cycle, which is a whole
	// number of core cycles, counted from the release of reset.
	reg  [15:0] phase;
	wire        ends = !resetn || phase == `CLOCK_DIVIDE - 1;
	reg         gate;
	reg         held_write, held_read;
	reg  [11:0] held_address;
	reg  [31:0] held_wdata;

	always @(negedge clk) gate <= ends;

	always @(posedge clk) begin
		phase <= ends ? 0 : phase + 1;
		if (ends) begin
			held_write <= 0;
			held_read  <= 0;
		end else if (coprocessor_write || coprocessor_read) begin
			held_write   <= coprocessor_write;
			held_read    <= coprocessor_read;
			held_address <= bus_address[11:0];
			held_wdata   <= bus_wdata;
		end
	end

	wire        is_held = held_write || held_read;
	wire        coprocessor_clk     = clk && gate;
	wire        coprocessor_writes  = coprocessor_write || held_write;
	wire        coprocessor_reads   = coprocessor_read || held_read;
	wire [11:0] coprocessor_address = is_held ? held_address : bus_address[11:0];
	wire [31:0] coprocessor_wdata   = is_held ? held_wdata : bus_wdata;
`else
	wire        coprocessor_clk     = clk;
	wire        coprocessor_writes  = coprocessor_write;
	wire        coprocessor_reads   = coprocessor_read;
	wire [11:0] coprocessor_address = bus_address[11:0];
	wire [31:0] coprocessor_wdata   = bus_wdata;
`endif

	`COPROCESSOR coprocessor (
		.clk    (coprocessor_clk    ),
		.rst    (!resetn            ),
		.address(coprocessor_address),
		.wdata  (coprocessor_wdata  ),
		.write  (coprocessor_writes ),
		.read   (coprocessor_reads  ),
		.rdata  (coprocessor_rdata  )
	);
`else
	assign coprocessor_rdata = 32'b0;
`endif
endmodule
