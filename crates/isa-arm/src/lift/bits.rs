//! Extensions, bit fields, reversals and packing (DDI 0403, A7.7).

use cocrypt_ir::{Binary, Unary, Value};

use super::builder::Builder;
use super::term::{Term, of, shifted};
use crate::computation::{Computation, Opcode};

/// A byte or a half word; where it lies at the top, a shift does it all.
pub(super) fn extended(computation: &Computation, operand: Value) -> Term {
    use Opcode::{Sxtab, Sxtah, Sxtb, Sxth, Uxtah, Uxth};
    let rotation = computation.amount;
    let width = if matches!(computation.op, Sxth | Sxtah | Uxth | Uxtah) { 16 } else { 8 };
    let signed = matches!(computation.op, Sxtb | Sxtab | Sxth | Sxtah);
    if rotation + width <= 32 {
        return field(signed, of(operand), rotation, width);
    }
    field(signed, of(operand).ror(rotation.into()), 0, width)
}

/// Bytes 0 and 2 as half words: the sign of a byte, multiplied, fills the byte above it.
pub(super) fn bytes(builder: &mut Builder, computation: &Computation, operand: Value) -> Value {
    let rotated = builder.term(match computation.amount {
        0 => of(operand),
        8 => of(operand) >> 8,
        amount => of(operand).ror(amount.into()),
    });
    let low = of(rotated) & 0x00ff_00ff;
    let is_unsigned = matches!(computation.op, Opcode::Uxtb16 | Opcode::Uxtab16);
    let above = (of(rotated) & 0x0080_0080) * 0x1fe;
    builder.term(if is_unsigned { low } else { low | above })
}

/// `width` bits from `lsb` on, at most up to the top.
pub(super) fn field(signed: bool, operand: Term, lsb: u8, width: u8) -> Term {
    let above = 32_u8.saturating_sub(lsb).saturating_sub(width);
    match (signed, lsb, above) {
        (_, 0, 0) => operand,
        (true, 0, 16) => operand.unary(Unary::Extend16),
        (true, 0, 24) => operand.unary(Unary::Extend8),
        (true, ..) => shifted(shifted(operand, Binary::Shl, above), Binary::Sar, above + lsb),
        (false, ..) => {
            let mask = u32::MAX >> (above + lsb).min(31);
            masked(shifted(operand, Binary::Shr, lsb), mask, above)
        }
    }
}

/// A value without the bits that a mask lacks, if there may be any.
fn masked(term: Term, mask: u32, above: u8) -> Term {
    if above == 0 { term } else { term & mask }
}

/// A field of the destination, out of the lowest bits of an operand, or 0.
pub(super) fn insert(computation: &Computation, old: Value, operand: Option<Value>) -> Term {
    let (lsb, width) = (computation.amount, computation.width);
    let mask = (((1_u64 << width.min(32)) - 1) << lsb.min(31)) as u32;
    let rest = of(old) & !mask;
    let Some(operand) = operand else { return rest };
    let moved = shifted(of(operand), Binary::Shl, lsb);
    rest | masked(moved, mask, 32_u8.saturating_sub(lsb).saturating_sub(width))
}

/// The lower half of one and the upper half of the other, of which the second is shifted. A shift by 16
/// leaves nothing to mask, to the right none of the copied signs either.
pub(super) fn pack(computation: &Computation, n: Value, m: Value) -> Term {
    match (computation.op, computation.amount) {
        (Opcode::Pkhtb, 16) => (of(n) & 0xffff_0000) | (of(m) >> 16),
        (Opcode::Pkhtb, amount) => {
            (of(n) & 0xffff_0000) | (shifted(of(m), Binary::Sar, amount) & 0xffff)
        }
        (_, amount @ 16..) => (of(n) & 0xffff) | (of(m) << u32::from(amount)),
        (_, amount) => (of(n) & 0xffff) | (shifted(of(m), Binary::Shl, amount) & 0xffff_0000),
    }
}
