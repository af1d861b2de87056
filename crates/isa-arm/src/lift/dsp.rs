//! Saturation, selection, and sums of differences (DDI 0403, A7.7).

use cocrypt_ir::{Binary, Condition, Value};

use super::builder::Builder;
use super::parallel::{self, HALVES};
use super::term::{Term, of, shifted};
use crate::cells;
use crate::computation::{Computation, Opcode};
use crate::instruction::Shift;

/// A signed word, cut to a range of so many bits; sets Q where that changes it.
pub(super) fn saturate(builder: &mut Builder, computation: &Computation) -> Term {
    let (signed, bits) = (computation.op == Opcode::Ssat, computation.width);
    let op = if computation.shift == Shift::Left { Binary::Shl } else { Binary::Sar };
    // All that a shift to the right by 32 leaves is the sign.
    let operand = shifted(of(builder.register(computation.rn)), op, computation.amount.min(31));
    let operand = builder.term(operand);
    if signed && bits >= 32 {
        return of(operand);
    }
    let (highest, is_outside) = if signed {
        // Moved up by half the range, what fits is an unsigned number below the range.
        let half = 1 << (bits.max(1) - 1);
        (half - 1, (of(operand) + half).is(Condition::GreaterEqualUnsigned, half * 2))
    } else {
        let highest = (1 << bits.min(31)) - 1;
        (highest, of(highest).is(Condition::LessUnsigned, operand))
    };
    let is_outside = builder.term(is_outside);
    builder.set_q_if(is_outside);
    let limit = builder.term(limit(signed, highest, operand));
    of(is_outside).choose(limit, operand)
}

/// The end of a range on the side of a number's sign.
fn limit(signed: bool, highest: u32, operand: Value) -> Term {
    if signed { of(operand).sar(31) ^ highest } else { (of(operand) >> 31).choose(0, highest) }
}

/// Both halves at once. With their negative ones complemented, or made 0, they are numbers of 15 bits
/// that are too high or fit.
pub(super) fn saturate_halves(
    builder: &mut Builder,
    signed: bool,
    bits: u8,
    operand: Value,
) -> Term {
    if signed && bits >= 16 {
        return of(operand);
    }
    let highest = (1 << if signed { bits.max(1) - 1 } else { bits.min(15) }) - 1;
    let negative = builder.term((of(operand) >> 15) & halves(1));
    let signs = builder.term(of(negative) * 0xffff);
    let changed = if signed { of(signs) } else { of(operand) & signs };
    let positive = builder.term(of(operand) ^ changed);
    let above = builder.term((of(positive) + halves(0x7fff - highest)) & HALVES.highest);
    let outside = if signed { of(above) } else { of(above) | negative };
    let is_any = builder.term(outside.is(Condition::NotEqual, 0));
    builder.set_q_if(is_any);
    let cut = cut(positive, above, highest);
    if signed { cut ^ signs } else { cut }
}

/// A number in each half.
const fn halves(value: u32) -> u32 {
    value * HALVES.lowest
}

/// Halves of 15 bits, the highest number in the place of those whose top bit is marked.
fn cut(values: Value, marked: Value, highest: u32) -> Term {
    let all = of(marked) - (of(marked) >> 15);
    (of(values) | all) & halves(highest)
}

/// `m` and `n` added or subtracted, and cut to a signed word.
pub(super) fn saturating_sum(builder: &mut Builder, op: Binary, m: Value, n: Value) -> Term {
    let result = builder.binary(op, m, n);
    // The true result is less than `m` where `n` is negative, or the true difference where `m` is less.
    let (less, negative) = if op == Binary::Sub { ([m, n], result) } else { ([result, m], n) };
    let is_less = of(less[0]).is(Condition::LessSigned, less[1]);
    let overflow = builder.term(is_less ^ (of(negative) >> 31));
    builder.set_q_if(overflow);
    // What overflowed has the wrong sign.
    let limit = builder.term(of(result).sar(31) ^ 0x8000_0000);
    of(overflow).choose(limit, result)
}

/// Twice a signed word, cut to one.
pub(super) fn doubled(builder: &mut Builder, value: Value) -> Value {
    let doubled = builder.term(of(value) << 1);
    let overflow = builder.term((of(doubled) ^ value) >> 31);
    builder.set_q_if(overflow);
    let limit = limit(true, 0x7fff_ffff, value);
    builder.term(of(overflow).choose(limit, doubled))
}

/// Bytes by the bits of GE: a product moves each bit to the foot of its byte, another fills the byte.
pub(super) fn select(builder: &mut Builder, n: Value, m: Value) -> Value {
    let mask = builder.term(((of(cells::GE) * 0x0020_4081) & 0x0101_0101) * 0xff);
    parallel::mix(builder, mask, n, m)
}

/// The bytes of a word, each in a lane of 16 bits, in the order 0, 2, 1, 3.
fn spread(value: Value) -> Term {
    (of(value) | (of(value) << 24)) & Value::Const(0x00ff_00ff_00ff_00ff)
}

/// The sum of four differences without their signs, and another word less four times 256. In four lanes
/// of 64 bits, 256 plus the difference shows the sign in its bit 8; where that is set, `511 - x + 1`
/// gives what 256 lacks, else it stands.
pub(super) fn sum_of_differences(builder: &mut Builder, [n, m]: [Value; 2], all: Term) -> Term {
    const ONES: Value = Value::Const(0x0001_0001_0001_0001);
    let [n, m] = [n, m].map(|value| builder.wide_term(spread(value)));
    let difference = builder.wide_term((of(n) | Value::Const(0x0100_0100_0100_0100)) - m);
    let positive = builder.wide_term((of(difference) >> 8) & ONES);
    let lacking = (of(difference) ^ (of(positive) * 0x1ff)) + positive;
    let sum = builder.wide_term((lacking * ONES) >> 48);
    all - sum
}
