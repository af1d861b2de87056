//! Data-flow analysis of a region's cells: which are written, and which are live at its beginning.

use cocrypt_engine::Source;
use cocrypt_ir::{CellSet, Op, Value};

/// The cells written before one point of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenCells {
    /// Written on every path from the region's beginning.
    pub must: CellSet,
    /// Written on some path: memory may hold an older value.
    pub may: CellSet,
}

impl WrittenCells {
    /// The state at the region's beginning.
    pub fn nothing() -> Self {
        Self { must: CellSet::default(), may: CellSet::default() }
    }

    /// The state of a point that no path has reached yet.
    pub fn unreached() -> Self {
        Self { must: CellSet::ALL, may: CellSet::default() }
    }

    /// The meet of two paths' states.
    pub fn meet(&self, other: &Self) -> Self {
        Self { must: self.must.intersection(&other.must), may: self.may.union(&other.may) }
    }

    /// The state behind a block; `needed` gains the cells whose value from before the region is used.
    pub fn through(mut self, source: &Source, guest: &CellSet, needed: &mut CellSet) -> Self {
        self.stored(guest, needed);
        let has_lines = !source.cost.lines.is_empty();
        for (insn, cost) in source.block.insns.iter().zip(&source.cost.insns) {
            let (lead, rest) = source.block.ops[insn.ops.clone()].split_at(insn.lead.into());
            if has_lines {
                // The block may be left here.
                self.stored(guest, needed);
            }
            self.through_ops(lead, guest, needed);
            if let Some(operand) = cost.extra.as_ref().and_then(|extra| extra.operand(insn)) {
                self.used(operand, needed);
            }
            if cost.extra.is_some() {
                self.stored(guest, needed);
            }
            self.through_ops(rest, guest, needed);
        }
        source.block.exit.operands().into_iter().for_each(|value| self.used(value, needed));
        self.stored(guest, needed);
        self
    }

    fn through_ops(&mut self, ops: &[Op], guest: &CellSet, needed: &mut CellSet) {
        let mut guarded = 0;
        for op in ops {
            for value in op.operands() {
                self.used(value, needed);
            }
            if op.is_access() {
                self.stored(guest, needed);
            }
            if let Some(dst) = op.dst() {
                self.may.insert(dst);
                if guarded == 0 {
                    self.must.insert(dst);
                }
            }
            guarded = match op {
                Op::Guard { ops, .. } => guarded.max(*ops),
                _ => u16::saturating_sub(guarded, 1),
            };
        }
    }

    fn used(&self, value: Value, needed: &mut CellSet) {
        if let Value::Slot(slot) = value
            && !self.must.contains(slot)
        {
            needed.insert(slot);
        }
    }

    /// Every guest cell that may have been written is stored here.
    fn stored(&self, guest: &CellSet, needed: &mut CellSet) {
        *needed = needed.union(&self.may.intersection(guest).without(&self.must));
    }
}

#[cfg(test)]
mod tests {
    use cocrypt_ir::Slot;

    use super::*;

    #[test]
    fn where_paths_meet_only_what_both_wrote_must_be_written() {
        let (mut left, right) = (WrittenCells::nothing(), WrittenCells::nothing());
        left.must.insert(Slot(1));
        left.may.insert(Slot(1));
        let met = left.meet(&right);
        assert!(!met.must.contains(Slot(1)) && met.may.contains(Slot(1)));
    }
}
