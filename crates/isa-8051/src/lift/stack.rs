//! The stack, which grows upward in internal data (272383-002, chapter 2, "PUSH direct", "POP direct", "LCALL").

use cocrypt_ir::{Binary, Exit, Value, Width};

use super::Lifter;
use crate::INTERNAL;
use crate::cells::SP;
use crate::decode::Decoded;

impl Lifter {
    /// The stack pointer so many bytes further on; it has 8 bits.
    fn moved(&mut self, by: u64) -> Value {
        let moved = self.bytes(Binary::Add, Value::Slot(SP), Value::Const(by & 0xff));
        self.builder.binary(Binary::Or, moved, Value::Const(INTERNAL.into()))
    }

    pub(super) fn write_stack(&mut self, value: Value) {
        let pointer = self.builder.binary(Binary::Or, value, Value::Const(INTERNAL.into()));
        self.builder.write(SP, pointer);
    }

    /// The stack pointer is incremented before the operand is read: `push sp` pushes the new one.
    pub(super) fn push_direct(&mut self, insn: &Decoded) {
        let pointer = self.moved(1);
        let is_own = insn.values[0] == 0x81;
        let value = if is_own { pointer } else { self.direct(insn.values[0]) };
        self.builder.store(Width::W8, value, pointer, 0);
        self.builder.write(SP, pointer);
    }

    pub(super) fn pop_direct(&mut self, insn: &Decoded) {
        let value = self.builder.load(Width::W8, false, Value::Slot(SP), 0);
        let pointer = self.moved(u64::MAX);
        if let Some(address) = Self::bus_address(insn.values[0]) {
            self.builder.store(Width::W8, value, address, 0);
            self.builder.write(SP, pointer);
        } else {
            self.builder.write(SP, pointer);
            self.write_direct(insn.values[0], value);
        }
    }

    /// Pushes the address of the next instruction, its lower byte first.
    pub(super) fn push_counter(&mut self, address: u64) {
        let (first, second) = (self.moved(1), self.moved(2));
        self.builder.store(Width::W8, Value::Const(address & 0xff), first, 0);
        self.builder.store(Width::W8, Value::Const(address >> 8 & 0xff), second, 0);
        self.builder.write(SP, second);
    }

    /// Takes an address from the stack.
    pub(super) fn pop_counter(&mut self) -> Value {
        let high = self.builder.load(Width::W8, false, Value::Slot(SP), 0);
        let below = self.moved(u64::MAX);
        let low = self.builder.load(Width::W8, false, below, 0);
        let high = self.words(Binary::Shl, high, Value::Const(8));
        let target = self.words(Binary::Or, high, low);
        let pointer = self.moved(u64::MAX - 1);
        self.builder.write(SP, pointer);
        target
    }

    pub(super) fn return_to(&mut self) -> Exit {
        Exit::Indirect { target: self.pop_counter() }
    }
}
