//! The instruction table: name, encoding, operand format and timing class of every instruction.

use cocrypt_isa::{InstructionKind, timing_classes};

/// The encoding of an instruction's operands (unprivileged manual, section 2.3).
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
    /// Register, register.
    Unary,
    /// Register, register, register, number of a byte.
    Byte,
    /// Only a destination register.
    Rd,
    /// Register, control and status register, register.
    Csr,
    /// Register, control and status register, 5-bit immediate.
    CsrImmediate,
    /// Register, own register of PicoRV32.
    FromOwn,
    /// Own register of PicoRV32, register.
    ToOwn,
    /// No operands.
    None,
}

// A counter's read is one of a register.
timing_classes! {
    AluImmediate "alu_immediate" Alu "Arithmetic and logic with an immediate; `lui`, `auipc`."
    AluRegister "alu_register" Alu "Arithmetic and logic on two registers."
    CompareImmediate "compare_immediate" Alu "`slti`, `sltiu`; as `AluImmediate` on cores that do not tell them apart."
    CompareRegister "compare_register" Alu "`slt`, `sltu`; as `AluRegister` on cores that do not tell them apart."
    ShiftImmediate "shift_immediate" Alu "Shift to the left by an immediate amount."
    ShiftRegister "shift_register" Alu "Shift to the left by a register."
    ShiftRightImmediate "shift_right_immediate" Alu "Shift to the right by an immediate amount; as `ShiftImmediate` where that is the same."
    ShiftRightRegister "shift_right_register" Alu "Shift to the right by a register; as `ShiftRegister` where that is the same."
    Jump "jump" Jump "`jal`."
    JumpRegister "jump_register" Jump "`jalr`."
    Branch "branch" Branch "Conditional branches."
    Load "load" Load "Loads."
    Store "store" Store "Stores."
    Multiply "multiply" Multiply "Low half of a product."
    MultiplyHigh "multiply_high" Multiply "High half of a product."
    Divide "divide" Divide "Quotients and remainders."
    ShiftAdd "shift_add" Alu "Shift by a few bits, then sum."
    BitRegister "bit_register" Alu "Bit manipulation of two registers."
    BitImmediate "bit_immediate" Alu "Bit manipulation of one register, with or without an immediate."
    RotateRegister "rotate_register" Alu "Rotation by a register."
    RotateImmediate "rotate_immediate" Alu "Rotation by an immediate amount."
    CarrylessMultiply "carryless_multiply" Multiply "Product of polynomials over GF(2)."
    Cipher "cipher" Alu "A byte's part of a round of AES."
    Hash "hash" Alu "A mixing function of SHA-2."
    Counter "counter" Alu "Counter reads."
    Fence "fence" Other "`fence`."
    FenceInstructions "fence_instructions" Other "`fence.i`."
    Csr "csr" Other "Reading and changing a control and status register."
    CsrStatus "csr_status" Other "Writing what decides about interrupts, or setting bits of it."
    System "system" Other "Environment call and breakpoint."
    Return "return" Other "The way back from a handler."
    Wait "wait" Other "Waiting for an interrupt."
    Illegal "illegal" Other "What is no instruction."
    EnterSystem "enter_system" Other "From an environment call or a breakpoint to its handler."
    EnterIllegal "enter_illegal" Other "From what is no instruction to its handler."
    EnterUnaligned "enter_unaligned" Other "From an access at an address that its width does not allow to its handler."
    Interrupt "interrupt" Other "From between two instructions to the handler of an interrupt."
}

impl Class {
    /// The energy class of the class's instructions.
    #[must_use]
    pub const fn kind(self) -> InstructionKind {
        KINDS[self as usize].1
    }
}

/// The class whose cost a core file means for one that it does not name.
#[must_use]
pub fn coarser(class: &str) -> Option<&'static str> {
    Some(match class {
        "shift_right_immediate" => "shift_immediate",
        "csr_status" => "csr",
        "shift_right_register" => "shift_register",
        "compare_register" | "shift_add" | "bit_register" | "rotate_register" => "alu_register",
        "compare_immediate" | "bit_immediate" | "rotate_immediate" => "alu_immediate",
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
    /// The extensions of which each has it; none if the base instruction set does.
    pub extensions: &'static [&'static str],
    /// Operand layout.
    pub format: Format,
    /// Timing class.
    pub class: Class,
    /// The mask of the encoding's fixed bits.
    pub mask: u32,
    /// The values of the fixed bits.
    pub bits: u32,
}

