// An Ibex with memory, bus, console, cycle counter, exit device and, if the macro COPROCESSOR names a
// module, that coprocessor. The core itself is not part of this folder. A coprocessor's modules must
// not use the same names (ibex_*, prim_*, system_*).
//
// Ibex leaves reset at offset 0x80 of a page, so a boot ROM of one instruction in the last page jumps
// to address 0. An instruction is issued in its first cycle in the ID stage; the one of the boot ROM
// is not counted. Fetches are granted immediately and answered in the next cycle.
//
// Reset and settings are registered, so that no output depends combinationally on an input.
// Cycle 0 is the first cycle in which the core is out of reset (`running`).

module ibex_system import ibex_pkg::*; #(
	parameter bit [31:0] RV32M            = 2, // 0: none, 1: slow, 2: fast, 3: single cycle
	parameter bit [31:0] RV32B            = 0, // 0: none, 1: balanced, 2: as Earl Grey, 3: full
	parameter bit [31:0] BranchTargetALU  = 0,
	parameter bit [31:0] WritebackStage   = 0,
	parameter bit [31:0] MEMORY_SIZE      = 32'h0002_0000, // bytes, from address 0
	parameter bit [31:0] CONSOLE_BASE     = 32'h8000_0000,
	parameter bit [31:0] CONSOLE_SIZE     = 32'h0000_0010, // bytes; 0 disables it
	parameter bit [31:0] COUNTER_BASE     = 32'h8000_0010,
	parameter bit [31:0] COUNTER_SIZE     = 32'h0000_0010,
	parameter bit [31:0] EXIT_BASE        = 32'h8000_0020,
	parameter bit [31:0] EXIT_SIZE        = 32'h0000_0010,
	parameter bit [31:0] MARKS_BASE       = 32'h8000_0030,
	parameter bit [31:0] MARKS_SIZE       = 32'h0000_0010,
	parameter bit [31:0] TIMER_BASE       = 32'h8000_0040,
	parameter bit [31:0] TIMER_SIZE       = 32'h0000_0010,
	parameter bit [31:0] COPROCESSOR_BASE = 32'h8001_0000,
	parameter bit [31:0] COPROCESSOR_SIZE = 32'h0000_1000
) (
	input         clk,
	input         resetn,
	input  [15:0] fetch_wait,    // must be 1
	input  [15:0] data_wait,     // cycles from a load's or store's request to its answer, at least 1
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
	output        trap           // constant 0: Ibex does not halt on traps
);
	localparam bit [31:0] BOOT = 32'hffff_ff00;
	localparam bit [31:0] JUMP = 32'h0800_006f; // jal zero, 0x80

	reg         running;
	reg  [15:0] data_due, bus_due;

	always @(posedge clk) begin
		running  <= resetn;
		data_due <= data_wait - 1;
		bus_due  <= bus_wait - 1;
	end

	// The instruction port.
	wire        fetch;
	wire [31:0] fetch_addr, fetched;
	reg         fetch_answer, fetch_boot;

	always @(posedge clk) begin
		fetch_answer <= running && fetch;
		fetch_boot   <= fetch_addr[31];
	end

	wire        interrupt;

	// The data port. A request is granted as soon as the previous one is answered; memory reads and writes
	// immediately, a peripheral sees the request in the cycle of its answer.
	wire        access, access_write, mem_ready;
	wire [31:0] access_addr, access_data, mem_rdata;
	wire [ 3:0] access_bytes;
	wire        taken = access && (!pending || mem_ready);
	reg         pending;
	reg  [31:0] pending_addr, pending_data;
	reg  [ 3:0] pending_strobe;

	always @(posedge clk) begin
		if (!running)
			pending <= 0;
		else if (taken)
			pending <= 1;
		else if (mem_ready)
			pending <= 0;
		if (taken) begin
			pending_addr   <= access_addr;
			pending_data   <= access_data;
			pending_strobe <= access_write ? access_bytes : 4'b0;
		end
	end

	assign mem_addr = pending_addr;

	wire [ 4:0] raddr_a, raddr_b, waddr;
	wire [31:0] rdata_a, rdata_b, wdata;
	wire        we, dummy_id, dummy_wb;

	ibex_core #(
		.RV32M           (rv32m_e'(RV32M)       ),
		.RV32B           (rv32b_e'(RV32B)       ),
		.BranchTargetALU (BranchTargetALU != 0  ),
		.WritebackStage  (WritebackStage != 0   )
	) cpu (
		.clk_i                  (clk           ),
		.rst_ni                 (running       ),
		.hart_id_i              (32'b0         ),
		.boot_addr_i            (BOOT          ),
		.instr_req_o            (fetch         ),
		.instr_gnt_i            (fetch         ),
		.instr_rvalid_i         (fetch_answer  ),
		.instr_addr_o           (fetch_addr    ),
		.instr_rdata_i          (fetch_boot ? JUMP : fetched),
		.instr_err_i            (1'b0          ),
		.data_req_o             (access        ),
		.data_gnt_i             (taken         ),
		.data_rvalid_i          (pending && mem_ready),
		.data_we_o              (access_write  ),
		.data_be_o              (access_bytes  ),
		.data_addr_o            (access_addr   ),
		.data_wdata_o           (access_data   ),
		.data_rdata_i           (mem_rdata     ),
		.data_err_i             (1'b0          ),
		.dummy_instr_id_o       (dummy_id      ),
		.dummy_instr_wb_o       (dummy_wb      ),
		.rf_raddr_a_o           (raddr_a       ),
		.rf_raddr_b_o           (raddr_b       ),
		.rf_waddr_wb_o          (waddr         ),
		.rf_we_wb_o             (we            ),
		.rf_wdata_wb_ecc_o      (wdata         ),
		.rf_rdata_a_ecc_i       (rdata_a       ),
		.rf_rdata_b_ecc_i       (rdata_b       ),
		.ic_tag_req_o           (              ),
		.ic_tag_write_o         (              ),
		.ic_tag_addr_o          (              ),
		.ic_tag_wdata_o         (              ),
		.ic_tag_rdata_i         ('{default: '0}),
		.ic_data_req_o          (              ),
		.ic_data_write_o        (              ),
		.ic_data_addr_o         (              ),
		.ic_data_wdata_o        (              ),
		.ic_data_rdata_i        ('{default: '0}),
		.ic_scr_key_valid_i     (1'b1          ),
		.ic_scr_key_req_o       (              ),
		.irq_software_i         (1'b0          ),
		.irq_timer_i            (interrupt     ),
		.irq_external_i         (1'b0          ),
		.irq_fast_i             (15'b0         ),
		.irq_nm_i               (1'b0          ),
		.irq_pending_o          (              ),
		.debug_req_i            (1'b0          ),
		.crash_dump_o           (              ),
		.double_fault_seen_o    (              ),
		.fetch_enable_i         (IbexMuBiOn    ),
		.alert_minor_o          (              ),
		.alert_major_internal_o (              ),
		.alert_major_bus_o      (              ),
		.core_busy_o            (              )
	);

	ibex_register_file_ff registers (
		.clk_i            (clk     ),
		.rst_ni           (running ),
		.test_en_i        (1'b0    ),
		.dummy_instr_id_i (dummy_id),
		.dummy_instr_wb_i (dummy_wb),
		.raddr_a_i        (raddr_a ),
		.rdata_a_o        (rdata_a ),
		.raddr_b_i        (raddr_b ),
		.rdata_b_o        (rdata_b ),
		.waddr_a_i        (waddr   ),
		.wdata_a_i        (wdata   ),
		.we_a_i           (we      ),
		.err_o            (        )
	);

	// The core has no ports for these signals. With a write-back stage it continues before the exit
	// device answers; instructions issued then do not belong to the program's run.
	wire is_exit = pending && pending_strobe != 0 && pending_addr - EXIT_BASE < EXIT_SIZE;

	assign issue    = cpu.instr_new_id && cpu.instr_valid_id && !cpu.pc_id[31] && !is_exit;
	assign issue_pc = cpu.pc_id;
	assign trap      = 1'b0;

	wire [31:0] memory_rdata;

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
		.mem_valid    (pending      ),
		.mem_instr    (1'b0         ),
		.mem_addr     (pending_addr ),
		.mem_wdata    (pending_data ),
		.mem_wstrb    (pending_strobe),
		.mem_ready    (mem_ready    ),
		.mem_rdata    (mem_rdata    ),
		.fault        (fault        ),
		.memory_write (             ),
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
		.read      (taken && !access_write),
		.read_addr (access_addr ),
		.rdata     (memory_rdata),
		.fetch     (fetch       ),
		.fetch_addr(fetch_addr  ),
		.fetched   (fetched     ),
		.write     (taken && access_write && access_addr < MEMORY_SIZE),
		.write_addr(access_addr ),
		.wdata     (access_data ),
		.wstrb     (access_bytes)
	);
endmodule
