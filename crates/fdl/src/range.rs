//! Range analysis of expressions, so that words are as wide as the values and no wider.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::ast::Binary;
use crate::model::{Expr, ExprKind, Table, Type};
use crate::value::{modulo, wraps};

/// All integers from `low` to `high`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub low: BigInt,
    pub high: BigInt,
}

impl Range {
    pub fn of(ty: Type) -> Self {
        Self { low: ty.min(), high: ty.max() }
    }

    /// The range of a table's contents. An entry past the end reads as 0.
    pub fn of_table(table: &Table) -> Self {
        Self::hull(&table.entries).union(&Self::point(&BigInt::zero()))
    }

    fn point(value: &BigInt) -> Self {
        Self { low: value.clone(), high: value.clone() }
    }

    /// The smallest range that holds all these values.
    fn hull(values: &[BigInt]) -> Self {
        let low = values.iter().min().cloned().unwrap_or_default();
        let high = values.iter().max().cloned().unwrap_or_default();
        Self { low, high }
    }

    pub fn union(&self, other: &Self) -> Self {
        Self {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    pub fn is_signed(&self) -> bool {
        self.low.is_negative()
    }

    /// The bits of a word that holds every value, in two's complement if any is negative.
    pub fn width(&self) -> u32 {
        if self.is_signed() {
            let below = -(&self.low + 1u8);
            self.high.bits().max(below.bits()) as u32 + 1
        } else {
            self.high.bits().max(1) as u32
        }
    }

    /// All values of a word that is as wide, for operators that work bit by bit.
    fn word(width: u32, signed: bool) -> Self {
        Self::of(Type { width, signed })
    }

    /// The range of the values wrapped to a type.
    pub fn wrapped(self, ty: Type) -> Self {
        let whole = Self::of(ty);
        if whole.contains(&self) { self } else { whole }
    }

    /// The range after conversion from one type to another.
    pub fn converted(self, from: Type, to: Type) -> Self {
        if from == to { self } else { self.wrapped(to) }
    }
}

/// The values of an expression, given those of the symbols and tables.
pub(crate) fn range(expr: &Expr, symbols: &[Range], tables: &[Range]) -> Range {
    range_by(expr, symbols, tables, &mut |expr| range(expr, symbols, tables))
}

/// The same, given those of its operands too.
pub(crate) fn range_by(
    expr: &Expr,
    symbols: &[Range],
    tables: &[Range],
    inner: &mut dyn FnMut(&Expr) -> Range,
) -> Range {
    match &expr.kind {
        ExprKind::Constant(value) => Range::point(value),
        ExprKind::Symbol(symbol) => symbols[*symbol].clone(),
        ExprKind::Lookup(table, _) => tables[*table].clone(),
        ExprKind::Element(..) => Range::of(expr.ty),
        ExprKind::Negate(value) => {
            let value = inner(value);
            Range { low: -value.high, high: -value.low }
        }
        ExprKind::Not(value) => {
            let value = inner(value);
            Range { low: -value.high - 1, high: -value.low - 1 }.wrapped(expr.ty)
        }
        ExprKind::Cast(value) => inner(value).converted(value.ty, expr.ty),
        ExprKind::Select(value, low) => {
            let value = inner(value);
            Range { low: value.low >> *low, high: value.high >> *low }.wrapped(expr.ty)
        }
        ExprKind::Choose(_, yes, no) => inner(yes).union(&inner(no)),
        ExprKind::Binary(operator, a, b) => {
            let result = binary(*operator, &inner(a), &inner(b), b.ty.width);
            if wraps(*operator) { result.wrapped(expr.ty) } else { result }
        }
    }
}

fn binary(operator: Binary, a: &Range, b: &Range, width_b: u32) -> Range {
    match operator {
        Binary::Add => Range { low: &a.low + &b.low, high: &a.high + &b.high },
        Binary::Sub => Range { low: &a.low - &b.high, high: &a.high - &b.low },
        Binary::Mul => {
            Range::hull(&[&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high])
        }
        Binary::Remainder => {
            let bound = b.low.abs().max(b.high.abs());
            Range { low: BigInt::zero(), high: (bound - 1u8).max(BigInt::zero()) }
        }
        Binary::Divide => {
            let floor = |value: &BigInt| (value - modulo(value, &b.low)) / &b.low;
            Range { low: floor(&a.low), high: floor(&a.high) }
        }
        Binary::ShiftLeft => {
            let (least, most) = amounts(b, width_b);
            let ends = [&a.low << least, &a.low << most, &a.high << least, &a.high << most];
            Range::hull(&ends)
        }
        Binary::ShiftRight => {
            let (least, most) = amounts(b, width_b);
            let ends = [&a.low >> least, &a.low >> most, &a.high >> least, &a.high >> most];
            Range::hull(&ends)
        }
        Binary::Concat => concat(a, b, width_b),
        Binary::And if !a.is_signed() && !b.is_signed() => {
            Range { low: BigInt::zero(), high: a.high.clone().min(b.high.clone()) }
        }
        Binary::And if !a.is_signed() => Range { low: BigInt::zero(), high: a.high.clone() },
        Binary::And if !b.is_signed() => Range { low: BigInt::zero(), high: b.high.clone() },
        Binary::And | Binary::Or | Binary::Xor => bitwise(a, b),
        _ => Range { low: BigInt::zero(), high: BigInt::one() },
    }
}

fn bitwise(a: &Range, b: &Range) -> Range {
    let both = a.union(b);
    Range::word(both.width(), both.is_signed())
}

fn concat(a: &Range, b: &Range, width_b: u32) -> Range {
    let shifted = Range { low: &a.low << width_b, high: &a.high << width_b };
    if Range::of(Type::ns(width_b)).contains(b) {
        Range { low: shifted.low + &b.low, high: shifted.high + &b.high }
    } else {
        bitwise(&shifted, b)
    }
}

/// Least and most that a shift amount can be.
fn amounts(b: &Range, width_b: u32) -> (u32, u32) {
    let whole = Range::of(Type::ns(width_b));
    let amount = if whole.contains(b) { b } else { &whole };
    let cap = 2 * crate::value::MAX_WIDTH;
    let clamp = |value: &BigInt| value.to_u32().map_or(cap, |value| value.min(cap));
    (clamp(&amount.low), clamp(&amount.high))
}
