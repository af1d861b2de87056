//! Cells in the data space: registers, and those I/O registers that are part of the core.
//!
//! Source: DS40002198, section 2, and the memory maps of data sheets. An I/O register is at its own address
//! where registers are not in the data space, else 0x20 further on.

use cocrypt_ir::Slot;
use cocrypt_isa::{CellPart, MappedCell};

use crate::cells::{self, FLAGS, REGISTERS, SP};
use crate::features::{Features, Variant};
use crate::table::Format;
use crate::{DATA, Decoded};

/// The guest state behind a byte of the data space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Byte {
    /// A register, or another cell of a byte.
    Whole(Slot),
    /// The lower byte of the stack pointer.
    StackLow,
    /// The higher byte of the stack pointer.
    StackHigh,
    /// The status register, SREG.
    Status,
}

/// The guest state behind an I/O register, if it is part of the core.
fn io(core: &Features, register: u32) -> Option<Byte> {
    let large = core.large_data;
    Some(match register {
        0x38 if large => Byte::Whole(cells::RAMPD),
        0x39 if large => Byte::Whole(cells::RAMPX),
        0x3a if large => Byte::Whole(cells::RAMPY),
        0x3b if core.has_rampz() => Byte::Whole(cells::RAMPZ),
        0x3c if core.wide_counter => Byte::Whole(cells::EIND),
        0x3d => Byte::StackLow,
        0x3e => Byte::StackHigh,
        0x3f => Byte::Status,
        _ => return None,
    })
}

/// The guest state behind a byte of the data space, if it is part of it.
pub fn byte(core: &Features, address: u32) -> Option<Byte> {
    let first = core.io(0);
    if address < first {
        return Some(Byte::Whole(Slot(address as u16)));
    }
    io(core, address - first)
}

/// All of them, in the order of their addresses.
pub fn mapped(core: &Features) -> Vec<MappedCell> {
    let at = |address| {
        let parts = parts(byte(core, address)?);
        Some(MappedCell { address: DATA + address, parts })
    };
    (0..core.io(0x40)).filter_map(at).collect()
}

/// The address in the data space that an instruction names, where that is known.
pub fn known(core: &Features, insn: &Decoded) -> Option<u32> {
    let constant = insn.constant as u32;
    match insn.opcode.row().format {
        Format::IoBit | Format::In | Format::Out => Some(core.io(insn.constant as u8)),
        Format::LoadShort | Format::StoreShort => Some(constant),
        Format::LoadDirect | Format::StoreDirect => (!core.large_data).then_some(constant),
        _ => None,
    }
}

const fn part(cell: Slot, shift_in_cell: u8, bits: u8, shift_in_byte: u8) -> CellPart {
    CellPart { cell, shift_in_cell, bits, shift_in_byte }
}

fn parts(byte: Byte) -> &'static [CellPart] {
    match byte {
        Byte::Whole(Slot(cell)) => &WHOLE[usize::from(cell)..=usize::from(cell)],
        Byte::StackLow => &STACK[..1],
        Byte::StackHigh => &STACK[1..],
        Byte::Status => &STATUS,
    }
}

static STACK: [CellPart; 2] = [part(SP, 0, 8, 0), part(SP, 8, 8, 0)];

static STATUS: [CellPart; 8] = {
    let mut all = [part(SP, 0, 1, 0); 8];
    let mut bit = 0;
    while bit < 8 {
        all[bit] = part(FLAGS[bit], 0, 1, bit as u8);
        bit += 1;
    }
    all
};

/// A byte of each cell, of which those are used that hold no more.
static WHOLE: [CellPart; cells::COUNT as usize] = {
    let mut all = [part(SP, 0, 8, 0); cells::COUNT as usize];
    let mut cell = 0;
    while cell < all.len() {
        all[cell] = part(Slot(cell as u16), 0, 8, 0);
        cell += 1;
    }
    all
};

const _: () = assert!(REGISTERS == 0x20, "the I/O space follows the registers");

/// The cells of the addresses above the first 64 KiB belong to XMEGA.
#[must_use]
pub const fn has_large_data(variant: Variant, asked: bool) -> bool {
    asked && matches!(variant, Variant::Avrxm)
}
