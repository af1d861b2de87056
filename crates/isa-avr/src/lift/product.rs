//! Products, whose 16 bits go to r1 and r0 (DS40002198, sections 6.55 to 6.57 and 6.77 to 6.79).

use cocrypt_ir::{Binary, Condition, Slot, Unary, Value, Width};

use super::Lifter;
use crate::cells::{C, Z, register};
use crate::decode::Decoded;

/// A kind of product.
pub struct Product {
    /// True if each factor is signed.
    pub signed: [bool; 2],
    /// True if it is shifted to the left by one, as one of fractions is.
    pub fractional: bool,
}

impl Lifter<'_> {
    pub(super) fn multiply(&mut self, insn: &Decoded, product: &Product) {
        let factors = [(insn.d, product.signed[0]), (insn.r, product.signed[1])];
        let [a, b] = factors.map(|(number, signed)| self.factor(number, signed));
        let mut result = self.words(Binary::Mul, a, b);
        // The carry is the highest bit before the shift.
        let carry = self.words(Binary::Shr, result, Value::Const(15));
        if product.fractional {
            result = self.words(Binary::Shl, result, Value::Const(1));
        }
        let zero = self.builder.wide_compare(Condition::Equal, Width::W16, result, Value::Const(0));
        self.builder.write(Z, zero);
        self.builder.write(C, carry);
        self.write_pair(Slot(0), Slot(1), result);
    }

    fn factor(&mut self, number: u8, signed: bool) -> Value {
        let value = register(number);
        if signed { self.builder.wide_unary(Unary::Extend8, Width::W16, value) } else { value }
    }
}
