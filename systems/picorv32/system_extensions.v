// A unit at PicoRV32's co-processor interface (PCPI) that executes the bit-manipulation extensions Zba,
// Zbb, Zbc, Zbs and the scalar cryptography extensions Zbkb, Zbkc, Zbkx, Zknd, Zkne, Zknh.
//
// Sources: "RISC-V Bit-Manipulation ISA-extensions", 1.0.0; "RISC-V Cryptography Extensions Volume I:
// Scalar & Entropy Source Instructions", 1.0.1; FIPS 197 and FIPS 180-4 for the functions.
//
// The result of every instruction is available in the cycle after the core offers the instruction.

module system_extensions (
	input             clk,
	input             resetn,
	input             pcpi_valid,
	input      [31:0] pcpi_insn,
	input      [31:0] pcpi_rs1,
	input      [31:0] pcpi_rs2,
	output            pcpi_wr,
	output reg [31:0] pcpi_rd,
	output            pcpi_wait,
	output reg        pcpi_ready
);
	// The inverse of each byte in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, from 255 down to 0.
	localparam [2047:0] INVERSES = {
		256'h1c411acd_a07d9cdd_8c034668_3438235b_b31e505d_e3d74e08_adcf0ec6_ebd60db1,
		256'h6b90f89d_d5c48b94_eae2dbc5_63ae077a_e6acfc1b_045327a9_0fe4d4da_a32f280b,
		256'h5786bcbd_3d768ea5_71787511_ef1fe00c_62d2e7ce_4a12c826_4865b88f_c32e7cfb,
		256'h9a89dcf9_889f142a_72848ad8_6d326ade_a4b902f7_d9959e9b_56be7396_807f7e83,
		256'h8281faa1_06d070b6_3cbab510_8597b779_3b219333_df9147f4_4336a649_d3af5e16,
		256'h1761ec51_f0223e18_bf87244c_ca055ced_09e92554_13ab64a7_69f5312d_6737fe1d,
		256'h1959bb77_6f2035f2_426639f3_6c92452c_c2a24430_15980ac1_c9a84d55_f15a6e3a,
		256'hb2ee40ff_ccfd3f58_5f602b99_4baab474_c7e5e1b0_c0294fe8_d17b52cb_f68d0100
	};

	// The opcode fields: bits 31..25 (and 24..20 if there is no second source register), 14..12, and bit 5,
	// which distinguishes OP from OP-IMM.
	wire [6:0] high   = pcpi_insn[31:25];
	wire [4:0] second = pcpi_insn[24:20];
	wire [2:0] low    = pcpi_insn[14:12];
	wire       two    = pcpi_insn[6:0] == 7'b0110011;
	wire       one    = pcpi_insn[6:0] == 7'b0010011;

	wire [31:0] a  = pcpi_rs1;
	wire [31:0] b  = pcpi_rs2;
	wire [ 4:0] by = two ? b[4:0] : second;
	wire [ 1:0] bs = pcpi_insn[31:30];

	function [31:0] rotate_right(input [31:0] value, input [4:0] amount);
		rotate_right = {value, value} >> amount;
	endfunction

	function [31:0] reverse(input [31:0] value);
		integer i;
		for (i = 0; i < 32; i = i + 1)
			reverse[i] = value[31 - i];
	endfunction

	function [31:0] reverse_bytes(input [31:0] value);
		reverse_bytes = {value[7:0], value[15:8], value[23:16], value[31:24]};
	endfunction

	function [31:0] trailing_zeros(input [31:0] value);
		integer i;
		begin
			trailing_zeros = 32;
			for (i = 31; i >= 0; i = i - 1)
				if (value[i])
					trailing_zeros = i;
		end
	endfunction

	function [31:0] ones(input [31:0] value);
		integer i;
		begin
			ones = 0;
			for (i = 0; i < 32; i = i + 1)
				ones = ones + {31'b0, value[i]};
		end
	endfunction

	function [31:0] full_bytes(input [31:0] value);
		integer i;
		for (i = 0; i < 4; i = i + 1)
			full_bytes[8*i +: 8] = {8{|value[8*i +: 8]}};
	endfunction

	function [31:0] interleaved(input [31:0] value);
		integer i;
		for (i = 0; i < 16; i = i + 1)
			interleaved[2*i +: 2] = {value[i + 16], value[i]};
	endfunction

	function [31:0] separated(input [31:0] value);
		integer i;
		for (i = 0; i < 16; i = i + 1) begin
			separated[i]      = value[2*i];
			separated[i + 16] = value[2*i + 1];
		end
	endfunction

	function [31:0] permuted_bytes(input [31:0] value, input [31:0] places);
		integer i;
		for (i = 0; i < 4; i = i + 1)
			permuted_bytes[8*i +: 8] = |places[8*i + 2 +: 6] ? 8'b0 : value[8*places[8*i +: 2] +: 8];
	endfunction

	function [31:0] permuted_nibbles(input [31:0] value, input [31:0] places);
		integer i;
		for (i = 0; i < 8; i = i + 1)
			permuted_nibbles[4*i +: 4] = places[4*i + 3] ? 4'b0 : value[4*places[4*i +: 3] +: 4];
	endfunction

	function [63:0] carryless(input [31:0] first, input [31:0] other);
		integer i;
		begin
			carryless = 0;
			for (i = 0; i < 32; i = i + 1)
				if (other[i])
					carryless = carryless ^ ({32'b0, first} << i);
		end
	endfunction

	wire [63:0] product = carryless(a, b);
	wire [31:0] bit_one = 32'b1 << by;
	wire        below   = $signed(a) < $signed(b);
	wire        under   = a < b;

	// One S-box for both directions: the inversion, followed by the affine map for encryption, or preceded by
	// the inverse affine map for decryption.
	function [7:0] turn(input [7:0] value, input [2:0] places);
		turn = {value, value} >> (4'd8 - {1'b0, places});
	endfunction

	wire [7:0] chosen   = b[8*bs +: 8];
	wire       decrypts = pcpi_insn[27];
	wire [7:0] undone   = turn(chosen, 1) ^ turn(chosen, 3) ^ turn(chosen, 6) ^ 8'h05;
	wire [7:0] inverse  = INVERSES[{decrypts ? undone : chosen, 3'b0} +: 8];
	wire [7:0] mapped   = inverse ^ turn(inverse, 1) ^ turn(inverse, 2) ^ turn(inverse, 3)
	                    ^ turn(inverse, 4) ^ 8'h63;
	wire [7:0] byte_1   = decrypts ? inverse : mapped;

	function [7:0] double(input [7:0] value);
		double = {value[6:0], 1'b0} ^ (value[7] ? 8'h1b : 8'h00);
	endfunction

	wire [7:0]  byte_2 = double(byte_1);
	wire [7:0]  byte_4 = double(byte_2);
	wire [7:0]  byte_8 = double(byte_4);
	wire [31:0] mixed  = decrypts
		? {byte_8 ^ byte_2 ^ byte_1, byte_8 ^ byte_4 ^ byte_1, byte_8 ^ byte_1, byte_8 ^ byte_4 ^ byte_2}
		: {byte_2 ^ byte_1, byte_1, byte_1, byte_2};
	wire        mixes  = pcpi_insn[26];
	wire [31:0] column = mixes ? mixed : {24'b0, byte_1};
	wire [31:0] round  = a ^ rotate_right(column, -{bs, 3'b0});

	// Functions are called outside of the case statement below: in it, Yosys would track their variables
	// through all other instructions, too, which takes minutes.
	wire [31:0] rotated_left      = rotate_right(a, -by);
	wire [31:0] rotated_right     = rotate_right(a, by);
	wire [31:0] reversed          = reverse(a);
	wire [31:0] bytes_reversed    = reverse_bytes(a);
	wire [31:0] bits_reversed     = reverse_bytes(reversed);
	wire [31:0] zeros_above       = trailing_zeros(reversed);
	wire [31:0] zeros_below       = trailing_zeros(a);
	wire [31:0] all_ones          = ones(a);
	wire [31:0] or_combined       = full_bytes(a);
	wire [31:0] zipped            = interleaved(a);
	wire [31:0] unzipped          = separated(a);
	wire [31:0] nibbles_permuted  = permuted_nibbles(a, b);
	wire [31:0] whole_permuted    = permuted_bytes(a, b);
	wire [31:0] sha256_sum0       = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
	wire [31:0] sha256_sum1       = rotate_right(a, 6) ^ rotate_right(a, 11) ^ rotate_right(a, 25);
	wire [31:0] sha256_sig0       = rotate_right(a, 7) ^ rotate_right(a, 18) ^ (a >> 3);
	wire [31:0] sha256_sig1       = rotate_right(a, 17) ^ rotate_right(a, 19) ^ (a >> 10);

	reg        known;
	reg [31:0] result;

	always @* begin
		known  = 1;
		result = 32'bx;
		casez ({two, one, high, second, low})
			// Zba
			17'b10_0010000_?????_010: result = {a[30:0], 1'b0} + b;
			17'b10_0010000_?????_100: result = {a[29:0], 2'b0} + b;
			17'b10_0010000_?????_110: result = {a[28:0], 3'b0} + b;
			// Zbb, Zbkb
			17'b10_0100000_?????_111: result = a & ~b;
			17'b10_0100000_?????_110: result = a | ~b;
			17'b10_0100000_?????_100: result = ~(a ^ b);
			17'b10_0110000_?????_001: result = rotated_left;
			17'b10_0110000_?????_101,
			17'b01_0110000_?????_101: result = rotated_right;
			17'b01_0110100_11000_101: result = bytes_reversed;
			17'b01_0110000_00000_001: result = zeros_above;
			17'b01_0110000_00001_001: result = zeros_below;
			17'b01_0110000_00010_001: result = all_ones;
			17'b01_0110000_00100_001: result = {{24{a[7]}}, a[7:0]};
			17'b01_0110000_00101_001: result = {{16{a[15]}}, a[15:0]};
			17'b01_0010100_00111_101: result = or_combined;
			17'b10_0000101_?????_100: result = below ? a : b;
			17'b10_0000101_?????_101: result = under ? a : b;
			17'b10_0000101_?????_110: result = below ? b : a;
			17'b10_0000101_?????_111: result = under ? b : a;
			17'b10_0000100_?????_100: result = {b[15:0], a[15:0]};
			17'b10_0000100_?????_111: result = {16'b0, b[7:0], a[7:0]};
			17'b01_0110100_00111_101: result = bits_reversed;
			17'b01_0000100_01111_001: result = zipped;
			17'b01_0000100_01111_101: result = unzipped;
			// Zbs
			17'b10_0100100_?????_001,
			17'b01_0100100_?????_001: result = a & ~bit_one;
			17'b10_0100100_?????_101,
			17'b01_0100100_?????_101: result = {31'b0, |(a & bit_one)};
			17'b10_0110100_?????_001,
			17'b01_0110100_?????_001: result = a ^ bit_one;
			17'b10_0010100_?????_001,
			17'b01_0010100_?????_001: result = a | bit_one;
			// Zbc, Zbkc
			17'b10_0000101_?????_001: result = product[31:0];
			17'b10_0000101_?????_010: result = product[62:31];
			17'b10_0000101_?????_011: result = product[63:32];
			// Zbkx
			17'b10_0010100_?????_010: result = nibbles_permuted;
			17'b10_0010100_?????_100: result = whole_permuted;
			// Zkne, Zknd
			17'b10_??10001_?????_000,
			17'b10_??10011_?????_000,
			17'b10_??10101_?????_000,
			17'b10_??10111_?????_000: result = round;
			// Zknh
			17'b01_0001000_00000_001: result = sha256_sum0;
			17'b01_0001000_00001_001: result = sha256_sum1;
			17'b01_0001000_00010_001: result = sha256_sig0;
			17'b01_0001000_00011_001: result = sha256_sig1;
			17'b10_0101000_?????_000: result = (a << 25) ^ (a << 30) ^ (a >> 28) ^ (b >> 7) ^ (b >> 2) ^ (b << 4);
			17'b10_0101001_?????_000: result = (a << 23) ^ (a >> 14) ^ (a >> 18) ^ (b >> 9) ^ (b << 18) ^ (b << 14);
			17'b10_0101010_?????_000: result = (a >> 1) ^ (a >> 7) ^ (a >> 8) ^ (b << 31) ^ (b << 25) ^ (b << 24);
			17'b10_0101011_?????_000: result = (a << 3) ^ (a >> 6) ^ (a >> 19) ^ (b >> 29) ^ (b << 26) ^ (b << 13);
			17'b10_0101110_?????_000: result = (a >> 1) ^ (a >> 7) ^ (a >> 8) ^ (b << 31) ^ (b << 24);
			17'b10_0101111_?????_000: result = (a << 3) ^ (a >> 6) ^ (a >> 19) ^ (b >> 29) ^ (b << 13);
			default: known = 0;
		endcase
	end

	// The core reads the result in the cycle in which `pcpi_ready` is high, and still offers the instruction in
	// that cycle.
	always @(posedge clk) begin
		pcpi_ready <= resetn && pcpi_valid && known && !pcpi_ready;
		pcpi_rd    <= result;
	end

	assign pcpi_wr   = pcpi_ready;
	assign pcpi_wait = 1'b0;
endmodule
