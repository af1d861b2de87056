//! Blocks as they are followed: with what is asked of each instruction every time, and without operations
//! whose results nobody reads.

use std::ops::Range;

use cocrypt_ir::{Block, CellSet, Insn, Op, Slot, Value};
use cocrypt_isa::Extra;

use crate::prepared::Prepared;

/// A block, ready to be followed.
pub struct CachedBlock {
    /// The block, with the operations that are left.
    pub block: Block,
    /// The same operations, those that are prepared.
    pub prepared: Box<[Option<Prepared>]>,
    /// Its instructions.
    pub steps: Box<[Step]>,
    /// The address behind its last instruction.
    pub behind: u64,
}

/// One instruction.
pub struct Step {
    /// Its address.
    pub pc: u64,
    /// The operations that compute the operand on which its time depends.
    pub lead: Range<usize>,
    /// Its other operations.
    pub rest: Range<usize>,
    /// The operand on which its time depends, and how, if there is one.
    pub extra: Option<(Extra, Value)>,
    /// The cell that it declares public.
    pub revealed: Option<Slot>,
}

impl CachedBlock {
    /// A block with the `extras` and the `revealed` cells of its instructions; the cells of the guest are
    /// those below `guest`.
    pub fn new(
        mut block: Block,
        extras: Vec<Option<Extra>>,
        revealed: impl Fn(u64) -> Option<Slot>,
        guest: u16,
    ) -> Self {
        let with_operand = |(insn, extra): (&Insn, Option<Extra>)| {
            let extra = extra?;
            let operand = extra.operand(insn)?;
            Some((extra, operand))
        };
        let extras: Vec<_> = block.insns.iter().zip(extras).map(with_operand).collect();
        let needed = needed(&block, &extras, guest);
        // The number of operations left in front of each.
        let mut left = vec![0; needed.len() + 1];
        for (at, &is_needed) in needed.iter().enumerate() {
            left[at + 1] = left[at] + usize::from(is_needed);
        }
        let steps = block.insns.iter().zip(extras).map(|(insn, extra)| {
            let middle = left[insn.ops.start + usize::from(insn.lead)];
            Step {
                pc: insn.pc,
                lead: left[insn.ops.start]..middle,
                rest: middle..left[insn.ops.end],
                extra,
                revealed: revealed(insn.pc),
            }
        });
        let steps = steps.collect();
        let mut marks = needed.into_iter();
        block.ops.retain(|_| marks.next() == Some(true));
        let behind = block.insns.last().map(|insn| insn.pc + u64::from(insn.length));
        let prepared = block.ops.iter().map(Prepared::new).collect();
        Self { behind: behind.unwrap_or(block.start), block, prepared, steps }
    }
}

/// The operations that have to be made: those that access memory, guards with all that they cover, and
/// those whose result is read before it is overwritten.
///
/// Guest cells are read at the block's end alone: a run that ends within a block does not go on.
fn needed(block: &Block, extras: &[Option<(Extra, Value)>], guest: u16) -> Vec<bool> {
    let covered = covered(&block.ops);
    let mut live = CellSet::below(guest);
    block.exit.operands().into_iter().for_each(|value| live.insert_operand(value));
    let mut needed = vec![true; block.ops.len()];
    let mut pass = |range: Range<usize>, live: &mut CellSet| {
        for at in range.rev() {
            let op = &block.ops[at];
            let is_kept = covered[at] || matches!(op, Op::Guard { .. }) || op.is_access();
            needed[at] = is_kept || op.dst().is_some_and(|dst| live.contains(dst));
            if !needed[at] {
                continue;
            }
            if let Some(dst) = op.dst().filter(|_| !covered[at]) {
                live.remove(dst);
            }
            op.operands().into_iter().for_each(|value| live.insert_operand(value));
        }
    };
    for (insn, extra) in block.insns.iter().zip(extras).rev() {
        let middle = insn.ops.start + usize::from(insn.lead);
        pass(middle..insn.ops.end, &mut live);
        if let Some((_, operand)) = extra {
            live.insert_operand(*operand);
        }
        pass(insn.ops.start..middle, &mut live);
    }
    needed
}

/// The operations that guards cover.
fn covered(ops: &[Op]) -> Vec<bool> {
    let mut covered = vec![false; ops.len()];
    for (at, op) in ops.iter().enumerate() {
        if let Op::Guard { ops, .. } = op {
            covered[at + 1..][..usize::from(*ops)].fill(true);
        }
    }
    covered
}
