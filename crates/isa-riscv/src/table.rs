//! The instruction table: name, encoding, operand format and timing class of every instruction.

/// How an instruction's operands are laid out (unprivileged manual, section 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Register, register, register.
    R,
    /// Register, register, 12-bit immediate.
    I,
    /// Register, register, 5-bit shift amount.
    Shift,
    /// Load: register, offset(base).
    Load,
    /// Store: register, offset(base).
    S,
    /// Branch: register, register, offset.
    B,
    /// Register, 20-bit upper immediate.
    U,
    /// Jump: register, offset.
    J,
    /// Only a destination register.
    Rd,
    /// No operands.
    None,
}

/// Timing classes; the names are those of the core files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Arithmetic and logic with an immediate; `lui`, `auipc`.
    AluImmediate,
    /// Arithmetic and logic on two registers.
    AluRegister,
    /// `slti`, `sltiu`; as `AluImmediate` on cores that do not tell them apart.
    CompareImmediate,
    /// `slt`, `sltu`; as `AluRegister` on cores that do not tell them apart.
    CompareRegister,
    /// Shift to the left by an immediate amount.
    ShiftImmediate,
    /// Shift to the left by a register.
    ShiftRegister,
    /// Shift to the right by an immediate amount; as `ShiftImmediate` where that is the same.
    ShiftRightImmediate,
    /// Shift to the right by a register; as `ShiftRegister` where that is the same.
    ShiftRightRegister,
    /// `jal`.
    Jump,
    /// `jalr`.
    JumpRegister,
    /// Conditional branches.
    Branch,
    /// Loads.
    Load,
    /// Stores.
    Store,
    /// Low half of a product.
    Multiply,
    /// High half of a product.
    MultiplyHigh,
    /// Quotients and remainders.
    Divide,
    /// Counter reads.
    Counter,
    /// `fence`.
    Fence,
    /// Environment call and breakpoint.
    System,
    /// What is no instruction.
    Illegal,
}

/// The names of [`Class`], by its numbers.
pub const CLASSES: &[&str] = &[
    "alu_immediate",
    "alu_register",
    "compare_immediate",
    "compare_register",
    "shift_immediate",
    "shift_register",
    "shift_right_immediate",
    "shift_right_register",
    "jump",
    "jump_register",
    "branch",
    "load",
    "store",
    "multiply",
    "multiply_high",
    "divide",
    "counter",
    "fence",
    "system",
    "illegal",
];

/// The class whose cost a core file means for one that it does not name.
#[must_use]
pub fn coarser(class: &str) -> Option<&'static str> {
    Some(match class {
        "compare_immediate" => "alu_immediate",
        "compare_register" => "alu_register",
        "shift_right_immediate" => "shift_immediate",
        "shift_right_register" => "shift_register",
        _ => return None,
    })
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The instruction.
    pub opcode: Opcode,
    /// Its name in assembly.
    pub name: &'static str,
    /// Operand layout.
    pub format: Format,
    /// Timing class.
    pub class: Class,
    /// Which bits of the encoding are fixed.
    pub mask: u32,
    /// What the fixed bits are.
    pub bits: u32,
}

macro_rules! instructions {
    ($($opcode:ident $name:literal $format:ident $class:ident $mask:literal $bits:literal)*) => {
        /// Every instruction, 16-bit ones by the 32-bit instruction that they stand for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = concat!("`", $name, "`")] $opcode,)*
        }

        /// The table, in the order of [`Opcode`].
        pub const TABLE: &[Row] = &[
            $(Row {
                opcode: Opcode::$opcode,
                name: $name,
                format: Format::$format,
                class: Class::$class,
                mask: $mask,
                bits: $bits,
            },)*
        ];
    };
}

