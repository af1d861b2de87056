//! Branches, with and without delay slots, and returns from functions and handlers.
//!
//! The cell TARGET says where a branch with a delay slot leads, should the block end in front of the slot.

use cocrypt_ir::{Binary, Condition, Exit, Op, Slot, Transfer, Value, Width};
use cocrypt_isa::{BranchCondition, DelaySlot};

use super::{Lifter, behind};
use crate::cells::{ESR, MSR, RESERVATION, TARGET, msr, register};
use crate::class::Class;
use crate::decode::Decoded;
use crate::mode;
use crate::table::{Format, Opcode};

/// Bits of the field of rA of branches without condition.
const ABSOLUTE: u8 = 1 << 3;
/// The bit of the field of rD of conditional branches for a delay slot; the others are the condition.
const DELAYED: u8 = 1 << 4;

impl Lifter {
    /// A conditional branch whose operations begin at `first`.
    pub(super) fn branch(&mut self, insn: Decoded, imm: u32, first: usize) {
        let has_slot = insn.d & DELAYED != 0;
        let known = (insn.opcode.row().format == Format::ConditionDistance)
            .then(|| self.next.wrapping_add(u64::from(imm)) & 0xffff_ffff);
        let next = if has_slot { behind(behind(self.next)) } else { behind(self.next) };
        let ((condition, b), a) = (condition(insn.d & 7), register(insn.a));
        if let (Some(taken), false) = (known, has_slot) {
            let width = Width::W32;
            return self.end(Exit::Branch { condition, width, a, b, taken, next });
        }
        let holds = self.decided(condition, a, b);
        let lead = self.leads(first);
        let target = match known {
            Some(taken) => Value::Const(taken),
            None => self.relative(register(insn.b)),
        };
        let target = self.builder.select(holds, target, Value::Const(next));
        if !has_slot {
            (self.operand, self.lead) = (Some(holds), lead);
            return self.end(Exit::Indirect { target });
        }
        self.builder.write(TARGET, target);
        self.mode = mode::in_slot(DelaySlot::Jump, self.mode);
        match known {
            // The exit's cost says whether the branch was taken.
            Some(taken) if taken != next => {
                let (condition, width, b) = (Condition::NotEqual, Width::W32, Value::Const(0));
                self.exit = Some(Exit::Branch { condition, width, a: holds, b, taken, next });
                let branch = self.block.insns.len();
                self.condition = Some(BranchCondition { value: holds, lead, branch });
            }
            _ => (self.operand, self.lead) = (Some(holds), lead),
        }
    }

    /// A branch without condition, or a break.
    pub(super) fn jump(&mut self, insn: Decoded, imm: u32) {
        let opcode = insn.opcode;
        let class = opcode.row().class;
        let is_absolute = class == Class::Break || insn.a & ABSOLUTE != 0;
        let second = match opcode.row().format {
            Format::Target | Format::LinkTarget => register(insn.b),
            _ => Value::Const(imm.into()),
        };
        // The link may be written to the register that leads there.
        let target = if is_absolute { self.builder.copy(second) } else { self.relative(second) };
        let links = matches!(
            opcode.row().format,
            Format::LinkTarget | Format::LinkDistance | Format::LinkAddress
        );
        if links {
            self.set(insn.d, Value::Const(self.next));
        }
        if class == Class::JumpDelayed {
            let slot = if links { DelaySlot::Call } else { DelaySlot::Jump };
            return self.delay(target, slot);
        }
        if class == Class::Break {
            // A break by software does not set MSR[BIP] (UG984, revision history of 2018.1).
            self.builder.write(RESERVATION, Value::Const(0));
            self.block.transfer = Transfer::Call;
        }
        self.end(exit(target));
    }

    /// The return from a function or a handler, to rA and the immediate.
    pub(super) fn give_back(&mut self, insn: Decoded, imm: u32) {
        let target = self.sum(register(insn.a), Value::Const(imm.into()));
        match insn.opcode {
            Opcode::Rtid => self.change_status(msr::IE, 0),
            Opcode::Rtbd => self.change_status(0, msr::BIP),
            Opcode::Rted => {
                self.change_status(msr::EE, msr::EIP);
                self.builder.write(ESR, Value::Const(0));
            }
            _ => return self.delay(target, DelaySlot::Return),
        }
        self.delay(target, DelaySlot::Yield);
    }

    /// Goes to a target behind the next instruction.
    fn delay(&mut self, target: Value, slot: DelaySlot) {
        self.builder.write(TARGET, target);
        self.mode = mode::in_slot(slot, self.mode);
        self.exit = (slot != DelaySlot::Yield).then(|| match target {
            Value::Const(_) => exit(target),
            Value::Slot(_) => Exit::Indirect { target: Value::Slot(TARGET) },
        });
    }

    /// The condition, in the temporary that stays until the exit.
    fn decided(&mut self, condition: Condition, a: Value, b: Value) -> Value {
        let dst = Slot(crate::cells::COUNT);
        let width = Width::W32;
        self.builder.ops.push(Op::Compare { condition, width, dst, a, b });
        Value::Slot(dst)
    }

    fn relative(&mut self, distance: Value) -> Value {
        self.sum(Value::Const(self.next), distance)
    }

    fn sum(&mut self, a: Value, b: Value) -> Value {
        self.builder.binary(Binary::Add, a, b)
    }

    /// Sets some bits of the status register and clears others, but those of caches and the carry.
    fn change_status(&mut self, set: u32, clear: u32) {
        self.change(MSR, set, clear);
    }

    /// Sets some bits of a cell and clears others.
    pub(super) fn change(&mut self, cell: Slot, set: u32, clear: u32) {
        if set | clear == 0 {
            return;
        }
        let kept = Value::Const((!clear).into());
        let value = self.builder.binary(Binary::And, Value::Slot(cell), kept);
        let value = self.builder.binary(Binary::Or, value, Value::Const(set.into()));
        self.builder.write(cell, value);
    }
}

/// The exit to a target.
const fn exit(target: Value) -> Exit {
    match target {
        Value::Const(target) => Exit::Jump { target },
        Value::Slot(_) => Exit::Indirect { target },
    }
}

/// The condition of a number, of rA against a constant: what is not above 0 is below 1.
fn condition(number: u8) -> (Condition, Value) {
    let [zero, one] = [0, 1].map(Value::Const);
    match number {
        0 => (Condition::Equal, zero),
        1 => (Condition::NotEqual, zero),
        2 => (Condition::LessSigned, zero),
        3 => (Condition::LessSigned, one),
        4 => (Condition::GreaterEqualSigned, one),
        _ => (Condition::GreaterEqualSigned, zero),
    }
}
