//! Transfers between functions, for calling contexts: the usual call and return inline, the rest by a
//! call to the host.

use cocrypt_codegen::clif::{InstBuilder, IntCC, Value, Variable, types::I32, types::I64};
use cocrypt_engine::{Callee, ContextTransition, Count, Head, Open};
use cocrypt_ir::Exit;

use super::{Cursor, Emitter, FLAGS};
use crate::frame::at;
use crate::pool::{Function, Literal};

/// Offsets of what is read and written inline.
mod field {
    use std::mem::offset_of;

    use super::{Head, Open};

    pub const BASE: i32 = offset_of!(Head, base) as i32;
    pub const CALLS: i32 = offset_of!(Head, calls) as i32;
    pub const CONTEXT: i32 = offset_of!(Open, context) as i32;
    pub const BEHIND: i32 = offset_of!(Open, behind) as i32;
}

const OPEN: i32 = size_of::<Open>() as i32;

impl Emitter<'_, '_> {
    /// Notes in the calling contexts that a fixed link is followed.
    pub(super) fn transfer_by(&mut self, cursor: &Cursor<'_>, link: usize) {
        let target = match cursor.member.source.block.exit {
            Exit::Branch { taken, .. } if link == 1 => taken,
            Exit::Next { pc } | Exit::Branch { next: pc, .. } | Exit::YieldIf { next: pc, .. } => {
                pc
            }
            Exit::Jump { target } => target,
            Exit::Indirect { .. } | Exit::Yield { .. } | Exit::Stop(_) => return,
        };
        if cursor.member.source.transitions[link] != ContextTransition::Stay {
            let target = self.constant(I64, target);
            self.transfer(cursor, link, target);
        }
    }

    /// The same of a computed jump to another member.
    pub(super) fn transfer_inside(&mut self, cursor: &Cursor<'_>, member: usize, target: Value) {
        let source = &cursor.member.source;
        let same = self.region.members[member].source.function == source.function;
        if source.transitions[0] != ContextTransition::Cross || !same {
            self.transfer(cursor, 0, target);
        }
    }

    /// The same of any link, which leads to `target`.
    pub(super) fn transfer(&mut self, cursor: &Cursor<'_>, link: usize, target: Value) {
        let Some(counts) = self.counts else { return };
        match cursor.member.source.transitions[link] {
            ContextTransition::Stay => {}
            ContextTransition::Call => self.transfer_call(cursor, counts, target),
            ContextTransition::Return => self.transfer_return(cursor, counts, target),
            ContextTransition::Cross => {
                self.transfer_by_host(cursor, ContextTransition::Cross, counts, target);
            }
        }
    }

    fn transfer_by_host(
        &mut self,
        cursor: &Cursor<'_>,
        transition: ContextTransition,
        counts: Variable,
        target: Value,
    ) {
        let transition = self.constant(I64, transition.number());
        let jump = self.literal(Literal::Jump(cursor.number), FLAGS);
        let function = self.literal(Literal::Function(Function::Transfer), FLAGS);
        let arguments = [self.frame, transition, jump, target];
        let call = self.b.ins().call_indirect(self.called.four, function, &arguments);
        let led = self.b.inst_results(call)[0];
        self.b.def_var(counts, led);
    }

    fn frame_field(&mut self, at: i32) -> Value {
        self.b.ins().load(I64, FLAGS, self.frame, at)
    }

