//! Operations on the values of all lanes. What each means is `cocrypt_ir`'s; the loops here only have the operation
//! as a constant, so that the compiler makes vector instructions of them.

use cocrypt_ir::{Binary, Condition, Unary, Value, Width, binary, condition, unary};

use super::{LANES, Row};

/// A loop over all lanes for each of these variants of an operation.
macro_rules! loops {
    ($kind:ident, $function:ident, $op:expr, $width:expr, $operands:expr, [$($variant:ident)+]) => {
        match $op {
            $($kind::$variant => each($operands, #[inline(always)] |[a, b]| {
                u64::from($function($kind::$variant, $width, a, b))
            }),)+
        }
    };
}

/// The values of an operand.
#[inline(always)]
pub fn operand(cells: &[Row], value: Value) -> Row {
    match value {
        Value::Slot(slot) => cells[usize::from(slot.0)],
        Value::Const(value) => [value; LANES],
    }
}

#[inline(always)]
fn each([a, b]: [&Row; 2], compute: impl Fn([u64; 2]) -> u64) -> Row {
    let mut out = [0; LANES];
    for (out, (&a, &b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out = compute([a, b]);
    }
    out
}

#[inline(always)]
pub fn binaries(op: Binary, width: Width, a: &Row, b: &Row) -> Row {
    if width == Width::W32 {
        loops!(Binary, binary, op, Width::W32, [a, b], [
            Add Sub And Or Xor Shl Shr Sar Mul MulHighSigned MulHighUnsigned MulHighMixed DivSigned DivUnsigned
            RemSigned RemUnsigned RotateRight CarrylessMul CarrylessMulHigh
        ])
    } else {
        loops!(Binary, binary, op, width, [a, b], [
            Add Sub And Or Xor Shl Shr Sar Mul MulHighSigned MulHighUnsigned MulHighMixed DivSigned DivUnsigned
            RemSigned RemUnsigned RotateRight CarrylessMul CarrylessMulHigh
        ])
    }
}

#[inline(always)]
pub fn compares(op: Condition, width: Width, a: &Row, b: &Row) -> Row {
    loops!(Condition, condition, op, width, [a, b], [
        Equal NotEqual LessSigned GreaterEqualSigned LessUnsigned GreaterEqualUnsigned
    ])
}

#[inline(always)]
pub fn unaries(op: Unary, width: Width, a: &Row) -> Row {
    // Few programs spend their time in these.
    each(
        [a, a],
        #[inline(always)]
        |[a, _]| unary(op, width, a),
    )
}

#[inline(always)]
pub fn selected(condition: &Row, a: &Row, b: &Row) -> Row {
    let mut out = *b;
    for (out, (&condition, &a)) in out.iter_mut().zip(condition.iter().zip(a)) {
        *out = if condition == 0 { *out } else { a };
    }
    out
}

/// Returns true if all lanes have the value of lane 0.
#[inline(always)]
pub fn is_uniform(row: &Row) -> bool {
    row.iter().fold(0, |bits, &value| bits | (value ^ row[0])) == 0
}

/// The lanes of which a predicate holds, a bit each.
#[inline(always)]
pub fn bits(row: &Row, holds: impl Fn(u64) -> bool) -> u64 {
    let lanes = row.iter().zip(0..);
    lanes.fold(0, |bits, (&value, lane)| bits | u64::from(holds(value)) << lane)
}

/// The lanes that have the value of lane 0, a bit each.
#[inline(always)]
pub fn same(row: &Row) -> u64 {
    if is_uniform(row) { u64::MAX } else { bits(row, |value| value == row[0]) }
}
