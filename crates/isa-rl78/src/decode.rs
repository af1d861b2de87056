//! Decoding: bytes to the instruction and its operands.

use crate::class::Class;
use crate::features::Variant;
use crate::table::{Opcode, Operand, Row, find};

/// The prefix that selects the part of memory by ES.
const PREFIX: u8 = 0x11;
/// The program status word in memory.
pub const STATUS: u32 = 0xf_fffa;

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The form.
    pub row: &'static Row,
    /// The form's field: the number of a register, of a bit or of bits, or of a table's entry.
    pub field: u8,
    /// The constants of the operands: an address in the last 64 KiB or of code, a displacement, a constant, or
    /// a distance from the next instruction on.
    pub values: [i32; 2],
    /// True behind the prefix `es:`.
    pub prefixed: bool,
    /// Length in bytes, with the prefix.
    pub length: u8,
}

/// The outcome of decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// An instruction.
    Insn(Decoded),
    /// No instruction.
    Illegal,
    /// No memory at a distance from the first byte.
    Unmapped(u8),
}

/// Decodes the instruction whose bytes a function gives by their distance from the first one.
#[must_use]
pub fn decode(core: Variant, byte: &dyn Fn(u8) -> Option<u8>) -> Read {
    match read(core, byte) {
        Ok(Some(decoded)) => Read::Insn(decoded),
        Ok(None) => Read::Illegal,
        Err(at) => Read::Unmapped(at),
    }
}

/// The instruction, if it is one; the distance of a byte that is missing.
fn read(core: Variant, byte: &dyn Fn(u8) -> Option<u8>) -> Result<Option<Decoded>, u8> {
    let prefixed = byte(0).ok_or(0)? == PREFIX;
    let first = u8::from(prefixed);
    let at = |position: u8| byte(position).ok_or(position);
    let word = |position| u32::from(byte(position).unwrap_or(0));
    let bytes = u32::from(at(first)?) << 16 | word(first + 1) << 8 | word(first + 2);
    let Some(row) = find(core, bytes) else { return Ok(None) };
    if prefixed && !row.operands.iter().any(|operand| operand.takes_prefix()) {
        return Ok(None);
    }
    let mut next = first + row.bytes;
    (first..next).try_for_each(|position| at(position).map(|_| ()))?;
    let mut values = [0; 2];
    for (value, operand) in values.iter_mut().zip(row.operands) {
        let mut number = 0;
        for position in 0..operand.bytes() {
            number |= u32::from(at(next)?) << (8 * position);
            next += 1;
        }
        *value = meaning(operand, number, prefixed);
    }
    Ok(Some(Decoded { row, field: row.field(bytes) as u8, values, prefixed, length: next }))
}

/// The constant that the bytes of an operand are.
const fn meaning(operand: Operand, number: u32, prefixed: bool) -> i32 {
    match operand {
        Operand::Near => number as i8 as i32,
        Operand::Relative => number as i16 as i32,
        Operand::Far => (number & 0xf_ffff) as i32,
        Operand::Absolute | Operand::BitAbsolute if !prefixed => (0xf_0000 | number) as i32,
        Operand::Sfr | Operand::BitSfr => (0xf_ff00 | number) as i32,
        // The first bytes are those of special function registers (section 3.2.3).
        Operand::Saddr | Operand::BitSaddr if number < 0x20 => (0xf_ff00 | number) as i32,
        Operand::Saddr | Operand::BitSaddr => (0xf_fe00 | number) as i32,
        _ => number as i32,
    }
}

impl Decoded {
    /// The instruction.
    #[must_use]
    pub const fn opcode(&self) -> Opcode {
        self.row.opcode
    }

    /// The address that an operand names, if it is known.
    #[must_use]
    pub const fn known(&self, operand: usize) -> Option<u32> {
        match self.row.operands[operand] {
            Operand::Saddr | Operand::Sfr | Operand::BitSaddr | Operand::BitSfr => {
                Some(self.values[operand] as u32)
            }
            Operand::Absolute | Operand::BitAbsolute if !self.prefixed => {
                Some(self.values[operand] as u32)
            }
            _ => None,
        }
    }

    /// The timing class, which differs where the destination is the program status word.
    #[must_use]
    pub fn class(&self) -> Class {
        match (self.row.class, self.known(0)) {
            (Class::Store, Some(STATUS)) => Class::Status,
            (Class::BitModify, Some(STATUS)) => Class::StatusBit,
            (class, _) => class,
        }
    }
}
