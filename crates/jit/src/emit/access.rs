//! Loads and stores: memory directly, everything else by a call.

use cocrypt_codegen::clif::{InstBuilder, IntCC, Value, types::I32, types::I64};
use cocrypt_engine::{Fixed, FixedRom};
use cocrypt_ir::{Slot, Value as Operand, Width};
use cocrypt_isa::{Collision, InsnCost};

use super::{Cursor, Emitter, FLAGS, HostMemory, Miss, integer, lines::LineAccess};
use crate::frame::{at, describe, kind};
use crate::pool::{Function, Literal};
use crate::proof::{Check, Memory, Span};

/// A load or store.
#[derive(Clone, Copy)]
pub(super) struct MemoryAccess {
    /// The operation's index in its block.
    pub number: usize,
    pub width: Width,
    pub base: Operand,
    pub offset: i32,
    /// Cycles if the data cache lacks the line.
    pub miss: Miss,
    pub check: Check,
}

impl MemoryAccess {
    /// The number of operations of its instruction before it.
    fn order(&self, cursor: &Cursor<'_>) -> usize {
        self.number - cursor.member.source.block.insns[cursor.at].ops.start
    }
}

impl Emitter<'_, '_> {
    pub(super) fn load(
        &mut self,
        cursor: &Cursor<'_>,
        wanted: MemoryAccess,
        signed: bool,
        dst: Slot,
    ) {
        let ty = integer(wanted.width);
        if wanted.check == Check::Interpret {
            self.interpret(cursor);
        }
        let value = if wanted.check.is_made_outside() {
            if self.data_lines.is_some() && is_left_before(cursor.cost()) {
                // The interpreter sees what it is to be left for.
                self.interpret(cursor);
            }
            let address = self.address(wanted.base, wanted.offset);
            let value = self.call(cursor, &wanted, address, None);
            self.b.ins().ireduce(ty, value)
        } else {
            let (host, offset) = self.checked(cursor, &wanted, false);
            self.b.ins().load(ty, FLAGS, host, offset)
        };
        let value = match (ty == I32, signed) {
            (true, _) => value,
            (false, true) => self.b.ins().sextend(I32, value),
            (false, false) => self.b.ins().uextend(I32, value),
        };
        self.write(dst, value);
    }

    pub(super) fn store(&mut self, cursor: &Cursor<'_>, wanted: MemoryAccess, src: Operand) {
        if wanted.check == Check::Interpret {
            self.interpret(cursor);
        }
        if wanted.check.is_made_outside() {
            let address = self.address(wanted.base, wanted.offset);
            let value = self.read(src, Width::W32);
            self.call(cursor, &wanted, address, Some(value));
            return;
        }
        let (host, offset) = self.checked(cursor, &wanted, true);
        let value = self.read(src, wanted.width);
        self.b.ins().store(FLAGS, value, host, offset);
    }

    /// Leaves the rest of the block to the interpreter, this instruction first; no code follows.
    fn interpret(&mut self, cursor: &Cursor<'_>) {
        self.leave_to_resume(cursor);
        let nowhere = self.b.create_block();
        self.b.switch_to_block(nowhere);
    }

    fn address(&mut self, base: Operand, offset: i32) -> Value {
        let base = self.read(base, Width::W32);
        if offset == 0 {
            return base;
        }
        let offset = self.constant(I32, offset as u64);
        self.b.ins().iadd(base, offset)
    }

    /// Checks what is to be checked, touches the line, and gives the host's address as a sum.
    fn checked(&mut self, cursor: &Cursor<'_>, wanted: &MemoryAccess, write: bool) -> (Value, i32) {
        if let Check::Memory(span) = wanted.check {
            match self.machine.fixed.rom.filter(|_| span.memory != Memory::Main) {
                None => self.check(cursor, &span),
                Some(rom) => {
                    let found = self.find(cursor, &span, rom);
                    self.found.insert(wanted.number, found);
                }
            }
        }
        let first = match wanted.check {
            Check::Covered { first, .. } => first,
            _ => wanted.number,
        };
        if let Some(&found) = self.found.get(&first) {
            return self.in_found(cursor, wanted, found);
        }
        let is_of_rom = self.machine.fixed.caches.data_of_rom;
        if self.data_lines.is_some() && !is_of_rom {
            let address = self.address(wanted.base, wanted.offset);
            let shape = self.machine.fixed.caches.data;
            let is_ignored = shape.is_some_and(|shape| shape.ignores_stores());
            if !(write && is_ignored && wanted.miss.cycles == 0) {
                let asked = LineAccess { address, order: wanted.order(cursor), is_mapped: true };
                self.touch(cursor, asked, wanted.miss, write);
            }
            if write {
                if self.machine.fixed.caches.stores_collide {
                    self.note_store(address);
                }
            } else {
                for collision in &cursor.cost().collisions {
                    self.collide(cursor, address, wanted.width, *collision);
                }
            }
        }
        if wanted.check.with_base() {
            let base = self.offset(wanted.base, 0);
            return (self.host(base), wanted.offset);
        }
        let offset = self.offset(wanted.base, wanted.offset);
        (self.host(offset), 0)
    }

