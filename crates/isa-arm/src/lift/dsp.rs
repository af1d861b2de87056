//! Saturation, selection, and sums of differences (DDI 0403, A7.7).

use cocrypt_ir::{Binary, Condition, Value, Width};

use super::{
    builder::Builder,
    data::shifted,
    parallel::{self, HALVES},
};
use crate::cells;
use crate::computation::{Computation, Opcode};
use crate::instruction::Register;

/// A signed word, cut to a range of so many bits; sets Q where that changes it.
pub(super) fn saturate(builder: &mut Builder, it: &Computation) -> Value {
    let (signed, bits) = (it.op == Opcode::Ssat, it.width);
    let operand = builder.register(it.rn);
    // All that a shift to the right by 32 leaves is the sign.
    let operand = shifted(builder, operand, it.shift, it.amount.min(31));
    if signed && bits >= 32 {
        return operand;
    }
    let (highest, is_outside) = if signed {
        // Moved up by half the range, what fits is an unsigned number below the range.
        let half = 1_u64 << (bits.max(1) - 1);
        let moved = builder.binary(Binary::Add, operand, Value::Const(half));
        let range = Value::Const(half * 2);
        (half - 1, builder.compare(Condition::GreaterEqualUnsigned, moved, range))
    } else {
        let highest = (1_u64 << bits.min(31)) - 1;
        (highest, builder.compare(Condition::LessUnsigned, Value::Const(highest), operand))
    };
    builder.set_q_if(is_outside);
    let limit = limit(builder, signed, highest, operand);
    builder.select(is_outside, limit, operand)
}

/// The end of a range on the side of a number's sign.
fn limit(builder: &mut Builder, signed: bool, highest: u64, operand: Value) -> Value {
    if signed {
        let signs = builder.binary(Binary::Sar, operand, Value::Const(31));
        builder.binary(Binary::Xor, signs, Value::Const(highest))
    } else {
        let negative = builder.binary(Binary::Shr, operand, Value::Const(31));
        builder.select(negative, Value::Const(0), Value::Const(highest))
    }
}

/// Both halves at once. With their negative ones complemented, or made 0, they are numbers of 15 bits
/// that are too high or fit.
pub(super) fn saturate_halves(
    builder: &mut Builder,
    signed: bool,
    bits: u8,
    rn: Register,
) -> Value {
    let operand = builder.register(rn);
    if signed && bits >= 16 {
        return operand;
    }
    let highest = (1 << if signed { bits.max(1) - 1 } else { bits.min(15) }) - 1;
    let negative = builder.binary(Binary::Shr, operand, Value::Const(15));
    let negative = builder.binary(Binary::And, negative, halves(1));
    let signs = builder.binary(Binary::Mul, negative, Value::Const(0xffff));
    if signed {
        let positive = builder.binary(Binary::Xor, operand, signs);
        let above = above(builder, positive, highest);
        set_q_by(builder, above);
        let cut = cut(builder, positive, above, highest);
        return builder.binary(Binary::Xor, cut, signs);
    }
    let lost = builder.binary(Binary::And, operand, signs);
    let positive = builder.binary(Binary::Xor, operand, lost);
    let above = above(builder, positive, highest);
    let changed = builder.binary(Binary::Or, above, negative);
    set_q_by(builder, changed);
    cut(builder, positive, above, highest)
}

/// A number in each half.
const fn halves(value: u32) -> Value {
    Value::Const((value * HALVES.lowest) as u64)
}

/// The top bits of those halves of 15 bits that are above a number.
fn above(builder: &mut Builder, values: Value, highest: u32) -> Value {
    let moved = builder.binary(Binary::Add, values, halves(0x7fff - highest));
    builder.binary(Binary::And, moved, Value::Const(HALVES.highest.into()))
}

/// Halves of 15 bits, the highest number in the place of those whose top bit is marked.
fn cut(builder: &mut Builder, values: Value, marked: Value, highest: u32) -> Value {
    let bit = builder.binary(Binary::Shr, marked, Value::Const(15));
    let all = builder.binary(Binary::Sub, marked, bit);
    let filled = builder.binary(Binary::Or, values, all);
    builder.binary(Binary::And, filled, halves(highest))
}

