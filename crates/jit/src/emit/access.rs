//! Loads and stores: memory directly, everything else by a call.

use cocrypt_codegen::clif::{
    Block, BlockArg, InstBuilder, IntCC, SigRef, Type, Value, types::I8, types::I16, types::I32,
    types::I64,
};
use cocrypt_ir::{Slot, Value as Operand, Width};

use super::{Emitter, FLAGS, Place};
use crate::frame::{self, at, describe};

/// A load or store.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub width: Width,
    pub base: Operand,
    pub offset: i32,
    /// Cycles if the data cache lacks the line.
    pub miss: u32,
}

impl Emitter<'_, '_> {
    pub(super) fn load(&mut self, place: &Place<'_>, wanted: Wanted, signed: bool, dst: Slot) {
        let address = self.address(wanted.base, wanted.offset);
        let (fast, slow, done) = self.ways();
        self.b.append_block_param(done, I32);
        let offset = self.inside(address, wanted.width, fast, slow);
        self.b.switch_to_block(fast);
        self.touch(address, wanted.miss, false);
        let host = self.host(offset);
        let value = self.b.ins().load(narrow(wanted.width), FLAGS, host, 0);
        let value = self.extended(value, signed);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.b.switch_to_block(slow);
        let value = self.call(place, &wanted, address, None);
        let value = self.b.ins().ireduce(narrow(wanted.width), value);
        let value = self.extended(value, signed);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.b.switch_to_block(done);
        let value = self.b.block_params(done)[0];
        self.write(dst, value);
    }

    pub(super) fn store(&mut self, place: &Place<'_>, wanted: Wanted, src: Operand) {
        let address = self.address(wanted.base, wanted.offset);
        let value = self.read(src, Width::W32);
        let (fast, slow, done) = self.ways();
        let unwatched = self.b.create_block();
        let offset = self.inside(address, wanted.width, unwatched, slow);
        self.b.switch_to_block(unwatched);
        let from = self.store_from;
        let behind = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, offset, from);
        self.b.ins().brif(behind, fast, &[], slow, &[]);
        self.b.switch_to_block(fast);
        self.touch(address, wanted.miss, true);
        let host = self.host(offset);
        let ty = narrow(wanted.width);
        let cut = if ty == I32 { value } else { self.b.ins().ireduce(ty, value) };
        self.b.ins().store(FLAGS, cut, host, 0);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(slow);
        self.call(place, &wanted, address, Some(value));
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
    }

    fn ways(&mut self) -> (Block, Block, Block) {
        let blocks = [(); 3].map(|()| self.b.create_block());
        self.b.set_cold_block(blocks[1]);
        blocks.into()
    }

    fn address(&mut self, base: Operand, offset: i32) -> Value {
        let base = self.read(base, Width::W32);
        if offset == 0 {
            return base;
        }
        let offset = self.constant(I32, offset as u64);
        self.b.ins().iadd(base, offset)
    }

    /// Goes to `fast` if all bytes lie in memory and the address is aligned, else to `slow`; the
    /// offset into memory. Rotating the offset brings bits that ought to be 0 to its top.
    fn inside(&mut self, address: Value, width: Width, fast: Block, slow: Block) -> Value {
        let fixed = self.setting.fixed;
        let offset = if fixed.base == 0 {
            address
        } else {
            let base = self.constant(I32, u64::from(fixed.base));
            self.b.ins().isub(address, base)
        };
        let bits = width.bytes().trailing_zeros();
        let rotated = if bits == 0 {
            offset
        } else {
            let bits = self.constant(I32, u64::from(bits));
            self.b.ins().rotr(offset, bits)
        };
        let end = self.constant(I32, u64::from(fixed.size >> bits));
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, rotated, end);
        self.b.ins().brif(inside, fast, &[], slow, &[]);
        offset
    }

    fn host(&mut self, offset: Value) -> Value {
        let offset = self.b.ins().uextend(I64, offset);
        self.b.ins().iadd(self.ram, offset)
    }

    fn extended(&mut self, value: Value, signed: bool) -> Value {
        match (self.b.func.dfg.value_type(value) == I32, signed) {
            (true, _) => value,
            (false, true) => self.b.ins().sextend(I32, value),
            (false, false) => self.b.ins().uextend(I32, value),
        }
    }

    /// The line of an access to memory.
    fn touch(&mut self, address: Value, miss: u32, write: bool) {
        let (Some(lines), Some(shape)) = (self.data_lines, self.setting.fixed.caches.data) else {
            return;
        };
        let bits = self.constant(I32, u64::from(shape.line.trailing_zeros()));
        let number = self.b.ins().ushr(address, bits);
        let mask = self.constant(I32, u64::from(shape.sets - 1));
        let set = self.b.ins().band(number, mask);
        let set = self.b.ins().uextend(I64, set);
        let size = self.constant(I64, 4 * u64::from(shape.ways));
        let place = self.b.ins().imul(set, size);
        let place = self.b.ins().iadd(lines, place);
        let held = self.b.ins().load(I32, FLAGS, place, 0);
        let other = self.b.ins().icmp(IntCC::NotEqual, held, number);
        let address = self.b.ins().uextend(I64, address);
        let written = self.constant(I64, u64::from(write) << 32);
        let address = self.b.ins().bor(address, written);
        self.look_closer(other, frame::data_line as *const (), address, miss);
    }

    /// Calls for an access; leaves the region if the machine does not go on.
    fn call(
        &mut self,
        place: &Place<'_>,
        wanted: &Wanted,
        address: Value,
        value: Option<Value>,
    ) -> Value {
        let pc = place.member.source.block.insns[place.at].pc;
        let described = self.constant(I64, describe(pc, wanted.width, wanted.miss));
        let address = self.b.ins().uextend(I64, address);
        let cycles = self.b.use_var(self.cycles);
        let sample = self.constant(I64, u64::from(place.sample));
        let unwaited = self.b.ins().iadd(cycles, sample);
        let mut arguments = vec![self.frame, address, unwaited, described];
        let (signature, called): (SigRef, *const ()) = match value {
            None => (self.called.four, frame::load as *const ()),
            Some(value) => {
                arguments.push(self.b.ins().uextend(I64, value));
                (self.called.five, frame::store as *const ())
            }
        };
        let function = self.constant(I64, called as u64);
        let call = self.b.ins().call_indirect(signature, function, &arguments);
        let result = self.b.inst_results(call)[0];
        self.go_on(place);
        result
    }

    fn go_on(&mut self, place: &Place<'_>) {
        let more = self.b.ins().load(I64, FLAGS, self.frame, at::MORE);
        let is_broken = self.b.ins().load(I64, FLAGS, self.frame, at::BROKEN);
        self.add_cycles(more);
        let (broken, whole) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(broken);
        self.b.set_cold_block(whole);
        self.b.ins().brif(is_broken, broken, &[], whole, &[]);
        self.b.switch_to_block(broken);
        self.leave_broken(place);
        self.b.switch_to_block(whole);
    }
}

const fn narrow(width: Width) -> Type {
    match width {
        Width::W8 => I8,
        Width::W16 => I16,
        Width::W32 | Width::W64 => I32,
    }
}
