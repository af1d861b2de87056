//! Sums, differences, comparisons, logic, counting; strings of `movs` and `cmps`.
//!
//! Source: R01US0015, section 5.5 and chapter 6, each instruction's flags.

use cocrypt_ir::{Binary, Condition, Value, Width};

use super::Lifter;
use super::operand::A;
use crate::cells::{AC, CY, Z};
use crate::decode::Decoded;

const BYTE: Width = Width::W8;
const ZERO: Value = Value::Const(0);
const ONE: Value = Value::Const(1);

/// The use of the carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// None.
    Without,
    /// It is added, or subtracted.
    With,
}

/// A sum or a difference.
#[derive(Clone, Copy, Debug)]
pub struct Sum {
    /// Sum or difference.
    pub op: Binary,
    /// Width of the operands.
    pub width: Width,
    /// The use of the carry.
    pub carry: Carry,
    /// True if the first operand takes the result.
    pub writes: bool,
}

impl Lifter<'_> {
    pub(super) fn sum(&mut self, insn: &Decoded, sum: Sum) -> bool {
        let second = self.source(insn, 1, sum.width);
        let location = self.location(insn, 0);
        let first = self.read(location, sum.width);
        // Registers change below, and flags are computed from what they were.
        let [first, second] = [first, second].map(|value| self.builder.copy(value));
        let result = self.sum_of(sum, first, second);
        sum.writes && self.write(location, sum.width, result)
    }

    /// The result of a sum, whose flags are written.
    fn sum_of(&mut self, sum: Sum, first: Value, second: Value) -> Value {
        // In 32 bits the carry, or the borrow, is the bit above the operands.
        let mut wide = self.builder.binary(sum.op, first, second);
        if sum.carry == Carry::With {
            wide = self.builder.binary(sum.op, wide, Value::Slot(CY));
        }
        let mask = Value::Const(sum.width.mask());
        let result = self.builder.binary(Binary::And, wide, mask);
        self.half_carry(first, second, result);
        let above = Value::Const(sum.width.bits().into());
        let carry = self.builder.binary(Binary::Shr, wide, above);
        let carry = self.builder.binary(Binary::And, carry, ONE);
        self.builder.write(CY, carry);
        self.zero_flag(result, sum.width);
        result
    }

    /// AC: a carry, or a borrow, between bits 3 and 4.
    fn half_carry(&mut self, first: Value, second: Value, result: Value) {
        let both = self.builder.binary(Binary::Xor, first, second);
        let carries = self.builder.binary(Binary::Xor, both, result);
        let shifted = self.builder.binary(Binary::Shr, carries, Value::Const(4));
        let bit = self.builder.binary(Binary::And, shifted, ONE);
        self.builder.write(AC, bit);
    }

    pub(super) fn zero_flag(&mut self, result: Value, width: Width) {
        let zero = self.builder.wide_compare(Condition::Equal, width, result, ZERO);
        self.builder.write(Z, zero);
    }

    pub(super) fn compare_zero(&mut self, insn: &Decoded) {
        let value = self.source(insn, 0, BYTE);
        self.zero_flag(value, BYTE);
        self.builder.write(AC, ZERO);
        self.builder.write(CY, ZERO);
    }

    pub(super) fn logic(&mut self, insn: &Decoded, op: Binary) -> bool {
        let second = self.source(insn, 1, BYTE);
        let location = self.location(insn, 0);
        let first = self.read(location, BYTE);
        let result = self.bytes(op, first, second);
        self.zero_flag(result, BYTE);
        self.write(location, BYTE, result)
    }

    /// Counts a byte by one, with Z and AC.
    pub(super) fn count(&mut self, insn: &Decoded, op: Binary) -> bool {
        let location = self.location(insn, 0);
        let first = self.read(location, BYTE);
        let first = self.builder.copy(first);
        let result = self.bytes(op, first, ONE);
        self.half_carry(first, ONE, result);
        self.zero_flag(result, BYTE);
        self.write(location, BYTE, result)
    }

    /// Counts a word by one, without flags.
    pub(super) fn count_word(&mut self, insn: &Decoded, op: Binary) -> bool {
        let location = self.location(insn, 0);
        let first = self.read(location, Width::W16);
        let result = self.words(op, first, ONE);
        self.write(location, Width::W16, result)
    }

    /// `movs`: Z if X is 0; CY if A or X is 0.
    pub(super) fn move_string(&mut self, insn: &Decoded) {
        let value = self.source(insn, 1, BYTE);
        let location = self.location(insn, 0);
        self.write(location, BYTE, value);
        let ends = self.is_either_zero(value);
        self.zero_flag(value, BYTE);
        self.builder.write(CY, ends);
    }

    /// `cmps`: Z and AC as `cmp`; CY if the operands differ, or if A or X is 0.
    pub(super) fn compare_string(&mut self, insn: &Decoded) {
        let second = self.source(insn, 1, BYTE);
        let first = self.source(insn, 0, BYTE);
        let result = self.bytes(Binary::Sub, first, second);
        let differs = self.builder.wide_compare(Condition::NotEqual, BYTE, result, ZERO);
        let ends = self.is_either_zero(first);
        let carry = self.bytes(Binary::Or, differs, ends);
        self.half_carry(first, second, result);
        self.zero_flag(result, BYTE);
        self.builder.write(CY, carry);
    }

    fn is_either_zero(&mut self, value: Value) -> Value {
        let a = Value::Slot(self.register(A));
        let [a, value] =
            [a, value].map(|v| self.builder.wide_compare(Condition::Equal, BYTE, v, ZERO));
        self.bytes(Binary::Or, a, value)
    }
}
