//! Value numbering of 16-bit words in a block's cells, whole or as two bytes: enough to see that pointers
//! which were counted up and down, split to two registers and put together again, are so far from one
//! another.
//!
//! A word has an origin, which names a value that is not known, and what was added to it. Constants have an
//! origin of their own.

use std::collections::HashMap;

use cocrypt_ir::{Binary, Op, Slot, Value, Width};

/// A word: what its origin names plus an offset, modulo 2^16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Word {
    origin: u32,
    offset: u16,
}

/// The origin of constants: 0.
const CONSTANT: u32 = 0;

/// A value of which only the identity is known, or a half of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Unknown(u32),
    Low(Word),
    High(Word),
}

/// The value of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    /// A value, of which a half may be known.
    Part(Part),
    /// That, shifted to the upper byte of a word.
    Raised(Part),
    /// A word.
    Word(Word),
    /// An address whose low half is a word; its other half, if that is known.
    Address { word: Word, page: Option<u32> },
}

/// An address in a page of 64 KiB: comparable with others of the same origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagedAddress {
    /// The origin of its low half.
    pub origin: u32,
    /// The distance of that from the origin.
    pub offset: u16,
    /// Its upper half, if that is known.
    pub page: Option<u32>,
}

/// The facts at one point of a block.
#[derive(Debug)]
pub struct Words {
    facts: HashMap<Slot, Fact>,
    /// Words that were put together from two bytes.
    joined: HashMap<(Part, Part), Word>,
    /// The next identity or origin.
    fresh: u32,
}

impl Default for Words {
    fn default() -> Self {
        Self { facts: HashMap::new(), joined: HashMap::new(), fresh: CONSTANT + 1 }
    }
}

impl Words {
    /// The address of an access, if its low half is known by its origin.
    pub fn reached(&mut self, base: Value, offset: i32) -> Option<PagedAddress> {
        let above = offset as u32;
        let page = is_page(above.into()).then_some(above)?;
        let (word, page) = match base {
            Value::Const(value) if value <= 0xffff => (constant(value), Some(page)),
            Value::Const(_) => return None,
            Value::Slot(slot) => match self.facts.get(&slot).copied() {
                Some(Fact::Word(word)) => (word, Some(page)),
                Some(Fact::Address { word, page: above }) if page == 0 => (word, above),
                None if page == 0 => (self.low_half(slot)?, None),
                _ => return None,
            },
        };
        Some(PagedAddress { origin: word.origin, offset: word.offset, page })
    }

    /// Forgets what a cell holds, which may have been written.
    pub fn forget(&mut self, dst: Slot) {
        self.facts.remove(&dst);
    }

    /// Takes an operation into account.
    pub fn note(&mut self, op: &Op) {
        let fact = self.fact(op);
        let Some(dst) = op.dst() else { return };
        self.forget(dst);
        if let Some(fact) = fact {
            self.facts.insert(dst, fact);
        }
    }

    fn fact(&mut self, op: &Op) -> Option<Fact> {
        match *op {
            Op::Move { src: Value::Slot(slot), .. } => Some(self.of(slot)),
            Op::Binary { op, width: Width::W16, a, b, .. } => self.of_words(op, a, b),
            Op::Binary {
                op: Binary::Or,
                width: Width::W32,
                a: Value::Slot(slot),
                b: Value::Const(page),
                ..
            } if is_page(page) => match self.of(slot) {
                Fact::Word(word) => Some(Fact::Address { word, page: Some(page as u32) }),
                _ => None,
            },
            _ => None,
        }
    }

    fn of_words(&mut self, op: Binary, a: Value, b: Value) -> Option<Fact> {
        match (op, a, b) {
            (Binary::Shl, Value::Slot(slot), Value::Const(8)) => {
                Some(Fact::Raised(self.part(slot)?))
            }
            (Binary::Or, Value::Slot(high), Value::Slot(low)) => match self.of(high) {
                Fact::Raised(high) => {
                    let low = self.part(low)?;
                    Some(Fact::Word(self.join(high, low)))
                }
                _ => None,
            },
            (Binary::And, Value::Slot(slot), Value::Const(0xff)) => {
                Some(Fact::Part(Part::Low(self.word(slot)?)))
            }
            (Binary::Shr, Value::Slot(slot), Value::Const(8)) => {
                Some(Fact::Part(Part::High(self.word(slot)?)))
            }
            (Binary::Add, Value::Slot(slot), Value::Const(by)) => {
                let word = self.low_half(slot)?;
                Some(Fact::Word(word.moved(by as u16)))
            }
            (Binary::Sub, Value::Slot(slot), Value::Const(by)) => {
                let word = self.low_half(slot)?;
                Some(Fact::Word(word.moved((by as u16).wrapping_neg())))
            }
            _ => None,
        }
    }

