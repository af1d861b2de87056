//! Types and values of expressions: the rules of the language, once.
//!
//! A value is an integer of any size beside a nominal type. Some operators wrap their result to the
//! type, some do not, so that a value may lie outside its type until a conversion wraps it.
//! Source: the type table of GEZEL 2.5's reference implementation.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::ast::Binary;
use crate::model::{Expr, ExprKind, Type};

/// The widest type. Wider ones are mistakes: a shift by a 32-bit amount asks for 4 Gbit.
pub const MAX_WIDTH: u32 = 1 << 20;

/// Bits of the words that values are kept in.
pub(crate) const LIMB: u32 = 64;

impl Type {
    /// `ns(width)`
    #[must_use]
    pub const fn ns(width: u32) -> Self {
        Self { width, signed: false }
    }

    /// `tc(width)`
    #[must_use]
    pub const fn tc(width: u32) -> Self {
        Self { width, signed: true }
    }

    /// The type of a number: one bit more than it needs.
    #[must_use]
    pub fn literal(number: &BigInt) -> Self {
        Self::ns(number.bits().max(1) as u32 + 1)
    }

    /// The wider of two; signed when either is.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { width: self.width.max(other.width), signed: self.signed || other.signed }
    }

    /// The type of a binary operator's result; none when it is wider than [`MAX_WIDTH`].
    #[must_use]
    pub fn binary(operator: Binary, a: Self, b: Self) -> Option<Self> {
        let sum = a.width + b.width;
        let ty = match operator {
            Binary::Add
            | Binary::Sub
            | Binary::Remainder
            | Binary::ShiftRight
            | Binary::Or
            | Binary::Xor
            | Binary::And => a.join(b),
            Binary::Divide => a,
            Binary::Mul => Self { width: sum, signed: a.signed || b.signed },
            Binary::Concat => Self { width: sum, signed: a.signed },
            Binary::ShiftLeft => {
                let room = 1u32.checked_shl(b.width).filter(|room| *room != 0)?;
                Self { width: a.width.checked_add(room)?, signed: a.signed }
            }
            _ => Self::ns(1),
        };
        (ty.width <= MAX_WIDTH).then_some(ty)
    }

    /// The smallest value.
    #[must_use]
    pub fn min(self) -> BigInt {
        if self.signed { -(BigInt::one() << (self.width - 1)) } else { BigInt::zero() }
    }

    /// The largest value.
    #[must_use]
    pub fn max(self) -> BigInt {
        (BigInt::one() << (self.width - u32::from(self.signed))) - 1
    }

    /// Reduces a value modulo 2^width into the type's range.
    #[must_use]
    pub fn wrap(self, value: &BigInt) -> BigInt {
        let room = u64::from(self.width - u32::from(self.signed));
        if value.sign() != Sign::Minus && value.bits() <= room {
            return value.clone();
        }
        let modulus = BigInt::one() << self.width;
        let low = value & (&modulus - 1);
        if low > self.max() { low - modulus } else { low }
    }
}

/// Returns true if a binary operator wraps its result to its type.
#[must_use]
pub fn wraps(operator: Binary) -> bool {
    matches!(
        operator,
        Binary::Add
            | Binary::Sub
            | Binary::Mul
            | Binary::Remainder
            | Binary::ShiftLeft
            | Binary::ShiftRight
    )
}

/// The remainder that is not negative.
pub(crate) fn modulo(value: &BigInt, modulus: &BigInt) -> BigInt {
    let rest = value % modulus;
    if rest.sign() == Sign::Minus { rest + modulus.abs() } else { rest }
}

/// Converts a value of one type to another: it wraps unless the types are the same.
#[must_use]
pub fn convert(value: BigInt, from: Type, to: Type) -> BigInt {
    if from == to { value } else { to.wrap(&value) }
}

/// The environment of an expression's evaluation.
pub trait Environment {
    /// A symbol's value.
    fn symbol(&self, symbol: usize) -> BigInt;
    /// A table's entry; none past its end.
    fn lookup(&self, table: usize, index: &BigInt) -> Option<BigInt>;
    /// An array's element; none past its end.
    fn element(&self, _array: usize, _index: &BigInt) -> Option<BigInt> {
        None
    }
}

/// The environment of compile-time expressions: there is nothing.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Environment for Nothing {
    fn symbol(&self, _: usize) -> BigInt {
        BigInt::zero()
    }

    fn lookup(&self, _: usize, _: &BigInt) -> Option<BigInt> {
        None
    }
}

/// The value of an expression. A remainder by 0 and an entry past a table's end are 0.
///
/// This is the plain reading of the rules; the simulator's netlist is checked against it.
#[must_use]
pub fn evaluate(expr: &Expr, environment: &impl Environment) -> BigInt {
    let value = |inner: &Expr| evaluate(inner, environment);
    match &expr.kind {
        ExprKind::Constant(number) => number.clone(),
        ExprKind::Symbol(symbol) => environment.symbol(*symbol),
        ExprKind::Lookup(table, index) => {
            environment.lookup(*table, &value(index)).unwrap_or_default()
        }
        ExprKind::Element(array, index) => {
            environment.element(*array, &value(index)).unwrap_or_default()
        }
        ExprKind::Negate(inner) => -value(inner),
        ExprKind::Not(inner) => expr.ty.wrap(&!value(inner)),
        ExprKind::Cast(inner) => convert(value(inner), inner.ty, expr.ty),
        ExprKind::Select(inner, low) => expr.ty.wrap(&(value(inner) >> *low)),
        ExprKind::Choose(condition, yes, no) => {
            if value(condition).is_zero() {
                value(no)
            } else {
                value(yes)
            }
        }
        ExprKind::Binary(operator, a, b) => {
            let result = binary(*operator, &value(a), &value(b), b.ty.width);
            if wraps(*operator) { expr.ty.wrap(&result) } else { result }
        }
    }
}

fn binary(operator: Binary, a: &BigInt, b: &BigInt, width_b: u32) -> BigInt {
    let truth = |condition: bool| BigInt::from(u8::from(condition));
    match operator {
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::And => a & b,
        Binary::Equal => truth(a == b),
        Binary::NotEqual => truth(a != b),
        Binary::Less => truth(a < b),
        Binary::Greater => truth(a > b),
        Binary::LessEqual => truth(a <= b),
        Binary::GreaterEqual => truth(a >= b),
        Binary::ShiftLeft => a << shift_amount(b, width_b),
        Binary::ShiftRight => a >> shift_amount(b, width_b),
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Concat => (a << width_b) | b,
        Binary::Remainder if b.is_zero() => BigInt::zero(),
        Binary::Remainder => modulo(a, b),
        Binary::Divide => (a - modulo(a, b)) / b,
        Binary::AndAlso => truth(!a.is_zero() && !b.is_zero()),
        Binary::OrElse => truth(!a.is_zero() || !b.is_zero()),
    }
}

/// A shift amount is read as unsigned; amounts beyond every type's width all act alike.
fn shift_amount(b: &BigInt, width: u32) -> u32 {
    let amount = Type::ns(width).wrap(b);
    amount.to_u32().map_or(2 * MAX_WIDTH, |amount| amount.min(2 * MAX_WIDTH))
}
