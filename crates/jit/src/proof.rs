//! Which accesses of a block are checked, and which need not be, since an earlier check covers them.
//!
//! Accesses relative to one cell that does not change between them, by constants or by bounded
//! indices, are checked together, at the first of them: that all bytes they may touch lie in the
//! directly mapped memory, aligned. Where that does not hold, the interpreter goes on from that
//! instruction.

use std::collections::HashMap;

use cocrypt_engine::Source;
use cocrypt_ir::{Op, Slot, Value, Width};

use crate::bounds::{Facts, Indexed};

/// How an access is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// An earlier check covers it.
    Covered,
    /// This is checked before it.
    Memory(Span),
    /// It was seen to go elsewhere than to memory: it is made by a call.
    Call,
}

/// What a check asks: whether memory holds all bytes from `low` on, relative to the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// What the offset is added to: the access's own base, or the table that it points into.
    pub base: Value,
    /// Offset of the first byte, a multiple of the alignment where several accesses share the check.
    pub low: i32,
    /// Number of bytes.
    pub bytes: u32,
    /// Widest access: its first byte's address must be a multiple of this.
    pub alignment: u32,
    /// Whether something is written.
    pub write: bool,
    /// Whether the base's own address is checked too, so that any offset within may be added to it
    /// without a thought of 2^32.
    pub with_base: bool,
}

/// How each of a block's operations is treated, if it is an access. Bit n of `elsewhere` says that
/// instruction n was seen to reach something else than memory. Unless `shared`, each is checked on its
/// own.
pub fn checks(source: &Source, elsewhere: u64, shared: bool) -> Vec<Option<Check>> {
    let ops = &source.block.ops;
    let mut prover = Prover { checks: vec![None; ops.len()], ..Prover::default() };
    for (at, insn) in source.block.insns.iter().enumerate() {
        let mut guarded = 0;
        let mut is_changed = false;
        for number in insn.ops.clone() {
            let op = &ops[number];
            // What ran before in the same instruction would run again.
            let by_call = is_changed || elsewhere >> (at % 64) & 1 != 0;
            prover.op(number, op, by_call, shared && guarded == 0);
            is_changed |= op.dst().is_some() || matches!(op, Op::Store { .. });
            match op.dst() {
                Some(dst) if guarded > 0 => prover.facts.forget(dst),
                _ => prover.facts.note(op),
            }
            guarded = match op {
                Op::Guard { ops, .. } => guarded.max(*ops),
                _ => u16::saturating_sub(guarded, 1),
            };
        }
    }
    prover.checks
}

#[derive(Default)]
struct Prover {
    checks: Vec<Option<Check>>,
    /// The check that later accesses relative to a cell may join.
    open: HashMap<Slot, usize>,
    facts: Facts,
}

impl Prover {
    fn op(&mut self, number: usize, op: &Op, by_call: bool, may_share: bool) {
        match *op {
            Op::Load { width, base, offset, .. } => {
                self.access(number, width, base, offset, false, by_call, may_share);
            }
            Op::Store { width, base, offset, .. } => {
                self.access(number, width, base, offset, true, by_call, may_share);
            }
            _ => {}
        }
        if let Some(dst) = op.dst() {
            self.open.remove(&dst);
        }
    }

    #[allow(clippy::too_many_arguments)] // The fields of two kinds of operation, and what is known.
    fn access(
        &mut self,
        number: usize,
        width: Width,
        base: Value,
        offset: i32,
        write: bool,
        by_call: bool,
        may_share: bool,
    ) {
        let (bytes, alignment) = (width.bytes(), width.bytes());
        if by_call {
            self.checks[number] = Some(Check::Call);
            return;
        }
        let span = Span { base, low: offset, bytes, alignment, write, with_base: false };
        let mut span = span;
        let shared = match base {
            Value::Slot(slot) if may_share && offset % alignment as i32 == 0 => {
                Some(self.facts.address(slot)).filter(|address| address.step >= alignment)
            }
            _ => None,
        };
        if let Some(Indexed { base: slot, most, .. }) = shared {
            span.base = Value::Slot(slot);
            span.bytes += most;
            span = span.with(&Span { low: 0, bytes: 0, with_base: true, ..span });
            if let Some(&first) = self.open.get(&slot)
                && let Some(Check::Memory(earlier)) = &mut self.checks[first]
            {
                *earlier = earlier.with(&span);
                self.checks[number] = Some(Check::Covered);
                return;
            }
            self.open.insert(slot, number);
        }
        self.checks[number] = Some(Check::Memory(span));
    }
}

impl Span {
    /// What covers both.
    fn with(&self, other: &Self) -> Self {
        let alignment = self.alignment.max(other.alignment);
        let low = self.low.min(other.low) & -(alignment as i32);
        let end = |span: &Self| span.low + span.bytes as i32;
        let bytes = (end(self).max(end(other)) - low) as u32;
        let write = self.write || other.write;
        let with_base = self.with_base || other.with_base;
        Self { base: self.base, low, bytes, alignment, write, with_base }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_cover_what_they_were_made_of() {
        let base = Value::Slot(Slot(1));
        let byte = Span { base, low: 5, bytes: 1, alignment: 1, write: false, with_base: false };
        let word = Span { base, low: -4, bytes: 4, alignment: 4, write: true, with_base: true };
        let both = Span { low: -4, bytes: 10, ..word };
        assert_eq!(byte.with(&word), both);
        let half = Span { low: 6, bytes: 2, alignment: 2, ..byte };
        assert_eq!(byte.with(&half), Span { low: 4, bytes: 4, ..half });
    }
}