    /// The value of a cell, which gets an identity if nothing is known of it.
    fn of(&mut self, slot: Slot) -> Fact {
        let fresh = &mut self.fresh;
        *self.facts.entry(slot).or_insert_with(|| {
            *fresh += 1;
            Fact::Part(Part::Unknown(*fresh))
        })
    }

    fn part(&mut self, slot: Slot) -> Option<Part> {
        match self.of(slot) {
            Fact::Part(part) => Some(part),
            _ => None,
        }
    }

    fn word(&self, slot: Slot) -> Option<Word> {
        match self.facts.get(&slot) {
            Some(&Fact::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The word that is the low half of a cell; one that is not known is an address from now on.
    fn low_half(&mut self, slot: Slot) -> Option<Word> {
        match self.facts.get(&slot) {
            Some(&(Fact::Word(word) | Fact::Address { word, .. })) => Some(word),
            Some(_) => None,
            None => {
                let word = self.origin();
                self.facts.insert(slot, Fact::Address { word, page: None });
                Some(word)
            }
        }
    }

    fn join(&mut self, high: Part, low: Part) -> Word {
        match (high, low) {
            (Part::High(word), Part::Low(same)) if word == same => word,
            _ => {
                let fresh = self.origin();
                *self.joined.entry((high, low)).or_insert(fresh)
            }
        }
    }

    const fn origin(&mut self) -> Word {
        self.fresh += 1;
        Word { origin: self.fresh, offset: 0 }
    }
}

impl Word {
    const fn moved(self, by: u16) -> Self {
        Self { offset: self.offset.wrapping_add(by), ..self }
    }
}

/// Returns true if the lower half of an address is 0.
const fn is_page(address: u64) -> bool {
    address.trailing_zeros() >= 16
}

const fn constant(value: u64) -> Word {
    Word { origin: CONSTANT, offset: value as u16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOW: Slot = Slot(0);
    const HIGH: Slot = Slot(1);
    const RAISED: Slot = Slot(50);
    const WORD: Slot = Slot(51);
    const NEXT: Slot = Slot(52);
    const DATA: i32 = 0x80_0000;

    fn word(op: Binary, dst: Slot, a: Slot, b: Value) -> Op {
        Op::Binary { op, width: Width::W16, dst, a: Value::Slot(a), b }
    }

    /// The word that the registers hold, in a temporary.
    fn join(words: &mut Words) {
        words.note(&word(Binary::Shl, RAISED, HIGH, Value::Const(8)));
        words.note(&word(Binary::Or, WORD, RAISED, Value::Slot(LOW)));
    }

    /// The next word, in the registers.
    fn count(words: &mut Words) {
        join(words);
        words.note(&word(Binary::Add, NEXT, WORD, Value::Const(1)));
        words.note(&word(Binary::And, LOW, NEXT, Value::Const(0xff)));
        words.note(&word(Binary::Shr, HIGH, NEXT, Value::Const(8)));
    }

    fn reached(words: &mut Words) -> PagedAddress {
        join(words);
        words.reached(Value::Slot(WORD), DATA).expect("a word")
    }

    #[test]
    fn a_pointer_that_counts_is_so_far_from_where_it_was() {
        let mut words = Words::default();
        let before = reached(&mut words);
        count(&mut words);
        count(&mut words);
        assert_eq!(reached(&mut words), PagedAddress { offset: 2, ..before });
        assert_eq!(before.page, Some(0x80_0000));
    }

    #[test]
    fn another_low_byte_is_another_word() {
        let mut words = Words::default();
        let before = reached(&mut words);
        words.forget(LOW);
        assert_ne!(reached(&mut words).origin, before.origin);
    }

    #[test]
    fn a_stack_pointer_is_an_address_in_a_page() {
        let mut words = Words::default();
        let before = words.reached(Value::Slot(LOW), 0).expect("a cell");
        assert_eq!(before.page, None);
        words.note(&word(Binary::Sub, NEXT, LOW, Value::Const(1)));
        let (a, b) = (Value::Slot(NEXT), Value::Const(0x80_0000));
        words.note(&Op::Binary { op: Binary::Or, width: Width::W32, dst: LOW, a, b });
        let behind = words.reached(Value::Slot(LOW), 0).expect("an address");
        assert_eq!(behind, PagedAddress { offset: 0xffff, page: Some(0x80_0000), ..before });
    }
}
