//! Parallel sums and differences of bytes and half words (DDI 0403, A7.7 and A2.2).
//!
//! Most are computed on all lanes of a word at once ([`PackedLanes`]). Half words that are exchanged or
//! saturate are fewer operations apart, as two sums of more than 16 bits ([`ExtendedHalves`]).

use cocrypt_ir::{Binary, Condition, Unary, Value};

use super::builder::Builder;
use super::term::of;
use crate::cells;
use crate::instruction::{ParallelKind, ParallelOp, Register};

/// The lanes of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    /// The lowest bit of each.
    pub(super) lowest: u32,
    /// The highest bit of each.
    pub(super) highest: u32,
}

/// Lanes of 16 bits.
pub(super) const HALVES: Lanes = Lanes { lowest: 0x0001_0001, highest: 0x8000_8000 };
/// Lanes of 8 bits.
const BYTES: Lanes = Lanes { lowest: 0x0101_0101, highest: 0x8080_8080 };

/// The result of a parallel sum or difference, whose GE bits are written where the kind has them.
pub(super) fn parallel(
    builder: &mut Builder,
    kind: ParallelKind,
    op: ParallelOp,
    [rn, rm]: [Register; 2],
) -> Value {
    let operands = [builder.register(rn), builder.register(rm)];
    let signed = matches!(
        kind,
        ParallelKind::Signed | ParallelKind::SignedSaturating | ParallelKind::SignedHalving
    );
    let saturates =
        matches!(kind, ParallelKind::SignedSaturating | ParallelKind::UnsignedSaturating);
    let (lanes, subtract) = match op {
        ParallelOp::Add8 => (BYTES, false),
        ParallelOp::Sub8 => (BYTES, true),
        ParallelOp::Add16 if !saturates => (HALVES, false),
        ParallelOp::Sub16 if !saturates => (HALVES, true),
        _ => return ExtendedHalves::new(builder, op, signed, operands).result(builder, kind),
    };
    PackedLanes::new(builder, lanes, subtract, operands).result(builder, kind)
}

/// The half words of two words added, each modulo 2^16.
pub(super) fn sum_of_halves(builder: &mut Builder, a: Value, b: Value) -> Value {
    PackedLanes::new(builder, HALVES, false, [a, b]).modular(builder)
}

/// The bits of `a` where a mask has them set, else those of `b`.
pub(super) fn mix(builder: &mut Builder, mask: Value, a: Value, b: Value) -> Value {
    builder.term(of(b) ^ ((of(a) ^ b) & mask))
}

/// All lanes of two words, added or subtracted.
#[derive(Clone, Copy)]
struct PackedLanes {
    lanes: Lanes,
    subtract: bool,
    a: Value,
    b: Value,
    /// The bits in which the two differ.
    differing: Value,
}

impl PackedLanes {
    fn new(builder: &mut Builder, lanes: Lanes, subtract: bool, [a, b]: [Value; 2]) -> Self {
        let differing = builder.term(of(a) ^ b);
        Self { lanes, subtract, a, b, differing }
    }

    fn result(&self, builder: &mut Builder, kind: ParallelKind) -> Value {
        match kind {
            ParallelKind::Signed | ParallelKind::Unsigned => {
                let result = self.modular(builder);
                self.set_ge(builder, kind == ParallelKind::Signed, result);
                result
            }
            ParallelKind::SignedHalving => self.halved(builder, true),
            ParallelKind::UnsignedHalving => self.halved(builder, false),
            ParallelKind::SignedSaturating => self.signed_saturated(builder),
            ParallelKind::UnsignedSaturating => self.unsigned_saturated(builder),
        }
    }

    /// Modulo the lanes' size.
    fn modular(&self, builder: &mut Builder) -> Value {
        match (self.lanes == HALVES, self.subtract) {
            (true, _) => self.modular_halves(builder),
            (false, false) => self.sum_of_bytes(builder),
            (false, true) => self.difference_of_bytes(builder),
        }
    }

    /// As words, with what the lower half carried or borrowed taken back: it shows where the result is
    /// not the exclusive or.
    fn modular_halves(&self, builder: &mut Builder) -> Value {
        let (op, back) =
            if self.subtract { (Binary::Sub, Binary::Add) } else { (Binary::Add, Binary::Sub) };
        let word = builder.term(of(self.a).with(op, self.b));
        builder.term(of(word).with(back, (of(self.differing) ^ word) & 0x1_0000))
    }

