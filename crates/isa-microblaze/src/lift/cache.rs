//! Lines of the caches: `wdc` and `wic` in their forms.
//!
//! Source: UG984 (2026.1), chapter 5, `wdc` and `wic`.

use cocrypt_ir::{Binary, Exit, Value};
use cocrypt_isa::Invalidation;

use super::{Lifter, behind};
use crate::cells::{INVALIDATED, register};
use crate::decode::Decoded;
use crate::table::Opcode;

/// Lines have 16 bytes at least, so that the lowest bits of an address say what is to happen: a line is to be
/// invalidated, that is in the instruction cache, and only if it is that of the address.
const LINES: u32 = !15;
const IS_ASKED: u32 = 1;
const OF_INSTRUCTIONS: u32 = 2;
const MATCHING: u32 = 4;

impl Lifter {
    /// With write-through caches rA alone is the address, and there is nothing to write to memory. The caches'
    /// being switched on or off changes nothing.
    pub(super) fn invalidate(&mut self, insn: Decoded) {
        let kind = match insn.opcode {
            Opcode::Wic => IS_ASKED | OF_INSTRUCTIONS,
            Opcode::WdcClear => IS_ASKED | MATCHING,
            _ => IS_ASKED,
        };
        let line = self.builder.binary(Binary::And, register(insn.a), Value::Const(LINES.into()));
        let asked = self.builder.binary(Binary::Or, line, Value::Const(kind.into()));
        self.builder.write(INVALIDATED, asked);
        self.end(Exit::Yield { target: Value::Const(behind(self.next)) });
    }
}

/// Takes the line that is to be invalidated from the guest state.
pub fn taken(cells: &mut [u64]) -> Option<Invalidation> {
    let asked = std::mem::take(&mut cells[usize::from(INVALIDATED.0)]) as u32;
    (asked & IS_ASKED != 0).then_some(Invalidation {
        of_instructions: asked & OF_INSTRUCTIONS != 0,
        address: asked & LINES,
        matching: asked & MATCHING != 0,
    })
}
