//! Operands: registers, memory, and those special function registers that are part of the core.
//!
//! Source: R01US0015, chapter 3. Sums of a register and a constant have 16 bits.

use cocrypt_ir::{Binary, Slot, Value, Width};
use cocrypt_isa::CellPart;

use super::Lifter;
use crate::DATA;
use crate::cells::{BANK, ES, FLAGS, MACR, SP};
use crate::decode::{Decoded, STATUS};
use crate::mapped::cell;
use crate::table::Operand;

/// Registers of a bank by their numbers.
pub const X: u16 = 0;
/// A.
pub const A: u16 = 1;
/// C.
pub const C: u16 = 2;
/// B.
pub const B: u16 = 3;
/// E, the lower half of DE.
pub const DE: u16 = 4;
/// L, the lower half of HL.
pub const HL: u16 = 6;
/// X, the lower half of AX.
pub const AX: u16 = X;
/// C, the lower half of BC.
pub const BC: u16 = C;

/// An operand that can be read and written.
#[derive(Clone, Copy, Debug)]
pub enum Location {
    /// A register of 8 bits.
    Register(Slot),
    /// A register of 16 bits by its lower half.
    Pair(Slot),
    /// The stack pointer.
    Stack,
    /// The register ES.
    Extra,
    /// Memory at a known address.
    Constant(u32),
    /// Memory at an address that is computed, and a displacement.
    Computed(Value, i32),
}