    /// Sums without the highest bits, which carry nothing out, and then those.
    fn sum_of_bytes(&self, builder: &mut Builder) -> Value {
        let [a, b] = [self.a, self.b].map(|operand| of(operand) & !self.lanes.highest);
        builder.term((a + b) ^ (of(self.differing) & self.lanes.highest))
    }

    /// The same, with highest bits set from which the others can borrow.
    fn difference_of_bytes(&self, builder: &mut Builder) -> Value {
        let highest = self.lanes.highest;
        let difference = (of(self.a) | highest) - (of(self.b) & !highest);
        builder.term(difference ^ ((of(self.differing) & highest) ^ highest))
    }

    /// In the highest bit of each lane: the sign of the true result; without signs what a sum carries or
    /// a difference borrows. The other bits mean nothing.
    ///
    /// Of a sum it is what both operands have there, of a difference, if the operands differ, what one
    /// of them has; otherwise the result's bit, or for a carry its complement.
    fn outcome(&self, builder: &mut Builder, signed: bool, result: Value) -> Value {
        let (same, other) = match (self.subtract, signed) {
            (false, false) => (self.b, self.a),
            (false, true) => (self.a, self.a),
            (true, false) => (result, self.b),
            (true, true) => (result, self.a),
        };
        let changed = builder.term(of(other) ^ result);
        let changed = builder.term(of(self.differing) & changed);
        builder.term(of(same) ^ changed)
    }

    /// GE is set for results that are not negative, sums without signs that carry, and differences that
    /// do not borrow. The upper word of a product gathers the highest bits.
    fn set_ge(&self, builder: &mut Builder, signed: bool, result: Value) {
        let gather: u32 = if self.lanes == HALVES { 0x0006_0018 } else { 0x0204_0810 };
        let outcome = self.outcome(builder, signed, result);
        let highest = of(outcome) & self.lanes.highest;
        let ge = highest.with(Binary::MulHighUnsigned, gather) & 15;
        let ge = builder.term(if signed || self.subtract { ge ^ 15 } else { ge });
        builder.write(cells::GE, ge);
    }

    /// `a + b` is `2 (a & b) + (a ^ b)` and `a - b` is `(a ^ b) - 2 (b & ~a)`, so that half of either
    /// never leaves its lane. Signs weigh the highest bits the other way.
    fn halved(&self, builder: &mut Builder, signed: bool) -> Value {
        let half = builder.term((of(self.differing) & !self.lanes.lowest) >> 1);
        let unsigned = if self.subtract {
            self.difference_from(builder, half)
        } else {
            builder.term((of(self.a) & self.b) + half)
        };
        if !signed {
            return unsigned;
        }
        let differing = builder.term(of(self.differing) & self.lanes.highest);
        builder.term(of(unsigned) ^ differing)
    }

    /// Half of where the operands differ less what only the second has, each lane with its highest bit
    /// lent.
    fn difference_from(&self, builder: &mut Builder, half: Value) -> Value {
        let only_b = builder.term(of(self.differing) & self.b);
        builder.term(((of(half) | self.lanes.highest) - only_b) ^ self.lanes.highest)
    }

    /// Sums that carry become all ones, differences that borrow 0.
    fn unsigned_saturated(&self, builder: &mut Builder) -> Value {
        let result = self.modular(builder);
        let outcome = self.outcome(builder, false, result);
        let outside = self.filled(builder, outcome);
        let filled = of(result) | outside;
        builder.term(if self.subtract { filled ^ outside } else { filled })
    }

    /// In lanes whose result's sign is not the true one, the end of the range on the side of the first
    /// operand's sign.
    fn signed_saturated(&self, builder: &mut Builder) -> Value {
        let result = self.modular(builder);
        let outcome = self.outcome(builder, true, result);
        let wrong = builder.term(of(outcome) ^ result);
        let outside = self.filled(builder, wrong);
        let top = self.lanes.highest.trailing_zeros();
        let negative = (of(self.a) >> top) & self.lanes.lowest;
        let limits = builder.term(negative + !self.lanes.highest);
        mix(builder, outside, limits, result)
    }

