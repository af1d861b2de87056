//! Shifts and rotations.
//!
//! Source: R01US0015, chapter 6: CY is the last bit that leaves the register.

use cocrypt_ir::{Binary, Value};

use super::Lifter;
use crate::cells::CY;
use crate::decode::Decoded;

const ONE: Value = Value::Const(1);

/// A kind of shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// To the right, by copies of the sign.
    Arithmetic,
}

impl Lifter<'_> {
    pub(super) fn shift(&mut self, insn: &Decoded, kind: Shift) {
        let width = Self::width(insn);
        let location = self.location(insn, 0);
        let value = self.read(location, width);
        let (count, bits) = (u64::from(insn.field), u64::from(width.bits()));
        let (op, last) = match kind {
            Shift::Left => (Binary::Shl, bits - count),
            Shift::Right => (Binary::Shr, count - 1),
            Shift::Arithmetic => (Binary::Sar, count - 1),
        };
        let carry = self.builder.wide_binary(Binary::Shr, width, value, Value::Const(last));
        let carry = self.builder.wide_binary(Binary::And, width, carry, ONE);
        let result = self.builder.wide_binary(op, width, value, Value::Const(count));
        self.builder.write(CY, carry);
        self.write(location, width, result);
    }

    /// Rotates by one, through the carry or beside it.
    pub(super) fn rotate(&mut self, insn: &Decoded, left: bool, through: bool) {
        let width = Self::width(insn);
        let location = self.location(insn, 0);
        let value = self.read(location, width);
        let top = Value::Const(u64::from(width.bits() - 1));
        let (op, leaves) = if left { (Binary::Shl, top) } else { (Binary::Shr, Value::Const(0)) };
        let out = self.builder.wide_binary(Binary::Shr, width, value, leaves);
        let out = self.builder.wide_binary(Binary::And, width, out, ONE);
        let mut enters = if through { Value::Slot(CY) } else { out };
        if !left {
            enters = self.builder.wide_binary(Binary::Shl, width, enters, top);
        }
        let moved = self.builder.wide_binary(op, width, value, ONE);
        let result = self.builder.wide_binary(Binary::Or, width, moved, enters);
        self.builder.write(CY, out);
        self.write(location, width, result);
    }
}
