//! Liveness: which operations of a block compute what somebody reads.
//!
//! From the end of the block to its beginning, a cell is live where it is read before it is written
//! again. Guest cells are read by whoever may look at them from outside: at the block's end, at every
//! access to memory (it may be refused, or change what code does, or let an interrupt in), and where else
//! the timing model may leave a block. What a guard covers overwrites nothing.

use std::ops::Range;

use crate::{Block, CellSet, Insn, Op, Value};

/// The points, beside accesses and its end, at which a block may be left so that its cells are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact {
    /// In front of instructions whose cost may depend on an operand.
    pub operands: bool,
    /// In front of instructions that reach into another line of the instruction cache than those before
    /// them; a line's bytes.
    pub line: Option<u32>,
}

impl Exact {
    fn asks_before(self, insn: &Insn) -> bool {
        let enters = |line: u32| {
            let within = insn.pc % u64::from(line);
            within == 0 || within + u64::from(insn.length) > line.into()
        };
        self.line.is_some_and(enters) || (self.operands && insn.operand.is_some())
    }
}

/// The operations that are live.
pub(crate) fn needed(block: &Block, state: u16, kept: u16, exact: Exact) -> Vec<bool> {
    let guest = CellSet::below(state);
    let lasting = CellSet::below(state + kept);
    let mut live = guest;
    block.exit.operands().into_iter().for_each(|value| live.insert_operand(value));
    let mut needed = vec![true; block.ops.len()];
    for insn in block.insns.iter().rev() {
        let ops = &block.ops[insn.ops.clone()];
        let marks = &mut needed[insn.ops.clone()];
        if ops.iter().any(Op::is_access) {
            live = live.union(&guest);
        }
        let lead = usize::from(insn.lead);
        needed_of(ops, lead..ops.len(), marks, &mut live, &guest);
        if let Some(operand) = insn.operand {
            live.insert_operand(operand);
        }
        needed_of(ops, 0..lead, marks, &mut live, &guest);
        live = live.intersection(&lasting);
        if exact.asks_before(insn) {
            live = live.union(&guest);
        }
    }
    needed
}

/// The same of some of an instruction's operations, given what is live behind them.
fn needed_of(
    ops: &[Op],
    range: Range<usize>,
    needed: &mut [bool],
    live: &mut CellSet,
    guest: &CellSet,
) {
    for at in range.rev() {
        let op = &ops[at];
        needed[at] = match op {
            Op::Guard { ops, .. } => needed[at + 1..][..usize::from(*ops)].contains(&true),
            Op::Load { .. } | Op::Store { .. } | Op::Count { .. } => true,
            _ => op.dst().is_some_and(|dst| live.contains(dst)),
        };
        if !needed[at] {
            continue;
        }
        if let Some(dst) = op.dst().filter(|_| !is_guarded(ops, at)) {
            live.remove(dst);
        }
        if op.is_access() {
            *live = live.union(guest);
        }
        op.operands().into_iter().for_each(|value| live.insert_operand(value));
    }
}

/// True if a guard covers an operation.
pub(crate) fn is_guarded(ops: &[Op], at: usize) -> bool {
    ops[..at].iter().enumerate().any(|(guard, op)| {
        matches!(op, Op::Guard { ops: covered, .. } if guard + usize::from(*covered) >= at)
    })
}

/// The temporaries beyond the cells of `guest` that outlive the instruction that writes them: another
/// instruction or the exit reads them, or an instruction's cost depends on them.
#[must_use]
pub fn lasting(block: &Block, guest: &CellSet) -> CellSet {
    let mut lasting = CellSet::default();
    block.exit.operands().into_iter().for_each(|value| lasting.insert_operand(value));
    for insn in &block.insns {
        let mut own = CellSet::default();
        for (number, op) in block.ops[insn.ops.clone()].iter().enumerate() {
            let read = op.operands().into_iter().filter_map(Value::slot);
            read.filter(|&slot| !own.contains(slot)).for_each(|slot| lasting.insert(slot));
            let Some(dst) = op.dst() else { continue };
            own.insert(dst);
            if number < usize::from(insn.lead) {
                lasting.insert(dst);
            }
        }
    }
    lasting.without(guest)
}
