//! Random operations for property tests; only with the feature `strategies`.

use proptest::prelude::*;

use crate::{Binary, Condition, Counter, Op, Slot, Unary, Value, Width};

/// A cell of the first `state`.
pub fn slot(state: u16) -> impl Strategy<Value = Slot> + Clone {
    (0..state).prop_map(Slot)
}

/// Any such cell, or a constant, corner values among them.
pub fn value(state: u16) -> impl Strategy<Value = Value> + Clone {
    prop_oneof![
        slot(state).prop_map(Value::Slot),
        prop_oneof![
            Just(0),
            Just(1),
            Just(31),
            Just(0xffff_ffff),
            any::<u32>().prop_map(u64::from)
        ]
        .prop_map(Value::Const),
    ]
}

/// Any width.
pub fn width() -> impl Strategy<Value = Width> + Clone {
    prop_oneof![
        1 => Just(Width::W8), 1 => Just(Width::W16), 4 => Just(Width::W32), 1 => Just(Width::W64)
    ]
}

/// Any binary operation.
pub fn binary() -> impl Strategy<Value = Binary> {
    prop::sample::select(vec![
        Binary::Add,
        Binary::Sub,
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::Shl,
        Binary::Shr,
        Binary::Sar,
        Binary::Mul,
        Binary::MulHighSigned,
        Binary::MulHighUnsigned,
        Binary::MulHighMixed,
        Binary::DivSigned,
        Binary::DivUnsigned,
        Binary::RemSigned,
        Binary::RemUnsigned,
        Binary::RotateRight,
        Binary::CarrylessMul,
        Binary::CarrylessMulHigh,
    ])
}

fn unary_op() -> impl Strategy<Value = Unary> {
    prop::sample::select(vec![
        Unary::Not,
        Unary::Neg,
        Unary::Extend8,
        Unary::Extend16,
        Unary::Extend32,
        Unary::LeadingZeros,
        Unary::TrailingZeros,
        Unary::PopCount,
        Unary::ReverseBytes,
        Unary::ReverseBits,
        Unary::AesSubstitute,
        Unary::AesOriginal,
    ])
}

/// Any condition.
pub fn comparison() -> impl Strategy<Value = Condition> {
    prop::sample::select(vec![
        Condition::Equal,
        Condition::NotEqual,
        Condition::LessSigned,
        Condition::GreaterEqualSigned,
        Condition::LessUnsigned,
        Condition::GreaterEqualUnsigned,
    ])
}

fn counter() -> impl Strategy<Value = Counter> {
    prop_oneof![Just(Counter::Cycles), Just(Counter::Instructions)]
}

/// Any operation but a guard, of widths from `width`; loads and stores have their bases from
/// `address` and offset 0.
pub fn op(
    state: u16,
    width: impl Strategy<Value = Width> + Clone + 'static,
    address: impl Strategy<Value = Value> + Clone + 'static,
) -> impl Strategy<Value = Op> {
    let (slot, value) = (slot(state), value(state));
    let narrow = || prop_oneof![Just(Width::W8), Just(Width::W16), Just(Width::W32)];
    let (s, v, w) = (|| slot.clone(), || value.clone(), || width.clone());
    prop_oneof![
        (s(), v()).prop_map(|(dst, src)| Op::Move { dst, src }),
        (binary(), w(), s(), v(), v()).prop_map(|(op, width, dst, a, b)| Op::Binary {
            op,
            width,
            dst,
            a,
            b
        }),
        (unary_op(), w(), s(), v()).prop_map(|(op, width, dst, a)| Op::Unary { op, width, dst, a }),
        (comparison(), w(), s(), v(), v()).prop_map(|(condition, width, dst, a, b)| Op::Compare {
            condition,
            width,
            dst,
            a,
            b
        }),
        (s(), v(), v(), v()).prop_map(|(dst, condition, a, b)| Op::Select { dst, condition, a, b }),
        (narrow(), any::<bool>(), s(), address.clone()).prop_map(|(width, signed, dst, base)| {
            Op::Load { width, signed, dst, base, offset: 0 }
        }),
        (narrow(), v(), address).prop_map(|(width, src, base)| Op::Store {
            width,
            src,
            base,
            offset: 0
        }),
        (counter(), s(), prop_oneof![Just(0), Just(32)])
            .prop_map(|(counter, dst, shift)| Op::Count { counter, dst, shift }),
    ]
}
