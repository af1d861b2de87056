//! Branches, with and without delay slots, and the ways back from functions and handlers.
//!
//! The cell TARGET says where a branch with a delay slot leads, should the block end in front of the slot.

use cocrypt_ir::{Binary, Condition, Exit, Op, Slot, Value, Width};
use cocrypt_isa::{BranchCondition, DelaySlot};

use super::{Lifter, behind};
use crate::cells::{self, PR, SPC, SSR, STACK, T, TARGET, register};
use crate::class::Class;
use crate::decode::{Decoded, target};
use crate::generation::Generation;
use crate::mode;
use crate::status;
use crate::table::Opcode;

impl Lifter {
    /// A conditional branch whose operations begin at `first`.
    pub(super) fn branch(&mut self, insn: Decoded, first: usize) {
        let is_true = matches!(insn.opcode, Opcode::Bt | Opcode::BtDelayed);
        let condition = if is_true { Condition::NotEqual } else { Condition::Equal };
        let taken = u64::from(target(insn, self.next));
        let (width, a, b) = (Width::W32, Value::Slot(T), Value::Const(0));
        if insn.opcode.row().class == Class::Branch {
            let next = behind(self.next);
            return self.end(Exit::Branch { condition, width, a, b, taken, next });
        }
        let next = behind(behind(self.next));
        let holds = Slot(cells::COUNT);
        self.builder.ops.push(Op::Compare { condition, width, dst: holds, a, b });
        let value = Value::Slot(holds);
        let lead = self.leads(first);
        let target = self.builder.select(value, Value::Const(taken), Value::Const(next));
        self.builder.write(TARGET, target);
        self.mode = mode::in_slot(DelaySlot::Jump, self.mode);
        if taken != next {
            // The exit's cost says whether the branch was taken.
            let condition = Condition::NotEqual;
            self.exit = Some(Exit::Branch { condition, width, a: value, b, taken, next });
        }
        self.condition = Some(BranchCondition { value, lead, branch: self.block.insns.len() });
    }

    /// A branch without condition, or a return.
    pub(super) fn jump(&mut self, insn: Decoded) {
        let link = Value::Const(behind(behind(self.next)));
        let target = match insn.opcode {
            Opcode::Bra | Opcode::Bsr => Value::Const(target(insn, self.next).into()),
            Opcode::Braf | Opcode::Bsrf => self.builder.binary(Binary::Add, register(insn.n), link),
            Opcode::Jmp | Opcode::Jsr => register(insn.n),
            Opcode::Rts => Value::Slot(PR),
            _ => return self.give_back(),
        };
        self.builder.write(TARGET, target);
        let slot = match insn.opcode {
            Opcode::Bsr | Opcode::Bsrf | Opcode::Jsr => DelaySlot::Call,
            Opcode::Rts => DelaySlot::Return,
            _ => DelaySlot::Jump,
        };
        if slot == DelaySlot::Call {
            self.builder.write(PR, link);
        }
        self.mode = mode::in_slot(slot, self.mode);
        self.exit = Some(match target {
            Value::Const(target) => Exit::Jump { target },
            Value::Slot(_) => Exit::Indirect { target: Value::Slot(TARGET) },
        });
    }

    /// The way back from a handler, by SPC and SSR or by the frame on the stack. Registers in the delay slot are those
    /// of the restored bank.
    fn give_back(&mut self) {
        let (target, status) = match self.generation {
            Generation::Sh2 => self.pop_frame(),
            Generation::Sh3 | Generation::Sh3Dsp | Generation::Sh4 => {
                (Value::Slot(SPC), Value::Slot(SSR))
            }
        };
        self.builder.write(TARGET, target);
        status::write(&mut self.builder, self.generation, status);
        self.mode = mode::in_slot(DelaySlot::Yield, self.mode);
    }

    /// PC and SR, which are taken from the stack.
    fn pop_frame(&mut self) -> (Value, Value) {
        let stack = Value::Slot(STACK);
        let [back, status] =
            [0, 4].map(|offset| self.builder.load(Width::W32, false, stack, offset));
        let behind = self.builder.binary(Binary::Add, stack, Value::Const(8));
        self.builder.write(STACK, behind);
        (back, status)
    }
}
