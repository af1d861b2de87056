//! Extensions, bit fields, reversals and constants (DDI 0403, A7.7).
//!
//! A destination of 15 is unpredictable in all of these: such an instruction is none of theirs.

use cocrypt_ir::{Binary, Unary, Value};

use super::{builder::Builder, parallel};
use crate::instruction::{BitOp, Extension, Operation, Register};

/// Writes what an instruction of this family does; false where it is of another.
pub(super) fn lift(builder: &mut Builder, operation: &Operation) -> bool {
    let (rd, result) = match *operation {
        Operation::Extend { extension, rd, rn, rm, rotation } if rd < 15 => {
            (rd, extend(builder, extension, rn, rm, rotation))
        }
        Operation::Pack { top_first, rd, rn, rm, amount } if rd < 15 => {
            (rd, pack(builder, top_first, [rn, rm], amount))
        }
        Operation::Bits { op, rd, rm } if rd < 15 => (rd, reordered(builder, op, rm)),
        Operation::ExtractField { signed, rd, rn, lsb, width } if rd < 15 => {
            (rd, extract(builder, signed, rn, lsb, width))
        }
        Operation::InsertField { rd, rn, lsb, width } if rd < 15 => {
            (rd, insert(builder, rd, rn, lsb, width))
        }
        Operation::MoveHalf { rd, value, top } if rd < 15 => (rd, half(builder, rd, value, top)),
        Operation::AddressOf { rd, offset } if rd < 15 => {
            let address = (builder.pc & !3).wrapping_add_signed(offset);
            (rd, Value::Const(address.into()))
        }
        _ => return false,
    };
    builder.write_register(rd, result);
    true
}

fn extend(
    builder: &mut Builder,
    extension: Extension,
    rn: Option<Register>,
    rm: Register,
    rotation: u8,
) -> Value {
    let operand = builder.register(rm);
    let is_pair = matches!(extension, Extension::SignedBytes | Extension::Bytes);
    let extended = if is_pair {
        bytes(builder, extension == Extension::SignedBytes, operand, rotation)
    } else {
        single(builder, extension, operand, rotation)
    };
    match rn.map(|register| builder.register(register)) {
        None => extended,
        Some(addend) if is_pair => parallel::sum_of_halves(builder, addend, extended),
        Some(addend) => builder.binary(Binary::Add, addend, extended),
    }
}

/// A byte or a half word; where it lies at the top, a shift does it all.
fn single(builder: &mut Builder, extension: Extension, operand: Value, rotation: u8) -> Value {
    let is_half = matches!(extension, Extension::SignedHalf | Extension::Half);
    let signed = matches!(extension, Extension::SignedHalf | Extension::SignedByte);
    let width = if is_half { 16 } else { 8 };
    if rotation + width <= 32 {
        return field(builder, signed, operand, rotation, width);
    }
    let rotated = builder.binary(Binary::RotateRight, operand, Value::Const(rotation.into()));
    field(builder, signed, rotated, 0, width)
}

/// Bytes 0 and 2 as half words: the sign of a byte, multiplied, fills the byte above it.
fn bytes(builder: &mut Builder, signed: bool, operand: Value, rotation: u8) -> Value {
    let rotated = match rotation {
        0 => operand,
        8 => builder.binary(Binary::Shr, operand, Value::Const(8)),
        _ => builder.binary(Binary::RotateRight, operand, Value::Const(rotation.into())),
    };
    let low = builder.binary(Binary::And, rotated, Value::Const(0x00ff_00ff));
    if !signed {
        return low;
    }
    let signs = builder.binary(Binary::And, rotated, Value::Const(0x0080_0080));
    let above = builder.binary(Binary::Mul, signs, Value::Const(0x1fe));
    builder.binary(Binary::Or, low, above)
}

