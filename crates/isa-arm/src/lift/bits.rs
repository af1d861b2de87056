//! Extensions, bit fields, reversals and packing (DDI 0403, A7.7).

use cocrypt_ir::{Binary, Unary, Value};

use super::builder::Builder;
use super::data::shifted;
use crate::computation::{Computation, Opcode};
use crate::instruction::Shift;

/// A byte or a half word; where it lies at the top, a shift does it all.
pub(super) fn extended(builder: &mut Builder, it: &Computation) -> Value {
    use Opcode::{Sxtab, Sxtah, Sxtb, Sxth, Uxtah, Uxth};
    let (operand, rotation) = (builder.register(it.rm), it.amount);
    let width = if matches!(it.op, Sxth | Sxtah | Uxth | Uxtah) { 16 } else { 8 };
    let signed = matches!(it.op, Sxtb | Sxtab | Sxth | Sxtah);
    if rotation + width <= 32 {
        return field(builder, signed, operand, rotation, width);
    }
    let rotated = builder.binary(Binary::RotateRight, operand, Value::Const(rotation.into()));
    field(builder, signed, rotated, 0, width)
}

/// Bytes 0 and 2 as half words: the sign of a byte, multiplied, fills the byte above it.
pub(super) fn bytes(builder: &mut Builder, it: &Computation) -> Value {
    let operand = builder.register(it.rm);
    let rotated = match it.amount {
        0 => operand,
        8 => builder.binary(Binary::Shr, operand, Value::Const(8)),
        amount => builder.binary(Binary::RotateRight, operand, Value::Const(amount.into())),
    };
    let low = builder.binary(Binary::And, rotated, Value::Const(0x00ff_00ff));
    if matches!(it.op, Opcode::Uxtb16 | Opcode::Uxtab16) {
        return low;
    }
    let signs = builder.binary(Binary::And, rotated, Value::Const(0x0080_0080));
    let above = builder.binary(Binary::Mul, signs, Value::Const(0x1fe));
    builder.binary(Binary::Or, low, above)
}

/// `width` bits from `lsb` on, at most up to the top.
pub(super) fn field(
    builder: &mut Builder,
    signed: bool,
    operand: Value,
    lsb: u8,
    width: u8,
) -> Value {
    let above = 32_u8.saturating_sub(lsb).saturating_sub(width);
    match (signed, lsb, above) {
        (_, 0, 0) => operand,
        (true, 0, 16) => builder.unary(Unary::Extend16, operand),
        (true, 0, 24) => builder.unary(Unary::Extend8, operand),
        (true, ..) => {
            let top = shifted(builder, operand, Shift::Left, above);
            shifted(builder, top, Shift::RightArithmetic, above + lsb)
        }
        (false, ..) => {
            let bottom = shifted(builder, operand, Shift::Right, lsb);
            masked(builder, bottom, u32::MAX >> (above + lsb).min(31), above)
        }
    }
}

/// A value without the bits that a mask lacks, if there may be any.
fn masked(builder: &mut Builder, value: Value, mask: u32, above: u8) -> Value {
    if above == 0 { value } else { builder.binary(Binary::And, value, Value::Const(mask.into())) }
}

/// A field of the destination, out of the lowest bits of an operand, or 0.
pub(super) fn insert(builder: &mut Builder, it: &Computation, operand: Option<Value>) -> Value {
    let (lsb, width) = (it.amount, it.width);
    let mask = (((1_u64 << width.min(32)) - 1) << lsb.min(31)) as u32;
    let old = builder.register(it.rd);
    let rest = builder.binary(Binary::And, old, Value::Const((!mask).into()));
    let Some(operand) = operand else { return rest };
    let moved = shifted(builder, operand, Shift::Left, lsb);
    let inserted = masked(builder, moved, mask, 32_u8.saturating_sub(lsb).saturating_sub(width));
    builder.binary(Binary::Or, rest, inserted)
}

/// The lower half of one and the upper half of the other, of which the second is shifted.
pub(super) fn pack(builder: &mut Builder, it: &Computation) -> Value {
    let top_first = it.op == Opcode::Pkhtb;
    let (kept, taken) = if top_first { (0xffff_0000, 0xffff) } else { (0xffff, 0xffff_0000) };
    let (n, m) = (builder.register(it.rn), builder.register(it.rm));
    let kept = builder.binary(Binary::And, n, Value::Const(kept));
    let other = match (top_first, it.amount) {
        // A shift by 16 leaves nothing to mask, to the right none of the copied signs either.
        (true, 16) => builder.binary(Binary::Shr, m, Value::Const(16)),
        (false, amount @ 16..) => builder.binary(Binary::Shl, m, Value::Const(amount.into())),
        (_, amount) => {
            let moved = shifted(builder, m, it.shift, amount);
            builder.binary(Binary::And, moved, Value::Const(taken))
        }
    };
    builder.binary(Binary::Or, kept, other)
}

/// The bits of an operand in another order, or how many of them are 0 from the highest on.
pub(super) fn reordered(builder: &mut Builder, op: Opcode, operand: Value) -> Value {
    let order = match op {
        Opcode::Clz => Unary::LeadingZeros,
        Opcode::Rbit => Unary::ReverseBits,
        _ => Unary::ReverseBytes,
    };
    let reordered = builder.unary(order, operand);
    match op {
        Opcode::Rev16 => builder.binary(Binary::RotateRight, reordered, Value::Const(16)),
        Opcode::Revsh => builder.binary(Binary::Sar, reordered, Value::Const(16)),
        _ => reordered,
    }
}
