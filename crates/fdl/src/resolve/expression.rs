//! Expressions: names become symbols, types are worked out.

use std::collections::{BTreeSet, HashMap};

use cocrypt_diag::suggest;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::Resolver;
use crate::Dialect;
use crate::ast::{self, Name, Span};
use crate::limits;
use crate::model::{Expr, ExprKind, SymbolId, Type};
use crate::value::{self, MAX_WIDTH, Nothing};

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Symbol(SymbolId),
    Table(usize),
    Array(usize),
}

/// Shift amounts with so many bits are rarely meant.
const WIDE_AMOUNT: u32 = 10;

/// Makes an expression of a place and an index.
type Indexed = fn(usize, Box<Expr>) -> ExprKind;

/// The names that an expression may use.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub meanings: HashMap<String, (Meaning, Type)>,
}

impl Resolver<'_> {
    /// None after a mistake, which is then reported.
    pub(super) fn expression(&mut self, names: &Names, expr: &ast::Expr) -> Option<Expr> {
        let span = expr.span;
        self.spend(1, span)?;
        if self.is_whole(expr) {
            let value = self.whole(expr)?;
            return self.number(value, span);
        }
        let (kind, ty) = match &expr.kind {
            ast::ExprKind::Number(number) => {
                (ExprKind::Constant(number.clone()), self.width(Type::literal(number), span)?)
            }
            ast::ExprKind::Name(name) => {
                let (symbol, ty) = self.symbol(names, name, span)?;
                (ExprKind::Symbol(symbol), ty)
            }
            ast::ExprKind::Member(member) => {
                let name = self.name(member)?;
                let (symbol, ty) = self.symbol(names, &name.text, span)?;
                (ExprKind::Symbol(symbol), ty)
            }
            ast::ExprKind::Lookup(name, index) => {
                let name = self.name(name)?;
                let (make, place, ty) = self.indexed(names, &name)?;
                (make(place, Box::new(self.expression(names, index)?)), ty)
            }
            ast::ExprKind::Negate(inner) => {
                let inner = self.expression(names, inner)?;
                let ty = Type::tc(inner.ty.width);
                (ExprKind::Negate(Box::new(inner)), ty)
            }
            ast::ExprKind::Not(inner) => {
                let inner = self.expression(names, inner)?;
                let ty = inner.ty;
                (ExprKind::Not(Box::new(inner)), ty)
            }
            ast::ExprKind::IsZero(inner) => {
                let inner = self.expression(names, inner)?;
                return Some(Expr { span, ..compare_zero(ast::Binary::Equal, inner) });
            }
            ast::ExprKind::Cast(to, inner) => {
                let inner = self.expression(names, inner);
                let ty = self.ty(to)?;
                (ExprKind::Cast(Box::new(inner?)), ty)
            }
            ast::ExprKind::Select(value, first, second) => {
                return self.select(names, value, (first, second.as_deref()), span);
            }
            ast::ExprKind::Choose(condition, yes, no) => {
                let condition = self.expression(names, condition);
                let (yes, no) = (self.expression(names, yes), self.expression(names, no));
                let (condition, yes, no) = (condition?, yes?, no?);
                let ty = yes.ty.join(no.ty);
                (ExprKind::Choose(Box::new(condition), Box::new(yes), Box::new(no)), ty)
            }
            ast::ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.expression(names, a), self.expression(names, b));
                return self.joined_by(*operator, a?, b?, span);
            }
            ast::ExprKind::Fold(repeat, operator, value) => {
                return self.fold(names, (repeat, *operator), value, span);
            }
            ast::ExprKind::Assign(..) => {
                self.report.error(
                    "fdl.nested-assignment",
                    "an assignment cannot be part of an expression",
                    (span, "this assignment"),
                    "make it a statement of its own",
                );
                return None;
            }
        };
        self.spend(limits::value(ty.width) - 1, span)?;
        Some(Expr { kind, ty, span })
    }

    /// A whole number as a value; one below 0 is signed.
    fn number(&mut self, value: BigInt, span: Span) -> Option<Expr> {
        let magnitude = if value < BigInt::ZERO { -value.clone() } else { value.clone() };
        let ty = self.width(Type::literal(&magnitude), span)?;
        let constant = |value, ty| Expr { kind: ExprKind::Constant(value), ty, span };
        if value >= BigInt::ZERO {
            return Some(constant(value, ty));
        }
        // A number as it is written has a bit to spare, which is the sign.
        Some(constant(value, Type::tc(ty.width)))
    }

    /// Two values with an operator between them.
    pub(super) fn joined_by(
        &mut self,
        operator: ast::Binary,
        a: Expr,
        b: Expr,
        span: Span,
    ) -> Option<Expr> {
        // `&&` and `||` take conditions, which hold where any bit is 1.
        let holds = |value| compare_zero(ast::Binary::NotEqual, value);
        let (operator, a, b) = match operator {
            ast::Binary::AndAlso => (ast::Binary::And, holds(a), holds(b)),
            ast::Binary::OrElse => (ast::Binary::Or, holds(a), holds(b)),
            _ => (operator, a, b),
        };
        if operator == ast::Binary::Divide {
            self.divisor(&b)?;
        }
        let ty = self.binary(operator, &a, &b, span)?;
        let work = match operator {
            ast::Binary::Mul | ast::Binary::Remainder | ast::Binary::Divide => {
                limits::product(a.ty.width, b.ty.width)
            }
            _ => 0,
        };
        self.spend(work + limits::value(ty.width) - 1, span)?;
        Some(Expr { kind: ExprKind::Binary(operator, Box::new(a), Box::new(b)), ty, span })
    }

    fn binary(&mut self, operator: ast::Binary, a: &Expr, b: &Expr, span: Span) -> Option<Type> {
        let ty = match (Type::binary(operator, a.ty, b.ty), operator, self.dialect) {
            (None, ast::Binary::ShiftLeft, Dialect::Gezel) => Some(gezel_shift(a.ty, b.ty)),
            (ty, ..) => ty,
        };
        if ty.is_none() && operator == ast::Binary::ShiftLeft {
            let message = format!(
                "a left shift by a {}-bit amount makes room for 2^{} more bits",
                b.ty.width, b.ty.width
            );
            let help = "narrow the amount: `a << b[4:0]` shifts by 0 to 31";
            self.report.error("fdl.width", &message, (span, "this shift"), help);
        } else if ty.is_none() {
            self.too_wide(span);
        }
        if let (ast::Binary::ShiftLeft, Some(ty)) = (operator, ty) {
            self.wide_shift(b, ty, span);
        }
        ty
    }

    /// A shift by an amount of many bits is of a type with very many.
    fn wide_shift(&mut self, amount: &Expr, ty: Type, span: Span) {
        if amount.ty.width >= WIDE_AMOUNT && !amount.is_constant() {
            self.report.warning(
                "fdl.wide-shift",
                &format!(
                    "an amount of {} bits makes this shift one of {} bits",
                    amount.ty.width, ty.width
                ),
                (span, "this shift"),
                "narrow the amount: `a << b[4:0]` shifts by 0 to 31",
            );
        }
    }

    /// A divisor must be a number above 0.
    fn divisor(&mut self, b: &Expr) -> Option<()> {
        let positive = b.is_constant() && value::evaluate(b, &Nothing) > BigInt::ZERO;
        if !positive {
            self.report.error(
                "fdl.divisor",
                "a divisor must be a number above 0 that is known at compile time",
                (b.span, "this divisor"),
                "write a divider as an FSMD, a bit or more a cycle",
            );
        }
        positive.then_some(())
    }

    fn too_wide(&mut self, span: Span) {
        self.report.error(
            "fdl.width",
            &format!("this is wider than {MAX_WIDTH} bits"),
            (span, "too wide"),
            "narrow the operands with casts or bit selects",
        );
    }

    fn width(&mut self, ty: Type, span: Span) -> Option<Type> {
        if ty.width > MAX_WIDTH {
            self.too_wide(span);
        }
        (ty.width <= MAX_WIDTH).then_some(ty)
    }

    fn select(
        &mut self,
        names: &Names,
        value: &ast::Expr,
        (first, second): (&ast::Expr, Option<&ast::Expr>),
        span: Span,
    ) -> Option<Expr> {
        let value = self.expression(names, value);
        let first = self.index(first);
        let second = match second {
            Some(second) => self.index(second),
            None => first,
        };
        let (value, first, second) = (value?, first?, second?);
        let low = first.min(second);
        let ty = Type::ns(first.max(second) - low + 1);
        Some(Expr { kind: ExprKind::Select(Box::new(value), low), ty, span })
    }

    fn index(&mut self, expr: &ast::Expr) -> Option<u32> {
        let help = "shift first, and then take the bit: `(a >> i)[0]`";
        let index = self.constant_or(expr, help)?;
        let fits = index.to_u32().filter(|index| *index < MAX_WIDTH);
        if fits.is_none() {
            self.report.error(
                "fdl.index",
                &format!("{} is not a bit position", brief(&index)),
                (expr.span, "this index"),
                &format!("bit positions are 0 to {}", MAX_WIDTH - 1),
            );
        }
        fits
    }

    /// The value of a compile-time expression.
    pub(super) fn constant(&mut self, expr: &ast::Expr) -> Option<BigInt> {
        self.constant_or(expr, "use numbers only")
    }

    /// The same with advice for one that is none.
    fn constant_or(&mut self, expr: &ast::Expr, help: &str) -> Option<BigInt> {
        if let Some(name) = self.first_name(expr) {
            self.report.error(
                "fdl.constant",
                "this must be known at compile time",
                (name, "depends on this name"),
                help,
            );
            return None;
        }
        if self.has_parameter(expr) {
            return self.whole(expr);
        }
        let typed = self.expression(&Names::default(), expr)?;
        Some(value::evaluate(&typed, &Nothing))
    }

    /// A type with its width worked out.
    pub(super) fn ty(&mut self, ty: &ast::Type) -> Option<Type> {
        let width = self.constant(&ty.width)?;
        let fits = width.to_u32().filter(|width| (1..=MAX_WIDTH).contains(width));
        if fits.is_none() {
            self.report.error(
                "fdl.width",
                &format!("a type cannot have {} bits", brief(&width)),
                (ty.width.span, "this width"),
                &format!("widths are 1 to {MAX_WIDTH}"),
            );
        }
        fits.map(|width| Type { width, signed: ty.signed })
    }

    fn symbol(&mut self, names: &Names, name: &str, span: Span) -> Option<(SymbolId, Type)> {
        match names.meanings.get(name) {
            Some((Meaning::Symbol(symbol), ty)) => return Some((*symbol, *ty)),
            Some(_) => self.report.error(
                "fdl.table-without-index",
                &format!("`{name}` needs an index"),
                (span, "used without index"),
                &format!("write `{name}(index)`"),
            ),
            None => self.unknown(names, name, span),
        }
        None
    }

    /// A table or an array, as what makes an expression of its place and an index.
    fn indexed(&mut self, names: &Names, name: &Name) -> Option<(Indexed, usize, Type)> {
        match names.meanings.get(&name.text) {
            Some((Meaning::Table(table), ty)) => return Some((ExprKind::Lookup, *table, *ty)),
            Some((Meaning::Array(array), ty)) => return Some((ExprKind::Element, *array, *ty)),
            Some((Meaning::Symbol(_), _)) => self.report.error(
                "fdl.not-a-table",
                &format!("`{}` is no lookup table and no array", name.text),
                (name.span, "used like one"),
                "select a bit with `[ ]`",
            ),
            None => self.unknown(names, &name.text, name.span),
        }
        None
    }

    pub(super) fn unknown(&mut self, names: &Names, name: &str, span: Span) {
        if self.stopped() {
            return;
        }
        let known = names.meanings.keys().chain(self.parameters.keys()).map(String::as_str);
        // In order, so that of names equally close always the same is suggested.
        let known: BTreeSet<&str> = known.collect();
        let help = match suggest(name, known) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "declare it as port, `reg` or `sig` of this datapath".to_owned(),
        };
        let message = format!("no `{name}` is declared here");
        self.report.error("fdl.unknown-name", &message, (span, "not known here"), &help);
    }

    /// The use of a name that is no parameter in a compile-time expression.
    pub(super) fn first_name(&self, expr: &ast::Expr) -> Option<Span> {
        use ast::ExprKind as Kind;
        let all = |list: &[&ast::Expr]| list.iter().find_map(|each| self.first_name(each));
        match &expr.kind {
            Kind::Name(name) if self.parameters.contains_key(name) => None,
            Kind::Name(_) | Kind::Lookup(..) | Kind::Member(_) | Kind::Fold(..) => Some(expr.span),
            Kind::Number(_) => None,
            Kind::Negate(a) | Kind::Not(a) | Kind::IsZero(a) | Kind::Cast(_, a) => all(&[a]),
            Kind::Binary(_, a, b) | Kind::Assign(a, b) | Kind::Select(a, b, None) => all(&[a, b]),
            Kind::Select(a, b, Some(c)) | Kind::Choose(a, b, c) => all(&[a, b, c]),
        }
    }
}

/// A number in a message or a name: of one with very many digits, how long it is.
pub(super) fn brief(number: &BigInt) -> String {
    match number.bits() {
        0..=256 => number.to_string(),
        bits => format!("a number of {bits} bits"),
    }
}

/// The type of a left shift by an amount so wide that 2^width is no number of bits. GEZEL's reference
/// computes the power in 32 bits, so that the width counts modulo 32.
fn gezel_shift(a: Type, amount: Type) -> Type {
    let room = 1_u32 << (amount.width % u32::BITS);
    let width = a.width.saturating_add(room).min(MAX_WIDTH);
    Type { width, signed: a.signed }
}

/// A comparison of a value with 0.
fn compare_zero(operator: ast::Binary, value: Expr) -> Expr {
    let zero = BigInt::ZERO;
    let (ty, span) = (Type::literal(&zero), value.span);
    let zero = Expr { kind: ExprKind::Constant(zero), ty, span };
    let kind = ExprKind::Binary(operator, Box::new(value), Box::new(zero));
    Expr { kind, ty: Type::ns(1), span }
}
