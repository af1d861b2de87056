//! What a region does with its cells.

use cocrypt_engine::Source;
use cocrypt_ir::{CellSet, Op, Value};

/// What is known of the cells at one point of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Written on every way from the region's beginning.
    pub surely: CellSet,
    /// Written on some way: memory may hold an older value.
    pub maybe: CellSet,
}

impl Known {
    /// At the region's beginning.
    pub fn nothing() -> Self {
        Self { surely: CellSet::default(), maybe: CellSet::default() }
    }

    /// Where no way has come yet.
    pub fn unreached() -> Self {
        Self { surely: CellSet::ALL, maybe: CellSet::default() }
    }

    /// Where two ways meet.
    pub fn meet(&self, other: &Self) -> Self {
        Self {
            surely: self.surely.intersection(&other.surely),
            maybe: self.maybe.union(&other.maybe),
        }
    }

    /// Behind a block; `needed` gains the cells whose value from before the region is used.
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
                self.maybe.insert(dst);
                if guarded == 0 {
                    self.surely.insert(dst);
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
            && !self.surely.contains(slot)
        {
            needed.insert(slot);
        }
    }

    /// Every guest cell that may have been written is stored here.
    fn stored(&self, guest: &CellSet, needed: &mut CellSet) {
        *needed = needed.union(&self.maybe.intersection(guest).without(&self.surely));
    }
}

#[cfg(test)]
mod tests {
    use cocrypt_ir::Slot;

    use super::*;

    #[test]
    fn where_ways_meet_only_what_both_wrote_is_sure() {
        let (mut left, right) = (Known::nothing(), Known::nothing());
        left.surely.insert(Slot(1));
        left.maybe.insert(Slot(1));
        let met = left.meet(&right);
        assert!(!met.surely.contains(Slot(1)) && met.maybe.contains(Slot(1)));
    }
}
