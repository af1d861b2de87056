//! Instructions that compute in registers, without carries and divisions.

use cocrypt_ir::{Binary, Condition, Unary, Value};

use super::Lifter;
use crate::cells::{PR, R0, SR, T, register};
use crate::decode::{Decoded, target};
use crate::status::SATURATES;
use crate::table::Opcode;

const ZERO: Value = Value::Const(0);

impl Lifter {
    pub(super) fn compute(&mut self, insn: Decoded) {
        let (n, m) = (register(insn.n), register(insn.m));
        let signed = Value::Const(u64::from(insn.signed() as u32));
        let value = match insn.opcode {
            Opcode::Nop => return,
            Opcode::MovImmediate => signed,
            Opcode::Mov => m,
            Opcode::Mova => return self.set(0, Value::Const(target(insn, self.next).into())),
            Opcode::Movt => Value::Slot(T),
            Opcode::StsPr => Value::Slot(PR),
            Opcode::LdsPr => return self.write(PR, n),
            Opcode::SwapBytes => self.swapped(m),
            Opcode::SwapWords => self.rotated(m, 16),
            Opcode::Xtrct => self.middle(n, m),
            Opcode::Add => self.builder.binary(Binary::Add, n, m),
            Opcode::AddImmediate => self.builder.binary(Binary::Add, n, signed),
            Opcode::Sub => self.builder.binary(Binary::Sub, n, m),
            Opcode::Neg => self.builder.unary(Unary::Neg, m),
            Opcode::Not => self.builder.unary(Unary::Not, m),
            Opcode::And => self.builder.binary(Binary::And, n, m),
            Opcode::Or => self.builder.binary(Binary::Or, n, m),
            Opcode::Xor => self.builder.binary(Binary::Xor, n, m),
            Opcode::ExtendSignedByte => self.builder.unary(Unary::Extend8, m),
            Opcode::ExtendSignedWord => self.builder.unary(Unary::Extend16, m),
            Opcode::ExtendByte => self.and(m, 0xff),
            Opcode::ExtendWord => self.and(m, 0xffff),
            Opcode::Shll2 => self.builder.binary(Binary::Shl, n, Value::Const(2)),
            Opcode::Shll8 => self.builder.binary(Binary::Shl, n, Value::Const(8)),
            Opcode::Shll16 => self.builder.binary(Binary::Shl, n, Value::Const(16)),
            Opcode::Shlr2 => self.builder.binary(Binary::Shr, n, Value::Const(2)),
            Opcode::Shlr8 => self.builder.binary(Binary::Shr, n, Value::Const(8)),
            Opcode::Shlr16 => self.builder.binary(Binary::Shr, n, Value::Const(16)),
            Opcode::Shad => self.shifted(n, m, Binary::Sar),
            Opcode::Shld => self.shifted(n, m, Binary::Shr),
            _ => return self.compute_apart(insn),
        };
        self.set(insn.n, value);
    }

    /// Instructions that write T, S or R0.
    fn compute_apart(&mut self, insn: Decoded) {
        let imm = Value::Const(insn.unsigned().into());
        let r0 = Value::Slot(R0);
        let logic = |lifter: &mut Self, op| {
            let value = lifter.builder.binary(op, r0, imm);
            lifter.set(0, value);
        };
        match insn.opcode {
            Opcode::AndImmediate => logic(self, Binary::And),
            Opcode::OrImmediate => logic(self, Binary::Or),
            Opcode::XorImmediate => logic(self, Binary::Xor),
            Opcode::Clrt => self.write(T, ZERO),
            Opcode::Sett => self.write(T, Value::Const(1)),
            Opcode::Clrs => {
                let value = self.and(Value::Slot(SR), (!SATURATES).into());
                self.write(SR, value);
            }
            Opcode::Sets => {
                let set = Value::Const(SATURATES.into());
                let value = self.builder.binary(Binary::Or, Value::Slot(SR), set);
                self.write(SR, value);
            }
            _ => self.test_or_carry(insn),
        }
    }

