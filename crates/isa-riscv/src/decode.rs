//! Decoding: an encoding to the instruction and its operands.

use crate::compressed::expand;
use crate::table::{Format, Opcode, TABLE};

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The number of it.
    pub opcode: Opcode,
    /// Destination register.
    pub rd: u8,
    /// First source register.
    pub rs1: u8,
    /// Second source register.
    pub rs2: u8,
    /// Immediate, sign-extended; for `lui` and `auipc` already shifted.
    pub imm: i32,
    /// Length in bytes.
    pub length: u8,
}

/// Decodes the instruction whose first 16-bit unit is `low` and whose second, where it has one, is
/// `high`.
#[must_use]
pub fn decode(low: u16, high: u16) -> Option<Decoded> {
    if low & 3 == 3 {
        decode_word(u32::from(high) << 16 | u32::from(low))
    } else {
        decode_word(expand(low)?).map(|decoded| Decoded { length: 2, ..decoded })
    }
}

/// Decodes a 32-bit instruction.
pub fn decode_word(word: u32) -> Option<Decoded> {
    let row = TABLE.iter().find(|row| word & row.mask == row.bits)?;
    Some(Decoded {
        opcode: row.opcode,
        rd: field(word, 7),
        rs1: field(word, 15),
        rs2: field(word, 20),
        imm: immediate(row.format, word),
        length: 4,
    })
}

fn field(word: u32, at: u32) -> u8 {
    ((word >> at) & 31) as u8
}

fn immediate(format: Format, word: u32) -> i32 {
    let signed = word as i32;
    match format {
        Format::R | Format::Unary | Format::Rd | Format::None | Format::FromOwn | Format::ToOwn => {
            0
        }
        Format::I | Format::Load => signed >> 20,
        Format::Csr | Format::CsrImmediate => (word >> 20) as i32,
        Format::Shift => i32::from(field(word, 20)),
        Format::Byte => (word >> 30) as i32,
        Format::S => (signed >> 25) << 5 | i32::from(field(word, 7)),
        Format::B => {
            (signed >> 31) << 12
                | ((signed >> 7) & 1) << 11
                | ((signed >> 25) & 0x3f) << 5
                | ((signed >> 8) & 0xf) << 1
        }
        Format::U => signed & !0xfff,
        Format::J => {
            (signed >> 31) << 20
                | ((signed >> 12) & 0xff) << 12
                | ((signed >> 20) & 1) << 11
                | ((signed >> 21) & 0x3ff) << 1
        }
    }
}
