//! Scalar cryptography: Zknd, Zkne, Zknh.
//!
//! Source: "RISC-V Cryptography Extensions Volume I: Scalar & Entropy Source Instructions", 1.0.1,
//! chapter 3; the functions are those of FIPS 197 and FIPS 180-4.

use cocrypt_ir::{Binary, Unary, Value};

use super::compose::Composer;
use crate::table::Opcode;

/// A term of a mixing function of SHA-512, on the first or the second half of a word.
struct Term(Half, Binary, u32);

#[derive(Clone, Copy)]
enum Half {
    First,
    Second,
}
use Half::{First, Second};

const LEFT: Binary = Binary::Shl;
const RIGHT: Binary = Binary::Shr;

/// The result of an instruction for its operands; none if it is not here. `byte` numbers one of `b`.
#[rustfmt::skip]
pub fn cipher(c: &mut Composer, opcode: Opcode, a: Value, b: Value, byte: u32) -> Option<Value> {
    Some(match opcode {
        Opcode::Aes32esi   => last_round(c, Unary::AesSubstitute, a, b, byte),
        Opcode::Aes32dsi   => last_round(c, Unary::AesOriginal, a, b, byte),
        Opcode::Aes32esmi  => middle_round(c, Unary::AesSubstitute, a, b, byte),
        Opcode::Aes32dsmi  => middle_round(c, Unary::AesOriginal, a, b, byte),
        Opcode::Sha256Sum0 => rotations(c, a, [2, 13], Binary::RotateRight, 22),
        Opcode::Sha256Sum1 => rotations(c, a, [6, 11], Binary::RotateRight, 25),
        Opcode::Sha256Sig0 => rotations(c, a, [7, 18], RIGHT, 3),
        Opcode::Sha256Sig1 => rotations(c, a, [17, 19], RIGHT, 10),
        _ => { let terms = terms(opcode)?; mixture(c, a, b, terms) }
    })
}

#[rustfmt::skip]
fn terms(opcode: Opcode) -> Option<&'static [Term]> {
    Some(match opcode {
        Opcode::Sha512Sum0r => &[
            Term(First, LEFT, 25), Term(First, LEFT, 30), Term(First, RIGHT, 28),
            Term(Second, RIGHT, 7), Term(Second, RIGHT, 2), Term(Second, LEFT, 4),
        ],
        Opcode::Sha512Sum1r => &[
            Term(First, LEFT, 23), Term(First, RIGHT, 14), Term(First, RIGHT, 18),
            Term(Second, RIGHT, 9), Term(Second, LEFT, 18), Term(Second, LEFT, 14),
        ],
        Opcode::Sha512Sig0l => &[
            Term(First, RIGHT, 1), Term(First, RIGHT, 7), Term(First, RIGHT, 8),
            Term(Second, LEFT, 31), Term(Second, LEFT, 25), Term(Second, LEFT, 24),
        ],
        Opcode::Sha512Sig0h => &[
            Term(First, RIGHT, 1), Term(First, RIGHT, 7), Term(First, RIGHT, 8),
            Term(Second, LEFT, 31), Term(Second, LEFT, 24),
        ],
        Opcode::Sha512Sig1l => &[
            Term(First, LEFT, 3), Term(First, RIGHT, 6), Term(First, RIGHT, 19),
            Term(Second, RIGHT, 29), Term(Second, LEFT, 26), Term(Second, LEFT, 13),
        ],
        Opcode::Sha512Sig1h => &[
            Term(First, LEFT, 3), Term(First, RIGHT, 6), Term(First, RIGHT, 19),
            Term(Second, RIGHT, 29), Term(Second, LEFT, 13),
        ],
        _ => return None,
    })
}

fn mixture(c: &mut Composer, a: Value, b: Value, terms: &[Term]) -> Value {
    let value = |half| if matches!(half, First) { a } else { b };
    let shifted: Vec<_> =
        terms.iter().map(|&Term(half, op, by)| c.with(op, value(half), by)).collect();
    c.sum(&shifted)
}

fn rotations(c: &mut Composer, a: Value, by: [u32; 2], last: Binary, by_last: u32) -> Value {
    let [first, second] = by.map(|by| c.with(Binary::RotateRight, a, by));
    let third = c.with(last, a, by_last);
    c.sum(&[first, second, third])
}

fn substitute(c: &mut Composer, op: Unary, b: Value, byte: u32) -> Value {
    let lowest = c.with(Binary::Shr, b, 8 * byte);
    c.unary(op, lowest)
}

fn last_round(c: &mut Composer, op: Unary, a: Value, b: Value, byte: u32) -> Value {
    let substituted = substitute(c, op, b, byte);
    let placed = c.with(Binary::Shl, substituted, 8 * byte);
    c.binary(Binary::Xor, a, placed)
}

/// The byte's column of the matrix of `MixColumns` or its inverse, turned to the byte's place.
fn middle_round(c: &mut Composer, op: Unary, a: Value, b: Value, byte: u32) -> Value {
    let substituted = substitute(c, op, b, byte);
    let column = match op {
        Unary::AesSubstitute => [0x2, 0x1, 0x1, 0x3],
        _ => [0xe, 0x9, 0xd, 0xb],
    };
    let column = multiples(c, substituted, column);
    let turned = c.with(Binary::RotateRight, column, (32 - 8 * byte) % 32);
    c.binary(Binary::Xor, a, turned)
}

/// The products of a byte with four constants below 16, in GF(2^8), side by side.
fn multiples(c: &mut Composer, byte: Value, by: [u32; 4]) -> Value {
    let bits = 32 - by.iter().fold(0, |all, amount| all | amount).leading_zeros();
    let mut power = byte;
    let mut parts = vec![];
    for bit in 0..bits {
        if bit != 0 {
            power = double(c, power);
        }
        // The product with 1 in each byte that takes this power is a copy in each.
        let copies = (0..4).filter(|&at| by[at] >> bit & 1 == 1).map(|at| 1 << (8 * at)).sum();
        parts.push(c.with(Binary::Mul, power, copies));
    }
    c.sum(&parts)
}

fn double(c: &mut Composer, byte: Value) -> Value {
    let doubled = c.with(Binary::Shl, byte, 1);
    let carried = c.with(Binary::Shr, byte, 7);
    let reduction = c.with(Binary::Mul, carried, 0x11b);
    c.binary(Binary::Xor, doubled, reduction)
}
