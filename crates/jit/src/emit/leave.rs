//! The exits of a region.

use cocrypt_codegen::clif::{Block, InstBuilder, IntCC, Value, types::I32, types::I64};
use cocrypt_ir::{CellSet, Slot as Cell, Value as Operand, Width};

use super::{Cursor, Emitter, FLAGS};
use crate::frame::{TARGETS, Target, at, kind, target_key};
use crate::pool::Literal;
use crate::worker::Slot;

/// The exit of a region, for the run loop.
struct ExitRecord {
    kind: u64,
    /// The number of the member.
    from: usize,
    detail: Value,
    began: Value,
}

impl Emitter<'_, '_> {
    /// Leaves before a member if the limit is near.
    pub(super) fn look_at_limit(&mut self, stale: &CellSet, before: usize) {
        let stay = self.unless_near();
        self.store_cells(stale);
        let zero = self.constant(I64, 0);
        self.leave(&ExitRecord { kind: kind::NEAR, from: before, detail: zero, began: zero });
        self.b.switch_to_block(stay);
    }

    /// Goes on in a block, unless the limit is near; there the emitter stands then.
    fn unless_near(&mut self) -> Block {
        let cycles = self.b.use_var(self.cycles);
        let is_near = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, cycles, self.near);
        let (leave, stay) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(leave);
        self.b.ins().brif(is_near, leave, &[], stay, &[]);
        self.b.switch_to_block(leave);
        stay
    }

    /// Leaves through a slot: into the region that it names, or else to the run loop.
    pub(super) fn leave_by(&mut self, cursor: &Cursor<'_>, slot: usize, link: usize) {
        self.store_cells(&cursor.stale);
        let at = (slot * size_of::<Slot>()) as i32;
        let code = self.b.ins().load(I64, FLAGS, self.slots, at);
        let (chain, leave) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(leave);
        self.b.ins().brif(code, chain, &[], leave, &[]);
        self.b.switch_to_block(chain);
        self.transfer_by(cursor, link);
        let entry = self.b.ins().load(I64, FLAGS, self.slots, at + 8);
        self.chain(code, entry);
        self.b.switch_to_block(leave);
        let detail = self.constant(I64, (slot << 1 | link) as u64);
        let zero = self.constant(I64, 0);
        self.leave(&ExitRecord { kind: kind::LINK, from: cursor.number, detail, began: zero });
    }

    /// Goes to a computed address: to a member, to another region, or to the run loop.
    pub(super) fn go_computed(&mut self, cursor: &Cursor<'_>, target: Operand) {
        let target = self.read(target, Width::W64);
        let is_at_edges = |member: usize| self.region.members[member].at_edges;
        let mut members = cursor.member.targets.iter().map(|target| target.member);
        if cursor.member.closes_computed && members.any(is_at_edges) {
            let stay = self.unless_near();
            self.leave_computed(cursor, target, &cursor.stale);
            self.b.switch_to_block(stay);
        }
        for inside in &cursor.member.targets {
            let (here, other) = (self.b.create_block(), self.b.create_block());
            let reached = self.constant(I64, inside.reached);
            let equal = self.b.ins().icmp(IntCC::Equal, target, reached);
            self.b.ins().brif(equal, here, &[], other, &[]);
            self.b.switch_to_block(here);
            let entry = self.constant(I64, u64::from(inside.entry));
            self.enter_computed(cursor, entry);
            let pc = self.constant(I64, inside.pc);
            self.transfer_inside(cursor, inside.member, pc);
            let block = self.blocks[inside.member];
            self.b.ins().jump(block, &[]);
            self.b.switch_to_block(other);
        }
        self.store_cells(&cursor.stale);
        self.look_up(cursor, target);
        self.leave_computed(cursor, target, &CellSet::default());
    }

    /// Leaves to a computed address.
    fn leave_computed(&mut self, cursor: &Cursor<'_>, target: Value, stale: &CellSet) {
        self.store_cells(stale);
        let zero = self.constant(I64, 0);
        let from = cursor.number;
        self.leave(&ExitRecord { kind: kind::COMPUTED, from, detail: target, began: zero });
    }

    /// Leaves straight on, if something is not 0, for the machine to look whether it is interrupted.
    pub(super) fn yield_if(&mut self, cursor: &Cursor<'_>, changed: Value, next: u64) {
        let (leave, stay) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(leave);
        self.b.ins().brif(changed, leave, &[], stay, &[]);
        self.b.switch_to_block(leave);
        self.store_cells(&cursor.stale);
        let (detail, zero) = (self.constant(I64, next), self.constant(I64, 0));
        let from = cursor.number;
        self.leave(&ExitRecord { kind: kind::YIELDED, from, detail, began: zero });
        self.b.switch_to_block(stay);
    }

    /// Chains to the region at a computed address if the table names one.
    fn look_up(&mut self, cursor: &Cursor<'_>, target: Value) {
        let table = self.b.ins().load(I64, FLAGS, self.frame, at::TARGETS);
        // Two neighbouring addresses share an entry, whose size is a power of two: many cores have no odd ones.
        let shift = self.constant(I64, u64::from(size_of::<Target>().trailing_zeros() - 1));
        let scaled = self.b.ins().ishl(target, shift);
        let mask = self.constant(I64, ((TARGETS - 1) * size_of::<Target>()) as u64);
        let offset = self.b.ins().band(scaled, mask);
        let entry = self.b.ins().iadd(table, offset);
        let pipeline_state =
            self.constant(I64, target_key(0, cursor.member.source.cost.exit_states[0]));
        let wanted = self.b.ins().bor(target, pipeline_state);
        let key = self.b.ins().load(I64, FLAGS, entry, 0);
        let equal = self.b.ins().icmp(IntCC::Equal, key, wanted);
        let (chain, leave) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(equal, chain, &[], leave, &[]);
        self.b.switch_to_block(chain);
        let code = self.b.ins().load(I64, FLAGS, entry, 8);
        let number = self.b.ins().load(I64, FLAGS, entry, 16);
        let [cycles, pc] = [24, 28].map(|at| self.b.ins().load(I32, FLAGS, entry, at));
        let cycles = self.b.ins().uextend(I64, cycles);
        self.enter_computed(cursor, cycles);
        let pc = self.b.ins().uextend(I64, pc);
        self.transfer(cursor, 0, pc);
        self.chain(code, number);
        self.b.switch_to_block(leave);
    }

    /// Adds the cycles of an entry through a computed jump, which the jump's block has spent.
    fn enter_computed(&mut self, cursor: &Cursor<'_>, entry: Value) {
        self.add_cycles(entry);
        if let Some(counts) = self.counts {
            let counts = self.b.use_var(counts);
            let at = 16 * cursor.member.source.counter as i32 + 8;
            let before = self.b.ins().load(I64, FLAGS, counts, at);
            let after = self.b.ins().iadd(before, entry);
            self.b.ins().store(FLAGS, after, counts, at);
        }
    }

    /// Leaves within a block, where an instruction could not be completed.
    pub(super) fn leave_broken(&mut self, cursor: &Cursor<'_>) {
        self.store_cells(&cursor.stale.union(&cursor.kept));
        let detail = self.constant(I64, cursor.at as u64);
        let began = self.b.use_var(if self.counts.is_some() { self.began } else { self.cycles });
        self.leave(&ExitRecord { kind: kind::BROKEN, from: cursor.number, detail, began });
    }

    /// Leaves before an instruction, for the interpreter to go on with it.
    pub(super) fn leave_to_resume(&mut self, cursor: &Cursor<'_>) {
        self.leave_before(cursor, kind::RESUME);
    }

    /// Leaves before an instruction, to be interpreted from there on, and says how.
    pub(super) fn leave_before(&mut self, cursor: &Cursor<'_>, kind: u64) {
        self.store_cells(&cursor.stale.union(&cursor.kept));
        let detail = self.constant(I64, cursor.at as u64);
        let began = self.b.use_var(if self.counts.is_some() { self.began } else { self.cycles });
        self.leave(&ExitRecord { kind, from: cursor.number, detail, began });
    }

    /// Jumps into another region.
    fn chain(&mut self, code: Value, entry: Value) {
        let lowest = self.b.use_var(self.lowest_stack);
        self.b.ins().store(FLAGS, lowest, self.frame, at::LOWEST_STACK);
        let cycles = self.b.use_var(self.cycles);
        let instructions = self.b.use_var(self.instructions);
        let arguments = [self.frame, cycles, instructions, entry];
        self.b.ins().return_call_indirect(self.called.region, code, &arguments);
    }

    fn leave(&mut self, leaving: &ExitRecord) {
        let kind = self.constant(I64, leaving.kind);
        let from = self.constant(I64, leaving.from as u64);
        for (value, at) in [(kind, at::KIND), (from, at::FROM), (leaving.detail, at::DETAIL)] {
            self.b.ins().store(FLAGS, value, self.frame, at);
        }
        self.b.ins().store(FLAGS, leaving.began, self.frame, at::BEGAN);
        self.b.ins().jump(self.out, &[]);
    }

    /// The end of all exits.
    pub(super) fn leave_block(&mut self) {
        self.b.switch_to_block(self.out);
        for (variable, at) in [
            (self.cycles, at::CYCLES),
            (self.instructions, at::INSTRUCTIONS),
            (self.lowest_stack, at::LOWEST_STACK),
        ] {
            let value = self.b.use_var(variable);
            self.b.ins().store(FLAGS, value, self.frame, at);
        }
        let number = self.literal(Literal::Region, FLAGS);
        self.b.ins().store(FLAGS, number, self.frame, at::REGION);
        self.b.ins().return_(&[]);
    }

    fn store_cells(&mut self, cells: &CellSet) {
        cells.iter().for_each(|slot| self.store_cell(slot));
    }

    pub(super) fn store_cell(&mut self, slot: Cell) {
        let variable = self.variable(slot);
        let value = self.b.use_var(variable);
        self.b.ins().store(FLAGS, value, self.file, 8 * i32::from(slot.0));
    }
}
