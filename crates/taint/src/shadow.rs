//! How secret bits spread: for each operation, which bits of its result may depend on secret bits of
//! its operands, given what is public of them.
//!
//! A mask may hold too many bits, never too few: whatever secret bits are, those of the result that
//! are not in its mask stay the same. So a bit outside the mask is known: one that is set there is set in
//! every run, and a value with such a bit is never zero.

use cocrypt_ir::{self as ir, Binary, Condition, Unary, Width};

/// A value with a mask of its secret bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadowed {
    /// The value as it is in this run.
    pub value: u64,
    /// Its secret bits.
    pub secret: u64,
}

impl Shadowed {
    /// A value without a secret.
    #[must_use]
    pub const fn public(value: u64) -> Self {
        Self { value, secret: 0 }
    }

    /// Whether any bit of it is secret.
    #[must_use]
    pub const fn is_secret(self) -> bool {
        self.secret != 0
    }

    /// The bits that are set whatever the secret is.
    #[must_use]
    pub const fn known_ones(self) -> u64 {
        self.value & !self.secret
    }

    /// Whether it is not zero whatever the secret is.
    #[must_use]
    pub const fn is_surely_set(self) -> bool {
        self.known_ones() != 0
    }

    /// Whether the secret decides if it is zero.
    #[must_use]
    pub const fn may_be_zero_or_not(self) -> bool {
        self.is_secret() && !self.is_surely_set()
    }

    /// The least and the greatest that it can be, as a number without a sign.
    const fn range(self) -> (u64, u64) {
        (self.known_ones(), self.value | self.secret)
    }

    fn cut(self, width: Width) -> Self {
        Self { value: width.truncate(self.value), secret: width.truncate(self.secret) }
    }
}

/// The secret bits of a binary operation's result.
#[must_use]
pub fn binary(op: Binary, width: Width, a: Shadowed, b: Shadowed) -> u64 {
    let (a, b) = (a.cut(width), b.cut(width));
    let any = a.secret | b.secret;
    if any == 0 {
        return 0;
    }
    let spread = match op {
        Binary::And => (a.secret & b.secret) | (a.secret & b.value) | (b.secret & a.value),
        Binary::Or => (a.secret & b.secret) | (a.secret & !b.value) | (b.secret & !a.value),
        Binary::Xor => any,
        Binary::Add => sum(a, b),
        Binary::Sub => difference(a, b),
        Binary::Mul | Binary::CarrylessMul => product(a, b),
        Binary::Shl | Binary::Shr | Binary::Sar | Binary::RotateRight => shift(op, width, a, b),
        Binary::MulHighSigned
        | Binary::MulHighUnsigned
        | Binary::MulHighMixed
        | Binary::CarrylessMulHigh => {
            if is_zero(a) || is_zero(b) {
                0
            } else {
                u64::MAX
            }
        }
        Binary::DivSigned | Binary::DivUnsigned | Binary::RemSigned | Binary::RemUnsigned => {
            u64::MAX
        }
    };
    width.truncate(spread)
}

/// A carry goes upwards, as far as the sums with no secret bit set and with all of them set differ.
const fn sum(a: Shadowed, b: Shadowed) -> u64 {
    let least = a.known_ones().wrapping_add(b.known_ones());
    let most = least.wrapping_add(a.secret.wrapping_add(b.secret));
    (least ^ most) | a.secret | b.secret
}

/// So does a borrow: the greatest difference takes the least from the most.
const fn difference(a: Shadowed, b: Shadowed) -> u64 {
    let middle = a.known_ones().wrapping_sub(b.known_ones());
    let (most, least) = (middle.wrapping_add(a.secret), middle.wrapping_sub(b.secret));
    (least ^ most) | a.secret | b.secret
}

/// Whether a value is zero whatever its secrets are.
const fn is_zero(a: Shadowed) -> bool {
    a.value == 0 && a.secret == 0
}

