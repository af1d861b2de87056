//! Branches, skips, jumps, calls and returns, and the stack.
//!
//! Source: R01US0015, section 5.5.

use cocrypt_ir::{Binary, Condition, Exit, Value, Width};

use super::operand::AX;
use super::{Lifter, byte, read};
use crate::ADDRESSES;
use crate::cells::{CS, CY, IE, SP, Z};
use crate::decode::{Decoded, Read, STATUS};
use crate::disasm::entry;
use crate::table::Operand;

const BYTE: Width = Width::W8;
/// The vector of `brk`.
const BRK_VECTOR: u64 = 0x7e;

/// The flag that decides about a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// CY.
    Carry,
    /// Z.
    Zero,
    /// CY or Z.
    NotHigher,
}

impl Lifter<'_> {
    fn flag(&mut self, flag: Flag) -> Value {
        match flag {
            Flag::Carry => Value::Slot(CY),
            Flag::Zero => Value::Slot(Z),
            Flag::NotHigher => self.bytes(Binary::Or, Value::Slot(CY), Value::Slot(Z)),
        }
    }

    /// An exit to one of two addresses, by a value that is 0 or not.
    const fn by(value: Value, set: bool, taken: u64, next: u64) -> Exit {
        let condition = if set { Condition::NotEqual } else { Condition::Equal };
        Exit::Branch { condition, width: BYTE, a: value, b: Value::Const(0), taken, next }
    }

    fn relative(following: u64, distance: i32) -> u64 {
        following.wrapping_add_signed(distance.into()) & ADDRESSES
    }

    pub(super) fn branch(&mut self, insn: &Decoded, flag: Flag, set: bool, following: u64) -> Exit {
        let value = self.flag(flag);
        Self::by(value, set, Self::relative(following, insn.values[0]), following)
    }

    pub(super) fn branch_bit(&mut self, insn: &Decoded, set: bool, following: u64) -> Exit {
        let bit = self.bit_of(insn, 0);
        Self::by(bit, set, Self::relative(following, insn.values[1]), following)
    }

    /// Clears the bit by which it branches. A bit of the program status word may decide about interrupts.
    pub(super) fn branch_clear(&mut self, insn: &Decoded, following: u64) -> Exit {
        let location = self.location(insn, 0);
        let bit = self.bit_at(location, insn.field & 7);
        let bit = self.builder.copy(bit);
        let taken = Self::relative(following, insn.values[1]);
        if insn.known(0) == Some(STATUS) {
            self.operand = Some(bit);
            self.lead = (self.builder.ops.len() - self.first) as u16;
        }
        // Where it does not branch the bit is 0, and nothing is written.
        let guard = self.builder.guard(bit);
        let changes = self.write_bit(location, insn.field & 7, Value::Const(0));
        self.builder.close(guard);
        if changes {
            let [taken, next] = [taken, following].map(Value::Const);
            return Exit::Yield { target: self.builder.select(bit, taken, next) };
        }
        Self::by(bit, true, taken, following)
    }

    /// Goes on behind the next instruction where a flag is set, or is not.
    pub(super) fn skip(&mut self, flag: Flag, set: bool, following: u64) -> Exit {
        let value = self.flag(flag);
        let length = match read(self.core, self.code, following) {
            Read::Insn(decoded) => decoded.length.into(),
            Read::Illegal | Read::Unmapped(_) => 1,
        };
        Self::by(value, set, (following + length) & ADDRESSES, following)
    }

    pub(super) fn jump(&mut self, insn: &Decoded, following: u64) -> Exit {
        match insn.row.operands[0] {
            Operand::Ax => Exit::Indirect { target: self.code_at(AX) },
            _ => Exit::Jump { target: Self::target(insn, following) },
        }
    }

    /// The target of a jump that names it.
    fn target(insn: &Decoded, following: u64) -> u64 {
        match insn.row.operands[0] {
            Operand::Near | Operand::Relative => Self::relative(following, insn.values[0]),
            _ => insn.values[0] as u64,
        }
    }

    /// The address of code that a register of 16 bits and CS hold.
    fn code_at(&mut self, low: u16) -> Value {
        let word = self.pair(self.register(low));
        let high = self.builder.binary(Binary::Shl, Value::Slot(CS), Value::Const(16));
        self.builder.binary(Binary::Or, high, word)
    }

    pub(super) fn call(&mut self, insn: &Decoded, following: u64) -> Exit {
        let exit = match insn.row.operands[0] {
            Operand::Pair => Exit::Indirect { target: self.code_at(2 * u16::from(insn.field)) },
            _ => Exit::Jump { target: Self::target(insn, following) },
        };
        self.push_counter(following);
        exit
    }

    pub(super) fn call_table(&mut self, field: u8, following: u64) -> Exit {
        self.push_counter(following);
        Exit::Jump { target: self.vector(entry(field).into()) }
    }

    /// The address that two bytes of code hold.
    pub(super) fn vector(&self, at: u64) -> u64 {
        let [low, high] = [at, at + 1].map(|at| byte(self.code, at).unwrap_or(0));
        u64::from(u16::from_le_bytes([low, high]))
    }

    /// Pushes an address of 20 bits, which takes four bytes; the highest is left as it is.
    fn push_counter(&mut self, address: u64) {
        let [low, high] = [-4, -2].map(|distance| self.on_stack(distance));
        self.builder.store(Width::W16, Value::Const(address & 0xffff), low, 0);
        self.builder.store(BYTE, Value::Const(address >> 16), high, 0);
        self.builder.write(SP, low);
    }

    /// Pushes a word. The stack pointer is even, so that its two bytes lie side by side.
    fn push_word(&mut self, word: Value) {
        let pointer = self.on_stack(-2);
        self.builder.store(Width::W16, word, pointer, 0);
        self.builder.write(SP, pointer);
    }

    /// Moves the stack pointer behind what was popped.
    fn drop_bytes(&mut self, count: i32) {
        let pointer = self.on_stack(count);
        self.builder.write(SP, pointer);
    }

    /// The address on the stack.
    fn return_address(&mut self) -> Value {
        let low = self.builder.load(Width::W16, false, Value::Slot(SP), 0);
        let high = self.on_stack(2);
        let high = self.builder.load(BYTE, false, high, 0);
        let high = self.builder.binary(Binary::And, high, Value::Const(15));
        let high = self.builder.binary(Binary::Shl, high, Value::Const(16));
        self.builder.binary(Binary::Or, high, low)
    }

    pub(super) fn return_to(&mut self) -> Exit {
        let target = self.return_address();
        self.drop_bytes(4);
        Exit::Indirect { target }
    }

    pub(super) fn return_from_handler(&mut self) -> Exit {
        let target = self.return_address();
        let status = self.on_stack(3);
        let status = self.builder.load(BYTE, false, status, 0);
        self.drop_bytes(4);
        self.write_status(status);
        Exit::Yield { target }
    }

    /// Pushes the program status word and the address of what follows, and disables interrupts.
    pub(super) fn enter(&mut self, following: u64) {
        let status = self.status();
        let location = self.on_stack(-1);
        self.builder.store(BYTE, status, location, 0);
        self.push_counter(following);
        self.builder.write(IE, Value::Const(0));
    }

    pub(super) fn software_interrupt(&mut self, following: u64) -> Exit {
        self.enter(following);
        Exit::Jump { target: self.vector(BRK_VECTOR) }
    }

    pub(super) fn push_pair(&mut self, insn: &Decoded) {
        let value = self.source(insn, 0, Width::W16);
        self.push_word(value);
    }

    pub(super) fn pop_pair(&mut self, insn: &Decoded) {
        let value = self.builder.load(Width::W16, false, Value::Slot(SP), 0);
        let location = self.location(insn, 0);
        self.write(location, Width::W16, value);
        self.drop_bytes(2);
    }

    /// The program status word is the higher byte of the word, whose lower one is 0.
    pub(super) fn push_status(&mut self) {
        let status = self.status();
        let word = self.words(Binary::Shl, status, Value::Const(8));
        self.push_word(word);
    }

    pub(super) fn pop_status(&mut self) {
        let status = self.builder.load(BYTE, false, Value::Slot(SP), 1);
        self.drop_bytes(2);
        self.write_status(status);
    }
}
