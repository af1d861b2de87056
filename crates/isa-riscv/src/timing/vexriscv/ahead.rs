//! Wrong-path instructions, which decode looks at before an older instruction redirects the fetch stages:
//! it may miss lines, and may hold up the return.

use cocrypt_ir::{Insn, Slot};
use cocrypt_isa::{CodeMemory, Extra, STAYS, Select};

use super::state::{InFlight, OperandInfo, State, WrongPathEvent, WrongPathInsn};
use super::word::{Kind, Word};
use super::{Variant, VexRiscv};
use crate::decode::decode_word;

/// The wrong path before a jump resolves in the memory stage.
#[derive(Clone)]
pub(super) struct WrongPath {
    /// The instructions that decode meets.
    pub met: Vec<WrongPathEvent>,
    /// True if what is there by then holds decode, and so the jump, for a cycle.
    pub holds: bool,
    /// It does not if an interrupt holds decode in this cycle.
    pub unless: Option<i32>,
    /// True if decode holds an instruction then: if it was held in the cycle before, and else.
    pub there: [bool; 2],
}

impl WrongPath {
    /// The wrong path while the fetch stages wait until the instruction cache is empty.
    pub(super) fn halted(passage: &InFlight) -> Option<Self> {
        let flush = passage.behind.flush?;
        let met = vec![WrongPathEvent::always(WrongPathInsn::Flush, flush.at)];
        Some(Self { met, holds: false, unless: None, there: [false; 2] })
    }
}

impl VexRiscv {
    /// A jump that is made in memory may be late by a cycle for what follows it: if that shifts by a
    /// register that says more than one bit, or waits for the bus with an address that is aligned. The
    /// block is left before the jump if the register says otherwise, and re-entered.
    pub(super) fn behind_jump(
        &self,
        insn: &Insn,
        passage: &InFlight,
        code: &dyn CodeMemory,
    ) -> Option<Extra> {
        let next = Word::at(insn.pc + u64::from(insn.length), code)?;
        if self.variant != Variant::Lite || !next.is_legal() {
            return None;
        }
        let (register, known): (_, [Option<OperandInfo>; 32]) = match next.kind() {
            Kind::Shift if next.amount().is_none() => {
                let long = |amount| (amount > 1).then_some(OperandInfo::Amount(2));
                (next.second(), std::array::from_fn(long))
            }
            Kind::Load | Kind::Store if passage.behind.bus[1] >= passage.memory => {
                let crosses = |low| next.is_unaligned(low as u32).then_some(OperandInfo::Unaligned);
                (next.first(), std::array::from_fn(crosses))
            }
            _ => return None,
        };
        if register == 0 {
            return None;
        }
        let exit_state = |known: Option<OperandInfo>| match known {
            None => STAYS,
            known => self.states.number(State { known, ..passage.before.clone() }),
        };
        Some(Extra {
            select: Select::Low,
            table: vec![0; 32],
            exit_states: known.into_iter().map(exit_state).collect(),
            of: Some(Slot(register as u16)),
        })
    }

    /// The wrong path behind a jump that resolves in the memory stage, when decode goes straight on
    /// meanwhile. The jump links `pc` in the register `linked`, 0 for none.
    pub(super) fn behind(
        &self,
        pc: u64,
        linked: u32,
        passage: &InFlight,
        code: &dyn CodeMemory,
    ) -> WrongPath {
        let until = passage.memory;
        let met = vec![WrongPathEvent::new(WrongPathInsn::Line(pc as u32), passage.execute, until)];
        let mut wrong = WrongPath { met, holds: false, unless: None, there: [false; 2] };
        let Some(first) = Word::at(pc, code) else { return wrong };
        if self.flushes(first) {
            // What is no instruction leaves decode at once, what is one when it can.
            let last = if first.is_legal() { passage.memory - 1 } else { passage.execute };
            wrong.met.push(WrongPathEvent::new(WrongPathInsn::Flush, last, until));
        }
        if !first.is_legal() {
            return wrong;
        }
        wrong.there[0] = true;
        // It takes what the jump links from execute.
        let ready = passage.before.ready(first);
        if ready > passage.memory {
            // The first is in decode when the jump is made, and may wait there still.
            wrong.holds = ready > passage.memory + 1;
            wrong.there[1] = true;
            return wrong;
        }
        // The first is in execute when the jump is made, unless decode is held before.
        wrong.unless = Some(passage.memory - 1);
        let is_lite = self.variant == Variant::Lite;
        wrong.holds = match first.kind() {
            Kind::Load | Kind::Store => {
                let unaligned = match first.first() {
                    0 => first.is_unaligned(0),
                    base if base == linked => first.is_unaligned(pc as u32),
                    _ => passage.before.known == Some(OperandInfo::Unaligned),
                };
                is_lite && passage.behind.bus[1] >= passage.memory && !unaligned
            }
            Kind::Shift => {
                let amount = match first.second() {
                    0 => None,
                    amount if amount == linked => Some((pc & 31) as i32),
                    _ => passage.before.amount(),
                };
                is_lite && first.amount().or(amount).unwrap_or(0) > 1
            }
            // It waits until the stages behind are empty.
            Kind::Csr => true,
            Kind::Jump => return wrong,
            Kind::MulDiv | Kind::System | Kind::Other => false,
        };
        let next = pc + 4;
        wrong.met.push(WrongPathEvent::new(
            WrongPathInsn::Line(next as u32),
            passage.memory,
            until,
        ));
        let Some(second) = Word::at(next, code) else { return wrong };
        // It has just come, so that it is there even if decode is about to refuse it.
        wrong.there[1] = true;
        if self.flushes(second) {
            wrong.met.push(WrongPathEvent::new(WrongPathInsn::Flush, passage.memory, until));
        }
        let forwards_late = match first.kind() {
            Kind::Load | Kind::MulDiv => true,
            Kind::Shift => !is_lite,
            _ => false,
        };
        wrong.holds |= passage.behind.ready(second) > passage.memory + 1
            || forwards_late && first.rd() != 0 && second.reads(first.rd());
        wrong
    }

