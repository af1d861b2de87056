//! The instruction table: encoding, operands and timing class of every instruction.
//!
//! Source: 272383-002, chapter 2, "Instruction Definitions", whose encodings stand here; `aaa` are the upper
//! bits of an address in the same 2 KiB, `rrr` a register and `i` R0 or R1.

use crate::class::Class;

/// An operand; those with bytes of their own follow the first byte in their order in assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The accumulator.
    A,
    /// The accumulator and B.
    Ab,
    /// The carry.
    Carry,
    /// The data pointer.
    Pointer,
    /// A register of the bank.
    Register,
    /// Internal data whose address is in R0 or R1.
    Indirect,
    /// Internal data, or a special function register.
    Direct,
    /// A constant of a byte.
    Immediate,
    /// A constant of two bytes, the higher one first.
    Wide,
    /// A bit of internal data, or of a special function register.
    Bit,
    /// Its complement.
    NotBit,
    /// A distance from the next instruction on.
    Relative,
    /// An address in the 2 KiB of the next instruction.
    Page,
    /// An address.
    Long,
    /// External data whose address is in DPTR.
    External,
    /// External data whose address is in P2 and R0 or R1.
    ExternalPage,
    /// Code whose address is the sum of the accumulator and DPTR.
    CodePointer,
    /// Code whose address is the sum of the accumulator and the next instruction's.
    CodeCounter,
}

impl Operand {
    /// Bytes that it has behind the first one.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self {
            Self::Direct
            | Self::Immediate
            | Self::Bit
            | Self::NotBit
            | Self::Relative
            | Self::Page => 1,
            Self::Wide | Self::Long => 2,
            _ => 0,
        }
    }
}

/// A form of an instruction.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// The operation.
    pub opcode: Opcode,
    /// The mnemonic.
    pub name: &'static str,
    /// The first byte: digits, and letters for fields.
    pub pattern: &'static str,
    /// The operands in assembly.
    pub operands: &'static [Operand],
    /// The timing class.
    pub class: Class,
}

impl Row {
    /// Returns true if a first byte is one of this form.
    #[must_use]
    pub fn matches(&self, byte: u8) -> bool {
        let bits = self.pattern.bytes().filter(|&digit| digit != b' ');
        bits.zip((0..8).rev()).all(|(digit, bit)| match digit {
            b'0' | b'1' => digit - b'0' == byte >> bit & 1,
            _ => true,
        })
    }

    /// The field of a first byte: a register's number, or the upper bits of an address.
    #[must_use]
    pub fn field(&self, byte: u8) -> u8 {
        let bits = self.pattern.bytes().filter(|&digit| digit != b' ').zip((0..8).rev());
        let fields = bits.filter(|(digit, _)| digit.is_ascii_alphabetic());
        fields.fold(0, |field, (_, bit)| field << 1 | byte >> bit & 1)
    }
}

macro_rules! table {
    ($($opcode:ident $name:literal { $($pattern:literal [$($operand:ident),*] $class:ident)* })*) => {
        /// The operations.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Opcode { $($opcode,)* }

        /// The instructions.
        pub static TABLE: &[Row] = &[$($(Row {
            opcode: Opcode::$opcode,
            name: $name,
            pattern: $pattern,
            operands: &[$(Operand::$operand,)*],
            class: Class::$class,
        },)*)*];
    };
}

