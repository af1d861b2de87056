//! Branches, jumps, calls and returns.

use cocrypt_ir::{Binary, Condition, Exit, Value, Width};

use super::Lifter;
use crate::ADDRESSES;
use crate::cells::{A, CY};
use crate::decode::Decoded;

const ZERO: Value = Value::Const(0);

/// The target of a relative jump.
const fn relative(insn: &Decoded, following: u64) -> u64 {
    following.wrapping_add_signed(insn.last() as i64) & ADDRESSES
}

/// The target of a jump within 2 KiB.
pub const fn page(insn: &Decoded, following: u64) -> u64 {
    following & 0xf800 | insn.values[0] as u64
}

impl Lifter {
    pub(super) fn jump_relative(insn: &Decoded, following: u64) -> Exit {
        Exit::Jump { target: relative(insn, following) }
    }

    /// A branch that is taken where a byte is not 0, or is.
    pub(super) fn branch(value: Value, set: bool, insn: &Decoded, following: u64) -> Exit {
        let condition = if set { Condition::NotEqual } else { Condition::Equal };
        let taken = relative(insn, following);
        Exit::Branch { condition, width: Width::W8, a: value, b: ZERO, taken, next: following }
    }

    /// `jz` and `jnz`.
    pub(super) fn branch_zero(is_zero: bool, insn: &Decoded, following: u64) -> Exit {
        Self::branch(Value::Slot(A), !is_zero, insn, following)
    }

    /// `jc` and `jnc`.
    pub(super) fn branch_carry(is_set: bool, insn: &Decoded, following: u64) -> Exit {
        Self::branch(Value::Slot(CY), is_set, insn, following)
    }

    /// `jb` and `jnb`.
    pub(super) fn branch_bit(&mut self, is_set: bool, insn: &Decoded, following: u64) -> Exit {
        let bit = self.bit(insn, 0);
        Self::branch(bit, is_set, insn, following)
    }

    /// `jbc`, which clears the bit if it is set.
    pub(super) fn branch_and_clear(&mut self, insn: &Decoded, following: u64) -> Exit {
        let bit = self.changed_bit(insn.values[0]);
        let bit = self.builder.copy(bit);
        self.note_time(bit);
        self.clear_bit(insn);
        self.branch_or_yield(bit, insn, following)
    }

    /// `djnz`.
    pub(super) fn count_down(&mut self, insn: &Decoded, following: u64) -> Exit {
        let value = self.changed(insn);
        let value = self.bytes(Binary::Sub, value, Value::Const(1));
        self.note_time(value);
        self.write(insn, 0, value);
        self.branch_or_yield(value, insn, following)
    }

    /// Marks the operations so far as those that compute what decides about the branch.
    fn note_time(&mut self, value: Value) {
        self.operand = Some(value);
        self.lead = (self.builder.ops.len() - self.first) as u16;
    }

    /// A branch where a value is not 0; one whose instruction may have changed the bank or what decides about
    /// interrupts computes where it goes, and what it costs.
    fn branch_or_yield(&mut self, value: Value, insn: &Decoded, following: u64) -> Exit {
        if !self.yields {
            (self.operand, self.lead) = (None, 0);
            return Self::branch(value, true, insn, following);
        }
        let taken = Value::Const(relative(insn, following));
        Exit::Yield { target: self.builder.select(value, taken, Value::Const(following)) }
    }

    /// `cjne`: the carry is set if the first operand is below the second one.
    pub(super) fn compare(&mut self, insn: &Decoded, following: u64) -> Exit {
        let (a, b) = (self.value(insn, 0), self.value(insn, 1));
        let below = self.builder.wide_compare(Condition::LessUnsigned, Width::W8, a, b);
        let differ = self.bytes(Binary::Xor, a, b);
        self.builder.write(CY, below);
        Self::branch(differ, true, insn, following)
    }

    pub(super) fn call(&mut self, target: u64, following: u64) -> Exit {
        self.push_counter(following);
        Exit::Jump { target }
    }
}
