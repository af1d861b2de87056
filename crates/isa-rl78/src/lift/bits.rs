//! Instructions on single bits.
//!
//! Source: R01US0015, section 5.5. A bit of memory is changed by reading and writing its byte.

use cocrypt_ir::{Binary, Value, Width};

use super::Lifter;
use super::operand::Location;
use crate::cells::CY;
use crate::decode::{Decoded, STATUS};
use crate::table::Operand;

const BYTE: Width = Width::W8;

impl Lifter<'_> {
    /// `mov1`, from the carry or to it.
    pub(super) fn move_bit(&mut self, insn: &Decoded) -> bool {
        if insn.row.operands[0] == Operand::Carry {
            let bit = self.bit_of(insn, 1);
            self.builder.write(CY, bit);
            return false;
        }
        let number = Value::Const(u64::from(insn.field & 7));
        let set = self.bytes(Binary::Shl, Value::Slot(CY), number);
        self.change_bit(insn, set)
    }

    /// `and1`, `or1` and `xor1`.
    pub(super) fn combine_bit(&mut self, insn: &Decoded, op: Binary) {
        let bit = self.bit_of(insn, 1);
        let carry = self.bytes(op, Value::Slot(CY), bit);
        self.builder.write(CY, carry);
    }

    /// `set1` and `clr1`.
    pub(super) fn set_bit(&mut self, insn: &Decoded, on: bool) -> bool {
        if insn.row.operands[0] == Operand::Carry {
            self.builder.write(CY, Value::Const(on.into()));
            return false;
        }
        let mask = if on { 1 << (insn.field & 7) } else { 0 };
        self.change_bit(insn, Value::Const(mask))
    }

    /// Writes the bit of an instruction's first operand, given in its byte.
    fn change_bit(&mut self, insn: &Decoded, set: Value) -> bool {
        let location = self.location(insn, 0);
        self.write_bit(location, insn.field & 7, set)
    }

    /// Writes a bit of a byte, given in its byte.
    pub(super) fn write_bit(&mut self, location: Location, number: u8, set: Value) -> bool {
        let old = self.read(location, BYTE);
        let others = Value::Const(u64::from(!(1u8 << number)));
        let kept = self.bytes(Binary::And, old, others);
        let new = self.bytes(Binary::Or, kept, set);
        self.write(location, BYTE, new)
    }

    /// The bit that an operand is.
    pub(super) fn bit_of(&mut self, insn: &Decoded, operand: usize) -> Value {
        let location = self.location(insn, operand);
        self.bit_at(location, insn.field & 7)
    }

    /// A bit of a byte.
    pub(super) fn bit_at(&mut self, location: Location, number: u8) -> Value {
        let byte = match location {
            Location::Constant(STATUS) => self.status(),
            _ => self.read(location, BYTE),
        };
        let shifted = self.bytes(Binary::Shr, byte, Value::Const(number.into()));
        self.bytes(Binary::And, shifted, Value::Const(1))
    }
}
