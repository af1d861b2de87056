//! Decoding: 16 bits to the instruction and its operands.

use cocrypt_isa::{ByteOrder, CodeMemory};

use crate::dsp::{operation, parallel_moves, single};
use crate::table::{Address, Opcode, TABLE};

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The number of it.
    pub opcode: Opcode,
    /// The field at bits 11 to 8.
    pub n: u8,
    /// The field at bits 7 to 4.
    pub m: u8,
    /// All of it: the lowest 4, 8 or 12 bits are an immediate or a distance.
    pub word: u16,
    /// The operation of the DSP behind it, if it has 32 bits.
    pub second: u16,
}

impl Decoded {
    /// The number of a register of the other bank.
    #[must_use]
    pub const fn banked(self) -> u8 {
        self.m & 7
    }

    /// Bytes of it.
    #[must_use]
    pub const fn length(self) -> u8 {
        if matches!(self.opcode, Opcode::Parallel) { 4 } else { 2 }
    }

    /// The signed immediate.
    #[must_use]
    pub const fn signed(self) -> i32 {
        self.word as i8 as i32
    }

    /// The unsigned immediate.
    #[must_use]
    pub const fn unsigned(self) -> u32 {
        (self.word & 0xff) as u32
    }

    /// The distance of an access, in bytes: the field counts units of what is accessed.
    #[must_use]
    pub const fn distance(self) -> u32 {
        let row = self.opcode.row();
        let bits = if matches!(row.address, Address::Displaced) { 0xf } else { 0xff };
        (self.word & bits) as u32 * row.bytes()
    }
}

/// Decodes 16 bits; nothing if they are no instruction of any core here.
#[must_use]
pub fn decode(word: u16) -> Option<Decoded> {
    let row = TABLE.iter().find(|row| word & row.mask == row.bits)?;
    let field = |at: u32| (word >> at & 15) as u8;
    Some(Decoded { opcode: row.opcode, n: field(8), m: field(4), word, second: 0 })
}

/// Decodes 16 bits, or 32 of which the second ones are given; nothing if they are no instruction.
#[must_use]
pub fn decode_both(word: u16, second: Option<u16>) -> Option<Decoded> {
    let insn = decode(word)?;
    let means = match insn.opcode {
        Opcode::DoubleMove => parallel_moves(word).is_some(),
        Opcode::SingleMove => single(word).is_some(),
        Opcode::Parallel => parallel_moves(word).is_some() && second.and_then(operation).is_some(),
        _ => true,
    };
    let second = if insn.opcode == Opcode::Parallel { second.unwrap_or(0) } else { 0 };
    means.then_some(Decoded { second, ..insn })
}

/// Decodes the instruction at an address.
pub fn decode_at(code: &dyn CodeMemory, order: ByteOrder, pc: u64) -> Option<Decoded> {
    decode_both(word(code, order, pc)?, word(code, order, pc.wrapping_add(2) & 0xffff_ffff))
}

/// The 16 bits at an even address, or nothing where no memory answers.
pub fn word(code: &dyn CodeMemory, order: ByteOrder, pc: u64) -> Option<u16> {
    let unit = code.unit(pc)?;
    Some(if order == ByteOrder::Big { unit.swap_bytes() } else { unit })
}

/// The address that an instruction names relative to its own.
#[must_use]
pub fn target(insn: Decoded, pc: u64) -> u32 {
    let (pc, row) = (pc as u32, insn.opcode.row());
    let ahead = pc.wrapping_add(4);
    match insn.opcode {
        Opcode::Bra | Opcode::Bsr => {
            ahead.wrapping_add_signed(i32::from((insn.word << 4) as i16) >> 3)
        }
        Opcode::MovwRelative => ahead.wrapping_add(insn.unsigned() * row.bytes()),
        Opcode::MovlRelative | Opcode::Mova => (ahead & !3).wrapping_add(insn.unsigned() * 4),
        _ => ahead.wrapping_add_signed(insn.signed() * 2),
    }
}
