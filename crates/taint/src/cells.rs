//! The cells of guest state and temporaries, with what is known of each.

use cocrypt_ir::Slot;

use crate::shadow::Shadowed;

/// As many as instruction sets have at most.
pub const CELLS: usize = 256;

/// All cells. Values, masks and bounds stand apart: a cell that was just written word by word and is read
/// as a whole waits for the processor's store buffer.
pub struct Cells {
    values: [u64; CELLS],
    secrets: [u64; CELLS],
    least: [u64; CELLS],
}

impl Cells {
    /// Cells with these public values, and 0 in all others.
    ///
    /// # Panics
    /// If there are more values than cells.
    #[must_use]
    pub fn new(public: &[u64]) -> Self {
        let mut values = [0; CELLS];
        values[..public.len()].copy_from_slice(public);
        Self { values, secrets: [0; CELLS], least: [0; CELLS] }
    }

    /// The content of a cell.
    #[inline]
    #[must_use]
    pub fn get(&self, Slot(slot): Slot) -> Shadowed {
        let at = usize::from(slot as u8);
        Shadowed { value: self.values[at], secret: self.secrets[at], least: self.least[at] }
    }

    /// Writes a cell.
    #[inline]
    pub fn set(&mut self, Slot(slot): Slot, what: Shadowed) {
        let at = usize::from(slot as u8);
        (self.values[at], self.secrets[at], self.least[at]) = (what.value, what.secret, what.least);
    }

    /// Declares the value of a cell public.
    pub fn reveal(&mut self, Slot(slot): Slot) {
        self.secrets[usize::from(slot as u8)] = 0;
    }

    /// The values alone.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        &self.values
    }
}
