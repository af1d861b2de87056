//! How secret bits spread: for each operation, which bits of its result may depend on secret bits of
//! its operands, given what is public of them.
//!
//! A mask may hold too many bits, never too few: whatever secret bits are, those of the result that
//! are not in its mask stay the same.

use cocrypt_ir::{Binary, Unary, Width};

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
        // A carry goes upwards.
        Binary::Add | Binary::Sub => upwards(any),
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

/// The lowest secret bit and all above it.
const fn upwards(secret: u64) -> u64 {
    secret | secret.wrapping_neg()
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
    let secret = width.truncate(a.secret);
    if secret == 0 {
        return 0;
    }
    let spread = match op {
        Unary::Not => secret,
        Unary::Neg => upwards(secret),
        Unary::Extend8
        | Unary::Extend16
        | Unary::Extend32
        | Unary::ReverseBytes
        | Unary::ReverseBits => cocrypt_ir::unary(op, width, secret),
        // A number up to the width.
        Unary::LeadingZeros | Unary::TrailingZeros | Unary::PopCount => {
            u64::from(width.bits()) * 2 - 1
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

/// The secret bits of what is taken of two values by a third.
#[must_use]
pub fn select(condition: Shadowed, a: Shadowed, b: Shadowed) -> u64 {
    if condition.is_secret() {
        return a.secret | b.secret | (a.value ^ b.value);
    }
    if condition.value == 0 { b.secret } else { a.secret }
}

/// The secret bits of a loaded value, sign-extended to 32 bits or not.
#[must_use]
pub const fn extended(secret: u64, width: Width, signed: bool) -> u64 {
    if signed { Width::W32.truncate(width.sign_extend(secret) as u64) } else { secret }
}
