//! Terms: what is computed, written as the manuals' pseudocode writes it.
//!
//! A term is built first and computed then ([`Builder::term`]), what stands on the left before what
//! stands on the right; what is needed twice is computed once and named.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Shl, Shr, Sub};

use cocrypt_ir::{Binary, Condition, Slot, Unary, Value, Width};

use super::builder::Builder;

/// A computation on values.
#[derive(Clone, Debug)]
pub enum Term {
    /// The instruction there.
    Value(Value),
    /// An operation on one operand.
    Unary(Unary, Box<Term>),
    /// An operation on two operands.
    Binary(Binary, Box<[Term; 2]>),
    /// 1 where a condition holds, else 0.
    Compare(Condition, Box<[Term; 2]>),
    /// The second where the first is not 0, else the third.
    Select(Box<[Term; 3]>),
}

impl From<Value> for Term {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<Slot> for Term {
    fn from(cell: Slot) -> Self {
        Self::Value(Value::Slot(cell))
    }
}

impl From<u32> for Term {
    fn from(constant: u32) -> Self {
        Self::Value(Value::Const(constant.into()))
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $op:ident)*) => {
        $(operators!($operator $method $op: Term Value Slot u32);)*
    };
    ($operator:ident $method:ident $op:ident: $($right:ty)*) => {$(
        impl $operator<$right> for Term {
            type Output = Self;

            fn $method(self, right: $right) -> Self {
                self.with(Binary::$op, right)
            }
        }
    )*};
}

operators! {
    Add add Add
    Sub sub Sub
    Mul mul Mul
    BitAnd bitand And
    BitOr bitor Or
    BitXor bitxor Xor
    Shl shl Shl
    Shr shr Shr
}

impl Term {
    /// Any operation with another.
    pub fn with(self, op: Binary, right: impl Into<Self>) -> Self {
        Self::Binary(op, Box::new([self, right.into()]))
    }

    /// Shifted to the right with its sign.
    pub fn sar(self, by: u32) -> Self {
        self.with(Binary::Sar, by)
    }

    /// Rotated to the right.
    pub fn ror(self, by: u32) -> Self {
        self.with(Binary::RotateRight, by)
    }

    /// One or the other, by whether it is not 0.
    pub fn choose(self, chosen: impl Into<Self>, otherwise: impl Into<Self>) -> Self {
        Self::Select(Box::new([self, chosen.into(), otherwise.into()]))
    }

    /// An operation on it alone.
    pub fn unary(self, op: Unary) -> Self {
        Self::Unary(op, Box::new(self))
    }

    /// True if a condition holds between it and another.
    pub fn is(self, condition: Condition, right: impl Into<Self>) -> Self {
        Self::Compare(condition, Box::new([self, right.into()]))
    }
}

/// A value, shifted by a constant that may be 0.
pub fn shifted(term: Term, op: Binary, amount: u8) -> Term {
    if amount == 0 { term } else { term.with(op, u32::from(amount)) }
}

/// The beginning of a term.
pub fn of(value: impl Into<Term>) -> Term {
    value.into()
}

impl Builder {
    /// Computes a term in 32 bits.
    pub fn term(&mut self, term: impl Into<Term>) -> Value {
        self.computed(Width::W32, term.into())
    }

    /// Computes a term in 64 bits.
    pub fn wide_term(&mut self, term: impl Into<Term>) -> Value {
        self.computed(Width::W64, term.into())
    }

    fn computed(&mut self, width: Width, term: Term) -> Value {
        match term {
            Term::Value(value) => value,
            Term::Unary(op, operand) => {
                let operand = self.computed(width, *operand);
                self.wide_unary(op, width, operand)
            }
            Term::Binary(op, operands) => {
                let [a, b] = operands.map(|operand| self.computed(width, operand));
                self.wide_binary(op, width, a, b)
            }
            Term::Compare(condition, operands) => {
                let [a, b] = operands.map(|operand| self.computed(width, operand));
                self.wide_compare(condition, width, a, b)
            }
            Term::Select(terms) => {
                let [condition, a, b] = terms.map(|term| self.computed(width, term));
                self.select(condition, a, b)
            }
        }
    }
}
