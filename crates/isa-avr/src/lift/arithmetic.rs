//! Arithmetic and logic on registers, and the flags that they leave (DS40002198, section 6).
//!
//! Each flag is computed from operands and result alone, so that those which nobody reads cost nothing.

use cocrypt_ir::{Binary, Condition, Slot, Unary, Value, Width};

use super::Lifter;
use crate::cells::{C, H, N, S, T, V, Z, register};
use crate::decode::Decoded;
use crate::table::{Format, Opcode};

/// True if a sum takes the carry in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Carry {
    /// It does.
    With,
    /// It does not.
    Without,
}

/// A bitwise operation.
pub struct Logic(pub Binary);

const ZERO: Value = Value::Const(0);
const ONE: Value = Value::Const(1);

impl Lifter<'_> {
    pub(super) fn copy(&mut self, insn: &Decoded) {
        self.builder.write(Slot(insn.d.into()), register(insn.r));
    }

    pub(super) fn copy_pair(&mut self, insn: &Decoded) {
        for half in [0, 1] {
            self.builder.write(Slot((insn.d + half).into()), register(insn.r + half));
        }
    }

    pub(super) fn set(&mut self, number: u8, constant: i32) {
        self.builder.write(Slot(number.into()), Value::Const(constant as u64));
    }

    pub(super) fn set_flag(&mut self, flag: Slot, on: bool) {
        self.builder.write(flag, Value::Const(on.into()));
    }

    pub(super) fn add(&mut self, insn: &Decoded, carry: Carry) {
        let (a, b) = (register(insn.d), register(insn.r));
        let (result, carried) = if carry == Carry::With {
            self.with_carry(Binary::Add, a, b, 8)
        } else {
            let sum = self.bytes(Binary::Add, a, b);
            (sum, self.compare(Condition::LessUnsigned, sum, a))
        };
        self.half_carry(a, b, result);
        let changed = [self.bytes(Binary::Xor, a, result), self.bytes(Binary::Xor, b, result)];
        let over = self.bytes(Binary::And, changed[0], changed[1]);
        self.signed_flags(result, over);
        self.zero_flag(result);
        self.builder.write(C, carried);
        self.builder.write(Slot(insn.d.into()), result);
    }

    /// A sum or a difference with the carry, and the carry out of it: a bit of the word of 16 bits.
    fn with_carry(&mut self, op: Binary, a: Value, b: Value, bit: u64) -> (Value, Value) {
        let word = if b == ZERO { a } else { self.words(op, a, b) };
        let word = self.words(op, word, Value::Slot(C));
        let result = self.words(Binary::And, word, Value::Const(0xff));
        (result, self.words(Binary::Shr, word, Value::Const(bit)))
    }

    /// The half carry or borrow is the difference of the higher four bits from the sum of their own.
    fn half_carry(&mut self, a: Value, b: Value, result: Value) {
        let own = self.bytes(Binary::Xor, a, b);
        let carried = self.bytes(Binary::Xor, own, result);
        self.flag_bit(H, carried, 4);
    }

    /// The second operand of a comparison, sum or bitwise operation.
    fn second(insn: &Decoded) -> Value {
        match insn.opcode.row().format {
            Format::Immediate => Value::Const(insn.constant as u64),
            _ => register(insn.r),
        }
    }

    pub(super) fn subtract(&mut self, insn: &Decoded, writes: bool) {
        let (a, b) = (register(insn.d), Self::second(insn));
        let result = self.bytes(Binary::Sub, a, b);
        let halves = [self.bytes(Binary::And, a, Value::Const(15)), self.low_half(b)];
        let half = self.compare(Condition::LessUnsigned, halves[0], halves[1]);
        let sign = self.compare(Condition::LessSigned, a, b);
        let zero = self.compare(Condition::Equal, a, b);
        let carry = self.compare(Condition::LessUnsigned, a, b);
        let over = self.overflow_of_difference(a, b, result);
        self.flag_bit(V, over, 7);
        self.flag_bit(N, result, 7);
        for (flag, value) in [(H, half), (S, sign), (Z, zero), (C, carry)] {
            self.builder.write(flag, value);
        }
        if writes {
            self.builder.write(Slot(insn.d.into()), result);
        }
    }

    fn low_half(&mut self, value: Value) -> Value {
        self.bytes(Binary::And, value, Value::Const(15))
    }

    fn overflow_of_difference(&mut self, a: Value, b: Value, result: Value) -> Value {
        let differ = self.bytes(Binary::Xor, a, b);
        let changed = self.bytes(Binary::Xor, a, result);
        self.bytes(Binary::And, differ, changed)
    }

    pub(super) fn subtract_with_carry(&mut self, insn: &Decoded, writes: bool) {
        let (a, b) = (register(insn.d), Self::second(insn));
        let (result, carried) = self.with_carry(Binary::Sub, a, b, 15);
        self.half_carry(a, b, result);
        let over = self.overflow_of_difference(a, b, result);
        self.signed_flags(result, over);
        // It stays 0 where a lower byte was not zero.
        let is_zero = self.compare(Condition::Equal, result, ZERO);
        let zero = self.bytes(Binary::And, is_zero, Value::Slot(Z));
        self.builder.write(Z, zero);
        self.builder.write(C, carried);
        if writes {
            self.builder.write(Slot(insn.d.into()), result);
        }
    }

    pub(super) fn logic(&mut self, insn: &Decoded, Logic(op): Logic) {
        let (a, b) = (register(insn.d), Self::second(insn));
        let result = match op {
            // How programs clear a register.
            Binary::Xor if a == b => ZERO,
            _ => self.bytes(op, a, b),
        };
        self.logic_flags(result);
        self.builder.write(Slot(insn.d.into()), result);
    }

    /// N, Z and S of a result that cannot overflow.
    fn logic_flags(&mut self, result: Value) {
        self.flag_bit(N, result, 7);
        self.flag_bit(S, result, 7);
        self.builder.write(V, ZERO);
        self.zero_flag(result);
    }

    pub(super) fn word(&mut self, insn: &Decoded, op: Binary) {
        let (low, high) = (Slot(insn.d.into()), Slot((insn.d + 1).into()));
        let a = self.pair(low);
        let b = Value::Const(insn.constant as u64);
        let result = self.words(op, a, b);
        // An immediate of 6 bits changes the highest bit one way alone without a carry.
        let (over, carry) = match op {
            Binary::Add => (
                self.words_without(result, a),
                self.words_compare(Condition::LessUnsigned, result, a),
            ),
            _ => (self.words_without(a, result), self.words_compare(Condition::LessUnsigned, a, b)),
        };
        let over = self.words(Binary::Shr, over, Value::Const(15));
        let negative = self.words(Binary::Shr, result, Value::Const(15));
        let sign = self.words(Binary::Xor, over, negative);
        let zero = self.words_compare(Condition::Equal, result, ZERO);
        for (flag, value) in [(V, over), (N, negative), (S, sign), (Z, zero), (C, carry)] {
            self.builder.write(flag, value);
        }
        self.write_pair(low, high, result);
    }

    pub(super) fn complement(&mut self, insn: &Decoded) {
        let result = self.builder.wide_unary(Unary::Not, Width::W8, register(insn.d));
        self.logic_flags(result);
        self.builder.write(C, ONE);
        self.builder.write(Slot(insn.d.into()), result);
    }

    pub(super) fn negate(&mut self, insn: &Decoded) {
        let a = register(insn.d);
        let result = self.builder.wide_unary(Unary::Neg, Width::W8, a);
        let either = self.bytes(Binary::Or, result, a);
        self.flag_bit(H, either, 3);
        let over = self.bytes(Binary::And, result, a);
        self.signed_flags(result, over);
        self.zero_flag(result);
        let carry = self.compare(Condition::NotEqual, result, ZERO);
        self.builder.write(C, carry);
        self.builder.write(Slot(insn.d.into()), result);
    }

    pub(super) fn count(&mut self, insn: &Decoded, op: Binary) {
        let a = register(insn.d);
        let result = self.bytes(op, a, ONE);
        let over = match op {
            Binary::Add => self.without(result, a),
            _ => self.without(a, result),
        };
        self.signed_flags(result, over);
        self.zero_flag(result);
        self.builder.write(Slot(insn.d.into()), result);
    }

    pub(super) fn swap(&mut self, insn: &Decoded) {
        let swapped = self.bytes(Binary::RotateRight, register(insn.d), Value::Const(4));
        self.builder.write(Slot(insn.d.into()), swapped);
    }

    /// A shift to the right by one; what was lowest is the carry.
    pub(super) fn shift(&mut self, insn: &Decoded) {
        let a = register(insn.d);
        let result = match insn.opcode {
            Opcode::Asr => self.bytes(Binary::Sar, a, ONE),
            Opcode::Lsr => self.bytes(Binary::Shr, a, ONE),
            _ => {
                let rest = self.bytes(Binary::Shr, a, ONE);
                let top = self.bytes(Binary::Shl, Value::Slot(C), Value::Const(7));
                self.bytes(Binary::Or, rest, top)
            }
        };
        let carry = self.bytes(Binary::And, a, ONE);
        let negative = self.bytes(Binary::Shr, result, Value::Const(7));
        let over = self.bytes(Binary::Xor, negative, carry);
        self.zero_flag(result);
        // The sign is N or V but not both, which is the carry.
        for (flag, value) in [(N, negative), (V, over), (S, carry), (C, carry)] {
            self.builder.write(flag, value);
        }
        self.builder.write(Slot(insn.d.into()), result);
    }

    pub(super) fn load_bit(&mut self, insn: &Decoded) {
        let others = Value::Const(u64::from(!(1u8 << insn.bit)));
        let rest = self.bytes(Binary::And, register(insn.d), others);
        let bit = self.bytes(Binary::Shl, Value::Slot(T), Value::Const(insn.bit.into()));
        let result = self.bytes(Binary::Or, rest, bit);
        self.builder.write(Slot(insn.d.into()), result);
    }

    pub(super) fn store_bit(&mut self, insn: &Decoded) {
        let shifted = self.bytes(Binary::Shr, register(insn.d), Value::Const(insn.bit.into()));
        let bit = self.bytes(Binary::And, shifted, ONE);
        self.builder.write(T, bit);
    }

    /// N and V, where the highest bit of `over` says that, and S.
    fn signed_flags(&mut self, result: Value, over: Value) {
        self.flag_bit(N, result, 7);
        self.flag_bit(V, over, 7);
        let sign = self.bytes(Binary::Xor, result, over);
        self.flag_bit(S, sign, 7);
    }

    fn zero_flag(&mut self, result: Value) {
        let zero = self.compare(Condition::Equal, result, ZERO);
        self.builder.write(Z, zero);
    }

    /// A flag is a bit of a byte.
    fn flag_bit(&mut self, flag: Slot, byte: Value, bit: u8) {
        let mut value = self.bytes(Binary::Shr, byte, Value::Const(bit.into()));
        if bit < 7 {
            value = self.bytes(Binary::And, value, ONE);
        }
        self.builder.write(flag, value);
    }

    /// An operation on two bytes.
    pub(super) fn bytes(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.wide_binary(op, Width::W8, a, b)
    }

    /// An operation on two words of 16 bits.
    pub(super) fn words(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.wide_binary(op, Width::W16, a, b)
    }

    /// A comparison of two bytes.
    pub(super) fn compare(&mut self, condition: Condition, a: Value, b: Value) -> Value {
        self.builder.wide_compare(condition, Width::W8, a, b)
    }

    fn words_compare(&mut self, condition: Condition, a: Value, b: Value) -> Value {
        self.builder.wide_compare(condition, Width::W16, a, b)
    }

    /// The bits of `a` that `b` does not have.
    fn without(&mut self, a: Value, b: Value) -> Value {
        let not = self.builder.wide_unary(Unary::Not, Width::W8, b);
        self.bytes(Binary::And, a, not)
    }

    /// The same of words.
    fn words_without(&mut self, a: Value, b: Value) -> Value {
        let not = self.builder.wide_unary(Unary::Not, Width::W16, b);
        self.words(Binary::And, a, not)
    }

    /// The word that two registers hold.
    pub(super) fn pair(&mut self, low: Slot) -> Value {
        let high = Value::Slot(Slot(low.0 + 1));
        let high = self.words(Binary::Shl, high, Value::Const(8));
        self.words(Binary::Or, high, Value::Slot(low))
    }

    /// Writes a word to two registers.
    pub(super) fn write_pair(&mut self, low: Slot, high: Slot, word: Value) {
        let [lower, higher] = [(Binary::And, 0xff), (Binary::Shr, 8)]
            .map(|(op, by)| self.words(op, word, Value::Const(by)));
        self.builder.write(low, lower);
        self.builder.write(high, higher);
    }
}
