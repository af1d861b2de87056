//! Cells in memory: general registers, and the special function registers of the core.
//!
//! Source: R01US0015, sections 2.1 and 2.2: bank 0 is at FFEF8, banks 1 to 3 are below it.

use cocrypt_ir::Slot;
use cocrypt_isa::{CellPart, MappedCell};

use crate::cells::{self, BANK, CS, ES, FLAGS, MACR, REGISTERS, SP};
use crate::decode::STATUS;
use crate::features::Variant;

/// The address of bank 0.
const BANK_0: u32 = 0xf_fef8;

/// All of them, in the order of their addresses.
pub fn mapped(core: Variant) -> Vec<MappedCell> {
    let first = BANK_0 - u32::from(BANK * (core.banks() - 1));
    let general = (first..BANK_0 + u32::from(BANK)).filter_map(|address| cell(core, address));
    general.chain((0xf_fff0..=0xf_ffff).filter_map(|address| cell(core, address))).collect()
}

/// The guest state at an address, if it is part of it.
pub fn cell(core: Variant, address: u32) -> Option<MappedCell> {
    parts(core, address).map(|parts| MappedCell { address, parts })
}

fn parts(core: Variant, address: u32) -> Option<&'static [CellPart]> {
    let lowest = BANK_0 - u32::from(BANK * (core.banks() - 1));
    Some(match address {
        0xf_fee0..=0xf_feff if address >= lowest => {
            let position = (0xf_feff - address) as u16;
            let register = usize::from(position / BANK * BANK + (BANK - 1 - position % BANK));
            &GENERAL[register..=register]
        }
        0xf_fff0..=0xf_fff3 if core == Variant::S3 => {
            let byte = (address & 3) as usize;
            &ACCUMULATOR[byte..=byte]
        }
        0xf_fff8 => &STACK[..1],
        0xf_fff9 => &STACK[1..],
        STATUS => &FLAG_BITS,
        0xf_fffc => &CODE,
        0xf_fffd => &EXTRA,
        _ => return None,
    })
}

const fn part(cell: Slot, shift_in_cell: u8, bits: u8, shift_in_byte: u8) -> CellPart {
    CellPart { cell, shift_in_cell, bits, shift_in_byte }
}

// The lowest bit of the stack pointer is 0 (section 2.1.3).
static STACK: [CellPart; 2] = [part(SP, 1, 7, 1), part(SP, 8, 8, 0)];
static CODE: [CellPart; 1] = [part(CS, 0, 4, 0)];
static EXTRA: [CellPart; 1] = [part(ES, 0, 4, 0)];
static ACCUMULATOR: [CellPart; 4] =
    [part(MACR, 0, 8, 0), part(MACR, 8, 8, 0), part(MACR, 16, 8, 0), part(MACR, 24, 8, 0)];

static FLAG_BITS: [CellPart; 8] = {
    let mut all = [part(SP, 0, 1, 0); 8];
    let mut bit = 0;
    while bit < 8 {
        all[bit] = part(FLAGS[bit], 0, 1, bit as u8);
        bit += 1;
    }
    all
};

static GENERAL: [CellPart; REGISTERS as usize] = {
    let mut all = [part(cells::SP, 0, 8, 0); REGISTERS as usize];
    let mut cell = 0;
    while cell < all.len() {
        all[cell] = part(Slot(cell as u16), 0, 8, 0);
        cell += 1;
    }
    all
};
