//! Secret bits reach no bit that is not in the mask: whatever they are changed to, the rest of the
//! result stays what it was.

use cocrypt_ir::{Binary, Condition, Unary, Width, binary, condition, unary};
use cocrypt_isa::Select;
use cocrypt_taint::choice;
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
const CONDITIONS: &[Condition] = &[
    Condition::Equal,
    Condition::NotEqual,
    Condition::LessSigned,
    Condition::GreaterEqualSigned,
    Condition::LessUnsigned,
    Condition::GreaterEqualUnsigned,
];
/// The part of an operand that selects, and the number of entries.
const SELECTS: &[(Select, usize)] = &[
    (Select::Low, 2),
    (Select::Low, 32),
    (Select::Low, 128),
    (Select::Length, 64),
    (Select::SignedLength, 32),
    (Select::NonZero, 2),
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
fn changed(a: Shadowed, other: u64) -> u64 {
    (a.value & !a.secret) | (other & a.secret)
}

/// The value with a lower bound that holds of it and of the changed value.
fn bounded(a: Shadowed, other: u64, low: u64) -> Shadowed {
    a.at_least(low.min(a.value).min(changed(a, other)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cocrypt_sample::cases(20_000)))]

    #[test]
    fn binary_operations_keep_the_rest(
        op in prop::sample::select(BINARY), width in prop::sample::select(WIDTHS),
        a in value(), b in value(), hide_a in value(), hide_b in value(),
        is_a in any::<bool>(), is_b in any::<bool>(), other_a in value(), other_b in value(),
        (low_a, low_b) in (value(), value()),
    ) {
        let a = bounded(Shadowed::new(a, if is_a { hide_a } else { 0 }), other_a, low_a);
        let b = bounded(Shadowed::new(b, if is_b { hide_b } else { 0 }), other_b, low_b);
        let Shadowed { value: result, secret, least } = shadow::binary(op, width, a, b);
        prop_assert_eq!(result, binary(op, width, a.value, b.value));
        let other = binary(op, width, changed(a, other_a), changed(b, other_b));
        prop_assert_eq!((result ^ other) & !secret, 0, "{:?} {:?} {:?} {:?}", op, width, a, b);
        prop_assert!(least <= result.min(other), "{:?} {:?} {:?} {:?}", op, width, a, b);
    }

    #[test]
    fn unary_operations_keep_the_rest(
        op in prop::sample::select(UNARY), width in prop::sample::select(WIDTHS),
        a in value(), hide in value(), other in value(), low in value(),
    ) {
        let a = bounded(Shadowed::new(a, hide), other, low);
        let secret = shadow::unary(op, width, a);
        let difference = unary(op, width, a.value) ^ unary(op, width, changed(a, other));
        prop_assert_eq!(difference & !secret, 0, "{:?} {:?} {:?}", op, width, a);
    }

    #[test]
    fn selections_keep_the_rest(
        c in 0..4u64, a in value(), b in value(), hide in 0..4u64,
        hide_a in value(), hide_b in value(), others in (0..4u64, value(), value()),
        (low_a, low_b) in (value(), value()),
    ) {
        let c = Shadowed::new(c, hide);
        let a = bounded(Shadowed::new(a, hide_a), others.1, low_a);
        let b = bounded(Shadowed::new(b, hide_b), others.2, low_b);
        let take = |c: u64, a: u64, b: u64| if c == 0 { b } else { a };
        let taken = shadow::select(c, a, b);
        prop_assert_eq!(taken.value, take(c.value, a.value, b.value));
        let other = take(changed(c, others.0), changed(a, others.1), changed(b, others.2));
        prop_assert_eq!((taken.value ^ other) & !taken.secret, 0);
        prop_assert!(taken.range().0 <= other);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cocrypt_sample::cases(5_000)))]
    #[test]
    fn comparisons_that_are_decided_stay_so(
        which in prop::sample::select(CONDITIONS), width in prop::sample::select(WIDTHS),
        a in value(), b in value(), hide_a in value(), hide_b in value(),
        is_a in any::<bool>(), is_b in any::<bool>(), other_a in value(), other_b in value(),
        (low_a, low_b) in (value(), value()),
    ) {
        let a = bounded(Shadowed::new(a, if is_a { hide_a } else { 0 }), other_a, low_a);
        let b = bounded(Shadowed::new(b, if is_b { hide_b } else { 0 }), other_b, low_b);
        let holds = condition(which, width, a.value, b.value);
        let other = condition(which, width, changed(a, other_a), changed(b, other_b));
        let decided = !shadow::compare(which, width, a, b);
        prop_assert!(holds == other || !decided, "{:?} {:?} {:?} {:?}", which, width, a, b);
    }

    #[test]
    fn what_is_surely_set_is_never_zero(
        a in value(), hide in value(), other in value(), low in value(),
    ) {
        let a = bounded(Shadowed::new(a, hide), other, low);
        prop_assert!(changed(a, other) & a.known_ones() == a.known_ones());
        prop_assert!(changed(a, other) != 0 || !a.is_surely_set());
    }

    #[test]
    fn what_is_selected_is_among_the_entries(
        (select, length) in prop::sample::select(SELECTS),
        a in value(), hide in value(), other in value(), low in value(),
    ) {
        let a = bounded(Shadowed::new(a, hide), other, low);
        let at = select.index(changed(a, other) as u32, length);
        let among = choice::entries(select, a, length).any(|entry| entry == at);
        prop_assert!(among, "{:?} {:?}: {}", select, a, at);
    }
}

