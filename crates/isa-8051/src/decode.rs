//! Decoding: bytes to the instruction and its operands.

use crate::class::Class;
use crate::table::{Opcode, Operand, Row, find};

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The form.
    pub row: &'static Row,
    /// The form's field: a register, or bits 10 to 8 of an address.
    pub field: u8,
    /// The constants of the operands: an address, a constant, a bit, or a distance from the next instruction on.
    pub values: [i32; 3],
    /// Length in bytes.
    pub length: u8,
}

impl Decoded {
    /// The operation.
    #[must_use]
    pub const fn opcode(&self) -> Opcode {
        self.row.opcode
    }

    /// The timing class.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.row.class
    }

    /// The constant of the last operand: the target or distance of jumps.
    #[must_use]
    pub const fn last(&self) -> i32 {
        self.values[self.row.operands.len() - 1]
    }
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
pub fn decode(byte: &dyn Fn(u8) -> Option<u8>) -> Read {
    match read(byte) {
        Ok(Some(decoded)) => Read::Insn(decoded),
        Ok(None) => Read::Illegal,
        Err(at) => Read::Unmapped(at),
    }
}

/// The instruction, if it is one; the distance of a byte that is missing.
fn read(byte: &dyn Fn(u8) -> Option<u8>) -> Result<Option<Decoded>, u8> {
    let first = byte(0).ok_or(0)?;
    let Some(row) = find(first) else { return Ok(None) };
    let field = row.field(first);
    let (mut values, mut next) = ([0; 3], 1);
    for (value, &operand) in values.iter_mut().zip(row.operands) {
        let mut number = 0;
        for _ in 0..operand.bytes() {
            number = number << 8 | i32::from(byte(next).ok_or(next)?);
            next += 1;
        }
        *value = meaning(operand, number, field);
    }
    if let [Operand::Direct, Operand::Direct] = row.operands {
        // The source comes first ("MOV direct,direct").
        values.swap(0, 1);
    }
    Ok(Some(Decoded { row, field, values, length: next }))
}

const fn meaning(operand: Operand, number: i32, field: u8) -> i32 {
    match operand {
        Operand::Relative => number as i8 as i32,
        Operand::Page => (field as i32) << 8 | number,
        _ => number,
    }
}