impl Lifter<'_> {
    /// A register of the selected bank.
    pub(super) fn register(&self, number: u16) -> Slot {
        let bank = (self.block.mode & super::BANKS) as u16;
        Slot(bank * BANK + number)
    }

    /// The register or the memory that an operand is.
    pub(super) fn location(&mut self, insn: &Decoded, operand: usize) -> Location {
        use Operand as O;
        let value = insn.values[operand];
        let field = u16::from(insn.field);
        if let Some(address) = insn.known(operand) {
            return Location::Constant(address);
        }
        match insn.row.operands[operand] {
            O::X => Location::Register(self.register(X)),
            O::A | O::BitA => Location::Register(self.register(A)),
            O::B => Location::Register(self.register(B)),
            O::C => Location::Register(self.register(C)),
            O::Register | O::LowRegister | O::Other | O::Others => {
                Location::Register(self.register(field))
            }
            O::Ax => Location::Pair(self.register(AX)),
            O::Bc => Location::Pair(self.register(BC)),
            O::Pair | O::OtherPair => Location::Pair(self.register(2 * field)),
            O::Sp => Location::Stack,
            O::Es => Location::Extra,
            O::AtSpByte => Location::Computed(self.on_stack(value), 0),
            O::Absolute | O::BitAbsolute => self.memory(insn, Value::Const(value as u64), 0),
            O::AtDe | O::AtDeByte => self.at_pair(insn, DE, value),
            O::AtHl | O::AtHlByte | O::BitHl => self.at_pair(insn, HL, value),
            O::IndexBc => self.at_pair(insn, BC, value),
            O::AtHlB => self.at_sum(insn, B),
            O::AtHlC => self.at_sum(insn, C),
            O::IndexB => self.at_index(insn, B, value),
            O::IndexC => self.at_index(insn, C, value),
            other => unreachable!("{other:?} is not a place"),
        }
    }

    /// The address at a distance from the stack pointer, which has 16 bits in the last 64 KiB.
    pub(super) fn on_stack(&mut self, distance: i32) -> Value {
        if distance == 0 {
            return Value::Slot(SP);
        }
        let low = self.words(Binary::Add, Value::Slot(SP), Value::Const(distance as u16 as u64));
        self.builder.binary(Binary::Or, low, Value::Const(DATA.into()))
    }

    fn at_pair(&mut self, insn: &Decoded, low: u16, displacement: i32) -> Location {
        let base = self.pair(self.register(low));
        self.memory(insn, base, displacement)
    }

    fn at_index(&mut self, insn: &Decoded, register: u16, displacement: i32) -> Location {
        let base = Value::Slot(self.register(register));
        self.memory(insn, base, displacement)
    }

    fn at_sum(&mut self, insn: &Decoded, register: u16) -> Location {
        let base = self.pair(self.register(HL));
        let index = Value::Slot(self.register(register));
        let sum = self.words(Binary::Add, base, index);
        self.memory(insn, sum, 0)
    }

    /// Memory at a sum of 16 bits, in the last 64 KiB or in the part that ES selects.
    fn memory(&mut self, insn: &Decoded, base: Value, displacement: i32) -> Location {
        let low = match displacement {
            0 => base,
            _ => self.words(Binary::Add, base, Value::Const(displacement as u64)),
        };
        let high = if insn.prefixed {
            self.builder.binary(Binary::Shl, Value::Slot(ES), Value::Const(16))
        } else {
            Value::Const(DATA.into())
        };
        Location::Computed(self.builder.binary(Binary::Or, low, high), 0)
    }

    /// The value of an operand.
    pub(super) fn source(&mut self, insn: &Decoded, operand: usize, width: Width) -> Value {
        match insn.row.operands[operand] {
            Operand::Byte | Operand::Word => Value::Const(insn.values[operand] as u64),
            _ => {
                let location = self.location(insn, operand);
                self.read(location, width)
            }
        }
    }

    /// The value at a location.
    pub(super) fn read(&mut self, location: Location, width: Width) -> Value {
        match location {
            Location::Register(cell) => Value::Slot(cell),
            Location::Pair(low) => self.pair(low),
            Location::Stack => self.words(Binary::And, Value::Slot(SP), Value::Const(0xffff)),
            Location::Extra => Value::Slot(ES),
            Location::Constant(address) => self.read_constant(address, width),
            Location::Computed(base, offset) => self.builder.load(width, false, base, offset),
        }
    }

    fn read_constant(&mut self, address: u32, width: Width) -> Value {
        let bytes = (0..width.bytes()).map(|byte| cell(self.core, address + byte));
        let Some(mapped) = bytes.collect::<Option<Vec<_>>>() else {
            return self.builder.load(width, false, Value::Const(address.into()), 0);
        };
        let mut value = None;
        for (byte, mapped) in mapped.iter().enumerate() {
            for part in mapped.parts {
                let mut bits = self.moved(Binary::Shr, Value::Slot(part.cell), part.shift_in_cell);
                if !is_whole(*part) {
                    let mask = Value::Const((1 << part.bits) - 1);
                    bits = self.builder.binary(Binary::And, bits, mask);
                }
                bits = self.moved(Binary::Shl, bits, byte as u8 * 8 + part.shift_in_byte);
                value = Some(match value {
                    None => bits,
                    Some(value) => self.builder.binary(Binary::Or, value, bits),
                });
            }
        }
        value.unwrap_or(Value::Const(0))
    }

    /// A value shifted by a known number of bits.
    fn moved(&mut self, op: Binary, value: Value, by: u8) -> Value {
        if by == 0 { value } else { self.builder.binary(op, value, Value::Const(by.into())) }
    }

    /// Writes a value to a location. Returns true if that may change what follows: interrupts, or the bank.
    pub(super) fn write(&mut self, location: Location, width: Width, value: Value) -> bool {
        match location {
            Location::Register(cell) => self.builder.write(cell, value),
            Location::Pair(low) => self.write_pair(low, value),
            Location::Stack => self.write_stack(value),
            Location::Extra => self.write_extra(value),
            Location::Constant(address) => return self.write_constant(address, width, value),
            Location::Computed(base, offset) => self.builder.store(width, value, base, offset),
        }
        false
    }

    /// The stack pointer, whose lowest bit is 0. It is computed from itself, so that the stack's depth counts:
    /// compilers make frames by arithmetic in AX.
    pub(super) fn write_stack(&mut self, value: Value) {
        let even = self.words(Binary::And, value, Value::Const(0xfffe));
        let address = self.builder.binary(Binary::Or, even, Value::Const(DATA.into()));
        let change = self.builder.binary(Binary::Xor, Value::Slot(SP), address);
        let pointer = self.builder.binary(Binary::Xor, Value::Slot(SP), change);
        self.builder.write(SP, pointer);
    }

    fn write_extra(&mut self, value: Value) {
        let low = self.bytes(Binary::And, value, Value::Const(15));
        self.builder.write(ES, low);
    }

    fn write_constant(&mut self, address: u32, width: Width, value: Value) -> bool {
        let bytes = address..address + width.bytes();
        let changes = bytes.contains(&STATUS);
        let Some(mapped) = bytes.map(|byte| cell(self.core, byte)).collect::<Option<Vec<_>>>()
        else {
            self.builder.store(width, value, Value::Const(address.into()), 0);
            return changes;
        };
        if address == 0xf_fff8 && width == Width::W16 {
            self.write_stack(value);
            return false;
        }
        // The value may be one of the cells.
        let value = self.builder.copy(value);
        for (byte, mapped) in mapped.iter().enumerate() {
            for part in mapped.parts {
                self.write_part(*part, byte as u8 * 8 + part.shift_in_byte, value);
            }
        }
        changes
    }

    /// Writes the bits of a value, from one of them on, to bits of a cell.
    fn write_part(&mut self, part: CellPart, from: u8, value: Value) {
        let mask = (1 << part.bits) - 1;
        let mut bits = self.moved(Binary::Shr, value, from);
        bits = self.builder.binary(Binary::And, bits, Value::Const(mask));
        bits = self.moved(Binary::Shl, bits, part.shift_in_cell);
        if !is_whole(part) {
            let others = Value::Const(0xffff_ffff & !(mask << part.shift_in_cell));
            let kept = self.builder.binary(Binary::And, Value::Slot(part.cell), others);
            bits = self.builder.binary(Binary::Or, kept, bits);
        }
        self.builder.write(part.cell, bits);
    }

    /// The program status word.
    pub(super) fn status(&mut self) -> Value {
        self.read_constant(STATUS, Width::W8)
    }

    /// Writes the program status word.
    pub(super) fn write_status(&mut self, value: Value) {
        for (bit, flag) in FLAGS.into_iter().enumerate() {
            let shifted = self.bytes(Binary::Shr, value, Value::Const(bit as u64));
            let bit = self.bytes(Binary::And, shifted, Value::Const(1));
            self.builder.write(flag, bit);
        }
    }

    /// The word that two registers hold.
    pub(super) fn pair(&mut self, low: Slot) -> Value {
        let high = Value::Slot(Slot(low.0 + 1));
        let high = self.words(Binary::Shl, high, Value::Const(8));
        self.words(Binary::Or, high, Value::Slot(low))
    }

    /// Writes the lower 16 bits of a value to two registers.
    pub(super) fn write_pair(&mut self, low: Slot, word: Value) {
        let lower = self.words(Binary::And, word, Value::Const(0xff));
        let higher = self.words(Binary::Shr, word, Value::Const(8));
        self.builder.write(low, lower);
        self.builder.write(Slot(low.0 + 1), higher);
    }

    /// An operation on two bytes.
    pub(super) fn bytes(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.wide_binary(op, Width::W8, a, b)
    }

    /// An operation on two words of 16 bits.
    pub(super) fn words(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.wide_binary(op, Width::W16, a, b)
    }
}

/// Returns true if bits are all that their cell holds.
const fn is_whole(part: CellPart) -> bool {
    part.cell.0 != SP.0 && part.cell.0 != MACR.0
}
