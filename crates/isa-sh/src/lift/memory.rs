//! Loads and stores, and what computes in memory.
//!
//! Registers change behind the access, so that an access that leads to an exception leaves them as they were.

use cocrypt_ir::{Binary, Condition, Slot, Value, Width};

use super::Lifter;
use crate::cells::{GBR, R0, T, register};
use crate::decode::{Decoded, target};
use crate::table::{Address, Opcode, Row};

impl Lifter {
    pub(super) fn load(&mut self, insn: Decoded) {
        let row = insn.opcode.row();
        let (base, offset) = self.address(insn, insn.m);
        let value = self.builder.load(width(row), row.bytes() < 4, base, offset);
        let destination = destination(insn);
        if row.address == Address::Increment && destination != insn.m {
            self.step(insn.m, row.bytes());
        }
        self.set(destination, value);
    }

    pub(super) fn store(&mut self, insn: Decoded) {
        let row = insn.opcode.row();
        let pointer = match insn.opcode {
            Opcode::MovbToDisplaced | Opcode::MovwToDisplaced => insn.m,
            _ => insn.n,
        };
        let implies = matches!(
            insn.opcode,
            Opcode::MovbToDisplaced | Opcode::MovwToDisplaced | Opcode::Movca
        );
        let is_r0 = implies || row.address == Address::Global;
        let value = if is_r0 { Value::Slot(R0) } else { register(insn.m) };
        let (base, offset) = self.address(insn, pointer);
        self.builder.store(width(row), value, base, offset);
        if row.address == Address::Decrement {
            self.step(pointer, row.bytes().wrapping_neg());
        }
    }

    /// Base and offset of an access, given the number of the register that points there.
    fn address(&mut self, insn: Decoded, pointer: u8) -> (Value, i32) {
        let row = insn.opcode.row();
        let at = register(pointer);
        match row.address {
            Address::Decrement => (at, -(row.bytes() as i32)),
            Address::Displaced => (at, insn.distance() as i32),
            Address::Indexed => (self.builder.binary(Binary::Add, at, Value::Slot(R0)), 0),
            Address::Global => (Value::Slot(GBR), insn.distance() as i32),
            Address::GlobalIndexed => {
                (self.builder.binary(Binary::Add, Value::Slot(GBR), Value::Slot(R0)), 0)
            }
            Address::Relative => (Value::Const(target(insn, self.next).into()), 0),
            Address::At | Address::Increment | Address::No => (at, 0),
        }
    }

    /// Adds to a register.
    pub(super) fn step(&mut self, number: u8, bytes: u32) {
        let sum = self.builder.binary(Binary::Add, register(number), Value::Const(bytes.into()));
        self.set(number, sum);
    }

    /// `and.b` and its like: a byte in memory and an immediate.
    pub(super) fn modify(&mut self, insn: Decoded) {
        let (base, offset) = self.address(insn, 0);
        let loaded = self.builder.load(Width::W8, false, base, offset);
        let imm = Value::Const(insn.unsigned().into());
        let op = match insn.opcode {
            Opcode::OrByte => Binary::Or,
            Opcode::XorByte => Binary::Xor,
            _ => Binary::And,
        };
        let value = self.builder.binary(op, loaded, imm);
        if insn.opcode == Opcode::TstByte {
            let is_zero = self.builder.compare(Condition::Equal, value, Value::Const(0));
            return self.builder.write(T, is_zero);
        }
        self.builder.store(Width::W8, value, base, offset);
    }

    pub(super) fn test_and_set(&mut self, insn: Decoded) {
        let base = register(insn.n);
        let loaded = self.builder.load(Width::W8, false, base, 0);
        let set = self.builder.binary(Binary::Or, loaded, Value::Const(0x80));
        self.builder.store(Width::W8, set, base, 0);
        let is_zero = self.builder.compare(Condition::Equal, loaded, Value::Const(0));
        self.builder.write(T, is_zero);
    }

    /// Loads the word that a register points to, behind which it points then.
    pub(super) fn pop(&mut self, insn: Decoded) -> Value {
        let loaded = self.builder.load(Width::W32, false, register(insn.n), 0);
        self.step(insn.n, 4);
        loaded
    }

    /// Stores a word in front of where a register points, and lets it point there.
    pub(super) fn push_word(&mut self, insn: Decoded, value: Value) {
        self.builder.store(Width::W32, value, register(insn.n), -4);
        self.step(insn.n, 4u32.wrapping_neg());
    }

    /// Writes a special register.
    pub(super) fn write(&mut self, cell: Slot, value: Value) {
        self.builder.write(cell, value);
    }
}

/// The register that a load writes.
pub const fn destination(insn: Decoded) -> u8 {
    match insn.opcode {
        Opcode::MovbFromDisplaced | Opcode::MovwFromDisplaced => 0,
        _ if matches!(insn.opcode.row().address, Address::Global) => 0,
        _ => insn.n,
    }
}

/// The width of an access.
const fn width(row: &Row) -> Width {
    match row.bytes() {
        1 => Width::W8,
        2 => Width::W16,
        _ => Width::W32,
    }
}
