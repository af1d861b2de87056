//! Products and quotients of Thumb-2 (DDI 0403, A5.3.16, A5.3.17).

use super::super::{bit, bits, register};
use super::{PC, without_pc};
use crate::instruction::{HalfProduct, LongHalfProduct, LongProduct, Operation, Product, Register};

/// Products that give one word. Without something that is added, the program counter stands there.
pub(super) fn short(word: u32, dsp: bool) -> Option<Operation> {
    let (rd, rn, rm) = (register(word, 8), register(word, 16), register(word, 0));
    if bits(word, 6, 2) != 0 || [rd, rn, rm].contains(&PC) {
        return None;
    }
    match (bits(word, 20, 3), bits(word, 4, 2)) {
        (0, kind) => of_words(word, kind),
        (7, 0) if dsp => {
            let ra = Some(register(word, 12)).filter(|ra| *ra != PC);
            Some(Operation::SumOfDifferences { rd, rn, rm, ra })
        }
        _ if dsp => of_halves(word),
        _ => None,
    }
}

fn of_words(word: u32, kind: u32) -> Option<Operation> {
    let ra = register(word, 12);
    let (product, ra) = match (kind, ra) {
        (0, PC) => (Product::Mul, 0),
        (0, ra) => (Product::Mla, ra),
        (1, ra) if ra != PC => (Product::Mls, ra),
        _ => return None,
    };
    let (rd, rn, rm) = (register(word, 8), register(word, 16), register(word, 0));
    Some(Operation::Multiply { product, sets_flags: false, rd, rn, rm, ra })
}

fn of_halves(word: u32) -> Option<Operation> {
    let (upper, lower, ra) = (bit(word, 5), bit(word, 4), register(word, 12));
    let alone = ra == PC;
    let product = match bits(word, 20, 3) {
        1 if alone => HalfProduct::Smul { top: [upper, lower] },
        1 => HalfProduct::Smla { top: [upper, lower] },
        _ if upper => return None,
        2 if alone => HalfProduct::Smuad { exchange: lower },
        2 => HalfProduct::Smlad { exchange: lower },
        3 if alone => HalfProduct::Smulw { top: lower },
        3 => HalfProduct::Smlaw { top: lower },
        4 if alone => HalfProduct::Smusd { exchange: lower },
        4 => HalfProduct::Smlsd { exchange: lower },
        5 if alone => HalfProduct::Smmul { round: lower },
        5 => HalfProduct::Smmla { round: lower },
        6 if !alone => HalfProduct::Smmls { round: lower },
        _ => return None,
    };
    let (rd, rn, rm) = (register(word, 8), register(word, 16), register(word, 0));
    Some(Operation::MultiplyHalf { product, rd, rn, rm, ra: if alone { 0 } else { ra } })
}

/// Products that give two words, and quotients.
pub(super) fn long(word: u32, dsp: bool) -> Option<Operation> {
    let (lo, hi) = (register(word, 12), register(word, 8));
    let (rn, rm) = (register(word, 16), register(word, 0));
    let words = |product| {
        let operation = Operation::MultiplyLong { product, sets_flags: false, lo, hi, rn, rm };
        without_pc([lo, hi, rn, rm], operation)
    };
    match (bits(word, 20, 3), bits(word, 4, 4)) {
        (0, 0) => words(LongProduct::Smull),
        (1, 15) => divide(true, lo, [hi, rn, rm]),
        (2, 0) => words(LongProduct::Umull),
        (3, 15) => divide(false, lo, [hi, rn, rm]),
        (4, 0) => words(LongProduct::Smlal),
        (6, 0) => words(LongProduct::Umlal),
        (6, 6) if dsp => words(LongProduct::Umaal),
        (4 | 5, 8..) if dsp => long_of_halves(word, [lo, hi, rn, rm]),
        _ => None,
    }
}

fn divide(signed: bool, fixed: Register, [rd, rn, rm]: [Register; 3]) -> Option<Operation> {
    let quotient = Operation::Divide { signed, rd, rn, rm };
    if fixed == PC { without_pc([rd, rn, rm], quotient) } else { None }
}

fn long_of_halves(word: u32, [lo, hi, rn, rm]: [Register; 4]) -> Option<Operation> {
    let (upper, lower) = (bit(word, 5), bit(word, 4));
    let product = match (bits(word, 20, 3), bits(word, 5, 3)) {
        (4, 0b100 | 0b101) => LongHalfProduct::Smlal { top: [upper, lower] },
        (4, 0b110) => LongHalfProduct::Smlald { exchange: lower },
        (5, 0b110) => LongHalfProduct::Smlsld { exchange: lower },
        _ => return None,
    };
    let operation = Operation::MultiplyHalfLong { product, lo, hi, rn, rm };
    without_pc([lo, hi, rn, rm], operation)
}
