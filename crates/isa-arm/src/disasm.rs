//! Disassembly: what any instruction is in the unified syntax, written as GNU binutils write it.
//!
//! Left out is what the decoded form does not keep because nothing depends on it: widths (`.n`, `.w`,
//! `addw`), the address of a preload, the number of `udf`, the domain of a barrier, the sign of an
//! offset of 0, an unusual rotation of a constant.

mod absent;
mod coprocessor;
mod data;
mod dsp;
mod memory;
mod products;
mod system;
mod vector;

pub use absent::{absent, is_arithmetic};

use crate::instruction::{Instruction, Register, Shift};

/// The instruction at `pc` in assembly; targets are absolute.
#[must_use]
pub fn disassemble(instruction: &Instruction, pc: u64) -> String {
    let text = data::text(instruction)
        .or_else(|| memory::text(instruction))
        .or_else(|| products::text(instruction))
        .or_else(|| dsp::text(instruction))
        .or_else(|| vector::text(instruction))
        .or_else(|| coprocessor::text(instruction))
        .unwrap_or_else(|| system::text(instruction, pc));
    let (stem, kind) = text.name.split_at(text.name.find('.').unwrap_or(text.name.len()));
    let name = format!("{stem}{}{kind}", instruction.condition.suffix());
    if text.operands.is_empty() { name } else { format!("{name} {}", text.operands) }
}

/// An instruction without its condition, which belongs behind the name and before the type of data
/// (`.f32`).
struct Text {
    name: String,
    operands: String,
}

impl Text {
    fn new(name: impl Into<String>, operands: impl Into<String>) -> Self {
        Self { name: name.into(), operands: operands.into() }
    }

    /// Of an instruction with registers as its operands.
    fn of_registers(name: impl Into<String>, registers: &[Register]) -> Self {
        Self::new(
            name,
            registers.iter().map(|&number| register(number)).collect::<Vec<_>>().join(", "),
        )
    }
}

fn register(number: Register) -> &'static str {
    const NAMES: [&str; 16] = [
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "sl", "fp", "ip", "sp", "lr",
        "pc",
    ];
    NAMES[usize::from(number & 15)]
}

/// Registers of a list in braces.
fn list(registers: u16) -> String {
    let named = (0..16).filter(|number| registers >> number & 1 != 0).map(register);
    format!("{{{}}}", named.collect::<Vec<_>>().join(", "))
}

fn shift_name(shift: Shift) -> &'static str {
    match shift {
        Shift::Left => "lsl",
        Shift::Right => "lsr",
        Shift::RightArithmetic => "asr",
        Shift::Rotate => "ror",
        Shift::RotateExtended => "rrx",
    }
}

/// A register that is shifted by a constant.
fn shifted(rm: Register, shift: Shift, amount: u8) -> String {
    match (shift, amount) {
        (Shift::RotateExtended, _) => format!("{}, rrx", register(rm)),
        (_, 0) => register(rm).to_owned(),
        _ => format!("{}, {} #{amount}", register(rm), shift_name(shift)),
    }
}

/// Which half of an operand counts.
fn half(top: bool) -> char {
    if top { 't' } else { 'b' }
}

/// A letter, where it applies.
fn letter(applies: bool, letter: &'static str) -> &'static str {
    if applies { letter } else { "" }
}