/// Bits of a product's low half below the lowest secret bit, times the other's lowest bit that may be
/// set, are public.
const fn product(a: Shadowed, b: Shadowed) -> u64 {
    if is_zero(a) || is_zero(b) {
        return 0;
    }
    let (low_a, low_b) =
        ((a.value | a.secret).trailing_zeros(), (b.value | b.secret).trailing_zeros());
    let (secret_a, secret_b) = (a.secret.trailing_zeros(), b.secret.trailing_zeros());
    let (first, other) = (secret_a + low_b, secret_b + low_a);
    let lowest = if first < other { first } else { other };
    if lowest >= 64 { 0 } else { u64::MAX << lowest }
}

/// Shifted secret bits, or all where the amount is secret.
fn shift(op: Binary, width: Width, a: Shadowed, b: Shadowed) -> u64 {
    if b.is_secret() {
        return if is_zero(a) { 0 } else { u64::MAX };
    }
    // The mask moves as the bits do; an arithmetic shift copies the sign's secrecy with the sign.
    cocrypt_ir::binary(op, width, a.secret, b.value)
}

/// The secret bits of a unary operation's result.
#[must_use]
pub fn unary(op: Unary, width: Width, a: Shadowed) -> u64 {
    let a = a.cut(width);
    let secret = a.secret;
    if secret == 0 {
        return 0;
    }
    let spread = match op {
        Unary::Not => secret,
        Unary::Neg => difference(Shadowed::public(0), a),
        Unary::Extend8
        | Unary::Extend16
        | Unary::Extend32
        | Unary::ReverseBytes
        | Unary::ReverseBits => cocrypt_ir::unary(op, width, secret),
        // The more bits are set, the fewer zeros there are, and the more ones.
        Unary::LeadingZeros | Unary::TrailingZeros | Unary::PopCount => {
            let (least, most) = a.range();
            between(ir::unary(op, width, least), ir::unary(op, width, most))
        }
        Unary::AesSubstitute | Unary::AesOriginal => {
            if secret as u8 == 0 {
                0
            } else {
                0xff
            }
        }
    };
    width.truncate(spread)
}

/// The bits in which numbers from one to another can differ.
const fn between(one: u64, other: u64) -> u64 {
    let differs = one ^ other;
    if differs == 0 { 0 } else { u64::MAX >> differs.leading_zeros() }
}

/// Whether the secret decides about a comparison.
#[must_use]
pub fn compare(condition: Condition, width: Width, a: Shadowed, b: Shadowed) -> bool {
    let (a, b) = (a.cut(width), b.cut(width));
    let any = a.secret | b.secret;
    if any == 0 {
        return false;
    }
    match condition {
        // One bit that differs for certain is enough.
        Condition::Equal | Condition::NotEqual => (a.value ^ b.value) & !any == 0,
        Condition::LessUnsigned | Condition::GreaterEqualUnsigned => overlap(a, b),
        Condition::LessSigned | Condition::GreaterEqualSigned => {
            let sign = 1 << (width.bits() - 1);
            let moved = |it: Shadowed| Shadowed { value: it.value ^ sign, ..it };
            overlap(moved(a), moved(b))
        }
    }
}

/// Whether one number can be less than another and can be not.
const fn overlap(a: Shadowed, b: Shadowed) -> bool {
    let ((least_a, most_a), (least_b, most_b)) = (a.range(), b.range());
    least_a < most_b && most_a >= least_b
}

/// The secret bits of what is taken of two values by a third.
#[must_use]
pub fn select(condition: Shadowed, a: Shadowed, b: Shadowed) -> u64 {
    if condition.may_be_zero_or_not() {
        return a.secret | b.secret | (a.value ^ b.value);
    }
    if condition.value == 0 { b.secret } else { a.secret }
}

/// The secret bits of a loaded value, sign-extended to 32 bits or not.
#[must_use]
pub const fn extended(secret: u64, width: Width, signed: bool) -> u64 {
    if signed { Width::W32.truncate(width.sign_extend(secret) as u64) } else { secret }
}
