//! Products, quotients and sums of products.
//!
//! Source: R01US0015, chapter 6, "Multiply, divide, multiply and accumulate instructions".

use cocrypt_ir::{Binary, Condition, Unary, Value, Width};

use super::Lifter;
use super::operand::{A, AX, BC, DE, HL, X};
use crate::cells::{AC, CY, MACR};

/// A kind of division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// AX by DE.
    Word,
    /// BCAX by HLDE.
    Long,
}

impl Lifter<'_> {
    /// `mulu`: A and X to AX.
    pub(super) fn multiply_bytes(&mut self) {
        let [a, x] = [A, X].map(|number| Value::Slot(self.register(number)));
        let product = self.words(Binary::Mul, a, x);
        self.write_pair(self.register(AX), product);
    }

    /// `mulhu` and `mulh`: AX and BC to BCAX.
    pub(super) fn multiply_words(&mut self, signed: bool) {
        let product = self.product(signed);
        self.write_long(BC, AX, product);
    }

    /// The product of AX and BC.
    fn product(&mut self, signed: bool) -> Value {
        let factors = [AX, BC].map(|low| self.pair(self.register(low)));
        let [a, b] =
            factors.map(
                |factor| {
                    if signed { self.builder.unary(Unary::Extend16, factor) } else { factor }
                },
            );
        self.builder.binary(Binary::Mul, a, b)
    }

    /// The quotient to the dividend's registers, the remainder to the divisor's.
    pub(super) fn divide(&mut self, division: Division) {
        let (width, dividend, divisor) = match division {
            Division::Word => {
                let [a, b] = [AX, DE].map(|low| self.pair(self.register(low)));
                (Width::W16, a, b)
            }
            Division::Long => (Width::W32, self.long(BC, AX), self.long(HL, DE)),
        };
        let [quotient, remainder] = [Binary::DivUnsigned, Binary::RemUnsigned]
            .map(|op| self.builder.wide_binary(op, width, dividend, divisor));
        match division {
            Division::Word => {
                self.write_pair(self.register(AX), quotient);
                self.write_pair(self.register(DE), remainder);
            }
            Division::Long => {
                self.write_long(BC, AX, quotient);
                self.write_long(HL, DE, remainder);
            }
        }
    }

    /// `machu` and `mach`: CY if the sum overflows; AC the sign of a signed sum.
    pub(super) fn accumulate(&mut self, signed: bool) {
        let product = self.product(signed);
        let old = self.builder.copy(Value::Slot(MACR));
        let sum = self.builder.binary(Binary::Add, old, product);
        let (carry, sign) = if signed {
            let [first, second] =
                [old, product].map(|value| self.builder.binary(Binary::Xor, value, sum));
            let both = self.builder.binary(Binary::And, first, second);
            (self.sign(both), self.sign(sum))
        } else {
            let overflows = Condition::LessUnsigned;
            (self.builder.compare(overflows, sum, old), Value::Const(0))
        };
        self.builder.write(MACR, sum);
        self.builder.write(CY, carry);
        self.builder.write(AC, sign);
    }

    fn sign(&mut self, value: Value) -> Value {
        self.builder.binary(Binary::Shr, value, Value::Const(31))
    }

    /// The 32 bits of two registers of 16 bits.
    fn long(&mut self, high: u16, low: u16) -> Value {
        let [high, low] = [high, low].map(|number| self.pair(self.register(number)));
        let high = self.builder.binary(Binary::Shl, high, Value::Const(16));
        self.builder.binary(Binary::Or, high, low)
    }

    fn write_long(&mut self, high: u16, low: u16, value: Value) {
        let upper = self.builder.binary(Binary::Shr, value, Value::Const(16));
        self.write_pair(self.register(low), value);
        self.write_pair(self.register(high), upper);
    }
}
