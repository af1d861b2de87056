//! Decoding: a word to the instruction and its operands.

use cocrypt_isa::{ByteOrder, CodeMemory};

use crate::table::{Opcode, TABLE};

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The number of it.
    pub opcode: Opcode,
    /// The field of rD, which has conditions and delay slots of branches too.
    pub d: u8,
    /// The field of rA, which has the kinds of branches too.
    pub a: u8,
    /// The field of rB.
    pub b: u8,
    /// The lower half of the word: an immediate, whatever `imm` puts above it.
    pub low: u16,
}

/// Decodes a word; nothing if it is no instruction of any core here.
#[must_use]
pub fn decode(word: u32) -> Option<Decoded> {
    let row = TABLE.iter().find(|row| word & row.mask == row.bits)?;
    let field = |at: u32| (word >> at & 31) as u8;
    Some(Decoded { opcode: row.opcode, d: field(21), a: field(16), b: field(11), low: word as u16 })
}

/// The word at an address that is a multiple of 4, or nothing where no memory answers.
pub fn word(code: &dyn CodeMemory, order: ByteOrder, pc: u64) -> Option<u32> {
    let [first, second] = [code.unit(pc)?, code.unit(pc + 2)?];
    let bytes = [first, second].map(u16::to_le_bytes).concat();
    Some(order.number(&bytes) as u32)
}
