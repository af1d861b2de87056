//! Operations on cells, as `ir` defines them.

use std::array::from_fn;

use cocrypt_codegen::clif::{
    InstBuilder, IntCC, Type, Value, types::I8, types::I16, types::I32, types::I64,
};
use cocrypt_ir::{Binary, Counter, Op, Unary, Value as Operand, Width};

use super::access::MemoryAccess;
use super::{CONSTANT, Cursor, Emitter, FLAGS, Miss, integer};
use crate::pool::Literal;
use crate::proof::Check;

impl Emitter<'_, '_> {
    pub(super) fn operation(
        &mut self,
        (number, op): (usize, &Op),
        cursor: &Cursor<'_>,
        miss: Miss,
        check: Option<Check>,
    ) {
        let check = check.unwrap_or(Check::Call);
        let (dst, value) = match *op {
            Op::Move { dst, src } => (dst, self.whole(src)),
            Op::Binary { op, width, dst, a, b } => (dst, self.binary(op, width, a, b)),
            Op::Unary { op, width, dst, a } if is_narrow(width) => {
                (dst, self.narrow_unary(op, width, a))
            }
            Op::Unary { op, width, dst, a } => (dst, self.unary(op, width, a)),
            Op::Compare { condition, width, dst, a, b } => {
                (dst, self.compare(condition, width, a, b))
            }
            Op::Select { dst, condition, a, b } => {
                let condition = self.whole(condition);
                let (a, b) = (self.whole(a), self.whole(b));
                (dst, self.b.ins().select(condition, a, b))
            }
            Op::Count { counter, dst, shift } => (dst, self.count(cursor, counter, shift)),
            Op::Load { width, signed, dst, base, offset } => {
                self.load(
                    cursor,
                    MemoryAccess { number, width, base, offset, miss, check },
                    signed,
                    dst,
                );
                return;
            }
            Op::Store { width, src, base, offset } => {
                self.store(cursor, MemoryAccess { number, width, base, offset, miss, check }, src);
                return;
            }
            Op::Guard { .. } => return,
        };
        self.write(dst, value);
    }

    /// An operand with all its bits.
    fn whole(&mut self, operand: Operand) -> Value {
        match operand {
            Operand::Const(value) => self.constant(I64, value),
            Operand::Slot(_) => self.read(operand, Width::W64),
        }
    }

    fn binary(&mut self, op: Binary, width: Width, a: Operand, b: Operand) -> Value {
        if matches!(op, Binary::Shl | Binary::Shr | Binary::Sar) {
            return self.shift(op, width, a, b);
        }
        if is_narrow(width) && !has_narrow_form(op) {
            return self.narrow_binary(op, width, a, b);
        }
        let (a, b) = (self.read(a, width), self.read(b, width));
        self.binary_of(op, a, b)
    }

    /// The operation on values of one type.
    fn binary_of(&mut self, op: Binary, a: Value, b: Value) -> Value {
        match op {
            Binary::Add => self.b.ins().iadd(a, b),
            Binary::Sub => self.b.ins().isub(a, b),
            Binary::And => self.b.ins().band(a, b),
            Binary::Or => self.b.ins().bor(a, b),
            Binary::Xor => self.b.ins().bxor(a, b),
            Binary::Mul => self.b.ins().imul(a, b),
            Binary::MulHighSigned => self.b.ins().smulhi(a, b),
            Binary::MulHighUnsigned => self.b.ins().umulhi(a, b),
            Binary::MulHighMixed => self.multiply_mixed(a, b),
            Binary::DivSigned | Binary::RemSigned => self.divide_signed(op, a, b),
            Binary::DivUnsigned | Binary::RemUnsigned => self.divide_unsigned(op, a, b),
            Binary::RotateRight => self.b.ins().rotr(a, b),
            Binary::CarrylessMul => {
                let product = self.carryless(a, b);
                self.b.ins().ireduce(I32, product)
            }
            Binary::CarrylessMulHigh => {
                let product = self.carryless(a, b);
                let half = self.constant(I64, 32);
                let high = self.b.ins().ushr(product, half);
                self.b.ins().ireduce(I32, high)
            }
            Binary::Shl | Binary::Shr | Binary::Sar => unreachable!("treated above"),
        }
    }