macro_rules! instructions {
    ($(
        $opcode:ident $name:literal $extensions:tt $format:ident $class:ident
        $mask:literal $bits:literal
    )*) => {
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
                extensions: &$extensions,
                format: Format::$format,
                class: Class::$class,
                mask: $mask,
                bits: $bits,
            },)*
        ];
    };
}

instructions! {
    Lui        "lui"         []               U      AluImmediate        0x0000_007f 0x0000_0037
    Auipc      "auipc"       []               U      AluImmediate        0x0000_007f 0x0000_0017
    Jal        "jal"         []               J      Jump                0x0000_007f 0x0000_006f
    Jalr       "jalr"        []               I      JumpRegister        0x0000_707f 0x0000_0067
    Beq        "beq"         []               B      Branch              0x0000_707f 0x0000_0063
    Bne        "bne"         []               B      Branch              0x0000_707f 0x0000_1063
    Blt        "blt"         []               B      Branch              0x0000_707f 0x0000_4063
    Bge        "bge"         []               B      Branch              0x0000_707f 0x0000_5063
    Bltu       "bltu"        []               B      Branch              0x0000_707f 0x0000_6063
    Bgeu       "bgeu"        []               B      Branch              0x0000_707f 0x0000_7063
    Lb         "lb"          []               Load   Load                0x0000_707f 0x0000_0003
    Lh         "lh"          []               Load   Load                0x0000_707f 0x0000_1003
    Lw         "lw"          []               Load   Load                0x0000_707f 0x0000_2003
    Lbu        "lbu"         []               Load   Load                0x0000_707f 0x0000_4003
    Lhu        "lhu"         []               Load   Load                0x0000_707f 0x0000_5003
    Sb         "sb"          []               S      Store               0x0000_707f 0x0000_0023
    Sh         "sh"          []               S      Store               0x0000_707f 0x0000_1023
    Sw         "sw"          []               S      Store               0x0000_707f 0x0000_2023
    Addi       "addi"        []               I      AluImmediate        0x0000_707f 0x0000_0013
    Slti       "slti"        []               I      CompareImmediate    0x0000_707f 0x0000_2013
    Sltiu      "sltiu"       []               I      CompareImmediate    0x0000_707f 0x0000_3013
    Xori       "xori"        []               I      AluImmediate        0x0000_707f 0x0000_4013
    Ori        "ori"         []               I      AluImmediate        0x0000_707f 0x0000_6013
    Andi       "andi"        []               I      AluImmediate        0x0000_707f 0x0000_7013
    Slli       "slli"        []               Shift  ShiftImmediate      0xfe00_707f 0x0000_1013
    Srli       "srli"        []               Shift  ShiftRightImmediate 0xfe00_707f 0x0000_5013
    Srai       "srai"        []               Shift  ShiftRightImmediate 0xfe00_707f 0x4000_5013
    Add        "add"         []               R      AluRegister         0xfe00_707f 0x0000_0033
    Sub        "sub"         []               R      AluRegister         0xfe00_707f 0x4000_0033
    Sll        "sll"         []               R      ShiftRegister       0xfe00_707f 0x0000_1033
    Slt        "slt"         []               R      CompareRegister     0xfe00_707f 0x0000_2033
    Sltu       "sltu"        []               R      CompareRegister     0xfe00_707f 0x0000_3033
    Xor        "xor"         []               R      AluRegister         0xfe00_707f 0x0000_4033
    Srl        "srl"         []               R      ShiftRightRegister  0xfe00_707f 0x0000_5033
    Sra        "sra"         []               R      ShiftRightRegister  0xfe00_707f 0x4000_5033
    Or         "or"          []               R      AluRegister         0xfe00_707f 0x0000_6033
    And        "and"         []               R      AluRegister         0xfe00_707f 0x0000_7033
    Fence      "fence"       []               None   Fence               0x0000_707f 0x0000_000f
    FenceI     "fence.i"     ["zifencei"]     None   FenceInstructions   0x0000_707f 0x0000_100f
    Ecall      "ecall"       []               None   System              0xffff_ffff 0x0000_0073
    Ebreak     "ebreak"      []               None   System              0xffff_ffff 0x0010_0073
    Mret       "mret"        ["zicsr"]        None   Return              0xffff_ffff 0x3020_0073
    Wfi        "wfi"         ["zicsr"]        None   System              0xffff_ffff 0x1050_0073
    Rdcycle    "rdcycle"     []               Rd     Counter             0xffff_f07f 0xc000_2073
    Rdtime     "rdtime"      []               Rd     Counter             0xffff_f07f 0xc010_2073
    Rdinstret  "rdinstret"   []               Rd     Counter             0xffff_f07f 0xc020_2073
    Rdcycleh   "rdcycleh"    []               Rd     Counter             0xffff_f07f 0xc800_2073
    Rdtimeh    "rdtimeh"     []               Rd     Counter             0xffff_f07f 0xc810_2073
    Rdinstreth "rdinstreth"  []               Rd     Counter             0xffff_f07f 0xc820_2073
    Csrrw      "csrrw"       ["zicsr"]        Csr    Csr                 0x0000_707f 0x0000_1073
    Csrrs      "csrrs"       ["zicsr"]        Csr    Csr                 0x0000_707f 0x0000_2073
    Csrrc      "csrrc"       ["zicsr"]        Csr    Csr                 0x0000_707f 0x0000_3073
    Csrrwi     "csrrwi"      ["zicsr"]        CsrImmediate Csr           0x0000_707f 0x0000_5073
    Csrrsi     "csrrsi"      ["zicsr"]        CsrImmediate Csr           0x0000_707f 0x0000_6073
    Csrrci     "csrrci"      ["zicsr"]        CsrImmediate Csr           0x0000_707f 0x0000_7073
    // PicoRV32's own interrupts (README.md of YosysHQ/picorv32, "Custom Instructions for IRQ Handling").
    Getq       "getq"        ["xpicoirqregs"]  FromOwn Csr               0xfe00_007f 0x0000_000b
    Setq       "setq"        ["xpicoirqregs"]  ToOwn   Csr               0xfe00_007f 0x0200_000b
    Retirq     "retirq"      ["xpicoirq"]      None    Return            0xfe00_007f 0x0400_000b
    Maskirq    "maskirq"     ["xpicoirq"]      Unary   Csr               0xfe00_007f 0x0600_000b
    Waitirq    "waitirq"     ["xpicoirq"]      Rd      Wait              0xfe00_007f 0x0800_000b
    Timer      "timer"       ["xpicoirqtimer"] Unary   Csr               0xfe00_007f 0x0a00_000b
    Mul        "mul"         ["m"]            R      Multiply            0xfe00_707f 0x0200_0033
    Mulh       "mulh"        ["m"]            R      MultiplyHigh        0xfe00_707f 0x0200_1033
    Mulhsu     "mulhsu"      ["m"]            R      MultiplyHigh        0xfe00_707f 0x0200_2033
    Mulhu      "mulhu"       ["m"]            R      MultiplyHigh        0xfe00_707f 0x0200_3033
    Div        "div"         ["m"]            R      Divide              0xfe00_707f 0x0200_4033
    Divu       "divu"        ["m"]            R      Divide              0xfe00_707f 0x0200_5033
    Rem        "rem"         ["m"]            R      Divide              0xfe00_707f 0x0200_6033
    Remu       "remu"        ["m"]            R      Divide              0xfe00_707f 0x0200_7033
    Sh1add     "sh1add"      ["zba"]          R      ShiftAdd            0xfe00_707f 0x2000_2033
    Sh2add     "sh2add"      ["zba"]          R      ShiftAdd            0xfe00_707f 0x2000_4033
    Sh3add     "sh3add"      ["zba"]          R      ShiftAdd            0xfe00_707f 0x2000_6033
    Andn       "andn"        ["zbb", "zbkb"]  R      BitRegister         0xfe00_707f 0x4000_7033
    Orn        "orn"         ["zbb", "zbkb"]  R      BitRegister         0xfe00_707f 0x4000_6033
    Xnor       "xnor"        ["zbb", "zbkb"]  R      BitRegister         0xfe00_707f 0x4000_4033
    Rol        "rol"         ["zbb", "zbkb"]  R      RotateRegister      0xfe00_707f 0x6000_1033
    Ror        "ror"         ["zbb", "zbkb"]  R      RotateRegister      0xfe00_707f 0x6000_5033
    Rori       "rori"        ["zbb", "zbkb"]  Shift  RotateImmediate     0xfe00_707f 0x6000_5013
    Rev8       "rev8"        ["zbb", "zbkb"]  Unary  BitImmediate        0xfff0_707f 0x6980_5013
    ZextH      "zext.h"      ["zbb", "zbkb"]  Unary  BitImmediate        0xfff0_707f 0x0800_4033
    Clz        "clz"         ["zbb"]          Unary  BitImmediate        0xfff0_707f 0x6000_1013
    Ctz        "ctz"         ["zbb"]          Unary  BitImmediate        0xfff0_707f 0x6010_1013
    Cpop       "cpop"        ["zbb"]          Unary  BitImmediate        0xfff0_707f 0x6020_1013
    SextB      "sext.b"      ["zbb"]          Unary  BitImmediate        0xfff0_707f 0x6040_1013
    SextH      "sext.h"      ["zbb"]          Unary  BitImmediate        0xfff0_707f 0x6050_1013
    OrcB       "orc.b"       ["zbb"]          Unary  BitImmediate        0xfff0_707f 0x2870_5013
    Min        "min"         ["zbb"]          R      BitRegister         0xfe00_707f 0x0a00_4033
    Minu       "minu"        ["zbb"]          R      BitRegister         0xfe00_707f 0x0a00_5033
    Max        "max"         ["zbb"]          R      BitRegister         0xfe00_707f 0x0a00_6033
    Maxu       "maxu"        ["zbb"]          R      BitRegister         0xfe00_707f 0x0a00_7033
    Bclr       "bclr"        ["zbs"]          R      BitRegister         0xfe00_707f 0x4800_1033
    Bclri      "bclri"       ["zbs"]          Shift  BitImmediate        0xfe00_707f 0x4800_1013
    Bext       "bext"        ["zbs"]          R      BitRegister         0xfe00_707f 0x4800_5033
    Bexti      "bexti"       ["zbs"]          Shift  BitImmediate        0xfe00_707f 0x4800_5013
    Binv       "binv"        ["zbs"]          R      BitRegister         0xfe00_707f 0x6800_1033
    Binvi      "binvi"       ["zbs"]          Shift  BitImmediate        0xfe00_707f 0x6800_1013
    Bset       "bset"        ["zbs"]          R      BitRegister         0xfe00_707f 0x2800_1033
    Bseti      "bseti"       ["zbs"]          Shift  BitImmediate        0xfe00_707f 0x2800_1013
    Pack       "pack"        ["zbkb"]         R      BitRegister         0xfe00_707f 0x0800_4033
    Packh      "packh"       ["zbkb"]         R      BitRegister         0xfe00_707f 0x0800_7033
    Brev8      "brev8"       ["zbkb"]         Unary  BitImmediate        0xfff0_707f 0x6870_5013
    Zip        "zip"         ["zbkb"]         Unary  BitImmediate        0xfff0_707f 0x08f0_1013
    Unzip      "unzip"       ["zbkb"]         Unary  BitImmediate        0xfff0_707f 0x08f0_5013
    Clmul      "clmul"       ["zbc", "zbkc"]  R      CarrylessMultiply   0xfe00_707f 0x0a00_1033
    Clmulh     "clmulh"      ["zbc", "zbkc"]  R      CarrylessMultiply   0xfe00_707f 0x0a00_3033
    Clmulr     "clmulr"      ["zbc"]          R      CarrylessMultiply   0xfe00_707f 0x0a00_2033
    Xperm4     "xperm4"      ["zbkx"]         R      BitRegister         0xfe00_707f 0x2800_2033
    Xperm8     "xperm8"      ["zbkx"]         R      BitRegister         0xfe00_707f 0x2800_4033
    Aes32esi   "aes32esi"    ["zkne"]         Byte   Cipher              0x3e00_707f 0x2200_0033
    Aes32esmi  "aes32esmi"   ["zkne"]         Byte   Cipher              0x3e00_707f 0x2600_0033
    Aes32dsi   "aes32dsi"    ["zknd"]         Byte   Cipher              0x3e00_707f 0x2a00_0033
    Aes32dsmi  "aes32dsmi"   ["zknd"]         Byte   Cipher              0x3e00_707f 0x2e00_0033
    Sha256Sum0 "sha256sum0"  ["zknh"]         Unary  Hash                0xfff0_707f 0x1000_1013
    Sha256Sum1 "sha256sum1"  ["zknh"]         Unary  Hash                0xfff0_707f 0x1010_1013
    Sha256Sig0 "sha256sig0"  ["zknh"]         Unary  Hash                0xfff0_707f 0x1020_1013
    Sha256Sig1 "sha256sig1"  ["zknh"]         Unary  Hash                0xfff0_707f 0x1030_1013
    Sha512Sum0r "sha512sum0r" ["zknh"]         R      Hash                0xfe00_707f 0x5000_0033
    Sha512Sum1r "sha512sum1r" ["zknh"]         R      Hash                0xfe00_707f 0x5200_0033
    Sha512Sig0l "sha512sig0l" ["zknh"]         R      Hash                0xfe00_707f 0x5400_0033
    Sha512Sig1l "sha512sig1l" ["zknh"]         R      Hash                0xfe00_707f 0x5600_0033
    Sha512Sig0h "sha512sig0h" ["zknh"]         R      Hash                0xfe00_707f 0x5c00_0033
    Sha512Sig1h "sha512sig1h" ["zknh"]         R      Hash                0xfe00_707f 0x5e00_0033
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
