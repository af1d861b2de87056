//! Loads, stores and moves of the floating-point extension in single precision (DDI 0403, A6).
//!
//! It has 16 double-precision registers, which are pairs of single-precision ones. Its arithmetic
//! is not decoded.

use super::super::{bit, bits, register};
use super::{PC, without_pc};
use crate::instruction::{Operation, Register, VectorMove, VectorRegisters};

/// How many single-precision registers there are.
const REGISTERS: u32 = 32;

/// Decodes what is for coprocessors 10 and 11.
pub(super) fn vector(word: u32) -> Option<Operation> {
    if bits(word, 9, 3) != 0b101 {
        return None;
    }
    match (bit(word, 25), bit(word, 24), bit(word, 4)) {
        (false, false, _) if bits(word, 21, 4) == 0b0010 => pair(word),
        (false, true, _) if !bit(word, 21) => load_or_store(word),
        (false, ..) => multiple(word),
        (true, false, true) => general(word).map(Operation::VectorMove),
        (true, false, false) => among(word).map(Operation::VectorMove),
        _ => None,
    }
}

/// A single-precision register: four bits and a lowest one. Of a double-precision one that bit is
/// the highest and must be 0.
fn first(word: u32, four: u32, one: u32) -> Option<u32> {
    let (number, further) = (bits(word, four, 4) << 1, bits(word, one, 1));
    let double = bit(word, 8);
    (!(double && further == 1)).then_some(number | further)
}

fn load_or_store(word: u32) -> Option<Operation> {
    let (rn, distance) = (register(word, 16), (bits(word, 0, 8) << 2) as i32);
    let (double, first) = (bit(word, 8), first(word, 12, 22)? as u8);
    let registers = VectorRegisters { first, count: 1 + u8::from(double), double };
    let offset = if bit(word, 23) { distance } else { -distance };
    if bit(word, 20) {
        return Some(Operation::VectorLoad { registers, rn, offset });
    }
    without_pc([rn], Operation::VectorStore { registers, rn, offset })
}

/// `vldm`, `vstm`. What is written as an odd number of words in double precision (`fldmx`) is left
/// out.
fn multiple(word: u32) -> Option<Operation> {
    let (before, up, writeback) = (bit(word, 24), bit(word, 23), bit(word, 21));
    let (double, first, count) = (bit(word, 8), first(word, 12, 22)?, bits(word, 0, 8));
    let known = if before { !up && writeback } else { up };
    let fits = count > 0 && first + count <= REGISTERS && !(double && count & 1 != 0);
    if !known || !fits {
        return None;
    }
    let registers = VectorRegisters { first: first as u8, count: count as u8, double };
    let rn = register(word, 16);
    let operation = if bit(word, 20) {
        Operation::VectorLoadMultiple { registers, rn, up, writeback }
    } else {
        Operation::VectorStoreMultiple { registers, rn, up, writeback }
    };
    without_pc([rn], operation)
}

/// Moves of two registers at once.
fn pair(word: u32) -> Option<Operation> {
    let (rt, rt2, double) = (register(word, 12), register(word, 16), bit(word, 8));
    let sm = first(word, 0, 5)? as u8;
    if bits(word, 6, 2) != 0 || !bit(word, 4) || sm == 31 {
        return None;
    }
    let moved = if bit(word, 20) {
        VectorMove::PairToGeneral { rt, rt2, sm, double }
    } else {
        VectorMove::PairFromGeneral { sm, rt, rt2, double }
    };
    without_pc([rt, rt2], Operation::VectorMove(moved))
}

/// Moves from and to one general register. Half of a double-precision register is a
/// single-precision one.
fn general(word: u32) -> Option<VectorMove> {
    let (rt, reads) = (register(word, 12), bit(word, 20));
    if bits(word, 0, 7) != 0b001_0000 {
        return None;
    }
    let sn = match (bit(word, 8), bits(word, 21, 3)) {
        (false, 0) => bits(word, 16, 4) << 1 | bits(word, 7, 1),
        (true, half @ 0..=1) if !bit(word, 7) => bits(word, 16, 4) << 1 | half,
        (false, 7) if bits(word, 16, 4) == 1 && !bit(word, 7) => return status(rt, reads),
        _ => return None,
    } as u8;
    let moved =
        if reads { VectorMove::ToGeneral { rt, sn } } else { VectorMove::FromGeneral { sn, rt } };
    (rt != PC).then_some(moved)
}

/// `vmrs`, `vmsr`.
fn status(rt: Register, reads: bool) -> Option<VectorMove> {
    match (reads, rt) {
        (true, _) => Some(VectorMove::FromStatus { rt }),
        (false, PC) => None,
        (false, _) => Some(VectorMove::ToStatus { rt }),
    }
}

/// Moves among single-precision registers, and of constants to them.
fn among(word: u32) -> Option<VectorMove> {
    if !bit(word, 23) || bits(word, 20, 2) != 0b11 || bit(word, 8) {
        return None;
    }
    let sd = first(word, 12, 22)? as u8;
    match bits(word, 4, 4) {
        0 => Some(VectorMove::Immediate { sd, bits: expanded(word) }),
        0b0100 | 0b0110 if bits(word, 16, 4) == 0 => {
            Some(VectorMove::Copy { sd, sm: first(word, 0, 5)? as u8 })
        }
        _ => None,
    }
}

/// A constant of `vmov.f32` (DDI 0403, A6.4.1): a sign, three bits of exponent, four of fraction.
fn expanded(word: u32) -> u32 {
    let byte = bits(word, 16, 4) << 4 | bits(word, 0, 4);
    let exponent = bits(byte, 4, 2) | if bit(byte, 6) { 0x7c } else { 0x80 };
    bits(byte, 7, 1) << 31 | exponent << 23 | bits(byte, 0, 4) << 19
}