    /// Operations that hosts compute in 32 bits alone: the low bits of the same there, but for high halves
    /// of products, which stand right behind their low ones.
    fn narrow_binary(&mut self, op: Binary, width: Width, a: Operand, b: Operand) -> Value {
        let is_signed = |signed: &[Binary]| signed.contains(&op);
        let a_signed = is_signed(&[
            Binary::MulHighSigned,
            Binary::MulHighMixed,
            Binary::DivSigned,
            Binary::RemSigned,
        ]);
        let b_signed = is_signed(&[Binary::MulHighSigned, Binary::DivSigned, Binary::RemSigned]);
        let (a, b) = (self.extended(a, width, a_signed), self.extended(b, width, b_signed));
        let (whole, is_high) = match op {
            Binary::MulHighSigned | Binary::MulHighUnsigned | Binary::MulHighMixed => {
                (Binary::Mul, true)
            }
            Binary::CarrylessMulHigh => (Binary::CarrylessMul, true),
            _ => (op, false),
        };
        let value = self.binary_of(whole, a, b);
        let down = self.constant(I32, width.bits().into());
        let value = if is_high { self.b.ins().ushr(value, down) } else { value };
        self.b.ins().ireduce(integer(width), value)
    }

    /// The same of operations on one operand.
    fn narrow_unary(&mut self, op: Unary, width: Width, a: Operand) -> Value {
        match op {
            Unary::Not | Unary::Neg => return self.unary(op, width, a),
            Unary::Extend8 | Unary::Extend16 | Unary::Extend32 => {
                let from = if op == Unary::Extend8 { I8 } else { integer(width) };
                let a = self.read(a, width);
                return self.extend_from(from, a);
            }
            _ => {}
        }
        let a = self.extended(a, width, false);
        let missing = u64::from(I32.bits() - width.bits());
        let value = match op {
            Unary::LeadingZeros => {
                let zeros = self.b.ins().clz(a);
                let missing = self.constant(I32, missing);
                self.b.ins().isub(zeros, missing)
            }
            Unary::TrailingZeros => {
                let behind = self.constant(I32, 1 << width.bits());
                let a = self.b.ins().bor(a, behind);
                self.b.ins().ctz(a)
            }
            Unary::ReverseBytes | Unary::ReverseBits => {
                let reversed = self.unary_of(op, a);
                let missing = self.constant(I32, missing);
                self.b.ins().ushr(reversed, missing)
            }
            _ => self.unary_of(op, a),
        };
        self.b.ins().ireduce(integer(width), value)
    }

    /// A narrow operand in 32 bits.
    fn extended(&mut self, operand: Operand, width: Width, signed: bool) -> Value {
        let value = self.read(operand, width);
        if signed { self.b.ins().sextend(I32, value) } else { self.b.ins().uextend(I32, value) }
    }

