//! Checks that a block is well formed, so that back ends need not.

use crate::{Block, Op, Slot, Value};

/// The defects of a malformed block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A block needs at least one instruction.
    #[error("the block at {0:#x} has no instruction")]
    Empty(u64),
    /// The instructions' ranges must cover the operations in order, without gap.
    #[error("the instruction at {0:#x} does not continue the operations of its predecessor")]
    Ranges(u64),
    /// A cell number is beyond the file.
    #[error("operation {op} names cell {slot}, but there are {cells}")]
    Cell {
        /// Index of the operation; the number of operations for the exit.
        op: usize,
        /// The cell.
        slot: u16,
        /// Size of the file.
        cells: u16,
    },
    /// A temporary is read before the block writes it.
    #[error("operation {op} reads temporary {slot} before it is written")]
    Unwritten {
        /// Index of the operation; the number of operations for the exit.
        op: usize,
        /// The cell.
        slot: u16,
    },
    /// A guard reaches past the end of its instruction.
    #[error("the guard at operation {0} reaches past its instruction")]
    Guard(usize),
}

/// Checks a block against a file of `cells` cells of which the first `state` are guest state.
///
/// # Errors
/// The first rule that is broken.
pub fn verify(block: &Block, state: u16, cells: u16) -> Result<(), Invalid> {
    ranges(block)?;
    let mut written = vec![false; usize::from(cells)];
    written[..usize::from(state)].fill(true);
    for (index, op) in block.ops.iter().enumerate() {
        for value in op.operands() {
            readable(value, &written, index)?;
        }
        if let Some(Slot(slot)) = op.dst() {
            *written.get_mut(usize::from(slot)).ok_or(Invalid::Cell {
                op: index,
                slot,
                cells,
            })? = true;
        }
    }
    block
        .exit
        .operands()
        .into_iter()
        .try_for_each(|value| readable(value, &written, block.ops.len()))
}

fn ranges(block: &Block) -> Result<(), Invalid> {
    let mut at = 0;
    for insn in &block.insns {
        if insn.ops.start != at || insn.ops.end < at || insn.ops.end > block.ops.len() {
            return Err(Invalid::Ranges(insn.pc));
        }
        at = insn.ops.end;
        guards(block, insn.ops.clone())?;
    }
    match block.insns.last() {
        None => Err(Invalid::Empty(block.start)),
        Some(last) if at != block.ops.len() => Err(Invalid::Ranges(last.pc)),
        Some(_) => Ok(()),
    }
}

fn guards(block: &Block, ops: std::ops::Range<usize>) -> Result<(), Invalid> {
    let end = ops.end;
    for index in ops {
        if let Op::Guard { ops: skipped, .. } = block.ops[index]
            && index + 1 + usize::from(skipped) > end
        {
            return Err(Invalid::Guard(index));
        }
    }
    Ok(())
}

fn readable(value: Value, written: &[bool], op: usize) -> Result<(), Invalid> {
    let Value::Slot(Slot(slot)) = value else { return Ok(()) };
    match written.get(usize::from(slot)) {
        Some(true) => Ok(()),
        Some(false) => Err(Invalid::Unwritten { op, slot }),
        None => Err(Invalid::Cell { op, slot, cells: written.len() as u16 }),
    }
}
