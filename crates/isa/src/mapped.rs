//! Guest state that programs reach as memory too.

use cocrypt_ir::Slot;

/// Bits of a byte of memory that are bits of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPart {
    /// The cell.
    pub cell: Slot,
    /// The lowest of the bits in the cell.
    pub shift_in_cell: u8,
    /// The number of bits.
    pub bits: u8,
    /// The lowest of the bits in the byte.
    pub shift_in_byte: u8,
}

impl CellPart {
    const fn mask(self) -> u64 {
        (1 << self.bits) - 1
    }
}

/// A byte of memory that is guest state. Bits that no part names are read as 0 and keep nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappedCell {
    /// Its address.
    pub address: u32,
    /// Its parts.
    pub parts: &'static [CellPart],
}

impl MappedCell {
    /// The contents of the byte.
    #[must_use]
    pub fn read(&self, cells: &[u64]) -> u8 {
        let part = |part: &CellPart| {
            (cells[usize::from(part.cell.0)] >> part.shift_in_cell & part.mask())
                << part.shift_in_byte
        };
        self.parts.iter().map(part).fold(0, |byte, bits| byte | bits) as u8
    }

    /// Writes the byte.
    pub fn write(&self, cells: &mut [u64], byte: u8) {
        for part in self.parts {
            let cell = &mut cells[usize::from(part.cell.0)];
            let bits = u64::from(byte) >> part.shift_in_byte & part.mask();
            *cell = *cell & !(part.mask() << part.shift_in_cell) | bits << part.shift_in_cell;
        }
    }
}
