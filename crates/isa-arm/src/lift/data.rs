//! Data processing: the second operand with its carry, sums, differences, logic, moves.

use cocrypt_ir::{Binary, Condition, Unary, Value};

use super::builder::Builder;
use super::flags;
use super::lifter::{ControlFlow, Lifter};
use super::term::of;
use super::{branch, exceptions};
use crate::cells;
use crate::instruction::{DataOp, Operand, Register, Shift};

/// The mask that complements under an exclusive or.
const ALL: u32 = 0xffff_ffff;

/// A half of a register becomes a constant, and the upper half 0 where the lower one does.
pub fn move_half(builder: &mut Builder, rd: Register, value: u16, top: bool) {
    let result = if top {
        let old = builder.register(rd);
        builder.term((of(old) & 0xffff) | u32::from(value) << 16)
    } else {
        Value::Const(value.into())
    };
    builder.write_register(rd, result);
}

/// Lifts data processing.
pub fn data(
    lifter: &mut Lifter<'_>,
    op: DataOp,
    sets_flags: bool,
    rd: Register,
    rn: Register,
    operand: Operand,
) -> ControlFlow {
    let compares = op.compares();
    // With the program counter as its destination it sets all of the status, from the saved one.
    let returns = sets_flags && rd == 15 && !compares;
    let sets_flags = (sets_flags || compares) && !returns;
    let result = compute(&mut lifter.builder, op, sets_flags, rn, operand);
    let dst = (!compares && rd != 15).then(|| cells::general(rd));
    if sets_flags {
        lifter.keep_flags(dst.filter(|_| rd != 13 || !lifter.builder.aligned_stack));
    }
    if dst.is_some() {
        write(&mut lifter.builder, op, rd, rn, operand, result);
    } else if returns {
        return exceptions::restore(lifter, result);
    } else if !compares {
        return branch::to_same_set(lifter, result);
    }
    ControlFlow::Next
}

/// Writes a result. The stack pointer stays a multiple of 4 where one is added to it.
fn write(
    builder: &mut Builder,
    op: DataOp,
    rd: Register,
    rn: Register,
    operand: Operand,
    result: Value,
) {
    let stays = match operand {
        Operand::Immediate { value, .. } => value % 4 == 0,
        _ => false,
    };
    if rd == 13 && rn == 13 && stays && matches!(op, DataOp::Add | DataOp::Sub) {
        builder.write(cells::SP, result);
    } else {
        builder.write_register(rd, result);
    }
}

/// The result; flags are set where that is asked for.
fn compute(
    builder: &mut Builder,
    op: DataOp,
    sets_flags: bool,
    rn: Register,
    operand: Operand,
) -> Value {
    let (b, carry) = second(builder, operand, sets_flags && op.is_logical());
    let a = if op.moves() { Value::Const(0) } else { builder.register(rn) };
    let (first, second) = (of(a), of(b));
    let result = match op {
        DataOp::Add | DataOp::Cmn => return flags::add(builder, a, b, sets_flags),
        DataOp::Sub | DataOp::Cmp => return flags::subtract(builder, a, b, sets_flags),
        DataOp::Rsb => return flags::subtract(builder, b, a, sets_flags),
        DataOp::Adc => return flags::add_with_carry(builder, a, b, sets_flags),
        DataOp::Sbc => return flags::subtract_with_carry(builder, a, b, sets_flags),
        DataOp::Rsc => return flags::subtract_with_carry(builder, b, a, sets_flags),
        DataOp::Mov => second,
        DataOp::Mvn => second ^ ALL,
        DataOp::And | DataOp::Tst => first & second,
        DataOp::Eor | DataOp::Teq => first ^ second,
        DataOp::Orr => first | second,
        DataOp::Orn => first | (second ^ ALL),
        DataOp::Bic => first & (second ^ ALL),
    };
    let result = builder.term(result);
    if sets_flags {
        if let Some(carry) = carry {
            builder.write(cells::C, carry);
        }
        flags::set_by_result(builder, result);
    }
    result
}

/// The second operand, and what it makes of the carry where that is asked for and changes.
fn second(builder: &mut Builder, operand: Operand, carries: bool) -> (Value, Option<Value>) {
    match operand {
        Operand::Immediate { value, carry } => {
            let carry = carry.map(|carry| Value::Const(carry.into()));
            (Value::Const(value.into()), carry)
        }
        Operand::Register { rm, shift, amount } => {
            let value = builder.register(rm);
            let shifted = shifted(builder, value, shift, amount);
            let carry = carries.then(|| carry_of(builder, value, shifted, shift, amount)).flatten();
            (shifted, carry)
        }
        Operand::Shifted { rm, shift, rs } => by_register(builder, rm, shift, rs, carries),
    }
}

/// A value shifted by a constant.
pub fn shifted(builder: &mut Builder, value: Value, shift: Shift, amount: u8) -> Value {
    builder.term(match shift {
        _ if amount == 0 => of(value),
        Shift::RotateExtended => (of(cells::C) << 31) | (of(value) >> 1),
        shift => of(value).with(operation(shift), u32::from(amount)),
    })
}

/// The operation that a shift is.
const fn operation(shift: Shift) -> Binary {
    match shift {
        Shift::Left => Binary::Shl,
        Shift::Right => Binary::Shr,
        Shift::RightArithmetic => Binary::Sar,
        Shift::Rotate | Shift::RotateExtended => Binary::RotateRight,
    }
}

/// The last bit that is shifted out by a constant.
fn carry_of(
    builder: &mut Builder,
    value: Value,
    shifted: Value,
    shift: Shift,
    amount: u8,
) -> Option<Value> {
    let at = match shift {
        Shift::Left if amount == 0 => return None,
        Shift::Left => 32 - amount,
        Shift::Right | Shift::RightArithmetic => amount - 1,
        Shift::Rotate => return Some(builder.binary(Binary::Shr, shifted, Value::Const(31))),
        Shift::RotateExtended => 0,
    };
    let bit = of(value) >> u32::from(at);
    Some(builder.term(if at == 31 { bit } else { bit & 1 }))
}

/// A register shifted by the lowest byte of another, and the last bit that is shifted out: the carry
/// itself if none is.
fn by_register(
    builder: &mut Builder,
    rm: Register,
    shift: Shift,
    rs: Register,
    carries: bool,
) -> (Value, Option<Value>) {
    let (value, by) = (builder.register(rm), builder.register(rs));
    let (by, op) = (builder.term(of(by) & 0xff), operation(shift));
    let result = builder.binary(op, value, by);
    if !carries {
        return (result, None);
    }
    let bit = match shift {
        Shift::Left => builder.wide_term((of(value) << by) >> 32),
        Shift::Right | Shift::RightArithmetic => {
            let signed = builder.wide_term(of(value).unary(Unary::Extend32));
            let wide = of(if shift == Shift::Right { value } else { signed });
            builder.wide_term((wide << 1).with(op, by))
        }
        Shift::Rotate | Shift::RotateExtended => builder.term(of(result) >> 31),
    };
    let bit = builder.wide_term(of(bit) & 1);
    let moves = builder.compare(Condition::NotEqual, by, Value::Const(0));
    (result, Some(builder.select(moves, bit, Value::Slot(cells::C))))
}
