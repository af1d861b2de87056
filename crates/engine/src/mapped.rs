//! Guest state that programs reach as memory: found by address.

use cocrypt_ir::Width;
use cocrypt_isa::MappedCell;

/// The bytes of memory that are guest state.
#[derive(Clone, Debug, Default)]
pub struct Mapped {
    /// In ascending order of addresses.
    cells: Vec<MappedCell>,
}

impl Mapped {
    /// Those of a front end.
    #[must_use]
    pub fn new(cells: &[MappedCell]) -> Self {
        let mut cells = cells.to_vec();
        cells.sort_by_key(|cell| cell.address);
        Self { cells }
    }

    /// Returns true if all bytes of an access are guest state.
    #[must_use]
    pub fn holds(&self, address: u32, width: Width) -> bool {
        let (Some(first), Some(last)) = (self.cells.first(), self.cells.last()) else {
            return false;
        };
        (first.address..=last.address).contains(&address)
            && addresses(address, width).all(|address| self.at(address).is_some())
    }

    /// The bytes that an access reads, the lowest first; nothing if some of it is no guest state.
    #[must_use]
    pub fn read(&self, cells: &[u64], address: u32, width: Width) -> Option<u64> {
        addresses(address, width).rev().try_fold(0, |value, address| {
            Some(value << 8 | u64::from(self.at(address)?.read(cells)))
        })
    }

    /// Writes what an access does; nothing happens if some of it is no guest state.
    pub fn write(&self, cells: &mut [u64], address: u32, width: Width, value: u64) {
        if self.holds(address, width) {
            let bytes = value.to_le_bytes();
            for (mapped, byte) in addresses(address, width).filter_map(|at| self.at(at)).zip(bytes)
            {
                mapped.write(cells, byte);
            }
        }
    }

    fn at(&self, address: u32) -> Option<&MappedCell> {
        let found = self.cells.binary_search_by_key(&address, |cell| cell.address);
        found.ok().map(|place| &self.cells[place])
    }
}

fn addresses(address: u32, width: Width) -> impl DoubleEndedIterator<Item = u32> {
    (0..width.bytes()).map(move |byte| address.wrapping_add(byte))
}

#[cfg(test)]
mod tests {
    use cocrypt_ir::Slot;
    use cocrypt_isa::CellPart;

    use super::*;

    /// A byte with a whole cell, and one with a flag above the upper half of a 16-bit cell.
    const CELLS: [MappedCell; 2] = [
        MappedCell {
            address: 0x41,
            parts: &[
                CellPart { cell: Slot(1), shift_in_cell: 12, bits: 4, shift_in_byte: 0 },
                CellPart { cell: Slot(2), shift_in_cell: 0, bits: 1, shift_in_byte: 7 },
            ],
        },
        MappedCell {
            address: 0x40,
            parts: &[CellPart { cell: Slot(0), shift_in_cell: 0, bits: 8, shift_in_byte: 0 }],
        },
    ];

    #[test]
    fn bytes_are_composed_of_cells() {
        let mapped = Mapped::new(&CELLS);
        assert_eq!(mapped.read(&[0x5a, 0xc123, 1], 0x40, Width::W16), Some(0x8c5a));
    }

    #[test]
    fn a_write_leaves_other_bits_of_a_cell() {
        let mut cells = [0, 0xc123, 0];
        Mapped::new(&CELLS).write(&mut cells, 0x41, Width::W8, 0xf7);
        assert_eq!(cells, [0, 0x7123, 1]);
    }

    #[test]
    fn an_access_that_is_guest_state_in_part_is_none() {
        let mapped = Mapped::new(&CELLS);
        assert!(!mapped.holds(0x41, Width::W16));
        assert!(mapped.holds(0x41, Width::W8) && !mapped.holds(0x3f, Width::W8));
    }
}
