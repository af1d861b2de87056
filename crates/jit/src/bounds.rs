//! Value ranges of a block's cells: constants, bounds, and sums of a cell and an index.
//!
//! Only what table look-ups need: an index that was a byte, was masked or shifted, and the address
//! that adds it to a table's.

use std::collections::HashMap;

use cocrypt_ir::{Binary, Op, Slot, Value, Width};

/// Indices above this do not count as such.
const LARGEST: u64 = 1 << 16;

/// A fact about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    /// It is at most this, and a multiple of 2^`zeros`.
    Bounded { most: u64, zeros: u32 },
    /// It is what the cell holds plus an index that is at most this and such a multiple.
    Sum { base: Slot, most: u64, zeros: u32 },
}

/// An address as a cell that is older than it and an index from 0 to `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// The cell.
    pub base: Slot,
    /// The largest index.
    pub most: u32,
    /// The index is a multiple of this.
    pub step: u32,
}

/// The facts at one point of a block.
#[derive(Debug, Default)]
pub struct Facts(HashMap<Slot, Fact>);

impl Facts {
    /// The address that a cell holds: itself with no index, unless more is known.
    pub fn address(&self, slot: Slot) -> Indexed {
        match self.0.get(&slot) {
            Some(&Fact::Sum { base, most, zeros }) => {
                Indexed { base, most: most as u32, step: 1 << zeros.min(16) }
            }
            _ => Indexed { base: slot, most: 0, step: 1 << 16 },
        }
    }

    /// Forgets what is known by a cell, which may have been written.
    pub fn forget(&mut self, dst: Slot) {
        self.0.remove(&dst);
        self.0.retain(|_, fact| !matches!(fact, Fact::Sum { base, .. } if *base == dst));
    }

    /// Takes an operation into account.
    pub fn note(&mut self, op: &Op) {
        let fact = self.fact(op);
        let Some(dst) = op.dst() else { return };
        self.forget(dst);
        if let Some(fact) = fact
            && !matches!(fact, Fact::Sum { base, .. } if base == dst)
        {
            self.0.insert(dst, fact);
        }
    }

    fn fact(&self, op: &Op) -> Option<Fact> {
        match *op {
            Op::Move { src, .. } => match src {
                Value::Slot(slot) => self.0.get(&slot).copied(),
                Value::Const(_) => self.bounded(src),
            },
            Op::Compare { .. } => Some(Fact::Bounded { most: 1, zeros: 0 }),
            Op::Load { width: width @ (Width::W8 | Width::W16), signed: false, .. } => {
                Some(Fact::Bounded { most: width.mask(), zeros: 0 })
            }
            Op::Binary { op, width: Width::W32, a, b, .. } => self.binary(op, a, b),
            _ => None,
        }
    }

    fn bounded(&self, value: Value) -> Option<Fact> {
        match value {
            Value::Const(value) => {
                Some(Fact::Bounded { most: value, zeros: value.trailing_zeros().min(31) })
            }
            Value::Slot(slot) => {
                self.0.get(&slot).copied().filter(|fact| matches!(fact, Fact::Bounded { .. }))
            }
        }
    }

    fn binary(&self, op: Binary, a: Value, b: Value) -> Option<Fact> {
        match op {
            Binary::And => self.masked(a, b),
            Binary::Add => self.sum(a, b),
            Binary::Shl | Binary::Shr => match b {
                Value::Const(amount) => self.shifted(op, a, amount),
                Value::Slot(_) => None,
            },
            _ => None,
        }
    }

    /// A mask that is known, or one of the operands that is small: the result is no larger, and keeps
    /// its zeros.
    fn masked(&self, a: Value, b: Value) -> Option<Fact> {
        self.bounded(b).or_else(|| self.bounded(a))
    }

    fn shifted(&self, op: Binary, a: Value, amount: u64) -> Option<Fact> {
        let amount = u32::try_from(amount).ok().filter(|&amount| amount < 32)?;
        let before = self.bounded(a);
        let most = match before {
            Some(Fact::Bounded { most, .. }) => most,
            _ => u64::from(u32::MAX),
        };
        if op == Binary::Shr {
            return Some(Fact::Bounded { most: most >> amount, zeros: 0 });
        }
        let Some(Fact::Bounded { most, zeros }) = before else { return None };
        let most = most << amount;
        (most <= LARGEST).then_some(Fact::Bounded { most, zeros: zeros + amount })
    }

    fn sum(&self, a: Value, b: Value) -> Option<Fact> {
        let index = |value| match self.bounded(value) {
            Some(Fact::Bounded { most, zeros }) if most <= LARGEST => Some((most, zeros)),
            _ => None,
        };
        match (a, index(a), b, index(b)) {
            (_, Some((most, zeros)), _, Some((more, others))) => {
                Some(Fact::Bounded { most: most + more, zeros: zeros.min(others) })
            }
            (Value::Slot(base), None, _, Some((most, zeros)))
            | (_, Some((most, zeros)), Value::Slot(base), None) => {
                self.is_plain(base).then_some(Fact::Sum { base, most, zeros })
            }
            _ => None,
        }
    }

    /// Returns true if a cell's value is not itself a sum, whose base would be the better one.
    fn is_plain(&self, slot: Slot) -> bool {
        !matches!(self.0.get(&slot), Some(Fact::Sum { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Slot = Slot(1);
    const INDEX: Slot = Slot(2);
    const ADDRESS: Slot = Slot(3);

    fn binary(op: Binary, dst: Slot, a: Slot, b: Value) -> Op {
        Op::Binary { op, width: Width::W32, dst, a: Value::Slot(a), b }
    }

    /// `index & 0xff`, times four, added to the table's address.
    fn look_up() -> Facts {
        let mut facts = Facts::default();
        facts.note(&binary(Binary::And, INDEX, INDEX, Value::Const(0xff)));
        facts.note(&binary(Binary::Shl, INDEX, INDEX, Value::Const(2)));
        facts.note(&binary(Binary::Add, ADDRESS, TABLE, Value::Slot(INDEX)));
        facts
    }

    #[test]
    fn a_masked_index_bounds_the_address() {
        let found = look_up().address(ADDRESS);
        assert_eq!(found, Indexed { base: TABLE, most: 0x3fc, step: 4 });
    }

    #[test]
    fn a_table_that_changes_is_forgotten() {
        let mut facts = look_up();
        facts.note(&binary(Binary::Add, TABLE, TABLE, Value::Const(8)));
        assert_eq!(facts.address(ADDRESS).base, ADDRESS);
    }

    #[test]
    fn an_unknown_index_bounds_nothing() {
        let mut facts = Facts::default();
        facts.note(&binary(Binary::Add, ADDRESS, TABLE, Value::Slot(INDEX)));
        assert_eq!(facts.address(ADDRESS).base, ADDRESS);
    }
}
