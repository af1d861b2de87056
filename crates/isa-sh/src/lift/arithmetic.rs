//! Carries, overflows, shifts through T, and the steps of divisions.

use cocrypt_ir::{Binary, Condition, Value, Width};

use super::Lifter;
use crate::cells::{M, Q, T, register};
use crate::decode::Decoded;
use crate::table::Opcode;

const ZERO: Value = Value::Const(0);
const ONE: Value = Value::Const(1);
const SIGN: Value = Value::Const(31);
const W64: Width = Width::W64;

impl Lifter {
    pub(super) fn carry(&mut self, insn: Decoded) {
        let (n, m) = (register(insn.n), register(insn.m));
        match insn.opcode {
            Opcode::Addc => self.long(insn.n, Binary::Add, n, m),
            Opcode::Subc => self.long(insn.n, Binary::Sub, n, m),
            Opcode::Negc => self.long(insn.n, Binary::Sub, ZERO, m),
            Opcode::Addv | Opcode::Subv => self.overflow(insn, n, m),
            Opcode::Dt => {
                let value = self.builder.binary(Binary::Sub, n, ONE);
                let is_zero = self.builder.compare(Condition::Equal, value, ZERO);
                self.set(insn.n, value);
                self.write(T, is_zero);
            }
            Opcode::Div0u => [M, Q, T].into_iter().for_each(|cell| self.write(cell, ZERO)),
            Opcode::Div0s => {
                let [quotient, divisor] =
                    [n, m].map(|value| self.builder.binary(Binary::Shr, value, SIGN));
                let differ = self.builder.binary(Binary::Xor, quotient, divisor);
                self.write(Q, quotient);
                self.write(M, divisor);
                self.write(T, differ);
            }
            Opcode::Div1 => self.divide(insn.n, n, m),
            _ => self.shift_by_one(insn, n),
        }
    }

    /// A sum or difference with T, which takes its carry or borrow.
    fn long(&mut self, to: u8, op: Binary, a: Value, b: Value) {
        let value = self.builder.wide_binary(op, W64, a, b);
        let value = self.builder.wide_binary(op, W64, value, Value::Slot(T));
        let low = self.builder.wide_binary(Binary::And, W64, value, Value::Const(0xffff_ffff));
        let carry = self.builder.wide_binary(Binary::Shr, W64, value, Value::Const(32));
        let carry = self.and(carry, 1);
        self.set(to, low);
        self.write(T, carry);
    }

    /// A sum or difference whose overflow T takes.
    fn overflow(&mut self, insn: Decoded, n: Value, m: Value) {
        let adds = insn.opcode == Opcode::Addv;
        let op = if adds { Binary::Add } else { Binary::Sub };
        let value = self.builder.binary(op, n, m);
        // The result has another sign than `n`, and than `m` or its negative.
        let from_n = self.builder.binary(Binary::Xor, n, value);
        let other = if adds { value } else { n };
        let from_m = self.builder.binary(Binary::Xor, m, other);
        let both = self.builder.binary(Binary::And, from_n, from_m);
        let overflows = self.builder.binary(Binary::Shr, both, SIGN);
        self.set(insn.n, value);
        self.write(T, overflows);
    }

    /// A step of a division, which adds the divisor or subtracts it.
    fn divide(&mut self, to: u8, n: Value, m: Value) {
        let old = self.builder.copy(Value::Slot(Q));
        let out = self.builder.binary(Binary::Shr, n, SIGN);
        let shifted = self.builder.binary(Binary::Shl, n, ONE);
        let shifted = self.builder.binary(Binary::Or, shifted, Value::Slot(T));
        let adds = self.builder.binary(Binary::Xor, old, Value::Slot(M));
        let sum = self.builder.binary(Binary::Add, shifted, m);
        let carry = self.builder.compare(Condition::LessUnsigned, sum, shifted);
        let difference = self.builder.binary(Binary::Sub, shifted, m);
        let borrow = self.builder.compare(Condition::LessUnsigned, shifted, m);
        let value = self.builder.select(adds, sum, difference);
        let flips = self.builder.select(adds, carry, borrow);
        let quotient = self.builder.binary(Binary::Xor, out, flips);
        let quotient = self.builder.binary(Binary::Xor, quotient, Value::Slot(M));
        let equal = self.builder.compare(Condition::Equal, quotient, Value::Slot(M));
        self.set(to, value);
        self.write(Q, quotient);
        self.write(T, equal);
    }

    /// Shifts and rotations by one bit, which T takes.
    fn shift_by_one(&mut self, insn: Decoded, n: Value) {
        let goes_left =
            matches!(insn.opcode, Opcode::Rotl | Opcode::Rotcl | Opcode::Shal | Opcode::Shll);
        let out = if goes_left {
            self.builder.binary(Binary::Shr, n, SIGN)
        } else {
            self.builder.binary(Binary::And, n, ONE)
        };
        let value = match insn.opcode {
            Opcode::Rotl => self.rotated(n, 31),
            Opcode::Rotr => self.rotated(n, 1),
            Opcode::Shar => self.builder.binary(Binary::Sar, n, ONE),
            Opcode::Shlr => self.builder.binary(Binary::Shr, n, ONE),
            Opcode::Rotcl => {
                let shifted = self.builder.binary(Binary::Shl, n, ONE);
                self.builder.binary(Binary::Or, shifted, Value::Slot(T))
            }
            Opcode::Rotcr => {
                let shifted = self.builder.binary(Binary::Shr, n, ONE);
                let top = self.builder.binary(Binary::Shl, Value::Slot(T), SIGN);
                self.builder.binary(Binary::Or, shifted, top)
            }
            _ => self.builder.binary(Binary::Shl, n, ONE),
        };
        self.set(insn.n, value);
        self.write(T, out);
    }
}
