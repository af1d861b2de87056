//! Operands: registers, direct addresses and internal data by R0 or R1.
//!
//! Source: 272383-002, chapter 2, "Addressing Modes" and "Special Function Registers". Internal data from 0x80 on
//! is reached by R0, R1 and the stack alone, special function registers by direct addresses alone.

use cocrypt_ir::{Binary, Exit, Slot, Unary, Value, Width};

use super::Lifter;
use crate::cells::{self, A, B, BANK, DPTR, FLAGS, IE, IP, REGISTERS, SP};
use crate::decode::Decoded;
use crate::table::Operand;
use crate::{EXTERNAL, INTERNAL, LATCH, SPECIAL};

/// The port whose latch is the higher byte of addresses of external data.
const P2: i32 = 0xa0;
/// The program status word.
const PSW: i32 = 0xd0;

/// The guest state or memory behind a direct address.
enum Location {
    /// A register, or a special function register of a byte.
    Cell(Slot),
    /// The stack pointer.
    Stack,
    /// The lower byte of the data pointer.
    PointerLow,
    /// The higher byte of the data pointer.
    PointerHigh,
    /// The program status word.
    Status,
    /// A port, by the address of its pins in the machine's memory.
    Port(u32),
    /// A byte of the machine's memory or of a peripheral.
    Memory(u32),
}

const fn location(address: i32) -> Location {
    match address {
        0x81 => Location::Stack,
        0x82 => Location::PointerLow,
        0x83 => Location::PointerHigh,
        0xa8 => Location::Cell(IE),
        0xb8 => Location::Cell(IP),
        PSW => Location::Status,
        0xe0 => Location::Cell(A),
        0xf0 => Location::Cell(B),
        0x80 | 0x90 | P2 | 0xb0 => Location::Port(SPECIAL + address as u32),
        0x80..=0xff => Location::Memory(SPECIAL + address as u32),
        _ if address < REGISTERS as i32 => Location::Cell(Slot(address as u16)),
        _ => Location::Memory(INTERNAL + address as u32),
    }
}

impl Lifter {
    /// The value of an operand.
    pub(super) fn value(&mut self, insn: &Decoded, at: usize) -> Value {
        let constant = insn.values[at];
        match insn.row.operands[at] {
            Operand::A => Value::Slot(A),
            Operand::Register => Value::Slot(self.register(insn.field)),
            Operand::Direct => self.direct(constant),
            Operand::Pointer => Value::Slot(DPTR),
            Operand::Immediate | Operand::Wide => Value::Const(constant as u64),
            _ => {
                let (base, offset) = self.address(insn, at);
                self.builder.load(Width::W8, false, base, offset)
            }
        }
    }

    /// Writes an operand.
    pub(super) fn write(&mut self, insn: &Decoded, at: usize, value: Value) {
        match insn.row.operands[at] {
            Operand::A => self.builder.write(A, value),
            Operand::Register => {
                let register = self.register(insn.field);
                self.builder.write(register, value);
            }
            Operand::Direct => self.write_direct(insn.values[at], value),
            Operand::Pointer => self.builder.write(DPTR, value),
            _ => {
                let (base, offset) = self.address(insn, at);
                self.builder.store(Width::W8, value, base, offset);
            }
        }
    }

    /// The address of an operand in memory.
    fn address(&mut self, insn: &Decoded, at: usize) -> (Value, i32) {
        match insn.row.operands[at] {
            Operand::External => (Value::Slot(DPTR), EXTERNAL as i32),
            Operand::ExternalPage => {
                let page = self.latch(P2);
                let page = self.builder.binary(Binary::Shl, page, Value::Const(8));
                let low = Value::Slot(self.register(insn.field));
                (self.builder.binary(Binary::Or, page, low), EXTERNAL as i32)
            }
            Operand::CodePointer => (self.words(Binary::Add, Value::Slot(A), Value::Slot(DPTR)), 0),
            Operand::CodeCounter => {
                let following = Value::Const(self.next + u64::from(insn.length));
                (self.words(Binary::Add, Value::Slot(A), following), 0)
            }
            _ => (Value::Slot(self.register(insn.field)), INTERNAL as i32),
        }
    }

    /// The target of `jmp @a+dptr`.
    pub(super) fn code_pointer(&mut self) -> Value {
        self.words(Binary::Add, Value::Slot(A), Value::Slot(DPTR))
    }

    /// A register of the bank.
    const fn register(&self, number: u8) -> Slot {
        Slot(self.block.mode as u16 * BANK + number as u16)
    }