    /// Lanes of ones where the highest bit of a lane is set.
    fn filled(&self, builder: &mut Builder, bits: Value) -> Value {
        let top = self.lanes.highest.trailing_zeros();
        let lowest = (of(bits) & self.lanes.highest) >> top;
        builder.term(lowest * (u32::MAX >> (31 - top)))
    }
}

/// The half words of two words, extended and added or subtracted one by one.
struct ExtendedHalves {
    /// True if each half is a difference.
    subtract: [bool; 2],
    /// The results, as words with their signs.
    results: [Value; 2],
}

impl ExtendedHalves {
    fn new(builder: &mut Builder, op: ParallelOp, signed: bool, [a, b]: [Value; 2]) -> Self {
        let subtract = match op {
            ParallelOp::Asx => [true, false],
            ParallelOp::Sax => [false, true],
            ParallelOp::Sub16 | ParallelOp::Sub8 => [true; 2],
            ParallelOp::Add16 | ParallelOp::Add8 => [false; 2],
        };
        let crossed = matches!(op, ParallelOp::Asx | ParallelOp::Sax);
        let results = [false, true].map(|top| {
            let a = half(builder, a, top, signed);
            let b = half(builder, b, top != crossed, signed);
            let op = if subtract[usize::from(top)] { Binary::Sub } else { Binary::Add };
            builder.binary(op, a, b)
        });
        Self { subtract, results }
    }

    fn result(&self, builder: &mut Builder, kind: ParallelKind) -> Value {
        match kind {
            ParallelKind::Signed | ParallelKind::Unsigned => {
                self.set_ge(builder, kind == ParallelKind::Signed);
                joined(builder, self.results, 0)
            }
            ParallelKind::SignedHalving | ParallelKind::UnsignedHalving => {
                joined(builder, self.results, 1)
            }
            ParallelKind::SignedSaturating => {
                let cut = self.results.map(|result| signed_half(builder, result));
                joined(builder, cut, 0)
            }
            ParallelKind::UnsignedSaturating => {
                let [low, high] =
                    [0, 1].map(|top| unsigned_half(builder, self.results[top], self.subtract[top]));
                builder.term(of(low) | (of(high) << 16))
            }
        }
    }

    /// Bit 16 of a result is its sign, or what it carried or borrowed.
    fn set_ge(&self, builder: &mut Builder, signed: bool) {
        let [low, high] = self.results.map(|result| builder.term(of(result) & 0x1_0000));
        let bits = (of(low) | (of(high) << 2)) >> 16;
        let inverted = |top: usize| signed || self.subtract[top];
        let inverted = if inverted(0) { 3 } else { 0 } | if inverted(1) { 12 } else { 0 };
        let ge = builder.term((bits * 3) ^ inverted);
        builder.write(cells::GE, ge);
    }
}

/// A half of a word, extended.
fn half(builder: &mut Builder, value: Value, top: bool, signed: bool) -> Value {
    builder.term(match (top, signed) {
        (false, false) => of(value) & 0xffff,
        (false, true) => of(value).unary(Unary::Extend16),
        (true, false) => of(value) >> 16,
        (true, true) => of(value).sar(16),
    })
}

/// 16 bits of each of two words, from a bit on.
fn joined(builder: &mut Builder, [low, high]: [Value; 2], from: u32) -> Value {
    let (low, high) = match from {
        0 => (of(low), of(high) << 16),
        _ => (of(low) >> from, (of(high) << (16 - from)) & 0xffff_0000),
    };
    builder.term((low & 0xffff) | high)
}

/// A word, cut to the range of a signed half word.
fn signed_half(builder: &mut Builder, value: Value) -> Value {
    let (lowest, highest) = (Value::Const(0xffff_8000), Value::Const(0x7fff));
    let is_below = builder.compare(Condition::LessSigned, value, lowest);
    let value = builder.select(is_below, lowest, value);
    let is_above = builder.compare(Condition::LessSigned, highest, value);
    builder.select(is_above, highest, value)
}

/// The same without sign. A sum is never below the range, a difference never above it.
fn unsigned_half(builder: &mut Builder, value: Value, subtract: bool) -> Value {
    let highest = Value::Const(0xffff);
    if subtract {
        let is_below = builder.compare(Condition::LessSigned, value, Value::Const(0));
        builder.select(is_below, Value::Const(0), value)
    } else {
        let is_above = builder.compare(Condition::LessUnsigned, highest, value);
        builder.select(is_above, highest, value)
    }
}
