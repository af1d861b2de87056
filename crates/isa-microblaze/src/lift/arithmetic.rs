//! Instructions that compute in registers.

use cocrypt_ir::{Binary, Condition, Unary, Value, Width};

use super::Lifter;
use crate::cells::{CARRY, MSR, msr, register};
use crate::decode::Decoded;
use crate::disasm::field;
use crate::table::Opcode;

/// The lowest value of a signed word.
const LOWEST: Value = Value::Const(0x8000_0000);
const ONE: Value = Value::Const(1);
const ZERO: Value = Value::Const(0);

impl Lifter {
    pub(super) fn compute(&mut self, insn: Decoded, imm: u32) {
        let (a, b) = (register(insn.a), Self::second(insn, imm));
        let value = match insn.opcode {
            Opcode::Imm => return,
            Opcode::Add | Opcode::Addi | Opcode::Rsub | Opcode::Rsubi => {
                return self.sum_with_carry(insn, a, b);
            }
            Opcode::Addc | Opcode::Addic | Opcode::Rsubc | Opcode::Rsubic => {
                return self.long_sum(insn, a, b, true);
            }
            Opcode::Addkc | Opcode::Addikc | Opcode::Rsubkc | Opcode::Rsubikc => {
                return self.long_sum(insn, a, b, false);
            }
            Opcode::Sra | Opcode::Src | Opcode::Srl => return self.shift_by_one(insn, a),
            Opcode::Addk | Opcode::Addik => self.plain_sum(a, b),
            Opcode::Rsubk | Opcode::Rsubik => self.builder.binary(Binary::Sub, b, a),
            Opcode::Cmp => self.compared(Condition::LessSigned, a, b),
            Opcode::Cmpu => self.compared(Condition::LessUnsigned, a, b),
            Opcode::Mul | Opcode::Muli => self.builder.binary(Binary::Mul, a, b),
            Opcode::Mulh => self.builder.binary(Binary::MulHighSigned, a, b),
            Opcode::Mulhu => self.builder.binary(Binary::MulHighUnsigned, a, b),
            Opcode::Mulhsu => self.builder.binary(Binary::MulHighMixed, a, b),
            Opcode::Bsrl | Opcode::Bsrli => self.shifted(Binary::Shr, a, b),
            Opcode::Bsra | Opcode::Bsrai => self.shifted(Binary::Sar, a, b),
            Opcode::Bsll | Opcode::Bslli => self.shifted(Binary::Shl, a, b),
            Opcode::Bsefi => self.extracted(insn, a),
            Opcode::Bsifi => self.inserted(insn, a),
            Opcode::Or | Opcode::Ori => self.builder.binary(Binary::Or, a, b),
            Opcode::And | Opcode::Andi => self.builder.binary(Binary::And, a, b),
            Opcode::Xor | Opcode::Xori => self.builder.binary(Binary::Xor, a, b),
            Opcode::Andn | Opcode::Andni => {
                let complement = self.builder.unary(Unary::Not, b);
                self.builder.binary(Binary::And, a, complement)
            }
            Opcode::Pcmpeq => self.builder.compare(Condition::Equal, a, b),
            Opcode::Pcmpne => self.builder.compare(Condition::NotEqual, a, b),
            Opcode::Pcmpbf => self.first_equal_byte(a, b),
            Opcode::Sext8 => self.builder.unary(Unary::Extend8, a),
            Opcode::Sext16 => self.builder.unary(Unary::Extend16, a),
            Opcode::Clz => self.builder.unary(Unary::LeadingZeros, a),
            Opcode::Swapb => self.builder.unary(Unary::ReverseBytes, a),
            Opcode::Swaph => self.builder.binary(Binary::RotateRight, a, Value::Const(16)),
            other => unreachable!("`{}` is not computed in registers", other.row().name),
        };
        self.set(insn.d, value);
    }

    /// A sum, of which moves and constants stay what they are.
    fn plain_sum(&mut self, a: Value, b: Value) -> Value {
        match (a, b) {
            (ZERO, other) | (other, ZERO) => other,
            _ => self.builder.binary(Binary::Add, a, b),
        }
    }

    /// A sum or difference that sets the carry: `rsub` has one where it borrows nothing.
    fn sum_with_carry(&mut self, insn: Decoded, a: Value, b: Value) {
        let (sum, carry) = match insn.opcode {
            Opcode::Add | Opcode::Addi => {
                let sum = self.builder.binary(Binary::Add, a, b);
                (sum, self.builder.compare(Condition::LessUnsigned, sum, a))
            }
            _ => {
                let difference = self.builder.binary(Binary::Sub, b, a);
                (difference, self.builder.compare(Condition::GreaterEqualUnsigned, b, a))
            }
        };
        self.builder.write(CARRY, carry);
        self.set(insn.d, sum);
    }

