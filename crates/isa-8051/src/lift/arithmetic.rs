//! Arithmetic and logic, and the flags that they leave (272383-002, chapter 2, "Instruction Definitions").
//!
//! Guest state is written behind what is computed from it.

use cocrypt_ir::{Binary, Condition, Value, Width};

use super::Lifter;
use crate::cells::{A, AC, B, CY, DPTR, OV};
use crate::decode::Decoded;

const ZERO: Value = Value::Const(0);
const ONE: Value = Value::Const(1);

impl Lifter {
    /// `add`, and `addc` with the carry.
    pub(super) fn add(&mut self, insn: &Decoded, carry: Value) {
        let (a, b) = (Value::Slot(A), self.value(insn, 1));
        let sum = self.builder.binary(Binary::Add, a, b);
        let sum = if carry == ZERO { sum } else { self.builder.binary(Binary::Add, sum, carry) };
        let result = self.bytes(Binary::And, sum, Value::Const(0xff));
        let changed = [self.bytes(Binary::Xor, a, result), self.bytes(Binary::Xor, b, result)];
        let over = self.bytes(Binary::And, changed[0], changed[1]);
        self.flags(a, b, sum, over);
        self.builder.write(A, result);
    }

    /// `subb`.
    pub(super) fn subtract(&mut self, insn: &Decoded) {
        let (a, b) = (Value::Slot(A), self.value(insn, 1));
        let difference = self.builder.binary(Binary::Sub, a, b);
        let difference = self.builder.binary(Binary::Sub, difference, Value::Slot(CY));
        let result = self.bytes(Binary::And, difference, Value::Const(0xff));
        let differ = self.bytes(Binary::Xor, a, b);
        let changed = self.bytes(Binary::Xor, a, result);
        let over = self.bytes(Binary::And, differ, changed);
        self.flags(a, b, difference, over);
        self.builder.write(A, result);
    }

    /// The flags of a sum or difference of more than 8 bits, and the byte whose highest bit is overflow.
    fn flags(&mut self, a: Value, b: Value, result: Value, over: Value) {
        let own = self.bytes(Binary::Xor, a, b);
        let carried = self.bytes(Binary::Xor, own, result);
        let half = self.bit_of(carried, 4);
        let over = self.bit_of(over, 7);
        let carry = self.builder.binary(Binary::Shr, result, Value::Const(8));
        let carry = self.builder.binary(Binary::And, carry, ONE);
        for (flag, value) in [(AC, half), (OV, over), (CY, carry)] {
            self.builder.write(flag, value);
        }
    }

    /// A bit of a byte, as 0 or 1.
    pub(super) fn bit_of(&mut self, value: Value, bit: u64) -> Value {
        let shifted = self.bytes(Binary::Shr, value, Value::Const(bit));
        self.bytes(Binary::And, shifted, ONE)
    }

    /// `anl`, `orl`, `xrl`.
    pub(super) fn logic(&mut self, insn: &Decoded, op: Binary) {
        let (a, b) = (self.changed(insn), self.value(insn, 1));
        let result = self.bytes(op, a, b);
        self.write(insn, 0, result);
    }

    /// `inc` and `dec`, which change no flags.
    pub(super) fn count(&mut self, insn: &Decoded, op: Binary) {
        let value = self.changed(insn);
        let result = self.bytes(op, value, ONE);
        self.write(insn, 0, result);
    }

    pub(super) fn increment_pointer(&mut self) {
        let pointer = self.words(Binary::Add, Value::Slot(DPTR), ONE);
        self.builder.write(DPTR, pointer);
    }

    pub(super) fn multiply(&mut self) {
        let product = self.words(Binary::Mul, Value::Slot(A), Value::Slot(B));
        let low = self.words(Binary::And, product, Value::Const(0xff));
        let high = self.words(Binary::Shr, product, Value::Const(8));
        let over = self.builder.wide_compare(Condition::NotEqual, Width::W8, high, ZERO);
        for (cell, value) in [(A, low), (B, high), (OV, over), (CY, ZERO)] {
            self.builder.write(cell, value);
        }
    }

