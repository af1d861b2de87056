//! Cells in memory: the register banks, which are the first 32 bytes of internal data.
//!
//! Source: 272383-002, chapter 2, "Data Memory". Special function registers are reached by direct addresses
//! alone, which lifting knows.

use cocrypt_ir::Slot;
use cocrypt_isa::{CellPart, MappedCell};

use crate::INTERNAL;
use crate::cells::REGISTERS;

/// All of them, in the order of their addresses.
pub fn mapped() -> Vec<MappedCell> {
    let cell = |at: u16| {
        let parts = &GENERAL[usize::from(at)..=usize::from(at)];
        MappedCell { address: INTERNAL + u32::from(at), parts }
    };
    (0..REGISTERS).map(cell).collect()
}

static GENERAL: [CellPart; REGISTERS as usize] = {
    let mut all = [CellPart { cell: Slot(0), shift_in_cell: 0, bits: 8, shift_in_byte: 0 };
        REGISTERS as usize];
    let mut cell = 0;
    while cell < all.len() {
        all[cell].cell = Slot(cell as u16);
        cell += 1;
    }
    all
};
