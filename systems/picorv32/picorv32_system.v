// A PicoRV32 with memory, bus, console, cycle counter, exit device and, if the macro COPROCESSOR names
// a module, that coprocessor. The core itself is picorv32.v (YosysHQ/picorv32), which is not part of
// this folder. A coprocessor's modules must not use the same names (picorv32*, system_*).
//
// Reset and settings are registered, so that no output depends combinationally on an input.
// Cycle 0 is the first cycle in which the core is out of reset (`running`), which is the one after the
// first clock edge with resetn high; the counter device and rdcycle both show cycle n as n.

module picorv32_system #(
	parameter [ 0:0] ENABLE_REGS_DUALPORT = 1,
	parameter [ 0:0] TWO_STAGE_SHIFT      = 1,
	parameter [ 0:0] BARREL_SHIFTER       = 0,
	parameter [ 0:0] TWO_CYCLE_COMPARE    = 0,
	parameter [ 0:0] TWO_CYCLE_ALU        = 0,
	parameter [ 0:0] COMPRESSED_ISA       = 0,
	parameter [ 0:0] ENABLE_MUL           = 0,
	parameter [ 0:0] ENABLE_FAST_MUL      = 0,
	parameter [ 0:0] ENABLE_DIV           = 0,
	parameter [ 0:0] ENABLE_IRQ           = 0,
	parameter [ 0:0] ENABLE_IRQ_QREGS     = 0,
	parameter [ 0:0] ENABLE_IRQ_TIMER     = 0,
	parameter [ 0:0] EXTENSIONS           = 0, // connects system_extensions to the core's PCPI
	parameter [31:0] MEMORY_SIZE          = 32'h0002_0000, // bytes, from address 0
	parameter [31:0] CONSOLE_BASE         = 32'h8000_0000,
	parameter [31:0] CONSOLE_SIZE         = 32'h0000_0010, // bytes; 0 disables it
	parameter [31:0] COUNTER_BASE         = 32'h8000_0010,
	parameter [31:0] COUNTER_SIZE         = 32'h0000_0010,
	parameter [31:0] EXIT_BASE            = 32'h8000_0020,
	parameter [31:0] EXIT_SIZE            = 32'h0000_0010,
	parameter [31:0] MARKS_BASE           = 32'h8000_0030,
	parameter [31:0] MARKS_SIZE           = 32'h0000_0010,
	parameter [31:0] TIMER_BASE           = 32'h8000_0040,
	parameter [31:0] TIMER_SIZE           = 32'h0000_0010,
	parameter [31:0] COPROCESSOR_BASE     = 32'h8001_0000,
	parameter [31:0] COPROCESSOR_SIZE     = 32'h0000_1000
) (
	input         clk,
	input         resetn,
	input  [15:0] fetch_wait,    // cycles from the first cycle of mem_valid to the cycle of mem_ready
	input  [15:0] data_wait,     // the same for loads and stores to memory
	input  [15:0] bus_wait,      // the same for peripherals, at least 1
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
	output        trap           // the core has trapped, and halts
);
	reg         running;
	reg  [15:0] fetch_due, data_due, bus_due;

	always @(posedge clk) begin
		running   <= resetn;
		fetch_due <= fetch_wait;
		data_due  <= data_wait;
		bus_due   <= bus_wait;
	end

	wire        mem_valid, mem_instr, mem_ready;
	wire [31:0] mem_wdata, mem_rdata;
	wire [ 3:0] mem_wstrb;
	wire        mem_la_read;
	wire [31:0] mem_la_addr;

	wire        memory_write, read_ahead;
	wire [31:0] memory_rdata, memory_addr, memory_wdata, read_ahead_addr;
	wire [ 3:0] memory_wstrb;

	wire        interrupt;
	wire        pcpi_valid, pcpi_wr, pcpi_wait, pcpi_ready;
	wire [31:0] pcpi_insn, pcpi_rs1, pcpi_rs2, pcpi_rd;

	picorv32 #(
		.ENABLE_REGS_DUALPORT(ENABLE_REGS_DUALPORT),
		.TWO_STAGE_SHIFT     (TWO_STAGE_SHIFT     ),
		.BARREL_SHIFTER      (BARREL_SHIFTER      ),
		.TWO_CYCLE_COMPARE   (TWO_CYCLE_COMPARE   ),
		.TWO_CYCLE_ALU       (TWO_CYCLE_ALU       ),
		.COMPRESSED_ISA      (COMPRESSED_ISA      ),
		.ENABLE_MUL          (ENABLE_MUL          ),
		.ENABLE_FAST_MUL     (ENABLE_FAST_MUL     ),
		.ENABLE_DIV          (ENABLE_DIV          ),
		.ENABLE_COUNTERS     (1                   ),
		.CATCH_MISALIGN      (1                   ),
		.CATCH_ILLINSN       (1                   ),
		.ENABLE_PCPI         (EXTENSIONS          ),
		.ENABLE_IRQ          (ENABLE_IRQ          ),
		.ENABLE_IRQ_QREGS    (ENABLE_IRQ_QREGS    ),
		.ENABLE_IRQ_TIMER    (ENABLE_IRQ_TIMER    ),
		.PROGADDR_IRQ        (32'h0000_0010       ),
		.PROGADDR_RESET      (32'h0000_0000       )
	) cpu (
		.clk         (clk        ),
		.resetn      (running    ),
		.trap        (trap       ),
		.mem_valid   (mem_valid  ),
		.mem_instr   (mem_instr  ),
		.mem_ready   (mem_ready  ),
		.mem_addr    (mem_addr   ),
		.mem_wdata   (mem_wdata  ),
		.mem_wstrb   (mem_wstrb  ),
		.mem_rdata   (mem_rdata  ),
		.mem_la_read (mem_la_read),
		.mem_la_write(           ),
		.mem_la_addr (mem_la_addr),
		.mem_la_wdata(           ),
		.mem_la_wstrb(           ),
		.pcpi_valid  (pcpi_valid ),
		.pcpi_insn   (pcpi_insn  ),
		.pcpi_rs1    (pcpi_rs1   ),
		.pcpi_rs2    (pcpi_rs2   ),
		.pcpi_wr     (pcpi_wr    ),
		.pcpi_rd     (pcpi_rd    ),
		.pcpi_wait   (pcpi_wait  ),
		.pcpi_ready  (pcpi_ready ),
		.irq         ({24'b0, interrupt, 7'b0}),
		.eoi         (           ),
		.trace_valid (           ),
		.trace_data  (           )
	);

	generate if (EXTENSIONS) begin
		system_extensions extensions (
			.clk       (clk       ),
			.resetn    (running   ),
			.pcpi_valid(pcpi_valid),
			.pcpi_insn (pcpi_insn ),
			.pcpi_rs1  (pcpi_rs1  ),
			.pcpi_rs2  (pcpi_rs2  ),
			.pcpi_wr   (pcpi_wr   ),
			.pcpi_rd   (pcpi_rd   ),
			.pcpi_wait (pcpi_wait ),
			.pcpi_ready(pcpi_ready)
		);
	end else begin
		assign pcpi_wr    = 1'b0;
		assign pcpi_rd    = 32'b0;
		assign pcpi_wait  = 1'b0;
		assign pcpi_ready = 1'b0;
	end endgenerate

	// The core has no ports for these two signals. It does not count a waiting waitirq.
	assign issue    = cpu.launch_next_insn && !cpu.instr_waitirq;
	assign issue_pc = cpu.next_pc;

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
		.interrupt    (interrupt    ),
		.memory_addr  (memory_addr  ),
		.memory_wdata (memory_wdata ),
		.memory_wstrb (memory_wstrb ),
		.read_ahead   (read_ahead   ),
		.read_ahead_addr(read_ahead_addr)
	);

	system_memory #(.SIZE(MEMORY_SIZE)) memory (
		.clk       (clk         ),
		.read      (mem_la_read || read_ahead                    ),
		.read_addr (read_ahead ? read_ahead_addr : mem_la_addr   ),
		.rdata     (memory_rdata),
		.fetch     (1'b0        ),
		.fetch_addr(32'b0       ),
		.fetched   (            ),
		.write     (memory_write),
		.write_addr(memory_addr ),
		.wdata     (memory_wdata),
		.wstrb     (memory_wstrb)
	);
endmodule
