//! A32 (DDI 0100I, part A, chapter 3): the words of version 4, and what versions 4T and 5TE add.
//!
//! What should be zero or one has to be. Of what is unpredictable, only that is an instruction whose
//! result is clear (`strb` to its own base register), and nothing that would have the program counter
//! for a base register that changes, as a factor, or for a shift by a register.

mod coprocessor;
mod memory;
mod miscellaneous;
mod products;

use super::{bit, bits, constant_shift, data, register, shift, signed};
use crate::architecture::{Architecture, Version};
use crate::instruction::{Condition, DataOp, Instruction, Operand, Operation, Register, Selected};

/// Decodes a word; nothing where it is none of this architecture.
#[must_use]
pub fn a32(word: u32, architecture: Architecture) -> Option<Instruction> {
    let version = architecture.version;
    if !version.has_a32() {
        return None;
    }
    let (condition, operation) = match Condition::from_bits(word >> 28) {
        Some(condition) => (condition, conditional(word, version)?),
        None => (Condition::Always, unconditional(word, version)?),
    };
    Some(Instruction { condition, operation, length: 4, thumb: false })
}

fn conditional(word: u32, version: Version) -> Option<Operation> {
    // The comparisons that would set no flags are other instructions.
    let is_comparison_without_flags = bits(word, 23, 2) == 0b10 && !bit(word, 20);
    match bits(word, 25, 3) {
        0b000 if word & 0x90 == 0x90 && bits(word, 5, 2) == 0 => products::decode(word),
        0b000 if word & 0x90 == 0x90 => memory::narrow(word, version),
        0b000 if is_comparison_without_flags => miscellaneous::decode(word, version),
        0b000 => processing(word, register_operand(word)?),
        0b001 if is_comparison_without_flags => miscellaneous::status_immediate(word),
        0b001 => processing(word, immediate(word)),
        0b011 if bit(word, 4) => undefined(word),
        0b010 | 0b011 => memory::single(word),
        0b100 => memory::multiple(word),
        0b101 => Some(branch(word)),
        0b110 => coprocessor::memory(word, version),
        _ if bit(word, 24) => Some(Operation::SupervisorCall { number: bits(word, 0, 24) }),
        _ => Some(coprocessor::register(word)),
    }
}

/// Words that version 5 put where the condition "never" had been.
fn unconditional(word: u32, version: Version) -> Option<Operation> {
    if version != Version::V5TE {
        return None;
    }
    match bits(word, 25, 3) {
        0b101 => {
            let offset = signed(word, 24) << 2 | (bits(word, 24, 1) << 1) as i32;
            Some(Operation::Branch { offset, link: true, selected: Selected::Other })
        }
        0b010 if is_preload(word) => Some(Operation::Preload),
        0b011 if is_preload(word) && !bit(word, 4) && register(word, 0) != 15 => {
            Some(Operation::Preload)
        }
        _ => None,
    }
}

/// Whether it is `pld`, as far as the offset does not say.
const fn is_preload(word: u32) -> bool {
    word & 0x0170_f000 == 0x0150_f000
}

fn branch(word: u32) -> Operation {
    let offset = signed(word, 24) << 2;
    Operation::Branch { offset, link: bit(word, 24), selected: Selected::Same }
}

/// What is kept free for good (DDI 0100I, figure A3-1, and since version 7 `udf`); later versions have
/// instructions around it.
fn undefined(word: u32) -> Option<Operation> {
    (word & 0x01f0_00f0 == 0x01f0_00f0).then_some(Operation::Undefined)
}

fn processing(word: u32, operand: Operand) -> Option<Operation> {
    let op = operation(word);
    let (rd, rn, sets_flags) = (register(word, 12), register(word, 16), bit(word, 20));
    let is_comparison = matches!(op, DataOp::Tst | DataOp::Teq | DataOp::Cmp | DataOp::Cmn);
    let is_move = matches!(op, DataOp::Mov | DataOp::Mvn);
    let has_unused = is_comparison && rd != 0 || is_move && rn != 0;
    // The program counter would be read later than otherwise.
    let shifts_pc = matches!(operand, Operand::Shifted { .. }) && (rd == 15 || rn == 15);
    (!has_unused && !shifts_pc).then(|| data(op, sets_flags, rd, rn, operand))
}

fn operation(word: u32) -> DataOp {
    const OPERATIONS: [DataOp; 16] = [
        DataOp::And,
        DataOp::Eor,
        DataOp::Sub,
        DataOp::Rsb,
        DataOp::Add,
        DataOp::Adc,
        DataOp::Sbc,
        DataOp::Rsc,
        DataOp::Tst,
        DataOp::Teq,
        DataOp::Cmp,
        DataOp::Cmn,
        DataOp::Orr,
        DataOp::Mov,
        DataOp::Bic,
        DataOp::Mvn,
    ];
    OPERATIONS[bits(word, 21, 4) as usize]
}

/// A byte, rotated to the right by an even number of bits.
fn immediate(word: u32) -> Operand {
    let rotation = 2 * bits(word, 8, 4);
    let value = bits(word, 0, 8).rotate_right(rotation);
    Operand::Immediate { value, carry: (rotation != 0).then_some(bit(value, 31)) }
}

fn register_operand(word: u32) -> Option<Operand> {
    let rm = register(word, 0);
    if !bit(word, 4) {
        let (shift, amount) = constant_shift(bits(word, 5, 2), bits(word, 7, 5));
        return Some(Operand::Register { rm, shift, amount });
    }
    let rs = register(word, 8);
    are_general(&[rm, rs]).then(|| Operand::Shifted { rm, shift: shift(bits(word, 5, 2)), rs })
}

/// Whether none of the registers is the program counter.
fn are_general(registers: &[Register]) -> bool {
    !registers.contains(&15)
}
