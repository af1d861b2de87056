// The core alone, as it is mapped to the gates of a cell library: without memory, bus and peripherals, which
// the simulator of gates provides. Parameters are macros, as the generated file that comes before this one
// defines them; the others are those of picorv32_system.
//
// The memory reads ahead (mem_la_read), so that the ports of the look-ahead interface are connected, as in
// picorv32_system. Instructions are counted by the core's counter, whose name stays in the netlist.

module picorv32_gates (
	input         clk,
	input         resetn,
	output        trap,         // the core has trapped, and halts
	output        mem_valid,
	output        mem_instr,
	input         mem_ready,
	output [31:0] mem_addr,
	output [31:0] mem_wdata,
	output [ 3:0] mem_wstrb,
	input  [31:0] mem_rdata,
	output        mem_la_read,  // mem_valid is high in the next cycle, for the word at mem_la_addr
	output        mem_la_write,
	output [31:0] mem_la_addr,
	output [31:0] mem_la_wdata,
	output [ 3:0] mem_la_wstrb
);
	picorv32 #(
		.ENABLE_REGS_DUALPORT(`ENABLE_REGS_DUALPORT),
		.TWO_STAGE_SHIFT     (`TWO_STAGE_SHIFT     ),
		.BARREL_SHIFTER      (`BARREL_SHIFTER      ),
		.TWO_CYCLE_COMPARE   (`TWO_CYCLE_COMPARE   ),
		.TWO_CYCLE_ALU       (`TWO_CYCLE_ALU       ),
		.COMPRESSED_ISA      (`COMPRESSED_ISA      ),
		.ENABLE_MUL          (`ENABLE_MUL          ),
		.ENABLE_FAST_MUL     (`ENABLE_FAST_MUL     ),
		.ENABLE_DIV          (`ENABLE_DIV          ),
		.ENABLE_COUNTERS     (1                    ),
		.CATCH_MISALIGN      (1                    ),
		.CATCH_ILLINSN       (1                    ),
		.PROGADDR_RESET      (32'h0000_0000        )
	) cpu (
		.clk         (clk         ),
		.resetn      (resetn      ),
		.trap        (trap        ),
		.mem_valid   (mem_valid   ),
		.mem_instr   (mem_instr   ),
		.mem_ready   (mem_ready   ),
		.mem_addr    (mem_addr    ),
		.mem_wdata   (mem_wdata   ),
		.mem_wstrb   (mem_wstrb   ),
		.mem_rdata   (mem_rdata   ),
		.mem_la_read (mem_la_read ),
		.mem_la_write(mem_la_write),
		.mem_la_addr (mem_la_addr ),
		.mem_la_wdata(mem_la_wdata),
		.mem_la_wstrb(mem_la_wstrb),
		.pcpi_wr     (1'b0        ),
		.pcpi_rd     (32'b0       ),
		.pcpi_wait   (1'b0        ),
		.pcpi_ready  (1'b0        ),
		.irq         (32'b0       )
	);
endmodule
