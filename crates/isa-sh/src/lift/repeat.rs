//! Repeat loops, which a core counts on its own.
//!
//! RS and RE say where a loop starts and ends ("SH-3/SH-3E/SH3-DSP Programming Manual", section on repeat control, as
//! remembered). RE is 4 behind the instruction that three others follow up to the end, or, of a loop of one to three instructions,
//! 4 behind the one in front of it; the distance from RE to RS then says how many these are. Any instruction may be the
//! last one, so that a block has one instruction while a loop is counted.

use cocrypt_ir::{Binary, Condition, Exit, Value};
use cocrypt_isa::CodeMemory;

use super::{Lifter, Read, SuperH, mode};
use crate::cells::{RE, RS, SR};
use crate::status::{REPEAT_MASK, REPEATS};

/// Bytes from an instruction to the program counter while it is executed.
const AHEAD: u64 = 4;

/// A place from which so many instructions lead to the last one of a loop.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The number of instructions.
    count: u32,
    /// The address of the first one.
    from: u64,
    /// The address behind that one.
    behind: u64,
}

impl SuperH {
    /// The places from which one to three instructions lead to an address.
    pub(super) fn ends(&self, code: &dyn CodeMemory, pc: u64) -> Vec<End> {
        let places = (1..=3).flat_map(|count| {
            let distances = (2 * u64::from(count)..=4 * u64::from(count)).step_by(2);
            distances.filter_map(move |distance| Some((count, pc.checked_sub(distance)?)))
        });
        places.filter_map(|(count, from)| self.end(code, count, from, pc)).collect()
    }

    fn end(&self, code: &dyn CodeMemory, count: u32, from: u64, to: u64) -> Option<End> {
        let behind = self.behind(code, from)?;
        let last = (1..count).try_fold(behind, |at, _| self.behind(code, at))?;
        (last == to).then_some(End { count, from, behind })
    }

    /// The address behind an instruction.
    fn behind(&self, code: &dyn CodeMemory, pc: u64) -> Option<u64> {
        match self.read(code, pc) {
            Read::Unmapped => None,
            Read::Insn(insn) => Some(pc + u64::from(insn.length())),
            Read::Illegal => Some(pc + 2),
        }
    }
}

impl Lifter {
    /// Returns true if the last instruction may end a loop that is counted.
    pub(super) fn repeats(&self) -> bool {
        self.mode & mode::REPEAT != 0 && mode::slot(self.mode).is_none() && !self.ended
    }

    /// The address of the last instruction.
    pub(super) fn last(&self) -> u64 {
        self.block.insns.last().map_or(self.next, |insn| insn.pc)
    }

    /// Ends the block: where the loop starts if the last instruction ends it, and else straight on.
    pub(super) fn repeat_from(&mut self, ends: &[End]) {
        let next = Value::Const(self.next);
        let is_long =
            self.builder.compare(Condition::LessUnsigned, Value::Slot(RS), Value::Slot(RE));
        let distance = self.builder.binary(Binary::Sub, Value::Slot(RS), Value::Slot(RE));
        let (mut is_end, mut start) = (Value::Const(0), Value::Slot(RS));
        for end in ends {
            let reached = Value::Const((end.from + AHEAD) & 0xffff_ffff);
            let reached = self.equal(Value::Slot(RE), reached);
            let short = Value::Const(6 - 2 * u64::from(end.count));
            let short = self.equal(distance, short);
            let kind = match end.count {
                3 => self.builder.binary(Binary::Or, short, is_long),
                _ => short,
            };
            let ends = self.builder.binary(Binary::And, reached, kind);
            let short_start = self.builder.binary(Binary::And, reached, short);
            start = self.builder.select(short_start, Value::Const(end.behind), start);
            is_end = self.builder.binary(Binary::Or, is_end, ends);
        }
        let left = self.and(Value::Slot(SR), REPEAT_MASK.into());
        let once = Value::Const(1 << REPEATS);
        let is_more = self.builder.compare(Condition::LessUnsigned, once, left);
        let again = self.builder.binary(Binary::And, is_end, is_more);
        let target = self.builder.select(again, start, next);
        let passed = self.builder.binary(Binary::Shl, is_end, Value::Const(REPEATS.into()));
        let status = self.builder.binary(Binary::Sub, Value::Slot(SR), passed);
        self.write(SR, status);
        if let Some(insn) = self.block.insns.last_mut() {
            insn.ops.end = self.builder.ops.len();
        }
        self.end(Exit::Yield { target });
    }
}
