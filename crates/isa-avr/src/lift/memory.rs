//! Accesses to the data space, to I/O registers and to program memory.
//!
//! An instruction with several accesses writes its registers behind them.

use cocrypt_ir::{Binary, Condition, Exit, Slot, Unary, Value, Width};

use super::Lifter;
use super::pointer::{Pointer, PointerAccess, Step, named};
use crate::DATA;
use crate::cells::{FLAGS, I, RAMPD, SP, register};
use crate::decode::Decoded;
use crate::mapped::{Byte, byte, known};

/// The value that an exchange leaves in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The register.
    Write,
    /// The old value, with the register's bits set.
    Set,
    /// The old value, with the register's bits cleared.
    Clear,
    /// The old value, with the register's bits turned over.
    Toggle,
}

const BYTE: Width = Width::W8;

impl Lifter<'_> {
    pub(super) fn load(&mut self, insn: &Decoded) {
        let (pointer, step) = named(insn);
        let PointerAccess { address, pointer: moved } = self.reach(pointer, step);
        self.times(address);
        let value = self.load_byte(address);
        self.write_pointer(pointer, moved, self.core.large_data);
        self.builder.write(Slot(insn.d.into()), value);
    }

    pub(super) fn store(&mut self, insn: &Decoded) {
        let (pointer, step) = named(insn);
        let PointerAccess { address, pointer: moved } = self.reach(pointer, step);
        self.times(address);
        self.store_byte(address, register(insn.r));
        self.write_pointer(pointer, moved, self.core.large_data);
    }

    /// `lds` and `in`.
    pub(super) fn load_direct(&mut self, insn: &Decoded) {
        let value = if let Some(address) = known(self.core, insn) {
            self.read(address)
        } else {
            let address = self.direct(insn);
            self.times(address);
            self.load_byte(address)
        };
        self.builder.write(Slot(insn.d.into()), value);
    }

    /// `sts` and `out`.
    pub(super) fn store_direct(&mut self, insn: &Decoded, following: u64) -> Option<Exit> {
        let value = register(insn.r);
        if let Some(address) = known(self.core, insn) {
            return self.write(address, value, following);
        }
        let address = self.direct(insn);
        self.times(address);
        self.store_byte(address, value);
        None
    }

    /// An address of 16 bits in the instruction, under RAMPD.
    fn direct(&mut self, insn: &Decoded) -> Value {
        self.under(RAMPD, Value::Const(insn.constant as u64))
    }

    pub(super) fn set_io_bit(&mut self, insn: &Decoded, on: bool) {
        let address = Value::Const(self.core.io(insn.constant as u8).into());
        let old = self.load_byte(address);
        let bit = 1u8 << insn.bit;
        let new = if on {
            self.bytes(Binary::Or, old, Value::Const(bit.into()))
        } else {
            self.bytes(Binary::And, old, Value::Const((!bit).into()))
        };
        self.store_byte(address, new);
    }

    /// The contents of a known address of the data space.
    pub(super) fn read(&mut self, address: u32) -> Value {
        match byte(self.core, address) {
            None => {
                let address = Value::Const(address.into());
                self.times(address);
                self.load_byte(address)
            }
            Some(Byte::Whole(cell)) => Value::Slot(cell),
            Some(Byte::StackLow) => self.words(Binary::And, Value::Slot(SP), Value::Const(0xff)),
            Some(Byte::StackHigh) => self.words(Binary::Shr, Value::Slot(SP), Value::Const(8)),
            Some(Byte::Status) => self.status(),
        }
    }

    /// Writes to a known address of the data space; the exit behind a write of the status register, which
    /// may enable interrupts.
    fn write(&mut self, address: u32, value: Value, following: u64) -> Option<Exit> {
        match byte(self.core, address) {
            None => {
                let address = Value::Const(address.into());
                self.times(address);
                self.store_byte(address, value);
            }
            Some(Byte::Whole(cell)) => self.builder.write(cell, value),
            Some(Byte::StackLow) => self.write_stack_low(value),
            Some(Byte::StackHigh) => self.write_stack_high(value),
            Some(Byte::Status) => {
                // Compilers save and restore the status register around what must not change flags.
                let enabled = self.bytes(Binary::Shr, value, Value::Const(7));
                let condition = self.compare(Condition::LessUnsigned, Value::Slot(I), enabled);
                self.write_status(value);
                return Some(Exit::YieldIf { condition, next: following });
            }
        }
        None
    }

    /// The stack pointer's low byte, which compilers write last: only then it is whole, and computed from itself,
    /// so that the stack's depth counts.
    fn write_stack_low(&mut self, value: Value) {
        let both = self.builder.binary(Binary::Xor, Value::Slot(SP), value);
        let change = self.builder.binary(Binary::And, both, Value::Const(0xff));
        let pointer = self.builder.binary(Binary::Xor, Value::Slot(SP), change);
        self.builder.write(SP, pointer);
    }

    /// The stack pointer's high byte.
    fn write_stack_high(&mut self, value: Value) {
        let rest = self.builder.binary(Binary::And, Value::Slot(SP), Value::Const(0xffff_00ff));
        let shifted = self.builder.binary(Binary::Shl, value, Value::Const(8));
        let pointer = self.builder.binary(Binary::Or, rest, shifted);
        self.builder.write(SP, pointer);
    }

    fn status(&mut self) -> Value {
        let mut status = Value::Slot(FLAGS[0]);
        for (&flag, bit) in FLAGS.iter().zip(0..).skip(1) {
            let shifted = self.bytes(Binary::Shl, Value::Slot(flag), Value::Const(bit));
            status = self.bytes(Binary::Or, status, shifted);
        }
        status
    }

    fn write_status(&mut self, value: Value) {
        for (&flag, bit) in FLAGS.iter().zip(0..) {
            let shifted = self.bytes(Binary::Shr, value, Value::Const(bit));
            let lowest = self.bytes(Binary::And, shifted, Value::Const(1));
            self.builder.write(flag, lowest);
        }
    }

    pub(super) fn exchange(&mut self, number: u8, change: Change) {
        let PointerAccess { address, .. } = self.reach(Pointer::Z, Step::Stay);
        self.times(address);
        let (value, old) = (register(number), self.load_byte(address));
        let new = match change {
            Change::Write => value,
            Change::Set => self.bytes(Binary::Or, old, value),
            Change::Clear => {
                let others = self.builder.wide_unary(Unary::Not, BYTE, value);
                self.bytes(Binary::And, old, others)
            }
            Change::Toggle => self.bytes(Binary::Xor, old, value),
        };
        self.store_byte(address, new);
        self.builder.write(Slot(number.into()), old);
    }

    /// `lpm`, or `elpm` with the byte above Z; without operands they load r0.
    pub(super) fn load_program(&mut self, insn: &Decoded, extended: bool) {
        let (_, step) = named(insn);
        let PointerAccess { address, pointer } = self.reach_wide(Pointer::Z, step, extended);
        let value = self.builder.load(BYTE, false, address, 0);
        self.write_pointer(Pointer::Z, pointer, extended);
        self.builder.write(Slot(insn.d.into()), value);
    }

    pub(super) fn push_register(&mut self, number: u8) {
        self.builder.store(BYTE, register(number), Value::Slot(SP), 0);
        let pointer = self.stack(Binary::Sub, 1);
        self.builder.write(SP, pointer);
    }

    pub(super) fn pop_register(&mut self, number: u8) {
        let pointer = self.stack(Binary::Add, 1);
        let value = self.builder.load(BYTE, false, pointer, 0);
        self.builder.write(SP, pointer);
        self.builder.write(Slot(number.into()), value);
    }

    /// The address so many bytes from the stack pointer.
    pub(super) fn stack(&mut self, op: Binary, by: u64) -> Value {
        let moved = self.words(op, Value::Slot(SP), Value::Const(by));
        self.builder.binary(Binary::Or, moved, Value::Const(DATA.into()))
    }

    fn load_byte(&mut self, address: Value) -> Value {
        self.builder.load(BYTE, false, address, DATA as i32)
    }

    fn store_byte(&mut self, address: Value, value: Value) {
        self.builder.store(BYTE, value, address, DATA as i32);
    }
}
