//! Bounds-check elimination: the accesses of a block that are checked, and those that an earlier check
//! covers.
//!
//! Accesses relative to one cell that does not change between them, by constants or by bounded
//! indices, are checked together, at the first of them: that all bytes they may touch lie in the
//! directly mapped memory, aligned. Where that does not hold, the interpreter goes on from that
//! instruction.

use std::collections::HashMap;

use cocrypt_engine::{Fixed, ObservedMemory, Source};
use cocrypt_ir::{CellSet, Op, Slot, Value, Width};

use crate::bounds::{Facts, Indexed};
use crate::words::{PagedAddress, Words};

/// The treatment of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The check before the operation of this number covers it.
    Covered {
        /// The operation.
        first: usize,
        /// As the check's own.
        with_base: bool,
    },
    /// This is checked before it.
    Memory(Span),
    /// It was seen to go elsewhere than to memory: it is made by a call.
    Call,
    /// The interpreter goes on with its instruction, which does more behind it.
    Interpret,
}

impl Check {
    /// Returns true if the base alone is known to lie in memory, as [`Span::with_base`] says.
    pub const fn with_base(self) -> bool {
        match self {
            Self::Memory(Span { with_base, .. }) | Self::Covered { with_base, .. } => with_base,
            Self::Call | Self::Interpret => true,
        }
    }

    /// Returns true if memory is not looked at directly.
    pub const fn is_made_outside(self) -> bool {
        matches!(self, Self::Call | Self::Interpret)
    }
}

/// The bounds of a check: whether memory holds all bytes from `low` on, relative to the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The value that the offset is added to: the access's own base, or the table that it points into.
    pub base: Value,
    /// Offset of the first byte, a multiple of the alignment where several accesses share the check.
    pub low: i32,
    /// Number of bytes.
    pub bytes: u32,
    /// Widest access: its first byte's address must be a multiple of this.
    pub alignment: u32,
    /// True if something is written.
    pub write: bool,
    /// True if the base's own address is checked too, so that any offset within may be added to it without
    /// a thought of 2^32.
    pub with_base: bool,
    /// The memory in which they are looked for.
    pub memory: Memory,
}

/// The memory in which an access is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The directly mapped one.
    #[default]
    Main,
    /// The one that programs only read.
    Constant,
    /// Either of them.
    Either,
}

/// Hints about a block's accesses, from earlier runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hints {
    /// The accesses of its instructions seen so far.
    pub seen: ObservedMemory,
    /// True if some of what was seen to lie in the memory that is only read was also sought there in vain.
    pub mispredicted: bool,
    /// True if accesses share checks.
    pub shared: bool,
}

impl Hints {
    /// The memory in which an instruction's loads are looked for.
    const fn memory(&self, at: usize) -> Memory {
        let bit = 1 << (at % 64);
        match (self.seen.rom & bit != 0, self.mispredicted) {
            (false, _) => Memory::Main,
            (true, false) => Memory::Constant,
            (true, true) => Memory::Either,
        }
    }
}

/// The treatment of each of a block's operations, if it is an access.
pub fn checks(
    source: &Source,
    guest: &CellSet,
    hints: &Hints,
    fixed: &Fixed,
) -> Vec<Option<Check>> {
    let ops = &source.block.ops;
    let checks = vec![None; ops.len()];
    let has_words = ops.iter().any(|op| matches!(op, Op::Binary { width: Width::W16, .. }));
    let page = page(fixed).filter(|_| has_words);
    let mut prover = Prover { checks, page, ..Prover::default() };
    for (at, insn) in source.block.insns.iter().enumerate() {
        let mut guarded = 0;
        let mut is_changed = false;
        let whole = is_whole(&ops[insn.ops.clone()]);
        for number in insn.ops.clone() {
            let op = &ops[number];
            let elsewhere = hints.seen.elsewhere >> (at % 64) & 1 != 0;
            prover.read = hints.memory(at);
            // What ran before in the same instruction would run again.
            let by = match (is_changed, elsewhere) {
                (false, false) => None,
                (false, true) if whole => Some(Check::Interpret),
                _ => Some(Check::Call),
            };
            prover.op(number, op, by, hints.shared && guarded == 0);
            is_changed |= op.dst().is_some_and(|dst| guest.contains(dst));
            match op.dst() {
                Some(dst) if guarded > 0 => prover.forget(dst),
                _ => prover.note(op),
            }
            guarded = match op {
                Op::Guard { ops, .. } => guarded.max(*ops),
                _ => u16::saturating_sub(guarded, 1),
            };
        }
    }
    prover.checks
}

/// Returns true if an instruction makes several accesses, or does more behind a store. Its registers are
/// written last, and what it stores again is the same, so that all of it can run again; but once something
/// was told of it to a peripheral, only the interpreter knows how it goes on.
fn is_whole(ops: &[Op]) -> bool {
    let is_store = |op: &Op| matches!(op, Op::Store { .. });
    let before = ops.len().saturating_sub(1);
    ops.iter().filter(|op| op.is_access()).count() > 1 || ops[..before].iter().any(is_store)
}