    /// The compiler's shifts take amounts modulo the width, ours do not.
    fn shift(&mut self, op: Binary, width: Width, a: Operand, amount: Operand) -> Value {
        let a = self.read(a, width);
        let amount = self.read(amount, width);
        let ty = self.b.func.dfg.value_type(a);
        let shifted = match op {
            Binary::Shl => self.b.ins().ishl(a, amount),
            Binary::Shr => self.b.ins().ushr(a, amount),
            _ => self.b.ins().sshr(a, amount),
        };
        let most = self.constant(ty, u64::from(width.bits() - 1));
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, amount, most);
        let beyond = match op {
            Binary::Sar => self.b.ins().sshr(a, most),
            _ => self.constant(ty, 0),
        };
        self.b.ins().select(fits, shifted, beyond)
    }

    /// The high half of a signed 32-bit number times an unsigned one.
    fn multiply_mixed(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = (self.b.ins().sextend(I64, a), self.b.ins().uextend(I64, b));
        let product = self.b.ins().imul(a, b);
        let half = self.constant(I64, 32);
        let high = self.b.ins().ushr(product, half);
        self.b.ins().ireduce(I32, high)
    }

    /// The product of two polynomials of 32 bits over GF(2), by integer products of every fourth bit:
    /// at most eight ones meet in a field, so that no carry reaches the next field that counts.
    fn carryless(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = (self.b.ins().uextend(I64, a), self.b.ins().uextend(I64, b));
        let places: [Value; 4] = from_fn(|at| self.constant(I64, 0x1111_1111_1111_1111 << at));
        let [a, b] = [a, b].map(|whole| places.map(|cursor| self.b.ins().band(whole, cursor)));
        let mut product = self.constant(I64, 0);
        for (at, &cursor) in places.iter().enumerate() {
            let mut sum = self.constant(I64, 0);
            for (from, &a) in a.iter().enumerate() {
                let part = self.b.ins().imul(a, b[(4 + at - from) % 4]);
                sum = self.b.ins().bxor(sum, part);
            }
            let sum = self.b.ins().band(sum, cursor);
            product = self.b.ins().bor(product, sum);
        }
        product
    }

    /// A byte of a table in this process.
    fn table_entry(&mut self, table: Literal, a: Value) -> Value {
        let byte = self.b.ins().ireduce(I8, a);
        let index = self.b.ins().uextend(I64, byte);
        let table = self.literal(table, CONSTANT);
        let address = self.b.ins().iadd(table, index);
        let ty = self.b.func.dfg.value_type(a);
        let found = self.b.ins().load(I8, FLAGS, address, 0);
        self.b.ins().uextend(ty, found)
    }

    /// Division by 1 instead of by 0, or by -1 of the least number, gives what the second asks for.
    fn divide_signed(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = self.b.func.dfg.value_type(a);
        let (by_zero, one) = self.by_zero(b);
        let least = self.constant(ty, 1 << (ty.bits() - 1));
        let ones = self.constant(ty, u64::MAX);
        let is_least = self.b.ins().icmp(IntCC::Equal, a, least);
        let is_minus_one = self.b.ins().icmp(IntCC::Equal, b, ones);
        let overflow = self.b.ins().band(is_least, is_minus_one);
        let unsafe_divisor = self.b.ins().bor(by_zero, overflow);
        let divisor = self.b.ins().select(unsafe_divisor, one, b);
        if op == Binary::DivSigned {
            let quotient = self.b.ins().sdiv(a, divisor);
            self.b.ins().select(by_zero, ones, quotient)
        } else {
            let remainder = self.b.ins().srem(a, divisor);
            self.b.ins().select(by_zero, a, remainder)
        }
    }

    fn divide_unsigned(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = self.b.func.dfg.value_type(a);
        let (by_zero, one) = self.by_zero(b);
        let divisor = self.b.ins().select(by_zero, one, b);
        if op == Binary::DivUnsigned {
            let quotient = self.b.ins().udiv(a, divisor);
            let ones = self.constant(ty, u64::MAX);
            self.b.ins().select(by_zero, ones, quotient)
        } else {
            let remainder = self.b.ins().urem(a, divisor);
            self.b.ins().select(by_zero, a, remainder)
        }
    }

    fn by_zero(&mut self, divisor: Value) -> (Value, Value) {
        let ty = self.b.func.dfg.value_type(divisor);
        let (zero, one) = (self.constant(ty, 0), self.constant(ty, 1));
        (self.b.ins().icmp(IntCC::Equal, divisor, zero), one)
    }

    fn unary(&mut self, op: Unary, width: Width, a: Operand) -> Value {
        let a = self.read(a, width);
        self.unary_of(op, a)
    }

    /// The operation on a value of 32 or 64 bits; complement and negation on one of any.
    fn unary_of(&mut self, op: Unary, a: Value) -> Value {
        match op {
            Unary::Not => self.b.ins().bnot(a),
            Unary::Neg => self.b.ins().ineg(a),
            Unary::Extend8 => self.extend_from(I8, a),
            Unary::Extend16 => self.extend_from(I16, a),
            Unary::Extend32 => self.extend_from(I32, a),
            Unary::LeadingZeros => self.b.ins().clz(a),
            Unary::TrailingZeros => self.b.ins().ctz(a),
            Unary::PopCount => self.b.ins().popcnt(a),
            Unary::ReverseBytes => self.b.ins().bswap(a),
            Unary::ReverseBits => self.b.ins().bitrev(a),
            Unary::AesSubstitute => self.table_entry(Literal::Substitutes, a),
            Unary::AesOriginal => self.table_entry(Literal::Originals, a),
        }
    }

    fn extend_from(&mut self, from: Type, a: Value) -> Value {
        let ty = self.b.func.dfg.value_type(a);
        if ty == from {
            return a;
        }
        let low = self.b.ins().ireduce(from, a);
        self.b.ins().sextend(ty, low)
    }

    fn count(&mut self, cursor: &Cursor<'_>, counter: Counter, shift: u8) -> Value {
        let (variable, more) = match counter {
            Counter::Cycles => (self.cycles, u64::from(cursor.sample)),
            Counter::Instructions => (self.instructions, cursor.at as u64 + 1),
        };
        let before = self.b.use_var(variable);
        let more = self.constant(I64, more);
        let now = self.b.ins().iadd(before, more);
        let shift = self.constant(I64, u64::from(shift));
        let shifted = self.b.ins().ushr(now, shift);
        self.b.ins().ireduce(I32, shifted)
    }
}

const fn is_narrow(width: Width) -> bool {
    matches!(width, Width::W8 | Width::W16)
}

/// Returns true if hosts compute an operation in 8 and 16 bits too.
const fn has_narrow_form(op: Binary) -> bool {
    matches!(
        op,
        Binary::Add
            | Binary::Sub
            | Binary::And
            | Binary::Or
            | Binary::Xor
            | Binary::Mul
            | Binary::RotateRight
    )
}
