//! Secret bits reach no bit that is not in the mask: whatever they are changed to, the rest of the
//! result stays what it was.

use cocrypt_ir::{Binary, Unary, Width, binary, unary};
use cocrypt_taint::shadow::{self, Shadowed};
use proptest::prelude::*;

const BINARY: &[Binary] = &[
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
];
const UNARY: &[Unary] = &[
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
];
const WIDTHS: &[Width] = &[Width::W8, Width::W16, Width::W32, Width::W64];

/// Values as programs have them: few bits, or many.
fn value() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        0..64u64,
        (0..64u32).prop_map(|bit| 1 << bit),
        (0..64u32).prop_map(|low| u64::MAX << low),
    ]
}

/// The value with other secret bits.
fn changed(one: Shadowed, other: u64) -> u64 {
    (one.value & !one.secret) | (other & one.secret)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn binary_operations_keep_the_rest(
        op in prop::sample::select(BINARY), width in prop::sample::select(WIDTHS),
        a in value(), b in value(), hide_a in value(), hide_b in value(),
        is_a in any::<bool>(), is_b in any::<bool>(), other_a in value(), other_b in value(),
    ) {
        let a = Shadowed { value: a, secret: if is_a { hide_a } else { 0 } };
        let b = Shadowed { value: b, secret: if is_b { hide_b } else { 0 } };
        let secret = shadow::binary(op, width, a, b);
        let one = binary(op, width, a.value, b.value);
        let other = binary(op, width, changed(a, other_a), changed(b, other_b));
        prop_assert_eq!((one ^ other) & !secret, 0, "{:?} {:?} {:?} {:?}", op, width, a, b);
    }

    #[test]
    fn unary_operations_keep_the_rest(
        op in prop::sample::select(UNARY), width in prop::sample::select(WIDTHS),
        a in value(), hide in value(), other in value(),
    ) {
        let a = Shadowed { value: a, secret: hide };
        let secret = shadow::unary(op, width, a);
        let difference = unary(op, width, a.value) ^ unary(op, width, changed(a, other));
        prop_assert_eq!(difference & !secret, 0, "{:?} {:?} {:?}", op, width, a);
    }

    #[test]
    fn selections_keep_the_rest(
        c in 0..2u64, a in value(), b in value(), hide in any::<bool>(),
        hide_a in value(), hide_b in value(), others in (0..2u64, value(), value()),
    ) {
        let c = Shadowed { value: c, secret: u64::from(hide) };
        let (a, b) = (Shadowed { value: a, secret: hide_a }, Shadowed { value: b, secret: hide_b });
        let take = |c: u64, a: u64, b: u64| if c == 0 { b } else { a };
        let secret = shadow::select(c, a, b);
        let other = take(changed(c, others.0), changed(a, others.1), changed(b, others.2));
        prop_assert_eq!((take(c.value, a.value, b.value) ^ other) & !secret, 0);
    }
}
