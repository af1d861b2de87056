//! Bit manipulation: Zba, Zbb, Zbs, Zbc, Zbkb, Zbkx.
//!
//! Sources: "RISC-V Bit-Manipulation ISA-extensions", 1.0.0; "RISC-V Cryptography Extensions Volume I:
//! Scalar & Entropy Source Instructions", 1.0.1, chapter 3.

use cocrypt_ir::{Binary, Condition, Unary, Value};

use super::compose::Composer;
use crate::table::Opcode;

const ONE: Value = Value::Const(1);
const ZERO: Value = Value::Const(0);
/// The stages of `zip`: bits that trade places, those that move up, and how far.
const STAGES: [(u32, u32); 4] =
    [(0x00ff_0000, 8), (0x0f00_0f00, 4), (0x3030_3030, 2), (0x4444_4444, 1)];

/// The result of an instruction for two values, the second an immediate for some; none if it is not here.
#[rustfmt::skip]
pub fn bits(c: &mut Composer, opcode: Opcode, a: Value, b: Value) -> Option<Value> {
    Some(match opcode {
        Opcode::Sh1add => shift_add(c, a, b, 1),
        Opcode::Sh2add => shift_add(c, a, b, 2),
        Opcode::Sh3add => shift_add(c, a, b, 3),
        Opcode::Andn   => complemented(c, Binary::And, a, b),
        Opcode::Orn    => complemented(c, Binary::Or, a, b),
        Opcode::Xnor   => { let sum = c.binary(Binary::Xor, a, b); c.unary(Unary::Not, sum) }
        Opcode::Rol    => { let by = c.binary(Binary::Sub, ZERO, b); c.binary(Binary::RotateRight, a, by) }
        Opcode::Ror
        | Opcode::Rori => c.binary(Binary::RotateRight, a, b),
        Opcode::Rev8   => c.unary(Unary::ReverseBytes, a),
        Opcode::ZextH  => c.with(Binary::And, a, 0xffff),
        Opcode::Clz    => c.unary(Unary::LeadingZeros, a),
        Opcode::Ctz    => c.unary(Unary::TrailingZeros, a),
        Opcode::Cpop   => c.unary(Unary::PopCount, a),
        Opcode::SextB  => c.unary(Unary::Extend8, a),
        Opcode::SextH  => c.unary(Unary::Extend16, a),
        Opcode::OrcB   => full_bytes(c, a),
        Opcode::Min    => c.either(Condition::LessSigned, a, b),
        Opcode::Minu   => c.either(Condition::LessUnsigned, a, b),
        Opcode::Max    => c.either(Condition::GreaterEqualSigned, a, b),
        Opcode::Maxu   => c.either(Condition::GreaterEqualUnsigned, a, b),
        Opcode::Bset
        | Opcode::Bseti => { let bit = one_bit(c, b); c.binary(Binary::Or, a, bit) }
        Opcode::Binv
        | Opcode::Binvi => { let bit = one_bit(c, b); c.binary(Binary::Xor, a, bit) }
        Opcode::Bclr
        | Opcode::Bclri => { let bit = one_bit(c, b); complemented(c, Binary::And, a, bit) }
        Opcode::Bext
        | Opcode::Bexti => extract(c, a, b),
        Opcode::Pack   => pack(c, a, b, 16),
        Opcode::Packh  => pack(c, a, b, 8),
        Opcode::Brev8  => { let all = c.unary(Unary::ReverseBits, a); c.unary(Unary::ReverseBytes, all) }
        Opcode::Zip    => STAGES.into_iter().fold(a, |value, stage| trade(c, value, stage)),
        Opcode::Unzip  => STAGES.into_iter().rev().fold(a, |value, stage| trade(c, value, stage)),
        Opcode::Clmul  => c.binary(Binary::CarrylessMul, a, b),
        Opcode::Clmulh => c.binary(Binary::CarrylessMulHigh, a, b),
        Opcode::Clmulr => reversed_product(c, a, b),
        Opcode::Xperm4 => permute(c, a, b, 4),
        Opcode::Xperm8 => permute(c, a, b, 8),
        _ => return None,
    })
}

fn shift_add(c: &mut Composer, a: Value, b: Value, by: u32) -> Value {
    let shifted = c.with(Binary::Shl, a, by);
    c.binary(Binary::Add, shifted, b)
}

fn complemented(c: &mut Composer, op: Binary, a: Value, b: Value) -> Value {
    let b = c.unary(Unary::Not, b);
    c.binary(op, a, b)
}

fn one_bit(c: &mut Composer, number: Value) -> Value {
    let number = c.with(Binary::And, number, 31);
    c.binary(Binary::Shl, ONE, number)
}

fn extract(c: &mut Composer, a: Value, number: Value) -> Value {
    let number = c.with(Binary::And, number, 31);
    let shifted = c.binary(Binary::Shr, a, number);
    c.with(Binary::And, shifted, 1)
}

/// All ones in each byte that is not 0. Adding 0x7f carries into a byte's highest bit unless its lower
/// ones are 0; then that bit is spread.
fn full_bytes(c: &mut Composer, a: Value) -> Value {
    let low = c.with(Binary::And, a, 0x7f7f_7f7f);
    let carried = c.with(Binary::Add, low, 0x7f7f_7f7f);
    let either = c.binary(Binary::Or, carried, a);
    let highest = c.with(Binary::And, either, 0x8080_8080);
    let lowest = c.with(Binary::Shr, highest, 7);
    c.with(Binary::Mul, lowest, 0xff)
}

fn pack(c: &mut Composer, a: Value, b: Value, bits: u32) -> Value {
    let mask = (1 << bits) - 1;
    let low = c.with(Binary::And, a, mask);
    let high = c.with(Binary::And, b, mask);
    let high = c.with(Binary::Shl, high, bits);
    c.binary(Binary::Or, low, high)
}

/// The bits in `up` trade places with those `by` lower.
fn trade(c: &mut Composer, value: Value, (up, by): (u32, u32)) -> Value {
    let shifted = c.with(Binary::Shl, value, by);
    let differ = c.binary(Binary::Xor, value, shifted);
    let differ = c.with(Binary::And, differ, up);
    let below = c.with(Binary::Shr, differ, by);
    let upper = c.binary(Binary::Xor, value, differ);
    c.binary(Binary::Xor, upper, below)
}

/// Bits 62 to 31 of the product.
fn reversed_product(c: &mut Composer, a: Value, b: Value) -> Value {
    let low = c.binary(Binary::CarrylessMul, a, b);
    let high = c.binary(Binary::CarrylessMulHigh, a, b);
    let highest = c.with(Binary::Shr, low, 31);
    let doubled = c.with(Binary::Shl, high, 1);
    c.binary(Binary::Or, doubled, highest)
}

/// Each part of `b`, of so many bits, chooses one of `a`, or 0 where `a` has no such part: a shift by
/// more than 31 gives 0.
fn permute(c: &mut Composer, a: Value, b: Value, bits: u32) -> Value {
    let mask = (1 << bits) - 1;
    let mut whole = ZERO;
    for at in (0..32).step_by(bits as usize) {
        let number = c.with(Binary::Shr, b, at);
        let number = c.with(Binary::And, number, mask);
        let by = c.with(Binary::Mul, number, bits);
        let part = c.binary(Binary::Shr, a, by);
        let part = c.with(Binary::And, part, mask);
        let part = c.with(Binary::Shl, part, at);
        whole = c.binary(Binary::Or, whole, part);
    }
    whole
}
