//! Cells whose place between blocks is memory.

use cocrypt_codegen::clif::{InstBuilder, types::I64};
use cocrypt_ir::{Op, Slot, Value as Operand};

use super::{Cursor, Emitter, FLAGS};

impl Emitter<'_, '_> {
    pub(super) fn load_cell(&mut self, slot: Slot) {
        let value = self.b.ins().load(I64, FLAGS, self.file, 8 * i32::from(slot.0));
        let variable = self.variable(slot);
        self.b.def_var(variable, value);
    }

    /// Loads a cell that is in memory, unless that was done.
    pub(super) fn need(&mut self, slot: Slot) {
        if self.region.homed.contains(slot) && !self.loaded.contains(slot) {
            self.load_cell(slot);
            self.loaded.insert(slot);
        }
    }

    pub(super) fn need_operands(&mut self, operands: impl IntoIterator<Item = Operand>) {
        operands.into_iter().filter_map(Operand::slot).for_each(|slot| self.need(slot));
    }

    /// Loads before operations that may be skipped what they read and write, so that it is there behind them too.
    pub(super) fn need_all(&mut self, ops: &[Op]) {
        for op in ops {
            self.need_operands(op.operands());
            self.need_operands(op.dst().map(Operand::Slot));
        }
    }

    /// Stores what a block wrote, when it ends.
    pub(super) fn store_homed(&mut self, cursor: &mut Cursor<'_>) {
        for slot in cursor.stale.intersection(&self.region.homed).iter() {
            self.deferred.compute(Operand::Slot(slot));
            self.store_cell(slot);
        }
        cursor.stale = cursor.stale.without(&self.region.homed);
    }
}
