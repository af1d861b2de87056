// A SERV with memory, bus, console, cycle counter, exit device and, if the macro COPROCESSOR names a
// module, that coprocessor. The core itself is not part of this folder. A coprocessor's modules must
// not use the same names (serv_*, system_*).
//
// SERV never fetches while it loads or stores, so both of its ports share one bus. An instruction is
// issued in the first cycle of its fetch.
//
// Reset and settings are registered, so that no output depends combinationally on an input.
// Cycle 0 is the first cycle in which the core is out of reset (`running`).

module serv_system #(
	parameter [ 0:0] COMPRESSED       = 0,
	parameter [ 0:0] PRE_REGISTER     = 1,
	parameter [ 0:0] WITH_CSR         = 1,
	parameter integer RF_WIDTH        = 2,
	parameter [31:0] MEMORY_SIZE      = 32'h0002_0000, // bytes, from address 0
	parameter [31:0] CONSOLE_BASE     = 32'h8000_0000,
	parameter [31:0] CONSOLE_SIZE     = 32'h0000_0010, // bytes; 0 disables it
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
	input  [15:0] fetch_wait,    // cycles from the first cycle of a request to that of its answer
	input  [15:0] data_wait,     // the same for loads and stores to memory; all at least 1
	input  [15:0] bus_wait,      // the same for peripherals
	output [63:0] cycle,         // number of this cycle
	output        issue,         // an instruction starts in this cycle
	output [31:0] issue_pc,      // its address
	output        console_write, // the console sends console_byte in this cycle
	output [ 7:0] console_byte,
	input         console_valid, // console_input is the next received character
	input  [ 7:0] console_input,
	output        console_take,  // the character is consumed at the end of this cycle
	output        mark_write,    // the program writes mark_value as a mark in this cycle
	output [31:0] mark_value,
	output        exited,        // the exit device takes exit_code in this cycle
	output [31:0] exit_code,
	output        fault,         // no memory or peripheral at mem_addr
	output [31:0] mem_addr,
	output        trap           // constant 0: SERV does not halt on traps
);
	reg         running, fetching;
	reg  [15:0] fetch_due, data_due, bus_due;

	wire        fetch, access, access_write, mem_ready;
	wire [31:0] fetch_addr, access_addr, mem_wdata, mem_rdata;
	wire [ 3:0] access_strobe;

	always @(posedge clk) begin
		running   <= resetn;
		fetching  <= fetch;
		fetch_due <= fetch_wait;
		data_due  <= data_wait;
		bus_due   <= bus_wait;
	end

	wire        mem_valid = fetch || access;
	wire        mem_instr = fetch;
	wire [ 3:0] mem_wstrb = access_write && !fetch ? access_strobe : 4'b0;
	assign      mem_addr  = {fetch ? fetch_addr[31:2] : access_addr[31:2], 2'b00};

	wire        memory_write, interrupt;
	wire [31:0] memory_rdata;

	serv_rf_top #(
		.RESET_PC    (32'h0000_0000),
		.COMPRESSED  (COMPRESSED   ),
		.PRE_REGISTER(PRE_REGISTER ),
		.WITH_CSR    (WITH_CSR     ),
		.RF_WIDTH    (RF_WIDTH     )
	) cpu (
		.clk         (clk                   ),
		.i_rst       (!running              ),
		.i_timer_irq (interrupt             ),
		.o_ibus_adr  (fetch_addr            ),
		.o_ibus_cyc  (fetch                 ),
		.i_ibus_rdt  (mem_rdata             ),
		.i_ibus_ack  (mem_ready && fetch    ),
		.o_dbus_adr  (access_addr           ),
		.o_dbus_dat  (mem_wdata             ),
		.o_dbus_sel  (access_strobe         ),
		.o_dbus_we   (access_write          ),
		.o_dbus_cyc  (access                ),
		.i_dbus_rdt  (mem_rdata             ),
		.i_dbus_ack  (mem_ready && !fetch   ),
		.o_ext_rs1   (                      ),
		.o_ext_rs2   (                      ),
		.o_ext_funct3(                      ),
		.i_ext_rd    (32'b0                 ),
		.i_ext_ready (1'b0                  ),
		.o_mdu_valid (                      )
	);

	// An instruction that an interrupt replaces is fetched, but not issued.
	//
	// A fetch at an odd halfword address reads two words; the core's request is asserted from the first
	// one to the last.
	assign issue    = fetch && !fetching && !cpu.cpu.new_irq;
	assign issue_pc = cpu.cpu.wb_ibus_adr;
	assign trap      = 1'b0;

	system_peripherals #(
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
		.COPROCESSOR_SIZE(COPROCESSOR_SIZE)
	) peripherals (
		.clk          (clk          ),
		.resetn       (running      ),
		.fetch_wait   (fetch_due    ),
		.data_wait    (data_due     ),
		.bus_wait     (bus_due      ),
		.mem_valid    (mem_valid    ),
		.mem_instr    (mem_instr    ),
		.mem_addr     (mem_addr     ),
		.mem_wdata    (mem_wdata    ),
		.mem_wstrb    (mem_wstrb    ),
		.mem_ready    (mem_ready    ),
		.mem_rdata    (mem_rdata    ),
		.fault        (fault        ),
		.memory_write (memory_write ),
		.memory_rdata (memory_rdata ),
		.cycle        (cycle        ),
		.console_write(console_write),
		.console_byte (console_byte ),
		.console_valid(console_valid),
		.console_input(console_input),
		.console_take (console_take ),
		.mark_write   (mark_write   ),
		.mark_value   (mark_value   ),
		.exited       (exited       ),
		.exit_code    (exit_code    ),
		.interrupt    (interrupt    )
	);

	system_memory #(.SIZE(MEMORY_SIZE)) memory (
		.clk       (clk         ),
		.read      (mem_valid   ),
		.read_addr (mem_addr    ),
		.rdata     (memory_rdata),
		.fetch     (1'b0        ),
		.fetch_addr(32'b0       ),
		.fetched   (            ),
		.write     (memory_write),
		.write_addr(mem_addr    ),
		.wdata     (mem_wdata   ),
		.wstrb     (mem_wstrb   )
	);
endmodule
