//! Bits: the carry, those of 16 bytes of internal data, and those of special function registers.
//!
//! Source: 272383-002, chapter 2, "Boolean Instructions".

use cocrypt_ir::{Binary, Slot, Value};

use super::Lifter;
use super::operand::is_status;
use crate::cells::{CY, FLAGS, RS0, RS1};
use crate::decode::Decoded;
use crate::table::Operand;

const ONE: Value = Value::Const(1);

/// The direct address of a bit's byte.
const fn byte_of(bit: i32) -> i32 {
    if bit < 0x80 { 0x20 + bit / 8 } else { bit & 0xf8 }
}

/// The flag that a bit is, if it is one that is kept.
fn flag_of(bit: i32) -> Option<Slot> {
    let index = (bit & 7).checked_sub(1).filter(|&index| index >= 0)?;
    is_status(byte_of(bit)).then(|| FLAGS[index as usize])
}

impl Lifter {
    /// The value of an operand that is a bit.
    pub(super) fn bit(&mut self, insn: &Decoded, at: usize) -> Value {
        match insn.row.operands[at] {
            Operand::Carry => Value::Slot(CY),
            Operand::NotBit => {
                let bit = self.bit_at(insn.values[at]);
                self.bytes(Binary::Xor, bit, ONE)
            }
            _ => self.bit_at(insn.values[at]),
        }
    }

    fn bit_at(&mut self, bit: i32) -> Value {
        self.bit_in(bit, Self::direct)
    }

    /// The value of a bit for an instruction that may write it back.
    pub(super) fn changed_bit(&mut self, bit: i32) -> Value {
        self.bit_in(bit, Self::latch)
    }

    /// The value of a bit, whose byte a function reads.
    fn bit_in(&mut self, bit: i32, read: fn(&mut Self, i32) -> Value) -> Value {
        if let Some(flag) = flag_of(bit) {
            return Value::Slot(flag);
        }
        if is_status(byte_of(bit)) {
            return self.parity();
        }
        let byte = read(self, byte_of(bit));
        self.bit_of(byte, (bit & 7) as u64)
    }

    /// Changes an operand that is a bit to what a function makes of it.
    pub(super) fn change_bit(
        &mut self,
        insn: &Decoded,
        new: impl FnOnce(&mut Self, Value) -> Value,
    ) {
        if insn.row.operands[0] == Operand::Carry {
            let value = new(self, Value::Slot(CY));
            return self.builder.write(CY, value);
        }
        self.change_bit_at(insn.values[0], new);
    }

    /// Reads the bit's byte, and writes it with the bit changed.
    fn change_bit_at(&mut self, bit: i32, new: impl FnOnce(&mut Self, Value) -> Value) {
        if let Some(flag) = flag_of(bit) {
            let value = new(self, Value::Slot(flag));
            self.builder.write(flag, value);
            self.yields |= matches!(flag, RS0 | RS1);
            return;
        }
        if is_status(byte_of(bit)) {
            return;
        }
        let byte = self.latch(byte_of(bit));
        let old = self.bit_of(byte, (bit & 7) as u64);
        let value = new(self, old);
        let value = self.bytes(Binary::Shl, value, Value::Const((bit & 7) as u64));
        let rest = self.bytes(Binary::And, byte, Value::Const(0xff & !(1 << (bit & 7))));
        let changed = self.bytes(Binary::Or, rest, value);
        self.write_direct(byte_of(bit), changed);
    }

    pub(super) fn clear_bit(&mut self, insn: &Decoded) {
        self.change_bit(insn, |_, _| Value::Const(0));
    }

    pub(super) fn complement_bit(&mut self, insn: &Decoded) {
        self.change_bit(insn, |lifter, old| lifter.bytes(Binary::Xor, old, ONE));
    }

    /// `mov` of a bit to the carry, or of the carry to a bit.
    pub(super) fn move_bit(&mut self, insn: &Decoded) {
        let value = self.bit(insn, 1);
        self.change_bit(insn, |_, _| value);
    }

    /// `anl` and `orl` of the carry.
    pub(super) fn bit_logic(&mut self, insn: &Decoded, op: Binary) {
        let bit = self.bit(insn, 1);
        let value = self.bytes(op, Value::Slot(CY), bit);
        self.builder.write(CY, value);
    }
}
