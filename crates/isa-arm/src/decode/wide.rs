//! The 32-bit instructions of Thumb-2 (DDI 0403, A5.3).
//!
//! The program counter where the manual calls it unpredictable is no instruction, and so are fields
//! that reach beyond a register. Coprocessors other than the floating-point extension are none of a
//! Cortex-M core; their instructions are undefined here.

mod control;
mod data;
mod memory;
mod products;
mod vector;

use super::{bit, bits, thumb};
use crate::architecture::{Architecture, Version};
use crate::instruction::{Condition, Instruction, Operation, Register};

const PC: Register = 15;

/// Decodes an instruction of two units; nothing where it is none of this architecture.
#[must_use]
pub fn wide(first: u16, second: u16, architecture: Architecture) -> Option<Instruction> {
    let word = u32::from(first) << 16 | u32::from(second);
    let version = architecture.version;
    match bits(word, 27, 2) {
        0b10 if bit(word, 15) => control::branch_or_control(word, version),
        _ if !version.has_thumb2() => None,
        _ => operation(word, architecture).map(always),
    }
}

const fn always(operation: Operation) -> Instruction {
    thumb(4, operation)
}

fn operation(word: u32, architecture: Architecture) -> Option<Operation> {
    let dsp = architecture.version == Version::V7EM;
    match (bits(word, 27, 2), bits(word, 25, 2)) {
        (0b01, 0b00) if bit(word, 22) => memory::double_or_exclusive(word),
        (0b01, 0b00) => memory::multiple(word),
        (0b01, 0b01) => data::shifted_register(word, dsp),
        (0b01, _) if architecture.vector => vector::vector(word),
        (0b10, _) if bit(word, 25) => data::plain_immediate(word, dsp),
        (0b10, _) => data::modified_immediate(word),
        (0b11, 0b00) => memory::single(word),
        (0b11, 0b01) if !bit(word, 24) => data::registers(word, dsp),
        (0b11, 0b01) if bit(word, 23) => products::long(word, dsp),
        (0b11, 0b01) => products::short(word, dsp),
        _ => None,
    }
}

/// The operation, unless one of these registers is the program counter.
fn without_pc<const N: usize>(registers: [Register; N], operation: Operation) -> Option<Operation> {
    (!registers.contains(&PC)).then_some(operation)
}

/// An instruction under a condition of its own.
const fn under(condition: Condition, operation: Operation) -> Instruction {
    Instruction { condition, ..always(operation) }
}
