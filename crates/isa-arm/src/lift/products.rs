//! Products and quotients (DDI 0100I, A4.1; DDI 0403, A7.7).
//!
//! Cells hold words zero-extended, so that a long product is one 64-bit operation. What decides about
//! Q is the sign that a sum should have against the one that it has, which needs no wider sum.

use cocrypt_ir::{Binary, Condition, Unary, Value, Width};

use super::builder::Builder;
use crate::cells::{self, general};
use crate::computation::{Computation, Opcode};
use crate::instruction::Register;

/// The lowest negative word, and what rounding adds to the lower half of a product.
const SIGN: Value = Value::Const(0x8000_0000);

/// Division by zero gives 0 where it does not trap, all ones in the lifted form; the overflow of the
/// signed one gives the dividend in both.
pub(super) fn quotient(builder: &mut Builder, op: Binary, n: Value, m: Value) -> Value {
    let quotient = builder.binary(op, n, m);
    builder.select(m, quotient, Value::Const(0))
}

/// The lower and the upper word of a long product.
pub(super) fn long(
    builder: &mut Builder,
    op: Opcode,
    pair: [Register; 2],
    [n, m]: [Value; 2],
) -> [Value; 2] {
    let high = match op {
        Opcode::Umull => Binary::MulHighUnsigned,
        Opcode::Smull => Binary::MulHighSigned,
        _ => return long_sum(builder, op, pair, [n, m]),
    };
    [builder.binary(Binary::Mul, n, m), builder.binary(high, n, m)]
}

fn long_sum(
    builder: &mut Builder,
    op: Opcode,
    pair: [Register; 2],
    mut factors: [Value; 2],
) -> [Value; 2] {
    if op == Opcode::Smlal {
        factors = factors.map(|factor| builder.wide_unary(Unary::Extend32, Width::W64, factor));
    }
    let [n, m] = factors;
    let result = builder.wide_binary(Binary::Mul, Width::W64, n, m);
    if op != Opcode::Umaal {
        return added_to_pair(builder, result, pair);
    }
    let sum = pair.into_iter().fold(result, |sum, register| {
        let addend = builder.register(register);
        builder.wide_binary(Binary::Add, Width::W64, sum, addend)
    });
    split(builder, sum)
}

/// The words of a 64-bit value plus what a pair of registers holds.
pub(super) fn added_to_pair(
    builder: &mut Builder,
    value: Value,
    [lo, hi]: [Register; 2],
) -> [Value; 2] {
    let wide = Width::W64;
    let [low, high] = [lo, hi].map(|register| builder.register(register));
    let high = builder.wide_binary(Binary::Shl, wide, high, Value::Const(32));
    let pair = builder.wide_binary(Binary::Or, wide, high, low);
    let sum = builder.wide_binary(Binary::Add, wide, value, pair);
    split(builder, sum)
}

/// The lower and the upper word of a 64-bit value.
fn split(builder: &mut Builder, value: Value) -> [Value; 2] {
    [
        builder.binary(Binary::And, value, Value::Const(0xffff_ffff)),
        builder.wide_binary(Binary::Shr, Width::W64, value, Value::Const(32)),
    ]
}

/// Sets N and Z by a result of two words.
pub(super) fn set_long_nz(builder: &mut Builder, pair: [Register; 2]) {
    let [lo, hi] = pair.map(|register| Value::Slot(general(register)));
    let negative = builder.binary(Binary::Shr, hi, Value::Const(31));
    let any = builder.binary(Binary::Or, lo, hi);
    let zero = builder.compare(Condition::Equal, any, Value::Const(0));
    builder.write(cells::N, negative);
    builder.write(cells::Z, zero);
}

/// The sum of two products. Only the lowest halves of all, four times, give a sum that does not fit, and
/// only they give this one.
pub(super) fn dual_sum(builder: &mut Builder, factors: [Register; 2], exchange: bool) -> Value {
    let sum = dual(builder, Binary::Add, factors, exchange);
    let overflow = builder.compare(Condition::Equal, sum, SIGN);
    builder.set_q_if(overflow);
    sum
}

/// The same, added to a register: the lowest negative word stands for the positive sum that does not
/// fit.
pub(super) fn dual_sum_added(
    builder: &mut Builder,
    factors: [Register; 2],
    exchange: bool,
    ra: Register,
) -> Value {
    let sum = dual(builder, Binary::Add, factors, exchange);
    let negative = builder.compare(Condition::LessUnsigned, SIGN, sum);
    add_with_q(builder, sum, negative, ra)
}

