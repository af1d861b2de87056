// A VexRiscv with memory, bus, console, cycle counter, exit device and, if the macro COPROCESSOR names
// a module, that coprocessor. The core itself is not part of this folder. A coprocessor's modules must
// not use the names of the core's modules and of those here (VexRiscv, InstructionCache, DataCache,
// vexriscv_*, system_*).
//
// Both of the core's Wishbone ports use classic cycles: every word of a burst is a separate transfer,
// which is answered one wait time after its first cycle, and the next one begins in the cycle after
// the answer. The two ports access memory independently; peripherals are only on the data port.
//
// An instruction is issued in the first cycle in which the execute stage would accept it if it had no
// data dependency. Whether it was executed is known later, when it leaves the write-back stage:
// `issue` is high then, and `issue_age` is the number of cycles since the issue.
//
// Reset and settings are registered, so that no output depends combinationally on an input.
// Cycle 0 is the first cycle in which the core is out of reset (`running`).

module vexriscv_system #(
	parameter [31:0] Lite             = 0, // the variant of the core, as in system.toml
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
	output        issue,         // an instruction issued issue_age cycles ago is complete
	output [31:0] issue_pc,      // its address
	output [63:0] issue_age,
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
	output        trap           // constant 0: VexRiscv does not halt on traps
);
	localparam [6:0] STORE = 7'b0100011;

	reg         running;
	reg  [15:0] fetch_due, data_due, bus_due;

	always @(posedge clk) begin
		running   <= resetn;
		fetch_due <= fetch_wait;
		data_due  <= data_wait;
		bus_due   <= bus_wait;
	end

	// The instruction port.
	wire        fetch;
	wire [29:0] fetch_index;
	wire [31:0] fetched;
	reg  [15:0] waited;
	wire        fetch_answer = fetch && waited == fetch_due;

	always @(posedge clk) begin
		if (!running || !fetch || fetch_answer)
			waited <= 0;
		else
			waited <= waited + 1;
	end

	// The data port.
	wire        access, access_write, mem_ready, memory_write, interrupt;
	wire [29:0] access_index;
	wire [31:0] access_data, mem_rdata, memory_rdata;
	wire [ 3:0] access_bytes;
	wire [ 3:0] access_strobe = access_write ? access_bytes : 4'b0;

	assign mem_addr = {access_index, 2'b00};

	VexRiscv cpu (
		.externalResetVector   (32'b0       ),
		.timerInterrupt        (interrupt   ),
		.softwareInterrupt     (1'b0        ),
		.externalInterruptArray(32'b0       ),
		.iBusWishbone_CYC      (fetch       ),
		.iBusWishbone_STB      (            ),
		.iBusWishbone_ACK      (fetch_answer),
		.iBusWishbone_WE       (            ),
		.iBusWishbone_ADR      (fetch_index ),
		.iBusWishbone_DAT_MISO (fetched     ),
		.iBusWishbone_DAT_MOSI (            ),
		.iBusWishbone_SEL      (            ),
		.iBusWishbone_ERR      (1'b0        ),
		.iBusWishbone_CTI      (            ),
		.iBusWishbone_BTE      (            ),
		.dBusWishbone_CYC      (access      ),
		.dBusWishbone_STB      (            ),
		.dBusWishbone_ACK      (mem_ready   ),
		.dBusWishbone_WE       (access_write),
		.dBusWishbone_ADR      (access_index),
		.dBusWishbone_DAT_MISO (mem_rdata   ),
		.dBusWishbone_DAT_MOSI (access_data ),
		.dBusWishbone_SEL      (access_bytes),
		.dBusWishbone_ERR      (1'b0        ),
		.dBusWishbone_CTI      (            ),
		.dBusWishbone_BTE      (            ),
		.clk                   (clk         ),
		.reset                 (!running    )
	);

	// The issue cycles of the instructions in the pipeline. The instruction in the decode stage is issued
	// as soon as the execute stage is not stuck; a data hazard may still stall it there.
	reg         issued, ended;
	reg  [63:0] decode_issue, execute_issue, memory_issue, write_back_issue;
	wire        issues      = cpu.decode_arbitration_isValid && !cpu.execute_arbitration_isStuck;
	wire [63:0] now         = issued ? decode_issue : cycle + 1;
	wire [31:0] instruction = cpu.writeBack_INSTRUCTION;
	wire [31:0] address     = cpu.writeBack_REGFILE_WRITE_DATA;

	always @(posedge clk) begin
		issued       <= running && (issued || issues) && cpu.decode_arbitration_isStuck
		              && !cpu.decode_arbitration_removeIt;
		decode_issue <= now;
		if (!cpu.execute_arbitration_isStuck)
			execute_issue <= now;
		if (!cpu.memory_arbitration_isStuck)
			memory_issue <= execute_issue;
		if (!cpu.writeBack_arbitration_isStuck)
			write_back_issue <= memory_issue;
		// Instructions after the store to the exit device do not belong to the program's run.
		if (!running)
			ended <= 0;
		else if (issue && instruction[6:0] == STORE && address - EXIT_BASE < EXIT_SIZE)
			ended <= 1;
	end

	// An instruction that causes an exception is complete when the exception leaves write-back.
	assign issue     = (cpu.writeBack_arbitration_isFiring || cpu.CsrPlugin_exception) && !ended;
	assign issue_pc  = cpu.writeBack_PC;
	assign issue_age = cycle - write_back_issue;
	assign trap       = 1'b0;

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
		.fetch_wait   (16'b0        ),
		.data_wait    (data_due     ),
		.bus_wait     (bus_due      ),
		.mem_valid    (access       ),
		.mem_instr    (1'b0         ),
		.mem_addr     (mem_addr     ),
		.mem_wdata    (access_data  ),
		.mem_wstrb    (access_strobe),
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
		.read      (access      ),
		.read_addr (mem_addr    ),
		.rdata     (memory_rdata),
		.fetch     (fetch       ),
		.fetch_addr({fetch_index, 2'b00}),
		.fetched   (fetched     ),
		.write     (memory_write),
		.write_addr(mem_addr    ),
		.wdata     (access_data ),
		.wstrb     (access_strobe)
	);
endmodule