    /// True if decode takes a word for one that flushes the instruction cache, as `fence.i` does; it looks
    /// at these bits alone, also of what is no instruction (`decode_FLUSH_ALL`).
    pub(super) const fn flushes(&self, word: Word) -> bool {
        match self.variant {
            Variant::Lite => word.0 & 0x1048 == 0x1008,
            Variant::Full => word.0 & 0x5048 == 0x1008,
        }
    }

    /// The wrong path behind a load or store until that is in write-back, from where it is replayed, or
    /// refused, in the cycle `until`.
    pub(super) fn ahead(
        &self,
        pc: u64,
        access: Word,
        passage: &InFlight,
        until: i32,
        code: &dyn CodeMemory,
    ) -> WrongPath {
        if let Some(wrong) = WrongPath::halted(passage) {
            return wrong;
        }
        let mut wrong = WrongPath { met: vec![], holds: false, unless: None, there: [false; 2] };
        let (mut pc, mut decoded) = (pc, passage.execute);
        // When decode lets go what is before.
        let mut before = decoded - 1;
        let mut behind = passage.behind.clone();
        let (mut held, mut removed) = (false, false);
        if matches!(access.kind(), Kind::Load) && access.rd() != 0 {
            behind.hazards.push((access.rd(), passage.write_back + 1));
        }
        while decoded <= passage.write_back {
            let line = WrongPathInsn::Line(pc as u32);
            let (unless, last) = (Some(before), passage.write_back);
            wrong.met.push(WrongPathEvent { what: line, at: decoded, unless, until: last });
            let Some(word) = Word::at(pc, code) else { break };
            wrong.there = [word.is_legal(), word.is_legal() || decoded == passage.write_back];
            // What accesses a control register waits in execute, and what is behind that, or behind an
            // exception, in decode.
            let leaves = if held {
                passage.write_back.max(decoded)
            } else {
                passage.moves(decoded.max(behind.ready(word) - 1))
            };
            if self.flushes(word) {
                // What is no instruction leaves decode at once, what is one when it can.
                let stays = if leaves < passage.write_back { leaves } else { until };
                let at = if word.is_legal() && !removed { stays } else { decoded };
                wrong.met.push(WrongPathEvent::new(
                    WrongPathInsn::Flush,
                    at,
                    at.max(passage.write_back),
                ));
            }
            if !word.is_legal() {
                break;
            }
            if leaves >= passage.write_back {
                wrong.holds |= leaves > passage.write_back;
                break;
            }
            held = matches!(word.kind(), Kind::Csr | Kind::System);
            // An environment call takes what is behind it out of decode.
            removed = word.is_call();
            let memory = passage.moves(leaves + 1) + 1;
            // A division keeps memory, and what accesses a control register execute.
            wrong.holds |=
                word.divides() && memory == passage.write_back || matches!(word.kind(), Kind::Csr);
            let ready = match word.kind() {
                // It is in write-back three steps later at the earliest.
                Kind::Load | Kind::MulDiv => passage.moves(memory) + 2,
                Kind::Shift => passage.moves(memory) + 1,
                _ => 0,
            };
            if word.rd() != 0 {
                behind.hazards.push((word.rd(), ready));
            }
            pc += 4;
            (before, decoded) = (leaves, leaves + 1);
            if matches!(word.kind(), Kind::Jump) {
                // Decode sends the fetch stages there, which takes a step more.
                let Some(jump) = decode_word(word.0) else { break };
                pc = (pc - 4).wrapping_add_signed(jump.imm.into()) & 0xffff_ffff;
                decoded = passage.moves(decoded) + 1;
            }
        }
        wrong
    }
}
