//! Families of names, and what is repeated: `b.3` is the name `b_3`, and in `for (i : 0..15)` the name `i`
//! stands for one number after the other, as a parameter does.

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use super::Resolver;
use super::expression::{Names, brief};
use crate::ast::{self, Member, Name, Repeat, Span};
use crate::limits;
use crate::model::Expr;

/// A file repeats so often in all.
const TURNS: usize = 1 << 16;

/// So many values are joined into one expression, those within one another counted together, so that
/// walking through it cannot exhaust the stack.
const JOINED: usize = 256;

/// True if an expression is a name, perhaps one of a family.
pub(super) fn is_name(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ast::ExprKind::Name(_) | ast::ExprKind::Member(_))
}

impl Resolver<'_> {
    /// The name of one of a family. None after a mistake, which is then reported.
    pub(super) fn name(&mut self, member: &Member) -> Option<Name> {
        let mut name = Name { text: member.name.text.clone(), span: member.span };
        for index in &member.index {
            let which = self.constant(index)?;
            if which.sign() == Sign::Minus {
                let message = format!("a family of names has no member {}", brief(&which));
                let help = "count from 0, or take what is left over: `b.((i + 15) % 16)`";
                self.report.error("fdl.repetition", &message, (index.span, "below 0"), help);
                return None;
            }
            name.text = format!("{}_{}", name.text, brief(&which));
        }
        if name.text.len() > limits::NAME {
            let message = format!("this name has more than {} characters", limits::NAME);
            let at = (name.span, "too long");
            self.report.error("fdl.too-large", &message, at, "choose a shorter name");
            return None;
        }
        Some(name)
    }

    /// The name that an expression is; for other expressions see [`is_name`].
    pub(super) fn plain(&mut self, expr: &ast::Expr) -> Option<Name> {
        match &expr.kind {
            ast::ExprKind::Name(text) => Some(Name { text: text.clone(), span: expr.span }),
            ast::ExprKind::Member(member) => self.name(member),
            _ => None,
        }
    }

    /// Says so where the number of a repetition has the name of something else.
    pub(super) fn unshadowed(&mut self, names: &Names, repeat: &Repeat) {
        let name = &repeat.name;
        if names.meanings.contains_key(&name.text) {
            let message = format!("`{}` is declared already", name.text);
            let at = (name.span, "stands for a number here");
            self.report.error("fdl.duplicate-name", &message, at, "choose another name");
        }
    }

    /// Does something for each number of a repetition, and says what is wrong each time only once.
    pub(super) fn repeat(&mut self, repeat: &Repeat, mut each: impl FnMut(&mut Self)) {
        let Some((first, count)) = self.turns(repeat) else { return };
        for turn in 0..count {
            if self.spend(1, repeat.span).is_none() {
                break;
            }
            self.parameters.insert(repeat.name.text.clone(), &first + turn);
            let reported = self.report.list.len();
            each(self);
            if turn > 0 {
                self.only_new(reported, None);
            }
        }
        self.parameters.remove(&repeat.name.text);
    }

    /// The first number, and how many there are.
    fn turns(&mut self, repeat: &Repeat) -> Option<(BigInt, usize)> {
        let name = &repeat.name;
        if self.parameters.contains_key(&name.text) {
            let message = format!("`{}` stands for a number already", name.text);
            let at = (name.span, "declared again");
            self.report.error("fdl.duplicate-name", &message, at, "choose another name");
            return None;
        }
        let (first, last) = (self.constant(&repeat.first)?, self.constant(&repeat.last)?);
        let count = (last - &first + 1u8).max(BigInt::ZERO);
        let room = TURNS - self.turns;
        let Some(count) = count.to_usize().filter(|count| *count <= room) else {
            let count = brief(&count);
            let message =
                format!("this repeats {count} times, and a file may {TURNS} times in all");
            let help = "repeat less; a table or an array holds many values";
            self.report.error("fdl.repetition", &message, (repeat.span, "too often"), help);
            return None;
        };
        self.turns += count;
        Some((first, count))
    }

    /// The values of a repetition, joined from left to right.
    pub(super) fn fold(
        &mut self,
        names: &Names,
        (repeat, operator): (&Repeat, ast::Binary),
        value: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        self.unshadowed(names, repeat);
        let (outer, turned) = (self.joined, self.turns);
        let mut values = Vec::new();
        self.repeat(repeat, |resolver| {
            resolver.joined = outer + values.len() + 1;
            if resolver.joined <= JOINED {
                values.push(resolver.expression(names, value));
            }
        });
        let all = std::mem::replace(&mut self.joined, outer);
        if all > JOINED {
            let message = format!("this joins more than {JOINED} values");
            let help = "join some at a time, with a signal for each part";
            self.report.error("fdl.repetition", &message, (repeat.span, "too many"), help);
            return None;
        }
        if self.turns == turned && !self.report.has_errors() {
            let help = "repeat at least once";
            let message = "nothing is joined here, which has no value";
            self.report.error("fdl.repetition", message, (repeat.span, "no number at all"), help);
            return None;
        }
        let mut values = values.into_iter().collect::<Option<Vec<_>>>()?.into_iter();
        let first = values.next()?;
        let folded = values.try_fold(first, |all, next| self.joined_by(operator, all, next, span));
        folded.map(|folded| Expr { span, ..folded })
    }
}