table! {
    Acall "acall" { "aaa1 0001" [Page] Call }
    Add "add" {
        "0010 1rrr" [A, Register] Alu
        "0010 0101" [A, Direct] AluDirect
        "0010 011i" [A, Indirect] AluIndirect
        "0010 0100" [A, Immediate] AluImmediate
    }
    Addc "addc" {
        "0011 1rrr" [A, Register] Alu
        "0011 0101" [A, Direct] AluDirect
        "0011 011i" [A, Indirect] AluIndirect
        "0011 0100" [A, Immediate] AluImmediate
    }
    Ajmp "ajmp" { "aaa0 0001" [Page] Jump }
    Anl "anl" {
        "0101 1rrr" [A, Register] Alu
        "0101 0101" [A, Direct] AluDirect
        "0101 011i" [A, Indirect] AluIndirect
        "0101 0100" [A, Immediate] AluImmediate
        "0101 0010" [Direct, A] AluDirect
        "0101 0011" [Direct, Immediate] DirectImmediate
    }
    AndBit "anl" {
        "1000 0010" [Carry, Bit] BitLogic
        "1011 0000" [Carry, NotBit] BitLogic
    }
    Cjne "cjne" {
        "1011 0101" [A, Direct, Relative] Compare
        "1011 0100" [A, Immediate, Relative] Compare
        "1011 1rrr" [Register, Immediate, Relative] Compare
        "1011 011i" [Indirect, Immediate, Relative] CompareIndirect
    }
    Clr "clr" { "1110 0100" [A] Alu }
    ClearBit "clr" {
        "1100 0011" [Carry] Alu
        "1100 0010" [Bit] Bit
    }
    Cpl "cpl" { "1111 0100" [A] Alu }
    ComplementBit "cpl" {
        "1011 0011" [Carry] Alu
        "1011 0010" [Bit] Bit
    }
    Da "da" { "1101 0100" [A] Alu }
    Dec "dec" {
        "0001 0100" [A] Alu
        "0001 1rrr" [Register] Alu
        "0001 0101" [Direct] AluDirect
        "0001 011i" [Indirect] AluIndirect
    }
    Div "div" { "1000 0100" [Ab] Divide }
    Djnz "djnz" {
        "1101 1rrr" [Register, Relative] Loop
        "1101 0101" [Direct, Relative] LoopDirect
    }
    Inc "inc" {
        "0000 0100" [A] Alu
        "0000 1rrr" [Register] Alu
        "0000 0101" [Direct] AluDirect
        "0000 011i" [Indirect] AluIndirect
    }
    IncPointer "inc" { "1010 0011" [Pointer] IncrementPointer }
    Jb "jb" { "0010 0000" [Bit, Relative] BranchBit }
    Jbc "jbc" { "0001 0000" [Bit, Relative] BranchBit }
    Jc "jc" { "0100 0000" [Relative] Branch }
    Jmp "jmp" { "0111 0011" [CodePointer] JumpIndirect }
    Jnb "jnb" { "0011 0000" [Bit, Relative] BranchBit }
    Jnc "jnc" { "0101 0000" [Relative] Branch }
    Jnz "jnz" { "0111 0000" [Relative] Branch }
    Jz "jz" { "0110 0000" [Relative] Branch }
    Lcall "lcall" { "0001 0010" [Long] CallLong }
    Ljmp "ljmp" { "0000 0010" [Long] JumpLong }
    Mov "mov" {
        "1110 1rrr" [A, Register] Alu
        "1110 0101" [A, Direct] LoadDirect
        "1110 011i" [A, Indirect] LoadIndirect
        "0111 0100" [A, Immediate] AluImmediate
        "1111 1rrr" [Register, A] Alu
        "1010 1rrr" [Register, Direct] RegisterDirect
        "0111 1rrr" [Register, Immediate] RegisterImmediate
        "1111 0101" [Direct, A] StoreDirect
        "1000 1rrr" [Direct, Register] StoreRegister
        "1000 0101" [Direct, Direct] MoveDirect
        "1000 011i" [Direct, Indirect] MoveIndirect
        "0111 0101" [Direct, Immediate] MoveImmediate
        "1111 011i" [Indirect, A] StoreIndirect
        "1010 011i" [Indirect, Direct] IndirectDirect
        "0111 011i" [Indirect, Immediate] IndirectImmediate
        "1001 0000" [Pointer, Wide] Pointer
    }
    MoveBit "mov" {
        "1010 0010" [Carry, Bit] BitLoad
        "1001 0010" [Bit, Carry] BitStore
    }
    Movc "movc" {
        "1001 0011" [A, CodePointer] LoadCode
        "1000 0011" [A, CodeCounter] LoadCode
    }
    Movx "movx" {
        "1110 001i" [A, ExternalPage] LoadExternal
        "1110 0000" [A, External] LoadExternal
        "1111 001i" [ExternalPage, A] StoreExternal
        "1111 0000" [External, A] StoreExternal
    }
    Mul "mul" { "1010 0100" [Ab] Multiply }
    Nop "nop" { "0000 0000" [] Alu }
    Orl "orl" {
        "0100 1rrr" [A, Register] Alu
        "0100 0101" [A, Direct] AluDirect
        "0100 011i" [A, Indirect] AluIndirect
        "0100 0100" [A, Immediate] AluImmediate
        "0100 0010" [Direct, A] AluDirect
        "0100 0011" [Direct, Immediate] DirectImmediate
    }
    OrBit "orl" {
        "0111 0010" [Carry, Bit] BitLogic
        "1010 0000" [Carry, NotBit] BitLogic
    }
    Pop "pop" { "1101 0000" [Direct] Pop }
    Push "push" { "1100 0000" [Direct] Push }
    Ret "ret" { "0010 0010" [] Return }
    Reti "reti" { "0011 0010" [] Return }
    Rl "rl" { "0010 0011" [A] Alu }
    Rlc "rlc" { "0011 0011" [A] Alu }
    Rr "rr" { "0000 0011" [A] Alu }
    Rrc "rrc" { "0001 0011" [A] Alu }
    SetBit "setb" {
        "1101 0011" [Carry] Alu
        "1101 0010" [Bit] Bit
    }
    Sjmp "sjmp" { "1000 0000" [Relative] Jump }
    Subb "subb" {
        "1001 1rrr" [A, Register] Alu
        "1001 0101" [A, Direct] AluDirect
        "1001 011i" [A, Indirect] AluIndirect
        "1001 0100" [A, Immediate] AluImmediate
    }
    Swap "swap" { "1100 0100" [A] Alu }
    Xch "xch" {
        "1100 1rrr" [A, Register] Alu
        "1100 0101" [A, Direct] AluDirect
        "1100 011i" [A, Indirect] AluIndirect
    }
    Xchd "xchd" { "1101 011i" [A, Indirect] AluIndirect }
    Xrl "xrl" {
        "0110 1rrr" [A, Register] Alu
        "0110 0101" [A, Direct] AluDirect
        "0110 011i" [A, Indirect] AluIndirect
        "0110 0100" [A, Immediate] AluImmediate
        "0110 0010" [Direct, A] AluDirect
        "0110 0011" [Direct, Immediate] DirectImmediate
    }
}

/// The form of a first byte; A5 is reserved.
#[must_use]
pub fn find(byte: u8) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.matches(byte))
}