instructions! {
    Lui        "lui"        U     AluImmediate        0x0000_007f 0x0000_0037
    Auipc      "auipc"      U     AluImmediate        0x0000_007f 0x0000_0017
    Jal        "jal"        J     Jump                0x0000_007f 0x0000_006f
    Jalr       "jalr"       I     JumpRegister        0x0000_707f 0x0000_0067
    Beq        "beq"        B     Branch              0x0000_707f 0x0000_0063
    Bne        "bne"        B     Branch              0x0000_707f 0x0000_1063
    Blt        "blt"        B     Branch              0x0000_707f 0x0000_4063
    Bge        "bge"        B     Branch              0x0000_707f 0x0000_5063
    Bltu       "bltu"       B     Branch              0x0000_707f 0x0000_6063
    Bgeu       "bgeu"       B     Branch              0x0000_707f 0x0000_7063
    Lb         "lb"         Load  Load                0x0000_707f 0x0000_0003
    Lh         "lh"         Load  Load                0x0000_707f 0x0000_1003
    Lw         "lw"         Load  Load                0x0000_707f 0x0000_2003
    Lbu        "lbu"        Load  Load                0x0000_707f 0x0000_4003
    Lhu        "lhu"        Load  Load                0x0000_707f 0x0000_5003
    Sb         "sb"         S     Store               0x0000_707f 0x0000_0023
    Sh         "sh"         S     Store               0x0000_707f 0x0000_1023
    Sw         "sw"         S     Store               0x0000_707f 0x0000_2023
    Addi       "addi"       I     AluImmediate        0x0000_707f 0x0000_0013
    Slti       "slti"       I     CompareImmediate    0x0000_707f 0x0000_2013
    Sltiu      "sltiu"      I     CompareImmediate    0x0000_707f 0x0000_3013
    Xori       "xori"       I     AluImmediate        0x0000_707f 0x0000_4013
    Ori        "ori"        I     AluImmediate        0x0000_707f 0x0000_6013
    Andi       "andi"       I     AluImmediate        0x0000_707f 0x0000_7013
    Slli       "slli"       Shift ShiftImmediate      0xfe00_707f 0x0000_1013
    Srli       "srli"       Shift ShiftRightImmediate 0xfe00_707f 0x0000_5013
    Srai       "srai"       Shift ShiftRightImmediate 0xfe00_707f 0x4000_5013
    Add        "add"        R     AluRegister         0xfe00_707f 0x0000_0033
    Sub        "sub"        R     AluRegister         0xfe00_707f 0x4000_0033
    Sll        "sll"        R     ShiftRegister       0xfe00_707f 0x0000_1033
    Slt        "slt"        R     CompareRegister     0xfe00_707f 0x0000_2033
    Sltu       "sltu"       R     CompareRegister     0xfe00_707f 0x0000_3033
    Xor        "xor"        R     AluRegister         0xfe00_707f 0x0000_4033
    Srl        "srl"        R     ShiftRightRegister  0xfe00_707f 0x0000_5033
    Sra        "sra"        R     ShiftRightRegister  0xfe00_707f 0x4000_5033
    Or         "or"         R     AluRegister         0xfe00_707f 0x0000_6033
    And        "and"        R     AluRegister         0xfe00_707f 0x0000_7033
    Fence      "fence"      None  Fence               0x0000_707f 0x0000_000f
    Ecall      "ecall"      None  System              0xffff_ffff 0x0000_0073
    Ebreak     "ebreak"     None  System              0xffff_ffff 0x0010_0073
    Rdcycle    "rdcycle"    Rd    Counter             0xffff_f07f 0xc000_2073
    Rdtime     "rdtime"     Rd    Counter             0xffff_f07f 0xc010_2073
    Rdinstret  "rdinstret"  Rd    Counter             0xffff_f07f 0xc020_2073
    Rdcycleh   "rdcycleh"   Rd    Counter             0xffff_f07f 0xc800_2073
    Rdtimeh    "rdtimeh"    Rd    Counter             0xffff_f07f 0xc810_2073
    Rdinstreth "rdinstreth" Rd    Counter             0xffff_f07f 0xc820_2073
    Mul        "mul"        R     Multiply            0xfe00_707f 0x0200_0033
    Mulh       "mulh"       R     MultiplyHigh        0xfe00_707f 0x0200_1033
    Mulhsu     "mulhsu"     R     MultiplyHigh        0xfe00_707f 0x0200_2033
    Mulhu      "mulhu"      R     MultiplyHigh        0xfe00_707f 0x0200_3033
    Div        "div"        R     Divide              0xfe00_707f 0x0200_4033
    Divu       "divu"       R     Divide              0xfe00_707f 0x0200_5033
    Rem        "rem"        R     Divide              0xfe00_707f 0x0200_6033
    Remu       "remu"       R     Divide              0xfe00_707f 0x0200_7033
}

impl Opcode {
    /// The instruction's row.
    #[must_use]
    pub const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// ABI names of the integer registers, by number.
pub const REGISTERS: &[&str] = &[
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
];