/// The entries of an 8-bit secret in a public word, each found by trying all values.
#[test]
fn no_entry_is_among_them_for_nothing() {
    for (select, length) in SELECTS.iter().copied() {
        for around in [0, 0x100, 0x4000_0000, 0x8000_0000, 0xffff_ff00_u32] {
            for shift in [0, 3, 24] {
                let secret = 0xff << shift;
                let place = |value: u32| (around & !secret) | ((value << shift) & secret);
                let operand = Shadowed::new(place(0x5a).into(), secret.into());
                let mut met: Vec<_> =
                    (0..256).map(|value| select.index(place(value), length)).collect();
                met.sort_unstable();
                met.dedup();
                let entries: Vec<_> = choice::entries(select, operand, length).collect();
                assert_eq!(entries, met, "{select:?} of {length} around {around:#x}, {shift}");
            }
        }
    }
}

#[test]
fn sums_keep_what_no_carry_reaches() {
    let secret = Shadowed::new(1, 1);
    let made = |op, b| shadow::binary(op, Width::W32, secret, Shadowed::public(b)).secret;
    assert_eq!(made(Binary::Add, 4), 1);
    assert_eq!(made(Binary::Add, 1), 3);
    assert_eq!(made(Binary::Or, 1), 0);
    let difference = shadow::binary(Binary::Sub, Width::W32, Shadowed::public(8), secret);
    assert_eq!(difference.secret, 0xf);
    assert_eq!(shadow::unary(Unary::LeadingZeros, Width::W32, secret), 0x3f);
    let high = Shadowed::new(0x8000_0001, 0xff);
    assert_eq!(shadow::unary(Unary::LeadingZeros, Width::W32, high), 0);
}

/// A secret byte, as far as a divisor made of it is concerned.
#[test]
fn sums_that_cannot_be_zero_are_known_to_be_none() {
    let byte = Shadowed::new(0x5a, 0xff);
    let made = |op, a: Shadowed, b: Shadowed| shadow::binary(op, Width::W32, a, b);
    let public = Shadowed::public;
    assert!(made(Binary::Add, byte, public(1)).is_surely_set());
    assert!(made(Binary::Sub, public(0x1ff), byte).is_surely_set());
    let rest = made(Binary::RemUnsigned, byte, public(7));
    assert!(made(Binary::Add, rest, public(3)).is_surely_set());
    let doubled = made(Binary::Shl, made(Binary::Add, byte, public(1)), public(4));
    assert!(doubled.is_surely_set());
    assert!(made(Binary::Shr, doubled, public(4)).is_surely_set());
    assert!(!made(Binary::Shr, doubled, public(5)).is_surely_set());
    assert!(!shadow::compare(Condition::Equal, Width::W32, doubled, public(0)));
    // A sum of 32 bits comes round to zero, and a difference of what may be equal is zero.
    let word = Shadowed::new(1, 0xffff_ffff);
    assert!(made(Binary::Add, word, public(1)).may_be_zero_or_not());
    assert!(made(Binary::Sub, public(0xff), byte).may_be_zero_or_not());
}
