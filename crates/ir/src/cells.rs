//! Sets of cells.

use crate::{Slot, Value};

/// A set of cells; a file has 256 at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CellSet([u64; 4]);

impl CellSet {
    /// The set of all cells.
    pub const ALL: Self = Self([u64::MAX; 4]);

    /// The cells below a number.
    #[must_use]
    pub fn below(number: u16) -> Self {
        let mut set = Self::default();
        (0..number).for_each(|cell| set.insert(Slot(cell)));
        set
    }

    /// Adds a cell.
    pub fn insert(&mut self, slot: Slot) {
        self.0[usize::from(slot.0) / 64] |= 1 << (slot.0 % 64);
    }

    /// Adds the cell of an operand, if it is one.
    pub fn insert_operand(&mut self, operand: Value) {
        if let Value::Slot(slot) = operand {
            self.insert(slot);
        }
    }

    /// Removes a cell.
    pub fn remove(&mut self, slot: Slot) {
        self.0[usize::from(slot.0) / 64] &= !(1 << (slot.0 % 64));
    }

    /// Returns true if a cell is in the set.
    #[must_use]
    pub fn contains(&self, slot: Slot) -> bool {
        self.0[usize::from(slot.0) / 64] >> (slot.0 % 64) & 1 != 0
    }

    /// The cells of either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The cells of both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// The cells of this set that are not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The cells, in order.
    pub fn iter(&self) -> impl Iterator<Item = Slot> + '_ {
        (0..256u16).map(Slot).filter(|&slot| self.contains(slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut set = CellSet::below(3);
        set.insert(Slot(200));
        assert_eq!(set.iter().map(|slot| slot.0).collect::<Vec<_>>(), [0, 1, 2, 200]);
        assert_eq!(set.without(&CellSet::below(2)).iter().count(), 2);
    }
}
