//! Products, and the exchanges of a register with memory that lie beside them.

use super::{are_general, bit, bits, register};
use crate::instruction::{HalfProduct, LongHalfProduct, LongProduct, Operation, Product, Register};

/// The registers of a product: the destination, the one that is added or the lower destination, and
/// the factors, of which the second is the one that cores look at to end early.
struct Registers {
    rd: Register,
    ra: Register,
    rn: Register,
    rm: Register,
}

impl Registers {
    /// Nothing if one of them is the program counter.
    fn of(word: u32) -> Option<Self> {
        let (rd, ra) = (register(word, 16), register(word, 12));
        let (rn, rm) = (register(word, 0), register(word, 8));
        are_general(&[rd, ra, rn, rm]).then_some(Self { rd, ra, rn, rm })
    }
}

/// Decodes a product of words or a swap.
pub(super) fn decode(word: u32) -> Option<Operation> {
    match bits(word, 23, 2) {
        0b00 if !bit(word, 22) => single(word),
        0b01 => long(word),
        0b10 => swap(word),
        _ => None,
    }
}

fn single(word: u32) -> Option<Operation> {
    let Registers { rd, ra, rn, rm } = Registers::of(word)?;
    let product = if bit(word, 21) { Product::Mla } else { Product::Mul };
    let is_it = product == Product::Mla || ra == 0;
    let sets_flags = bit(word, 20);
    is_it.then_some(Operation::Multiply { product, sets_flags, rd, rn, rm, ra })
}

fn long(word: u32) -> Option<Operation> {
    let Registers { rd: hi, ra: lo, rn, rm } = Registers::of(word)?;
    let product = match bits(word, 21, 2) {
        0b00 => LongProduct::Umull,
        0b01 => LongProduct::Umlal,
        0b10 => LongProduct::Smull,
        _ => LongProduct::Smlal,
    };
    Some(Operation::MultiplyLong { product, sets_flags: bit(word, 20), lo, hi, rn, rm })
}

fn swap(word: u32) -> Option<Operation> {
    let (rn, rt, rt2) = (register(word, 16), register(word, 12), register(word, 0));
    let is_it = word & 0x0030_0f00 == 0 && are_general(&[rn, rt, rt2]);
    is_it.then_some(Operation::Swap { byte: bit(word, 22), rt, rt2, rn })
}

/// Decodes a product of halves.
pub(super) fn halves(word: u32) -> Option<Operation> {
    let Registers { rd, ra, rn, rm } = Registers::of(word)?;
    let [first, second] = [bit(word, 5), bit(word, 6)];
    let top = [first, second];
    let product = match bits(word, 21, 2) {
        0b00 => HalfProduct::Smla { top },
        0b01 if first => HalfProduct::Smulw { top: second },
        0b01 => HalfProduct::Smlaw { top: second },
        0b10 => {
            let product = LongHalfProduct::Smlal { top };
            return Some(Operation::MultiplyHalfLong { product, lo: ra, hi: rd, rn, rm });
        }
        _ => HalfProduct::Smul { top },
    };
    let adds = matches!(product, HalfProduct::Smla { .. } | HalfProduct::Smlaw { .. });
    (adds || ra == 0).then_some(Operation::MultiplyHalf { product, rd, rn, rm, ra })
}
