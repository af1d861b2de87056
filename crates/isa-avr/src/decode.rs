//! Decoding: words to the instruction and its operands.

use crate::features::Features;
use crate::table::{Format, Opcode, Row, TABLE};

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The number of it.
    pub opcode: Opcode,
    /// Its destination, or its only register.
    pub d: u8,
    /// Its source.
    pub r: u8,
    /// The number of a bit.
    pub bit: u8,
    /// A constant: an immediate, a displacement, an I/O register, the number of a round, an address in the
    /// data space, a target's address in bytes, or a distance in bytes from the next instruction on.
    pub constant: i32,
    /// Length in bytes.
    pub length: u8,
}

/// Decodes the instruction of a core whose first word is `first` and whose second, where it has one, is
/// `second`.
#[must_use]
pub fn decode(core: &Features, first: u16, second: u16) -> Option<Decoded> {
    let row = TABLE.iter().find(|row| row.matches(first) && row.has.holds(core))?;
    let decoded = decode_row(row, first, second);
    let lacks = core.variant == crate::Variant::Avrrc && uses_lower(row, &decoded);
    (!lacks).then_some(decoded)
}

/// Returns true if an instruction names a register below r16.
fn uses_lower(row: &Row, decoded: &Decoded) -> bool {
    let has = |letter| row.pattern.contains(letter);
    has('d') && decoded.d < 16 || has('r') && decoded.r < 16
}

fn decode_row(row: &Row, first: u16, second: u16) -> Decoded {
    let field = |letter| row.field(letter, first);
    let (scale, base) = registers(row.format);
    let register = |letter| field(letter) as u8 * scale + base;
    Decoded {
        opcode: row.opcode,
        d: register('d'),
        r: register('r'),
        bit: field('b') as u8,
        constant: constant(row, first, second),
        length: if row.format.is_long() { 4 } else { 2 },
    }
}

/// The numbering of the register fields.
const fn registers(format: Format) -> (u8, u8) {
    match format {
        Format::Pairs => (2, 0),
        Format::WordImmediate => (2, 24),
        Format::UpperRegisters
        | Format::MiddleRegisters
        | Format::Immediate
        | Format::LoadShort
        | Format::StoreShort => (1, 16),
        _ => (1, 0),
    }
}

fn constant(row: &Row, first: u16, second: u16) -> i32 {
    let field = |letter| i32::from(row.field(letter, first));
    match row.format {
        Format::Immediate | Format::WordImmediate | Format::Round => field('K'),
        Format::IoBit | Format::In | Format::Out => field('A'),
        Format::LoadDisplaced(_) | Format::StoreDisplaced(_) => field('q'),
        Format::LoadDirect | Format::StoreDirect => second.into(),
        Format::LoadShort | Format::StoreShort => short_address(first),
        Format::Absolute => 2 * (field('k') << 16 | i32::from(second)),
        Format::Relative => {
            let unused = 32 - row.pattern.matches('k').count();
            2 * (field('k') << unused >> unused)
        }
        _ => 0,
    }
}

/// An address of 7 bits, of which the highest is there in both forms (section 6.71).
fn short_address(word: u16) -> i32 {
    let bit = |from: u32, to: u32| i32::from(word >> from & 1) << to;
    i32::from(word & 15) | bit(9, 4) | bit(10, 5) | bit(8, 6) | (bit(8, 7) ^ 0x80)
}