    /// The value at a direct address.
    pub(super) fn direct(&mut self, address: i32) -> Value {
        match location(address) {
            Location::Cell(cell) => Value::Slot(cell),
            Location::Stack => self.bytes(Binary::And, Value::Slot(SP), Value::Const(0xff)),
            Location::PointerLow => self.bytes(Binary::And, Value::Slot(DPTR), Value::Const(0xff)),
            Location::PointerHigh => self.words(Binary::Shr, Value::Slot(DPTR), Value::Const(8)),
            Location::Status => self.status(),
            Location::Port(address) | Location::Memory(address) => {
                self.builder.load(Width::W8, false, Value::Const(address.into()), 0)
            }
        }
    }

    /// The value at a direct address for an instruction that writes it back: of a port, that of its latch
    /// ("Read-Modify-Write Feature" in chapter 3).
    pub(super) fn latch(&mut self, address: i32) -> Value {
        match location(address) {
            Location::Port(pins) => {
                let latch = Value::Const((pins + LATCH).into());
                self.builder.load(Width::W8, false, latch, 0)
            }
            _ => self.direct(address),
        }
    }

    /// The value of the first operand of an instruction that writes it back.
    pub(super) fn changed(&mut self, insn: &Decoded) -> Value {
        match insn.row.operands[0] {
            Operand::Direct => self.latch(insn.values[0]),
            _ => self.value(insn, 0),
        }
    }

    /// Writes to a direct address.
    pub(super) fn write_direct(&mut self, address: i32, value: Value) {
        match location(address) {
            Location::Cell(cell) => {
                self.builder.write(cell, value);
                self.yields |= matches!(cell, IE | IP);
            }
            Location::Stack => self.write_stack(value),
            Location::PointerLow => self.write_pointer(0xff00, value),
            Location::PointerHigh => {
                let high = self.words(Binary::Shl, value, Value::Const(8));
                self.write_pointer(0xff, high);
            }
            Location::Status => self.write_status(value),
            Location::Port(pins) => self.store_byte(pins + LATCH, value),
            Location::Memory(address) => self.store_byte(address, value),
        }
    }

    /// The machine's address that a write of a direct address reaches outside the guest state.
    pub(super) const fn bus_address(address: i32) -> Option<Value> {
        match location(address) {
            Location::Port(pins) => Some(Value::Const((pins + LATCH) as u64)),
            Location::Memory(address) => Some(Value::Const(address as u64)),
            _ => None,
        }
    }

    fn store_byte(&mut self, address: u32, value: Value) {
        self.builder.store(Width::W8, value, Value::Const(address.into()), 0);
    }

    /// Writes one byte of the data pointer.
    fn write_pointer(&mut self, kept: u64, value: Value) {
        let rest = self.words(Binary::And, Value::Slot(DPTR), Value::Const(kept));
        let pointer = self.words(Binary::Or, rest, value);
        self.builder.write(DPTR, pointer);
    }

    fn status(&mut self) -> Value {
        let mut status = self.parity();
        for (&flag, bit) in FLAGS.iter().zip(1..) {
            let shifted = self.bytes(Binary::Shl, Value::Slot(flag), Value::Const(bit));
            status = self.bytes(Binary::Or, status, shifted);
        }
        status
    }

    /// The parity flag: 1 if the number of ones in the accumulator is odd.
    pub(super) fn parity(&mut self) -> Value {
        let ones = self.builder.wide_unary(Unary::PopCount, Width::W8, Value::Slot(A));
        self.bytes(Binary::And, ones, Value::Const(1))
    }

    /// A value that is written to the parity flag is lost.
    fn write_status(&mut self, value: Value) {
        for (&flag, bit) in FLAGS.iter().zip(1..) {
            let shifted = self.bytes(Binary::Shr, value, Value::Const(bit));
            let lowest = self.bytes(Binary::And, shifted, Value::Const(1));
            self.builder.write(flag, lowest);
        }
        self.yields = true;
    }

    /// The exit behind an instruction that changes what decides about interrupts, or the bank.
    pub(super) fn yielding(&self, following: u64) -> Option<Exit> {
        self.yields.then_some(Exit::Yield { target: Value::Const(following) })
    }

    pub(super) fn bytes(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.wide_binary(op, Width::W8, a, b)
    }

    pub(super) fn words(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.wide_binary(op, Width::W16, a, b)
    }
}

/// Returns true if a direct address is that of the program status word.
pub const fn is_status(address: i32) -> bool {
    address == PSW
}

const _: () = assert!(cells::REGISTERS == 4 * BANK);
