//! Branches, skips, jumps, calls and returns.
//!
//! Return addresses on the stack count words; their lowest byte is at the highest address (DS40002198,
//! sections 6.32 and 6.88).

use cocrypt_ir::{Binary, Condition, Exit, Slot, Value, Width};

use super::Lifter;
use crate::cells::{EIND, EXECUTING, I, SP, register};
use crate::decode::{Decoded, decode};

impl Lifter<'_> {
    /// The target of a relative jump.
    pub(super) fn relative(&self, insn: &Decoded, following: u64) -> u64 {
        self.core.wrap(following.wrapping_add_signed(insn.constant.into()))
    }

    /// The translation of an address.
    pub(super) const fn absolute(&self, insn: &Decoded) -> u64 {
        self.core.wrap(insn.constant as u64)
    }

    /// A branch that is taken where a flag is set, or is not.
    pub(super) fn branch(&mut self, insn: &Decoded, flag: Slot, set: bool, following: u64) -> Exit {
        let taken = self.relative(insn, following);
        let condition = if set { Condition::NotEqual } else { Condition::Equal };
        let (a, b) = (Value::Slot(flag), Value::Const(0));
        Exit::Branch { condition, width: Width::W8, a, b, taken, next: following }
    }

    pub(super) fn skip_equal(&mut self, insn: &Decoded, following: u64) -> Exit {
        self.skip(Condition::Equal, register(insn.d), register(insn.r), following)
    }

    pub(super) fn skip_bit(&mut self, insn: &Decoded, set: bool, following: u64) -> Exit {
        self.skip_where(register(insn.d), insn.bit, set, following)
    }

    pub(super) fn skip_io_bit(&mut self, insn: &Decoded, set: bool, following: u64) -> Exit {
        let value = self.read(self.core.io(insn.constant as u8));
        self.skip_where(value, insn.bit, set, following)
    }

    /// Skips where a bit of a byte is set, or is not.
    fn skip_where(&mut self, value: Value, bit: u8, set: bool, following: u64) -> Exit {
        let bit = self.bytes(Binary::And, value, Value::Const(1 << bit));
        let condition = if set { Condition::NotEqual } else { Condition::Equal };
        self.skip(condition, bit, Value::Const(0), following)
    }

    /// Goes on behind the next instruction where a condition holds.
    fn skip(&mut self, condition: Condition, a: Value, b: Value, following: u64) -> Exit {
        let taken = self.core.wrap(following + self.skipped(following));
        Exit::Branch { condition, width: Width::W8, a, b, taken, next: following }
    }

    /// Bytes of the instruction at an address; what is none has a word.
    fn skipped(&self, at: u64) -> u64 {
        let unit = |at| self.code.unit(at).unwrap_or(0);
        let insn = decode(self.core, unit(at), 0);
        insn.map_or(2, |insn| insn.length.into())
    }

    pub(super) fn jump_indirect(&mut self, extended: bool) -> Exit {
        Exit::Indirect { target: self.indirect(extended) }
    }

    pub(super) fn call_indirect(&mut self, extended: bool, following: u64) -> Exit {
        let target = self.indirect(extended);
        self.push_counter(following);
        Exit::Indirect { target }
    }

    /// The address that Z names, or Z and EIND above it.
    fn indirect(&mut self, extended: bool) -> Value {
        let words = self.pair(Slot(30));
        let words = if extended { self.under(EIND, words) } else { words };
        self.address_of(words)
    }

    /// The address that a number of words is.
    fn address_of(&mut self, words: Value) -> Value {
        let bytes = self.builder.binary(Binary::Shl, words, Value::Const(1));
        let last = Value::Const(self.core.wrap(u64::MAX));
        self.builder.binary(Binary::And, bytes, last)
    }

    /// Pushes an address.
    pub(super) fn push_counter(&mut self, address: u64) {
        let words = address / 2;
        for byte in 0..u64::from(self.core.counter_bytes()) {
            let at = if byte == 0 { Value::Slot(SP) } else { self.stack(Binary::Sub, byte) };
            let value = Value::Const(words >> (8 * byte) & 0xff);
            self.builder.store(Width::W8, value, at, 0);
        }
        let pointer = self.stack(Binary::Sub, self.core.counter_bytes().into());
        self.builder.write(SP, pointer);
    }

    /// Takes an address from the stack.
    fn pop_counter(&mut self) -> Value {
        let mut words = Value::Const(0);
        let mut pointer = Value::Slot(SP);
        for byte in 1..=u64::from(self.core.counter_bytes()) {
            pointer = self.stack(Binary::Add, byte);
            let loaded = self.builder.load(Width::W8, false, pointer, 0);
            words = if byte == 1 {
                loaded
            } else {
                let higher = self.builder.binary(Binary::Shl, words, Value::Const(8));
                self.builder.binary(Binary::Or, higher, loaded)
            };
        }
        let target = self.address_of(words);
        self.builder.write(SP, pointer);
        target
    }

    pub(super) fn return_to(&mut self) -> Exit {
        Exit::Indirect { target: self.pop_counter() }
    }

    /// A handler that I was cleared for sets it again; others end their state (section 6.89).
    pub(super) fn return_from_handler(&mut self) -> Exit {
        let target = self.pop_counter();
        if self.core.variant.keeps_enable() {
            self.builder.write(EXECUTING, Value::Const(0));
        } else {
            self.builder.write(I, Value::Const(1));
        }
        Exit::Yield { target }
    }

    pub(super) fn enable_interrupts(&mut self, following: u64) -> Exit {
        self.builder.write(I, Value::Const(1));
        Exit::Yield { target: Value::Const(following) }
    }
}