    fn test_or_carry(&mut self, insn: Decoded) {
        let (n, m) = (register(insn.n), register(insn.m));
        let signed = Value::Const(u64::from(insn.signed() as u32));
        let holds = match insn.opcode {
            Opcode::CompareEqual => self.builder.compare(Condition::Equal, n, m),
            Opcode::CompareEqualImmediate => {
                self.builder.compare(Condition::Equal, Value::Slot(R0), signed)
            }
            Opcode::CompareHigherSame => {
                self.builder.compare(Condition::GreaterEqualUnsigned, n, m)
            }
            Opcode::CompareGreaterEqual => {
                self.builder.compare(Condition::GreaterEqualSigned, n, m)
            }
            Opcode::CompareHigher => self.builder.compare(Condition::LessUnsigned, m, n),
            Opcode::CompareGreater => self.builder.compare(Condition::LessSigned, m, n),
            Opcode::ComparePositive => self.builder.compare(Condition::LessSigned, ZERO, n),
            Opcode::CompareNotNegative => {
                self.builder.compare(Condition::GreaterEqualSigned, n, ZERO)
            }
            Opcode::CompareString => self.has_equal_byte(n, m),
            Opcode::Tst => self.have_no_common_bit(n, m),
            Opcode::TstImmediate => {
                self.have_no_common_bit(Value::Slot(R0), Value::Const(insn.unsigned().into()))
            }
            _ => return self.carry(insn),
        };
        self.write(T, holds);
    }

    fn have_no_common_bit(&mut self, a: Value, b: Value) -> Value {
        let common = self.builder.binary(Binary::And, a, b);
        self.builder.compare(Condition::Equal, common, ZERO)
    }

    /// 1 if a byte of both is the same: the one where their difference is 0 borrows into its highest bit.
    fn has_equal_byte(&mut self, a: Value, b: Value) -> Value {
        let differing = self.builder.binary(Binary::Xor, a, b);
        let lower = self.builder.binary(Binary::Sub, differing, Value::Const(0x0101_0101));
        let clear = self.builder.unary(Unary::Not, differing);
        let both = self.builder.binary(Binary::And, lower, clear);
        let marks = self.and(both, 0x8080_8080);
        self.builder.compare(Condition::NotEqual, marks, ZERO)
    }

    pub(super) fn rotated(&mut self, value: Value, amount: u64) -> Value {
        self.builder.binary(Binary::RotateRight, value, Value::Const(amount))
    }

    /// The lowest two bytes change places.
    fn swapped(&mut self, value: Value) -> Value {
        let high = self.and(value, 0xffff_0000);
        let up = self.builder.binary(Binary::Shl, value, Value::Const(8));
        let up = self.and(up, 0xff00);
        let down = self.builder.binary(Binary::Shr, value, Value::Const(8));
        let down = self.and(down, 0xff);
        let low = self.builder.binary(Binary::Or, up, down);
        self.builder.binary(Binary::Or, high, low)
    }

    /// The low half of `m` above the high half of `n`.
    fn middle(&mut self, n: Value, m: Value) -> Value {
        let high = self.builder.binary(Binary::Shl, m, Value::Const(16));
        let low = self.builder.binary(Binary::Shr, n, Value::Const(16));
        self.builder.binary(Binary::Or, high, low)
    }

    /// `n` to the left by the lowest five bits of `m`, or, if that is negative, to the right by 32 less those.
    fn shifted(&mut self, n: Value, m: Value, right: Binary) -> Value {
        let amount = self.and(m, 31);
        let left = self.builder.binary(Binary::Shl, n, amount);
        let back = self.builder.binary(Binary::Sub, Value::Const(32), amount);
        let right = self.builder.binary(right, n, back);
        let is_right = self.builder.compare(Condition::LessSigned, m, ZERO);
        self.builder.select(is_right, right, left)
    }
}