    /// A call that led to the same address before, while there is room for one more open call.
    fn transfer_call(&mut self, cursor: &Cursor<'_>, counts: Variable, target: Value) {
        let [known, fast, slow, after] = [(); 4].map(|()| self.b.create_block());
        self.b.set_cold_block(slow);
        let source = &cursor.member.source;
        let (now, all) = (self.b.use_var(counts), self.frame_field(at::ALL_COUNTS));
        let callees = self.frame_field(at::CALLEES);
        let offset = self.b.ins().isub(now, all);
        // A callee is half as large as a count.
        const { assert!(size_of::<Callee>() * 2 == size_of::<Count>()) };
        let one = self.constant(I64, 1);
        let offset = self.b.ins().ushr(offset, one);
        let entry = self.b.ins().iadd(callees, offset);
        let at_place = source.jump.counter as i32 * size_of::<Callee>() as i32;
        let context = self.b.ins().load(I32, FLAGS, entry, at_place);
        let led = self.b.ins().load(I32, FLAGS, entry, at_place + 4);
        let wanted = self.b.ins().ireduce(I32, target);
        let same = self.b.ins().icmp(IntCC::Equal, led, wanted);
        self.b.ins().brif(same, known, &[], slow, &[]);
        self.b.switch_to_block(known);
        let (top, end) = (self.frame_field(at::TOP), self.frame_field(at::END));
        let full = self.b.ins().icmp(IntCC::Equal, top, end);
        // An entry that was never used leads to address 0 in no context.
        let nobody = self.b.ins().icmp_imm_u(IntCC::Equal, context, 0);
        let not = self.b.ins().bor(full, nobody);
        self.b.ins().brif(not, slow, &[], fast, &[]);
        self.b.switch_to_block(fast);
        let caller = self.frame_field(at::CONTEXT);
        let behind = self.constant(I64, source.jump.behind);
        self.b.ins().store(FLAGS, caller, top, field::CONTEXT);
        self.b.ins().store(FLAGS, behind, top, field::BEHIND);
        let size = self.constant(I64, OPEN as u64);
        let top = self.b.ins().iadd(top, size);
        self.b.ins().store(FLAGS, top, self.frame, at::TOP);
        let context = self.b.ins().uextend(I64, context);
        let head = self.go_to_context(context, counts);
        let calls = self.b.ins().load(I64, FLAGS, head, field::CALLS);
        let calls = self.b.ins().iadd(calls, one);
        self.b.ins().store(FLAGS, calls, head, field::CALLS);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(slow);
        self.transfer_by_host(cursor, ContextTransition::Call, counts, target);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
    }

    /// A return from the call that was opened last.
    fn transfer_return(&mut self, cursor: &Cursor<'_>, counts: Variable, target: Value) {
        let [some, fast, slow, after] = [(); 4].map(|()| self.b.create_block());
        self.b.set_cold_block(slow);
        let (top, bottom) = (self.frame_field(at::TOP), self.frame_field(at::BOTTOM));
        let none = self.b.ins().icmp(IntCC::Equal, top, bottom);
        self.b.ins().brif(none, slow, &[], some, &[]);
        self.b.switch_to_block(some);
        let behind = self.b.ins().load(I64, FLAGS, top, field::BEHIND - OPEN);
        let expected = self.b.ins().icmp(IntCC::Equal, behind, target);
        self.b.ins().brif(expected, fast, &[], slow, &[]);
        self.b.switch_to_block(fast);
        let context = self.b.ins().load(I64, FLAGS, top, field::CONTEXT - OPEN);
        let size = self.constant(I64, OPEN as u64);
        let top = self.b.ins().isub(top, size);
        self.b.ins().store(FLAGS, top, self.frame, at::TOP);
        self.go_to_context(context, counts);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(slow);
        self.transfer_by_host(cursor, ContextTransition::Return, counts, target);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
    }

    /// Makes a context the current one; the address of its head.
    fn go_to_context(&mut self, context: Value, counts: Variable) -> Value {
        let (heads, all) = (self.frame_field(at::HEADS), self.frame_field(at::ALL_COUNTS));
        let scale = self.constant(I64, u64::from(size_of::<Head>().trailing_zeros()));
        let offset = self.b.ins().ishl(context, scale);
        let head = self.b.ins().iadd(heads, offset);
        let base = self.b.ins().load(I64, FLAGS, head, field::BASE);
        let scale = self.constant(I64, u64::from(size_of::<Count>().trailing_zeros()));
        let offset = self.b.ins().ishl(base, scale);
        let led = self.b.ins().iadd(all, offset);
        self.b.def_var(counts, led);
        self.b.ins().store(FLAGS, context, self.frame, at::CONTEXT);
        self.b.ins().store(FLAGS, led, self.frame, at::COUNTS);
        head
    }
}