    /// The offset into memory of an address.
    fn offset(&mut self, base: Operand, offset: i32) -> Value {
        let address = self.address(base, offset);
        match self.machine.fixed.base {
            0 => address,
            start => {
                let start = self.constant(I32, u64::from(start));
                self.b.ins().isub(address, start)
            }
        }
    }

    /// Lets the interpreter go on from this instruction unless the span lies in memory, aligned, and
    /// where it is written behind all code.
    fn check(&mut self, cursor: &Cursor<'_>, span: &Span) {
        let Fixed { base, size, .. } = self.machine.fixed;
        let low = self.address(span.base, span.low);
        let is_inside = self.is_within(low, span, base, size);
        if !span.write {
            self.go_on_if(cursor, is_inside, kind::RESUME);
            return;
        }
        let [inside, behind, resume] = [(); 3].map(|()| self.b.create_block());
        self.b.set_cold_block(resume);
        self.b.ins().brif(is_inside, inside, &[], resume, &[]);
        self.b.switch_to_block(inside);
        let (from, offset) = (self.store_from, self.offset(span.base, span.low));
        let is_behind = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, offset, from);
        self.b.ins().brif(is_behind, behind, &[], resume, &[]);
        self.b.switch_to_block(resume);
        self.leave_to_resume(cursor);
        self.b.switch_to_block(behind);
    }

    /// The host's address of what is read from a memory that a check found, as a sum.
    fn in_found(
        &mut self,
        cursor: &Cursor<'_>,
        wanted: &MemoryAccess,
        found: HostMemory,
    ) -> (Value, i32) {
        if self.caches_constants() {
            let address = self.address(wanted.base, wanted.offset);
            let asked =
                LineAccess { address, order: wanted.order(cursor), is_mapped: found.is_constant };
            self.touch(cursor, asked, wanted.miss, false);
        }
        if let Some(more) = found.more {
            self.add_cycles(more);
        }
        let (within, behind) =
            if wanted.check.with_base() { (0, wanted.offset) } else { (wanted.offset, 0) };
        let address = self.address(wanted.base, within);
        let address = self.b.ins().uextend(I64, address);
        (self.b.ins().iadd(found.zero, address), behind)
    }

    /// The host's address of what would be the guest's address 0, if this memory reached so far.
    fn zero_of(&mut self, rom: FixedRom) -> Value {
        let bytes = self.b.ins().load(I64, FLAGS, self.frame, at::ROM);
        let base = self.constant(I64, rom.base.into());
        self.b.ins().isub(bytes, base)
    }

    /// Finds what is read where it is looked for, or lets the interpreter go on from this instruction.
    fn find(&mut self, cursor: &Cursor<'_>, span: &Span, rom: FixedRom) -> HostMemory {
        let low = self.address(span.base, span.low);
        let in_rom = self.is_within(low, span, rom.base, rom.size);
        if span.memory == Memory::Constant {
            self.go_on_if(cursor, in_rom, kind::MISPREDICTED);
            let zero = self.zero_of(rom);
            let more = (rom.more != 0).then(|| self.constant(I64, i64::from(rom.more) as u64));
            return HostMemory { zero, more, is_constant: true };
        }
        let Fixed { base, size, .. } = self.machine.fixed;
        let in_main = self.is_within(low, span, base, size);
        let is_found = self.b.ins().bor(in_main, in_rom);
        self.go_on_if(cursor, is_found, kind::RESUME);
        let of_rom = self.zero_of(rom);
        let base = self.constant(I64, base.into());
        let of_main = self.b.ins().isub(self.ram, base);
        let zero = self.b.ins().select(in_rom, of_rom, of_main);
        let more = (rom.more != 0).then(|| {
            let [more, none] =
                [i64::from(rom.more), 0].map(|cycles| self.constant(I64, cycles as u64));
            self.b.ins().select(in_rom, more, none)
        });
        HostMemory { zero, more, is_constant: false }
    }

    /// Lets the interpreter go on from this instruction unless something holds.
    fn go_on_if(&mut self, cursor: &Cursor<'_>, holds: Value, kind: u64) {
        let (on, resume) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(resume);
        self.b.ins().brif(holds, on, &[], resume, &[]);
        self.b.switch_to_block(resume);
        self.leave_before(cursor, kind);
        self.b.switch_to_block(on);
    }

    /// True if a span that begins at an address lies within a memory, aligned. Rotating an offset brings
    /// bits that ought to be 0 to its top.
    fn is_within(&mut self, low: Value, span: &Span, base: u32, size: u32) -> Value {
        let start = self.constant(I32, u64::from(base));
        let offset = self.b.ins().isub(low, start);
        let bits = span.alignment.trailing_zeros();
        let by = self.constant(I32, u64::from(bits));
        let rotated = self.b.ins().rotr(offset, by);
        let room = u64::from(size).checked_sub(u64::from(span.bytes));
        let ends = self.constant(I32, room.map_or(0, |room| (room >> bits) + 1));
        self.b.ins().icmp(IntCC::UnsignedLessThan, rotated, ends)
    }

    fn host(&mut self, offset: Value) -> Value {
        let offset = self.b.ins().uextend(I64, offset);
        self.b.ins().iadd(self.ram, offset)
    }

    /// Remembers where a store goes.
    fn note_store(&mut self, address: Value) {
        let last = self.b.ins().load(I32, FLAGS, self.frame, at::STORED);
        self.b.ins().store(FLAGS, last, self.frame, at::STORED + 4);
        self.b.ins().store(FLAGS, address, self.frame, at::STORED);
    }

    /// Leaves before a load that a store right before it holds up.
    fn collide(&mut self, cursor: &Cursor<'_>, address: Value, width: Width, store: Collision) {
        let at = at::STORED + 4 * i32::from(store.recent);
        let stored = self.b.ins().load(I32, FLAGS, self.frame, at);
        let mut within = |a: Value, b: Value, bytes: u32| {
            let distance = self.b.ins().isub(a, b);
            let bytes = self.b.ins().iconst(I32, i64::from(bytes));
            self.b.ins().icmp(IntCC::UnsignedLessThan, distance, bytes)
        };
        let behind = within(address, stored, store.bytes);
        let before = within(stored, address, width.bytes());
        let met = self.b.ins().bor(behind, before);
        let (leave, stay) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(leave);
        self.b.ins().brif(met, leave, &[], stay, &[]);
        self.b.switch_to_block(leave);
        let cycles = self.constant(I64, i64::from(store.cycles) as u64);
        let pipeline_state = self.constant(I64, store.exit_state.into());
        self.leave_for(cursor, cycles, pipeline_state);
        self.b.switch_to_block(stay);
    }

    /// Calls for an access; leaves the region if the machine does not go on.
    fn call(
        &mut self,
        cursor: &Cursor<'_>,
        wanted: &MemoryAccess,
        address: Value,
        value: Option<Value>,
    ) -> Value {
        let pc = cursor.member.source.block.insns[cursor.at].pc;
        let described = self.constant(I64, describe(pc, wanted.width, wanted.miss.cycles as u32));
        let address = self.b.ins().uextend(I64, address);
        let cycles = self.b.use_var(self.cycles);
        let sample = self.constant(I64, u64::from(cursor.sample));
        let unwaited = self.b.ins().iadd(cycles, sample);
        let before = self.b.use_var(self.instructions);
        let within = self.constant(I64, cursor.at as u64);
        let issued = self.b.ins().iadd(before, within);
        self.b.ins().store(FLAGS, issued, self.frame, at::ISSUED);
        let mut arguments = vec![self.frame, address, unwaited, described];
        let (signature, called) = match value {
            None => (self.called.four, Function::Load),
            Some(value) => {
                arguments.push(self.b.ins().uextend(I64, value));
                (self.called.five, Function::Store)
            }
        };
        let function = self.literal(Literal::Function(called), FLAGS);
        let call = self.b.ins().call_indirect(signature, function, &arguments);
        let result = self.b.inst_results(call)[0];
        self.go_on(cursor);
        result
    }

    fn go_on(&mut self, cursor: &Cursor<'_>) {
        let more = self.b.ins().load(I64, FLAGS, self.frame, at::MORE);
        self.add_cycles(more);
        let is_broken = self.b.ins().load(I64, FLAGS, self.frame, at::BROKEN);
        let (broken, whole) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(broken);
        self.b.ins().brif(is_broken, broken, &[], whole, &[]);
        self.b.switch_to_block(broken);
        self.leave_broken(cursor);
        self.b.switch_to_block(whole);
    }
}

/// Returns true if a block may have to be left before a load.
fn is_left_before(cost: &InsnCost) -> bool {
    let InsnCost { miss_exit_state, elsewhere, collisions, .. } = cost;
    miss_exit_state.is_some() || elsewhere.is_some() || !collisions.is_empty()
}
