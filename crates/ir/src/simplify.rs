//! Dead-store elimination: operations whose results nobody reads are removed.
//!
//! Every instruction that sets flags sets all of them, and few are ever read. Then, results that are
//! computed in a temporary only to be moved are computed where they go.

use crate::liveness::{Exact, is_guarded, needed};
use crate::{Block, Op, Slot, Value};

/// Removes what nobody reads of a block over `state` guest cells, whose first `kept` temporaries may
/// be read by other instructions than the one that writes them.
pub fn simplify(block: &mut Block, state: u16, kept: u16, exact: Exact) {
    let needed = needed(block, state, kept, exact);
    retain(block, &needed);
    let mut needed = vec![true; block.ops.len()];
    for number in 0..block.insns.len() {
        place_results(block, number, state + kept, &mut needed);
    }
    retain(block, &needed);
}

/// Computes results where they are moved to.
fn place_results(block: &mut Block, number: usize, temporaries: u16, needed: &mut [bool]) {
    let insn = block.insns[number].clone();
    let is_last = number + 1 == block.insns.len();
    for at in insn.ops.clone() {
        let Op::Move { dst, src: Value::Slot(from) } = block.ops[at] else { continue };
        if from.0 < temporaries || (is_last && block.exit.operands().contains(&Value::Slot(from))) {
            continue;
        }
        if insn.operand == Some(Value::Slot(from)) {
            continue;
        }
        let Some(maker) = maker(&block.ops[insn.ops.clone()], at - insn.ops.start, from) else {
            continue;
        };
        let maker = insn.ops.start + maker;
        let leads = maker < insn.ops.start + usize::from(insn.lead);
        if !leads && is_free(&block.ops[maker..=at], dst, needed, maker) {
            block.ops[maker].set_dst(dst);
            needed[at] = false;
            // What is left out must not look as if it wrote.
            block.ops[at] = Op::Move { dst, src: Value::Slot(dst) };
        }
    }
}

/// For each operation of a range, up to where the innermost guard around it reaches; its own end if there
/// is none.
fn scopes(ops: &[Op]) -> Vec<usize> {
    let mut scopes = vec![ops.len(); ops.len()];
    for (at, op) in ops.iter().enumerate() {
        if let Op::Guard { ops: covered, .. } = *op {
            let end = at + 1 + usize::from(covered);
            // The one that begins last is the innermost.
            scopes[at + 1..end].fill(end);
        }
    }
    scopes
}

/// The operation that alone makes what the move at `at` alone reads, under the same guards.
fn maker(ops: &[Op], at: usize, from: Slot) -> Option<usize> {
    let mut makers = ops.iter().enumerate().filter(|(_, op)| op.dst() == Some(from));
    let (maker, _) = makers.next()?;
    let is_alone = makers.next().is_none();
    let reads = ops.iter().flat_map(Op::operands).filter(|&value| value == Value::Slot(from));
    let scopes = scopes(ops);
    let is_same = scopes[maker] == scopes[at] && is_guarded(ops, maker) == is_guarded(ops, at);
    let no_guard = !ops[maker..at].iter().any(|op| matches!(op, Op::Guard { .. }));
    (is_alone && reads.count() == 1 && maker < at && is_same && no_guard).then_some(maker)
}

/// Returns true if a cell can be written by the first operation instead of the last: nothing between them
/// reads or writes it, or looks at the guest state.
fn is_free(ops: &[Op], dst: Slot, needed: &[bool], first: usize) -> bool {
    let between = &ops[1..ops.len() - 1];
    between.iter().enumerate().all(|(at, op)| {
        let touches = op.dst() == Some(dst) || op.operands().contains(&Value::Slot(dst));
        !needed[first + 1 + at] || (!touches && !op.is_access())
    })
}

/// Removes the operations that are not needed.
fn retain(block: &mut Block, needed: &[bool]) {
    // How many are left before each.
    let before: Vec<usize> = needed
        .iter()
        .scan(0, |count, &needed| {
            let now = *count;
            *count += usize::from(needed);
            Some(now)
        })
        .chain([needed.iter().filter(|&&needed| needed).count()])
        .collect();
    for (at, op) in block.ops.iter_mut().enumerate() {
        if let Op::Guard { ops, .. } = op {
            let end = at + 1 + usize::from(*ops);
            *ops = (before[end] - before[at + 1]) as u16;
        }
    }
    for insn in &mut block.insns {
        let lead = insn.ops.start + usize::from(insn.lead);
        insn.lead = (before[lead] - before[insn.ops.start]) as u16;
        insn.ops = before[insn.ops.start]..before[insn.ops.end];
    }
    let mut at = 0;
    block.ops.retain(|_| {
        at += 1;
        needed[at - 1]
    });
}