/// `width` bits from `lsb` on, at most up to the top.
fn field(builder: &mut Builder, signed: bool, operand: Value, lsb: u8, width: u8) -> Value {
    let above = 32_u8.saturating_sub(lsb).saturating_sub(width);
    match (signed, lsb, above) {
        (_, 0, 0) => operand,
        (true, 0, 16) => builder.unary(Unary::Extend16, operand),
        (true, 0, 24) => builder.unary(Unary::Extend8, operand),
        (true, ..) => {
            let top = shifted(builder, Binary::Shl, operand, above);
            shifted(builder, Binary::Sar, top, above + lsb)
        }
        (false, ..) => {
            let bottom = shifted(builder, Binary::Shr, operand, lsb);
            masked(builder, bottom, u32::MAX >> (above + lsb).min(31), above)
        }
    }
}

fn shifted(builder: &mut Builder, op: Binary, value: Value, amount: u8) -> Value {
    if amount == 0 { value } else { builder.binary(op, value, Value::Const(amount.into())) }
}

/// A value without the bits that a mask lacks, if there may be any.
fn masked(builder: &mut Builder, value: Value, mask: u32, above: u8) -> Value {
    if above == 0 { value } else { builder.binary(Binary::And, value, Value::Const(mask.into())) }
}

fn extract(builder: &mut Builder, signed: bool, rn: Register, lsb: u8, width: u8) -> Value {
    field(builder, signed, builder.register(rn), lsb, width)
}

fn insert(builder: &mut Builder, rd: Register, rn: Option<Register>, lsb: u8, width: u8) -> Value {
    let mask = (((1_u64 << width.min(32)) - 1) << lsb.min(31)) as u32;
    let old = builder.register(rd);
    let rest = builder.binary(Binary::And, old, Value::Const((!mask).into()));
    let Some(rn) = rn else { return rest };
    let moved = shifted(builder, Binary::Shl, builder.register(rn), lsb);
    let inserted = masked(builder, moved, mask, 32_u8.saturating_sub(lsb).saturating_sub(width));
    builder.binary(Binary::Or, rest, inserted)
}

fn half(builder: &mut Builder, rd: Register, value: u16, top: bool) -> Value {
    if !top {
        return Value::Const(value.into());
    }
    let old = builder.register(rd);
    let low = builder.binary(Binary::And, old, Value::Const(0xffff));
    builder.binary(Binary::Or, low, Value::Const(u64::from(value) << 16))
}

fn pack(builder: &mut Builder, top_first: bool, [rn, rm]: [Register; 2], amount: u8) -> Value {
    let (kept, taken) = if top_first { (0xffff_0000, 0xffff) } else { (0xffff, 0xffff_0000) };
    let (n, m) = (builder.register(rn), builder.register(rm));
    let kept = builder.binary(Binary::And, n, Value::Const(kept));
    let other = match (top_first, amount) {
        // A shift by 16 leaves nothing to mask, to the right none of the copied signs either.
        (true, 16) => builder.binary(Binary::Shr, m, Value::Const(16)),
        (false, 16..) => builder.binary(Binary::Shl, m, Value::Const(amount.into())),
        _ => {
            let op = if top_first { Binary::Sar } else { Binary::Shl };
            let moved = shifted(builder, op, m, amount);
            builder.binary(Binary::And, moved, Value::Const(taken))
        }
    };
    builder.binary(Binary::Or, kept, other)
}

fn reordered(builder: &mut Builder, op: BitOp, rm: Register) -> Value {
    let operand = builder.register(rm);
    match op {
        BitOp::LeadingZeros => builder.unary(Unary::LeadingZeros, operand),
        BitOp::ReverseBits => builder.unary(Unary::ReverseBits, operand),
        BitOp::ReverseBytes => builder.unary(Unary::ReverseBytes, operand),
        BitOp::ReverseHalves => {
            let reversed = builder.unary(Unary::ReverseBytes, operand);
            builder.binary(Binary::RotateRight, reversed, Value::Const(16))
        }
        BitOp::ReverseSigned => {
            let reversed = builder.unary(Unary::ReverseBytes, operand);
            builder.binary(Binary::Sar, reversed, Value::Const(16))
        }
    }
}
