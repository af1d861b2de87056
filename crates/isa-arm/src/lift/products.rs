//! Products and quotients (DDI 0100I, A4.1; DDI 0403, A7.7).
//!
//! Cells hold words zero-extended, so that a long product is one 64-bit operation. What decides about
//! Q is the sign that a sum should have against the one that it has, which needs no wider sum.

use cocrypt_ir::{Binary, Condition, Unary, Value, Width};

use super::builder::Builder;
use super::term::{Term, of};
use crate::cells::{self, general};
use crate::computation::{Computation, Opcode};
use crate::instruction::Register;

/// The lowest negative word, and what rounding adds to the lower half of a product.
const SIGN: Value = Value::Const(0x8000_0000);

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
    let [low, high] = [lo, hi].map(|register| builder.register(register));
    let sum = builder.wide_term(of(value) + ((of(high) << 32) | low));
    split(builder, sum)
}

/// The lower and the upper word of a 64-bit value.
fn split(builder: &mut Builder, value: Value) -> [Value; 2] {
    [builder.term(of(value) & 0xffff_ffff), builder.wide_term(of(value) >> 32)]
}

/// Sets N and Z by a result of two words.
pub(super) fn set_long_nz(builder: &mut Builder, pair: [Register; 2]) {
    let [lo, hi] = pair.map(|register| Value::Slot(general(register)));
    let negative = builder.term(of(hi) >> 31);
    let zero = builder.term((of(lo) | hi).is(Condition::Equal, 0));
    builder.write(cells::N, negative);
    builder.write(cells::Z, zero);
}

/// The sum of two products. Only the lowest halves of all, four times, give a sum that does not fit, and
/// only they give this one.
pub(super) fn dual_sum(builder: &mut Builder, factors: [Value; 2], exchange: bool) -> Term {
    let sum = builder.term(dual(Binary::Add, factors, exchange));
    let overflow = builder.compare(Condition::Equal, sum, SIGN);
    builder.set_q_if(overflow);
    of(sum)
}

/// The same, added to a word: the lowest negative word stands for the positive sum that does not fit.
pub(super) fn dual_sum_added(
    builder: &mut Builder,
    factors: [Value; 2],
    exchange: bool,
    augend: Value,
) -> Term {
    let sum = builder.term(dual(Binary::Add, factors, exchange));
    let negative = builder.compare(Condition::LessUnsigned, SIGN, sum);
    added_with_q(builder, sum, negative, augend)
}

/// A half of a word with its sign.
fn signed_half(value: Value, top: bool) -> Term {
    if top { of(value).sar(16) } else { of(value).unary(Unary::Extend16) }
}

pub(super) fn of_halves([n, m]: [Value; 2], top: [bool; 2]) -> Term {
    signed_half(n, top[0]) * signed_half(m, top[1])
}

/// The product of a word and a half without its lowest 16 bits: with the half moved up by 16, those are
/// the lower word of the product.
pub(super) fn by_half([n, m]: [Value; 2], top: bool) -> Term {
    let half = if top { of(m) & 0xffff_0000 } else { of(m) << 16 };
    of(n).with(Binary::MulHighSigned, half)
}

/// The sum or difference of the products of the lower and of the upper halves.
pub(super) fn dual(op: Binary, factors: [Value; 2], exchange: bool) -> Term {
    of_halves(factors, [false, exchange]).with(op, of_halves(factors, [true, !exchange]))
}

/// A signed word added to another; sets Q where the sum does not fit.
pub(super) fn added(builder: &mut Builder, value: Term, augend: Value) -> Term {
    let value = builder.term(value);
    let negative = builder.term(of(value) >> 31);
    added_with_q(builder, value, negative, augend)
}

/// The same where the value's sign is known to be another than its highest bit.
fn added_with_q(builder: &mut Builder, value: Value, negative: Value, augend: Value) -> Term {
    let sum = builder.term(of(augend) + value);
    let overflow = builder.term(of(sum).is(Condition::LessSigned, augend) ^ negative);
    builder.set_q_if(overflow);
    of(sum)
}

/// The upper word of a signed product, rounded or not.
pub(super) fn upper([n, m]: [Value; 2], round: bool) -> Term {
    let high = of(n).with(Binary::MulHighSigned, m);
    if round { high + ((of(n) * m) >> 31) } else { high }
}

/// A word, moved up by 32, less a signed product, of which the upper word stays: what the lower word
/// borrows depends on whether rounding made up for it.
pub(super) fn upper_less(
    builder: &mut Builder,
    [n, m]: [Value; 2],
    round: bool,
    minuend: Value,
) -> Term {
    let high = builder.term(of(n).with(Binary::MulHighSigned, m));
    let added = if round { SIGN } else { Value::Const(0) };
    let borrow = builder.term(of(added).is(Condition::LessUnsigned, of(n) * m));
    of(minuend) - high - borrow
}

/// The addend of a pair of registers, as 64 bits.
pub(super) fn half_long(
    builder: &mut Builder,
    computation: &Computation,
    factors: [Value; 2],
) -> Value {
    let word = match computation.op {
        // Two lowest halves twice give a sum that is no signed word, but a difference always is.
        Opcode::Smlald => return wide_dual(builder, factors, computation.y),
        Opcode::Smlsld => dual(Binary::Sub, factors, computation.y),
        _ => of_halves(factors, [computation.x, computation.y]),
    };
    let word = builder.term(word);
    builder.wide_term(of(word).unary(Unary::Extend32))
}

fn wide_dual(builder: &mut Builder, factors: [Value; 2], exchange: bool) -> Value {
    let [lower, upper] = [[false, exchange], [true, !exchange]].map(|top| {
        let product = builder.term(of_halves(factors, top));
        builder.wide_term(of(product).unary(Unary::Extend32))
    });
    builder.wide_term(of(lower) + upper)
}