    /// A sum with the carry; a difference is a sum with the complement.
    fn long_sum(&mut self, insn: Decoded, a: Value, b: Value, sets: bool) {
        let subtracts = matches!(
            insn.opcode,
            Opcode::Rsubc | Opcode::Rsubic | Opcode::Rsubkc | Opcode::Rsubikc
        );
        let a = if subtracts { self.builder.unary(Unary::Not, a) } else { a };
        let wide =
            |lifter: &mut Self, a, b| lifter.builder.wide_binary(Binary::Add, Width::W64, a, b);
        let sum = wide(self, a, b);
        let sum = wide(self, sum, Value::Slot(CARRY));
        let low = self.builder.wide_binary(Binary::And, Width::W64, sum, Value::Const(0xffff_ffff));
        if sets {
            let carry = self.builder.wide_binary(Binary::Shr, Width::W64, sum, Value::Const(32));
            self.builder.write(CARRY, carry);
        }
        self.set(insn.d, low);
    }

    /// rB - rA, with the highest bit set exactly where rA is the larger one.
    fn compared(&mut self, less: Condition, a: Value, b: Value) -> Value {
        let difference = self.builder.binary(Binary::Sub, b, a);
        let rest = self.builder.binary(Binary::And, difference, Value::Const(0x7fff_ffff));
        let is_larger = self.builder.compare(less, b, a);
        let sign = self.builder.binary(Binary::Shl, is_larger, Value::Const(31));
        self.builder.binary(Binary::Or, rest, sign)
    }

    fn shift_by_one(&mut self, insn: Decoded, a: Value) {
        let out = self.builder.binary(Binary::And, a, ONE);
        let how = if insn.opcode == Opcode::Sra { Binary::Sar } else { Binary::Shr };
        let mut shifted = self.builder.binary(how, a, ONE);
        if insn.opcode == Opcode::Src {
            let carry = Value::Slot(CARRY);
            let top = self.builder.binary(Binary::Shl, carry, Value::Const(31));
            shifted = self.builder.binary(Binary::Or, shifted, top);
        }
        self.builder.write(CARRY, out);
        self.set(insn.d, shifted);
    }

    /// A shift of the barrel shifter, by the lower five bits of an amount.
    fn shifted(&mut self, op: Binary, a: Value, amount: Value) -> Value {
        let amount = self.builder.binary(Binary::And, amount, Value::Const(31));
        self.builder.binary(op, a, amount)
    }

    fn extracted(&mut self, insn: Decoded, a: Value) -> Value {
        let (width, amount) = field(insn);
        let moved = self.builder.binary(Binary::Shr, a, Value::Const(amount.into()));
        self.builder.binary(Binary::And, moved, Value::Const(ones(width)))
    }

    fn inserted(&mut self, insn: Decoded, a: Value) -> Value {
        let (width, amount) = field(insn);
        let mask = ones(width) << amount & 0xffff_ffff;
        let moved = self.builder.binary(Binary::Shl, a, Value::Const(amount.into()));
        let inside = self.builder.binary(Binary::And, moved, Value::Const(mask));
        let kept = Value::Const(!mask & 0xffff_ffff);
        let outside = self.builder.binary(Binary::And, register(insn.d), kept);
        self.builder.binary(Binary::Or, inside, outside)
    }

    /// The number of the first byte that is equal in both, from 1 for the highest one; 0 if none is.
    fn first_equal_byte(&mut self, a: Value, b: Value) -> Value {
        let differing = self.builder.binary(Binary::Xor, a, b);
        let mut number = ZERO;
        for (place, shift) in [(4, 0), (3, 8), (2, 16), (1, 24)] {
            let byte = self.builder.binary(Binary::And, differing, Value::Const(0xff << shift));
            number = self.builder.select(byte, number, Value::Const(place));
        }
        number
    }

    /// rB / rA: 0 where rA is 0. That, and a quotient that is too large, is noted in the status register.
    pub(super) fn divide(&mut self, insn: Decoded) {
        let (a, b) = (register(insn.a), register(insn.b));
        self.operand = Some(a);
        let is_signed = insn.opcode == Opcode::Idiv;
        let op = if is_signed { Binary::DivSigned } else { Binary::DivUnsigned };
        let quotient = self.builder.binary(op, b, a);
        let quotient = self.builder.select(a, quotient, ZERO);
        let mut fails = self.builder.compare(Condition::Equal, a, ZERO);
        if is_signed {
            let minus_one = Value::Const(0xffff_ffff);
            let by_minus_one = self.builder.compare(Condition::Equal, a, minus_one);
            let of_lowest = self.builder.compare(Condition::Equal, b, LOWEST);
            let overflows = self.builder.binary(Binary::And, by_minus_one, of_lowest);
            fails = self.builder.binary(Binary::Or, fails, overflows);
        }
        let bit = self.builder.select(fails, Value::Const(msr::DZO.into()), ZERO);
        let status = self.builder.binary(Binary::Or, Value::Slot(MSR), bit);
        self.builder.write(MSR, status);
        self.set(insn.d, quotient);
    }
}

/// So many ones.
const fn ones(width: u32) -> u64 {
    (1 << width) - 1
}