/// A half of a register with its sign.
fn signed_half(builder: &mut Builder, register: Register, top: bool) -> Value {
    let value = builder.register(register);
    if top {
        builder.binary(Binary::Sar, value, Value::Const(16))
    } else {
        builder.unary(Unary::Extend16, value)
    }
}

pub(super) fn of_halves(builder: &mut Builder, [rn, rm]: [Register; 2], top: [bool; 2]) -> Value {
    let (n, m) = (signed_half(builder, rn, top[0]), signed_half(builder, rm, top[1]));
    builder.binary(Binary::Mul, n, m)
}

/// The product of a word and a half without its lowest 16 bits: with the half moved up by 16, those are
/// the lower word of the product.
pub(super) fn by_half(builder: &mut Builder, [rn, rm]: [Register; 2], top: bool) -> Value {
    let value = builder.register(rm);
    let half = if top {
        builder.binary(Binary::And, value, Value::Const(0xffff_0000))
    } else {
        builder.binary(Binary::Shl, value, Value::Const(16))
    };
    let left = builder.register(rn);
    builder.binary(Binary::MulHighSigned, left, half)
}

/// The sum or difference of the products of the lower and of the upper halves.
pub(super) fn dual(
    builder: &mut Builder,
    op: Binary,
    factors: [Register; 2],
    exchange: bool,
) -> Value {
    let lower = of_halves(builder, factors, [false, exchange]);
    let upper = of_halves(builder, factors, [true, !exchange]);
    builder.binary(op, lower, upper)
}

/// A signed word plus a register; sets Q where the sum does not fit.
pub(super) fn add_signed(builder: &mut Builder, value: Value, ra: Register) -> Value {
    let negative = builder.binary(Binary::Shr, value, Value::Const(31));
    add_with_q(builder, value, negative, ra)
}

/// The same where the value's sign is known to be another than its highest bit.
fn add_with_q(builder: &mut Builder, value: Value, negative: Value, ra: Register) -> Value {
    let augend = builder.register(ra);
    let sum = builder.binary(Binary::Add, augend, value);
    let is_less = builder.compare(Condition::LessSigned, sum, augend);
    let overflow = builder.binary(Binary::Xor, is_less, negative);
    builder.set_q_if(overflow);
    sum
}

/// The upper word of a signed product, rounded or not.
pub(super) fn upper(builder: &mut Builder, [rn, rm]: [Register; 2], round: bool) -> Value {
    let (n, m) = (builder.register(rn), builder.register(rm));
    let high = builder.binary(Binary::MulHighSigned, n, m);
    if !round {
        return high;
    }
    let low = builder.binary(Binary::Mul, n, m);
    let carry = builder.binary(Binary::Shr, low, Value::Const(31));
    builder.binary(Binary::Add, high, carry)
}

/// The upper word of a register, moved up by 32, less a signed product: what the lower word borrows
/// depends on whether rounding made up for it.
pub(super) fn upper_less(
    builder: &mut Builder,
    [rn, rm]: [Register; 2],
    round: bool,
    ra: Register,
) -> Value {
    let (n, m) = (builder.register(rn), builder.register(rm));
    let high = builder.binary(Binary::MulHighSigned, n, m);
    let low = builder.binary(Binary::Mul, n, m);
    let added = if round { SIGN } else { Value::Const(0) };
    let borrow = builder.compare(Condition::LessUnsigned, added, low);
    let minuend = builder.register(ra);
    let difference = builder.binary(Binary::Sub, minuend, high);
    builder.binary(Binary::Sub, difference, borrow)
}

/// What is added to a pair of registers, as 64 bits.
pub(super) fn half_long(builder: &mut Builder, it: &Computation) -> Value {
    let factors = [it.rn, it.rm];
    let word = match it.op {
        // Two lowest halves twice give a sum that is no signed word, but a difference always is.
        Opcode::Smlald => return wide_dual(builder, factors, it.y),
        Opcode::Smlsld => dual(builder, Binary::Sub, factors, it.y),
        _ => of_halves(builder, factors, [it.x, it.y]),
    };
    builder.wide_unary(Unary::Extend32, Width::W64, word)
}

fn wide_dual(builder: &mut Builder, factors: [Register; 2], exchange: bool) -> Value {
    let [lower, upper] = [[false, exchange], [true, !exchange]].map(|top| {
        let product = of_halves(builder, factors, top);
        builder.wide_unary(Unary::Extend32, Width::W64, product)
    });
    builder.wide_binary(Binary::Add, Width::W64, lower, upper)
}
