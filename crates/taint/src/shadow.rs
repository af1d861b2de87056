//! How secret bits spread: for each operation, which bits of its result may depend on secret bits of
//! its operands, given what is public of them.
//!
//! A mask may hold too many bits, never too few: whatever secret bits are, those of the result that
//! are not in its mask stay the same. So a bit outside the mask is known: one that is set there is set in
//! every run, and a value with such a bit is never zero. What masks cannot say of a sum, that it is never less
//! than something, stands beside them.

use cocrypt_ir::{self as ir, Binary, Condition, Unary, Width};

/// A value with a mask of its secret bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadowed {
    /// The value as it is in this run.
    pub value: u64,
    /// Its secret bits.
    pub secret: u64,
    /// As a number without a sign it is never less, whatever the secret is.
    pub least: u64,
}

impl Shadowed {
    /// A value of which nothing is known but its mask.
    #[must_use]
    pub const fn new(value: u64, secret: u64) -> Self {
        Self { value, secret, least: 0 }
    }

    /// A value without a secret.
    #[must_use]
    pub const fn public(value: u64) -> Self {
        Self::new(value, 0)
    }

    /// The same where it is never less than something.
    #[must_use]
    pub const fn at_least(self, least: u64) -> Self {
        Self { least, ..self }
    }

    /// Returns true if any bit of it is secret.
    #[must_use]
    pub const fn is_secret(self) -> bool {
        self.secret != 0
    }

    /// The bits that are set whatever the secret is.
    #[must_use]
    pub const fn known_ones(self) -> u64 {
        self.value & !self.secret
    }

    /// Returns true if it is not zero for any secret.
    #[must_use]
    pub const fn is_surely_set(self) -> bool {
        self.range().0 != 0
    }

    /// Returns true if the secret decides whether it is zero.
    #[must_use]
    pub const fn may_be_zero_or_not(self) -> bool {
        self.is_secret() && !self.is_surely_set()
    }

    /// The least and the greatest that it can be, as a number without a sign.
    #[must_use]
    pub const fn range(self) -> (u64, u64) {
        let known = self.known_ones();
        (if known > self.least { known } else { self.least }, self.value | self.secret)
    }

    /// Its low bits; what is lost may have been all that it was at least.
    #[inline]
    pub(crate) fn cut(self, width: Width) -> Self {
        let least = if self.range().1 <= width.mask() { self.least } else { 0 };
        Self::new(width.truncate(self.value), width.truncate(self.secret)).at_least(least)
    }
}

/// The result of a binary operation.
///
/// Here and below `inline` keeps the parts of values in registers, which takes half of the time.
#[inline]
#[must_use]
pub fn binary(op: Binary, width: Width, a: Shadowed, b: Shadowed) -> Shadowed {
    let value = ir::binary(op, width, a.value, b.value);
    // Most of what a program computes is public, and then all of the result is known.
    if a.secret | b.secret == 0 {
        return Shadowed::public(value);
    }
    let (a, b) = (a.cut(width), b.cut(width));
    Shadowed::new(value, secret_bits(op, width, a, b)).at_least(least(op, width, a, b))
}

/// The secret bits of a binary operation's result, given operands of its width.
#[inline]
fn secret_bits(op: Binary, width: Width, a: Shadowed, b: Shadowed) -> u64 {
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
        // By zero a remainder is what was divided.
        Binary::RemUnsigned => below(a.range().1),
        Binary::DivUnsigned if b.is_surely_set() => below(a.range().1 / b.range().0),
        Binary::DivSigned | Binary::DivUnsigned | Binary::RemSigned => u64::MAX,
    };
    width.truncate(spread)
}

/// The lower bound of a binary operation's result, unsigned, given operands of its width.
#[inline]
fn least(op: Binary, width: Width, a: Shadowed, b: Shadowed) -> u64 {
    let ((least_a, most_a), (least_b, most_b)) = (a.range(), b.range());
    let fits = |most: Option<u64>| most.is_some_and(|most| most <= width.mask());
    let moves = !b.is_secret() && b.value < u64::from(width.bits());
    match op {
        Binary::Add if fits(most_a.checked_add(most_b)) => least_a + least_b,
        Binary::Sub => least_a.saturating_sub(most_b),
        Binary::Mul if fits(most_a.checked_mul(most_b)) => least_a * least_b,
        Binary::Or => least_a.max(least_b),
        Binary::Shl if moves && fits(most_a.checked_mul(1 << b.value)) => least_a << b.value,
        Binary::Shr if moves => least_a >> b.value,
        Binary::DivUnsigned if least_b > 0 => least_a / most_b,
        _ => 0,
    }
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

/// Returns true if a value is zero for all secrets.
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
            // What it is at least says nothing about how many of its bits are set.
            let a = Shadowed::new(a.value, secret);
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

/// The bits of numbers up to one.
const fn below(most: u64) -> u64 {
    between(0, most)
}

/// The bits in which numbers of a range can differ.
const fn between(least: u64, most: u64) -> u64 {
    let differs = least ^ most;
    if differs == 0 { 0 } else { u64::MAX >> differs.leading_zeros() }
}

/// Returns true if the secret decides a comparison.
#[must_use]
pub fn compare(condition: Condition, width: Width, a: Shadowed, b: Shadowed) -> bool {
    let (a, b) = (a.cut(width), b.cut(width));
    let any = a.secret | b.secret;
    if any == 0 {
        return false;
    }
    match condition {
        // One bit that differs for certain is enough, or that one of them is always greater.
        Condition::Equal | Condition::NotEqual => (a.value ^ b.value) & !any == 0 && meet(a, b),
        Condition::LessUnsigned | Condition::GreaterEqualUnsigned => overlap(a, b),
        Condition::LessSigned | Condition::GreaterEqualSigned => {
            let sign = 1 << (width.bits() - 1);
            let moved = |number: Shadowed| Shadowed::new(number.value ^ sign, number.secret);
            overlap(moved(a), moved(b))
        }
    }
}

/// Returns true if the ranges of two values meet.
const fn meet(a: Shadowed, b: Shadowed) -> bool {
    let ((least_a, most_a), (least_b, most_b)) = (a.range(), b.range());
    least_a <= most_b && least_b <= most_a
}

/// Returns true if the ranges allow both less and not less.
const fn overlap(a: Shadowed, b: Shadowed) -> bool {
    let ((least_a, most_a), (least_b, most_b)) = (a.range(), b.range());
    least_a < most_b && most_a >= least_b
}

/// The value that a condition selects from two.
#[must_use]
pub fn select(condition: Shadowed, a: Shadowed, b: Shadowed) -> Shadowed {
    let taken = if condition.value == 0 { b } else { a };
    if !condition.may_be_zero_or_not() {
        return taken;
    }
    let secret = a.secret | b.secret | (a.value ^ b.value);
    Shadowed::new(taken.value, secret).at_least(a.range().0.min(b.range().0))
}

/// The secret bits of a loaded value, sign-extended to 32 bits or not.
#[must_use]
pub const fn extended(secret: u64, width: Width, signed: bool) -> u64 {
    if signed { Width::W32.truncate(width.sign_extend(secret) as u64) } else { secret }
}