fn set_q_by(builder: &mut Builder, bits: Value) {
    let is_any = builder.compare(Condition::NotEqual, bits, Value::Const(0));
    builder.set_q_if(is_any);
}

/// `m` and `n` added or subtracted, and cut to a signed word.
pub(super) fn saturating_sum(builder: &mut Builder, op: Binary, m: Value, n: Value) -> Value {
    let result = builder.binary(op, m, n);
    // The true result is less than `m` where `n` is negative, or the true difference where `m` is less.
    let (less, negative) = if op == Binary::Sub { ([m, n], result) } else { ([result, m], n) };
    let is_less = builder.compare(Condition::LessSigned, less[0], less[1]);
    let negative = builder.binary(Binary::Shr, negative, Value::Const(31));
    let overflow = builder.binary(Binary::Xor, is_less, negative);
    builder.set_q_if(overflow);
    // What overflowed has the wrong sign.
    let signs = builder.binary(Binary::Sar, result, Value::Const(31));
    let limit = builder.binary(Binary::Xor, signs, Value::Const(0x8000_0000));
    builder.select(overflow, limit, result)
}

/// Twice a signed word, cut to one.
pub(super) fn doubled(builder: &mut Builder, value: Value) -> Value {
    let doubled = builder.binary(Binary::Shl, value, Value::Const(1));
    let changed = builder.binary(Binary::Xor, doubled, value);
    let overflow = builder.binary(Binary::Shr, changed, Value::Const(31));
    builder.set_q_if(overflow);
    let limit = limit(builder, true, 0x7fff_ffff, value);
    builder.select(overflow, limit, doubled)
}

/// Bytes by the bits of GE: a product moves each bit to the foot of its byte, another fills the byte.
pub(super) fn select(builder: &mut Builder, n: Value, m: Value) -> Value {
    let spread = builder.binary(Binary::Mul, Value::Slot(cells::GE), Value::Const(0x0020_4081));
    let feet = builder.binary(Binary::And, spread, Value::Const(0x0101_0101));
    let mask = builder.binary(Binary::Mul, feet, Value::Const(0xff));
    parallel::mix(builder, mask, n, m)
}

/// The bytes of a word, each in a lane of 16 bits, in the order 0, 2, 1, 3.
fn spread(builder: &mut Builder, value: Value) -> Value {
    let wide = Width::W64;
    let moved = builder.wide_binary(Binary::Shl, wide, value, Value::Const(24));
    let both = builder.wide_binary(Binary::Or, wide, value, moved);
    builder.wide_binary(Binary::And, wide, both, Value::Const(0x00ff_00ff_00ff_00ff))
}

/// The sum of four differences without their signs. In four lanes of 64 bits, 256 plus the difference
/// shows the sign in its bit 8; where that is set, `511 - x + 1` gives what 256 lacks, else it stands.
pub(super) fn sum_of_differences(
    builder: &mut Builder,
    [rn, rm]: [Register; 2],
    ra: Option<Register>,
) -> Value {
    const ONES: Value = Value::Const(0x0001_0001_0001_0001);
    let wide = Width::W64;
    let [n, m] = [rn, rm].map(|register| {
        let value = builder.register(register);
        spread(builder, value)
    });
    let n = builder.wide_binary(Binary::Or, wide, n, Value::Const(0x0100_0100_0100_0100));
    let difference = builder.wide_binary(Binary::Sub, wide, n, m);
    let positive = builder.wide_binary(Binary::Shr, wide, difference, Value::Const(8));
    let positive = builder.wide_binary(Binary::And, wide, positive, ONES);
    let mask = builder.wide_binary(Binary::Mul, wide, positive, Value::Const(0x1ff));
    let lacking = builder.wide_binary(Binary::Xor, wide, difference, mask);
    let lacking = builder.wide_binary(Binary::Add, wide, lacking, positive);
    let sum = builder.wide_binary(Binary::Mul, wide, lacking, ONES);
    let sum = builder.wide_binary(Binary::Shr, wide, sum, Value::Const(48));
    let all = Value::Const(4 * 256);
    let all = match ra {
        Some(ra) => {
            let addend = builder.register(ra);
            builder.binary(Binary::Add, addend, all)
        }
        None => all,
    };
    builder.binary(Binary::Sub, all, sum)
}