#[derive(Default)]
struct Prover {
    checks: Vec<Option<Check>>,
    /// The check that later accesses relative to a cell may join.
    open: HashMap<(Slot, Memory), usize>,
    /// The memory in which the current instruction's loads are looked for.
    read: Memory,
    facts: Facts,
    /// The page of 64 KiB in which all of the memory lies, if one does and the block computes with words.
    page: Option<u32>,
    words: Words,
    /// By its word's origin: the access whose check later ones may join.
    near: HashMap<u32, ByteAccess>,
}

/// An access to a byte whose check others may join.
#[derive(Clone, Copy)]
struct ByteAccess {
    number: usize,
    /// The offset from its base.
    low: i32,
    /// The distance of its word from the origin.
    offset: u16,
}

/// The page of 64 KiB in which all of the directly mapped memory lies.
fn page(fixed: &Fixed) -> Option<u32> {
    let [first, last] = [fixed.base, fixed.base + (fixed.size - 1)].map(|at| at & !0xffff);
    (first == last).then_some(first)
}

impl Prover {
    fn note(&mut self, op: &Op) {
        self.facts.note(op);
        self.words.note(op);
    }

    fn forget(&mut self, dst: Slot) {
        self.facts.forget(dst);
        self.words.forget(dst);
    }

    fn op(&mut self, number: usize, op: &Op, by: Option<Check>, may_share: bool) {
        match *op {
            Op::Load { width, base, offset, .. } => {
                self.access(number, width, base, offset, false, by, may_share);
            }
            Op::Store { width, base, offset, .. } => {
                self.access(number, width, base, offset, true, by, may_share);
            }
            _ => {}
        }
        if let Some(dst) = op.dst() {
            self.open.retain(|&(base, _), _| base != dst);
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
        by: Option<Check>,
        may_share: bool,
    ) {
        let (bytes, alignment) = (width.bytes(), width.bytes());
        if by.is_some() {
            self.checks[number] = by;
            return;
        }
        let memory = if write { Memory::Main } else { self.read };
        let mut span =
            Span { base, low: offset, bytes, alignment, write, with_base: false, memory };
        if may_share && bytes == 1 && self.join_word(number, &span) {
            return;
        }
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
            if let Some(&first) = self.open.get(&(slot, memory))
                && let Some(Check::Memory(earlier)) = &mut self.checks[first]
            {
                *earlier = earlier.with(&span);
                self.checks[number] = Some(Check::Covered { first, with_base: true });
                return;
            }
            self.open.insert((slot, memory), number);
        }
        self.checks[number] = Some(Check::Memory(span));
    }

    /// Lets the access to a byte share the check of another whose word is so far from its own; whether it is
    /// treated. The sum of the first one's whole address and that distance lies in the memory's page if it lies
    /// in memory, and is then the access's own, though words count modulo 2^16.
    fn join_word(&mut self, number: usize, span: &Span) -> bool {
        let (Some(page), Memory::Main) = (self.page, span.memory) else { return false };
        let Some(PagedAddress { origin, offset, page: own }) =
            self.words.reached(span.base, span.low)
        else {
            return false;
        };
        if own.is_some_and(|own| own != page) {
            return false;
        }
        if let (Some(&near), Some(_)) = (self.near.get(&origin), own)
            && let Some(Check::Memory(earlier)) = &mut self.checks[near.number]
        {
            let distance = offset.wrapping_sub(near.offset).cast_signed();
            let low = near.low + i32::from(distance);
            *earlier = earlier.with(&Span { low, base: earlier.base, ..*span });
            self.checks[number] = Some(Check::Covered { first: near.number, with_base: false });
            return true;
        }
        self.near.insert(origin, ByteAccess { number, low: span.low, offset });
        self.checks[number] = Some(Check::Memory(*span));
        true
    }
}

impl Span {
    /// The smallest span that covers both.
    fn with(&self, other: &Self) -> Self {
        let alignment = self.alignment.max(other.alignment);
        let low = self.low.min(other.low) & -(alignment as i32);
        let end = |span: &Self| span.low + span.bytes as i32;
        let bytes = (end(self).max(end(other)) - low) as u32;
        let write = self.write || other.write;
        let with_base = self.with_base || other.with_base;
        Self { low, bytes, alignment, write, with_base, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_cover_what_they_were_made_of() {
        let base = Value::Slot(Slot(1));
        let byte = Span {
            base,
            low: 5,
            bytes: 1,
            alignment: 1,
            write: false,
            with_base: false,
            memory: Memory::Main,
        };
        let word = Span { low: -4, bytes: 4, alignment: 4, write: true, with_base: true, ..byte };
        let both = Span { low: -4, bytes: 10, ..word };
        assert_eq!(byte.with(&word), both);
        let half = Span { low: 6, bytes: 2, alignment: 2, ..byte };
        assert_eq!(byte.with(&half), Span { low: 4, bytes: 4, ..half });
    }
}