    /// The manual leaves A and B open where the divisor is 0: they stay, as in other simulators.
    pub(super) fn divide(&mut self) {
        let (a, b) = (Value::Slot(A), Value::Slot(B));
        let over = self.builder.wide_compare(Condition::Equal, Width::W8, b, ZERO);
        let quotient = self.bytes(Binary::DivUnsigned, a, b);
        let remainder = self.bytes(Binary::RemUnsigned, a, b);
        let quotient = self.builder.select(over, a, quotient);
        let remainder = self.builder.select(over, b, remainder);
        for (cell, value) in [(A, quotient), (B, remainder), (OV, over), (CY, ZERO)] {
            self.builder.write(cell, value);
        }
    }

    /// `da`: each half that is above 9, or had a carry, gets 6 more; the carry is set, but not cleared.
    pub(super) fn adjust(&mut self) {
        let low = self.bytes(Binary::And, Value::Slot(A), Value::Const(15));
        let low = self.above(low, 9);
        let low = self.bytes(Binary::Or, low, Value::Slot(AC));
        let (sum, carry) = self.six_more(Value::Slot(A), low, 6);
        let carry = self.bytes(Binary::Or, carry, Value::Slot(CY));
        let high = self.above(sum, 0x9f);
        let high = self.bytes(Binary::Or, high, carry);
        let (sum, over) = self.six_more(sum, high, 0x60);
        let carry = self.bytes(Binary::Or, carry, over);
        self.builder.write(CY, carry);
        self.builder.write(A, sum);
    }

    fn above(&mut self, value: Value, bound: u64) -> Value {
        self.builder.wide_compare(Condition::LessUnsigned, Width::W8, Value::Const(bound), value)
    }

    /// A byte with a constant added if a flag is set, and the carry.
    fn six_more(&mut self, value: Value, flag: Value, constant: u64) -> (Value, Value) {
        let more = self.bytes(Binary::Mul, flag, Value::Const(constant));
        let sum = self.bytes(Binary::Add, value, more);
        (sum, self.builder.wide_compare(Condition::LessUnsigned, Width::W8, sum, value))
    }

    pub(super) fn complement(&mut self) {
        let value = self.bytes(Binary::Xor, Value::Slot(A), Value::Const(0xff));
        self.builder.write(A, value);
    }

    /// The accumulator rotated to the right, by itself.
    pub(super) fn rotate(&mut self, amount: u64) {
        let value = self.bytes(Binary::RotateRight, Value::Slot(A), Value::Const(amount));
        self.builder.write(A, value);
    }

    pub(super) fn rotate_left_through_carry(&mut self) {
        let carry = self.bit_of(Value::Slot(A), 7);
        let shifted = self.bytes(Binary::Shl, Value::Slot(A), ONE);
        let value = self.bytes(Binary::Or, shifted, Value::Slot(CY));
        self.builder.write(CY, carry);
        self.builder.write(A, value);
    }

    pub(super) fn rotate_right_through_carry(&mut self) {
        let carry = self.bit_of(Value::Slot(A), 0);
        let shifted = self.bytes(Binary::Shr, Value::Slot(A), ONE);
        let high = self.bytes(Binary::Shl, Value::Slot(CY), Value::Const(7));
        let value = self.bytes(Binary::Or, shifted, high);
        self.builder.write(CY, carry);
        self.builder.write(A, value);
    }

    /// `xch`.
    pub(super) fn exchange(&mut self, insn: &Decoded) {
        let value = self.value(insn, 1);
        let value = self.builder.copy(value);
        let old = self.builder.copy(Value::Slot(A));
        self.write(insn, 1, old);
        self.builder.write(A, value);
    }

    /// `xchd`, which exchanges the lower halves.
    pub(super) fn exchange_halves(&mut self, insn: &Decoded) {
        let value = self.value(insn, 1);
        let differ = self.bytes(Binary::Xor, value, Value::Slot(A));
        let differ = self.bytes(Binary::And, differ, Value::Const(15));
        let theirs = self.bytes(Binary::Xor, value, differ);
        let ours = self.bytes(Binary::Xor, Value::Slot(A), differ);
        self.write(insn, 1, theirs);
        self.builder.write(A, ours);
    }
}
