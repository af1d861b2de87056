//! An instruction where it stands, with all that decides about its cost.

use cocrypt_ir::Insn;
use cocrypt_isa::CodeMemory;

use super::register_use::RegisterUse;
use super::table::Row;
use crate::architecture::Architecture;
use crate::class::Class;
use crate::decode::{Read, read};
use crate::instruction::{Condition, Instruction};
use crate::state::State;

/// An instruction where it stands.
pub(super) struct Site<'a> {
    pub insn: &'a Insn,
    /// The instruction itself; nothing for exception entry and return, and for what is no instruction.
    pub instruction: Option<Instruction>,
    pub register_use: RegisterUse,
    pub row: Row,
    pub code: &'a dyn CodeMemory,
    /// Cycles that each of its accesses waits beyond the one that its class counts.
    pub wait: i32,
    /// True if it has a condition.
    pub conditional: bool,
    /// True if its operand then holds more than that ([`Class::has_shape`]).
    shaped: bool,
}

impl<'a> Site<'a> {
    /// Reads an instruction again.
    pub fn new(
        architecture: Architecture,
        row: Row,
        insn: &'a Insn,
        code: &'a dyn CodeMemory,
        data_wait: u32,
    ) -> Self {
        let state = State::from_number(insn.mode);
        let instruction = match read(architecture, code, insn.pc, state) {
            Read::Instruction(instruction) if !is_exception_transfer(insn.class) => {
                Some(instruction)
            }
            _ => None,
        };
        let mut register_use = instruction.as_ref().map(RegisterUse::of).unwrap_or_default();
        register_use.jumps |= is_exception_transfer(insn.class);
        let conditional = !state.holds
            && instruction.is_some_and(|instruction| instruction.condition != Condition::Always);
        let shaped = Class::has_shape(insn.class, architecture.version);
        let wait = data_wait as i32 - 1;
        Self { insn, instruction, register_use, row, code, wait, conditional, shaped }
    }

    /// Returns true if it is of a class.
    pub fn is(&self, class: Class) -> bool {
        self.insn.class == class as u8
    }

    /// Returns true if it has a condition of which its operand is more than the value.
    pub const fn is_shaped(&self) -> bool {
        self.conditional && self.shaped
    }

    /// `cycles`, and what its accesses wait.
    pub fn waited(&self, cycles: u32) -> u32 {
        let waits = self.wait * self.register_use.accesses as i32;
        (cycles as i32 + waits).max(1) as u32
    }
}

/// Returns true if a class is an exception's entry or return.
fn is_exception_transfer(class: u8) -> bool {
    class >= Class::EnterSystem as u8 || class == Class::Return as u8
}
