//! Datapaths with parameters: one is resolved with what its parameters are by default, and again for
//! each set of values that an instance gives.

use cocrypt_diag::{Diagnostic, suggest};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use super::Resolver;
use super::expression::brief;
use crate::ast::{self, Name, Span};
use crate::limits;
use crate::value::modulo;

/// Bits of the largest parameter.
const LARGEST: u64 = 1 << 16;

/// A datapath with parameters, as it was written.
#[derive(Clone, Copy)]
pub(super) struct Template<'a> {
    datapath: &'a ast::Datapath,
    controller: Option<&'a ast::Controller>,
}

impl<'a> Resolver<'a> {
    /// Sets the parameters of a datapath to what they are by default.
    pub(super) fn defaults(&mut self, datapath: &ast::Datapath) {
        for parameter in &datapath.parameters {
            let value = self.value(&parameter.value).unwrap_or(BigInt::from(1));
            self.set(&parameter.name, value);
        }
    }

    fn set(&mut self, name: &Name, value: BigInt) {
        if self.parameters.insert(name.text.clone(), value).is_some() {
            let message = format!("there is a parameter `{}` already", name.text);
            let at = (name.span, "declared again");
            self.report.error("fdl.duplicate-name", &message, at, "choose another name");
        }
    }

    /// The value of a parameter: a number from 0 on, as numbers are written.
    fn value(&mut self, expr: &ast::Expr) -> Option<BigInt> {
        if let Some(name) = self.first_name(expr) {
            let help = "use numbers and parameters only";
            let message = "a parameter must be known at compile time";
            self.report.error("fdl.constant", message, (name, "depends on this name"), help);
            return None;
        }
        let value = self.whole(expr)?;
        if value.sign() == Sign::Minus {
            self.report.error(
                "fdl.parameter",
                &format!("a parameter cannot be {}", brief(&value)),
                (expr.span, "below 0"),
                "parameters are 0 or more; negate it where it is used",
            );
            return None;
        }
        Some(value)
    }

    /// True if a compile-time expression depends on a parameter.
    pub(super) fn has_parameter(&self, expr: &ast::Expr) -> bool {
        use ast::ExprKind as Kind;
        let any = |list: &[&ast::Expr]| list.iter().any(|each| self.has_parameter(each));
        match &expr.kind {
            Kind::Name(name) => self.parameters.contains_key(name),
            Kind::Number(_) | Kind::Member(_) | Kind::Fold(..) => false,
            Kind::Lookup(_, a) | Kind::Negate(a) | Kind::Not(a) | Kind::IsZero(a) => any(&[a]),
            Kind::Cast(ty, a) => any(&[&ty.width, a]),
            Kind::Binary(_, a, b) | Kind::Assign(a, b) | Kind::Select(a, b, None) => any(&[a, b]),
            Kind::Select(a, b, Some(c)) | Kind::Choose(a, b, c) => any(&[a, b, c]),
        }
    }

    /// True if an expression consists of parameters and numbers alone, with operators on whole numbers.
    pub(super) fn is_whole(&self, expr: &ast::Expr) -> bool {
        !self.parameters.is_empty()
            && self.has_parameter(expr)
            && self.first_name(expr).is_none()
            && is_arithmetic(expr)
    }

    /// The value of an expression of numbers and parameters in whole numbers: types with their widths,
    /// by which `15 + 15 + 15` is 13 elsewhere, are for values of the hardware.
    pub(super) fn whole(&mut self, expr: &ast::Expr) -> Option<BigInt> {
        use ast::ExprKind as Kind;
        let truth = |holds: bool| BigInt::from(u8::from(holds));
        let value = match &expr.kind {
            Kind::Number(number) => number.clone(),
            Kind::Name(name) => self.parameters.get(name)?.clone(),
            Kind::Negate(inner) => -self.whole(inner)?,
            Kind::IsZero(inner) => truth(self.whole(inner)? == BigInt::ZERO),
            Kind::Choose(condition, yes, no) => {
                let chosen = if self.whole(condition)? == BigInt::ZERO { no } else { yes };
                self.whole(chosen)?
            }
            Kind::Binary(operator, a, b) => {
                let (a, b) = (self.whole(a)?, self.whole(b)?);
                let width = |value: &BigInt| value.bits() as u32;
                self.spend(1 + limits::product(width(&a), width(&b)), expr.span)?;
                match whole_binary(*operator, &a, &b) {
                    Some(value) => value,
                    None => return self.no_number(expr.span),
                }
            }
            _ => return self.no_number(expr.span),
        };
        if value.bits() > LARGEST {
            return self.no_number(expr.span);
        }
        Some(value)
    }

    fn no_number(&mut self, span: Span) -> Option<BigInt> {
        self.report.error(
            "fdl.parameter",
            "this has no value in whole numbers",
            (span, "depends on parameters"),
            "use + - * / % << >>, comparisons, && || ! and ?:, with divisors other than 0",
        );
        None
    }

    /// Remembers the datapath that was just defined, if it has parameters.
    pub(super) fn template(&mut self, datapath: &'a ast::Datapath) {
        if let (Some(index), false) = (self.open, datapath.parameters.is_empty()) {
            self.templates.insert(index, Template { datapath, controller: None });
            let values =
                datapath.parameters.iter().map(|parameter| &self.parameters[&parameter.name.text]);
            self.made.insert((index, values.cloned().collect()), index);
        }
    }

    /// The same for its controller.
    pub(super) fn template_controller(
        &mut self,
        controller: &'a ast::Controller,
        open: Option<usize>,
    ) {
        if let Some(template) = open.and_then(|index| self.templates.get_mut(&index)) {
            template.controller = Some(controller);
        }
    }

    /// The datapath of an instance, with the parameters that it gives.
    pub(super) fn child(&mut self, instance: &ast::Use) -> Option<usize> {
        let named = self.find(&instance.child)?;
        if instance.parameters.is_empty() {
            return Some(self.claim(&instance.child, named));
        }
        let index = self.origin(named);
        let Some(template) = self.templates.get(&index).copied() else {
            self.report.error(
                "fdl.parameter",
                &format!("`{}` has no parameters", instance.child.text),
                (instance.parameters[0].name.span, "no parameter of it"),
                "declare it: `dp name #(w = 8) (…) { … }`",
            );
            return None;
        };
        let values = self.given(template.datapath, instance)?;
        let made = match self.made.get(&(index, values.clone())) {
            Some(made) => *made,
            None => self.make(index, template, values, instance.span),
        };
        Some(self.claim(&instance.child, made))
    }

    /// The original behind all copies of a datapath.
    fn origin(&self, mut index: usize) -> usize {
        while let Some(original) = self.model.datapaths[index].original {
            index = original;
        }
        index
    }

    /// The values of all parameters for an instance, in order of declaration.
    fn given(&mut self, datapath: &ast::Datapath, instance: &ast::Use) -> Option<Vec<BigInt>> {
        let declared = &datapath.parameters;
        let mut given: Vec<Option<BigInt>> = vec![None; declared.len()];
        for parameter in &instance.parameters {
            let name = &parameter.name;
            let place = declared.iter().position(|known| known.name.text == name.text);
            let value = self.value(&parameter.value)?;
            let Some(slot) = place.map(|place| &mut given[place]) else {
                self.unknown_parameter(datapath, name);
                return None;
            };
            if slot.replace(value).is_some() {
                let message = format!("`{}` has a value already", name.text);
                let at = (name.span, "given again");
                self.report.error("fdl.parameter", &message, at, "give each parameter once");
                return None;
            }
        }
        self.completed(declared, given)
    }

    /// Fills in what is left out; a parameter's value by default may depend on those before it.
    fn completed(
        &mut self,
        declared: &[ast::Parameter],
        given: Vec<Option<BigInt>>,
    ) -> Option<Vec<BigInt>> {
        let outer = std::mem::take(&mut self.parameters);
        let mut values = Some(Vec::new());
        for (parameter, given) in declared.iter().zip(given) {
            let value = given.or_else(|| self.value(&parameter.value));
            if let (Some(values), Some(value)) = (&mut values, &value) {
                values.push(value.clone());
                self.parameters.insert(parameter.name.text.clone(), value.clone());
            } else {
                values = None;
            }
        }
        self.parameters = outer;
        values
    }

    fn unknown_parameter(&mut self, datapath: &ast::Datapath, name: &Name) {
        let known: Vec<&str> =
            datapath.parameters.iter().map(|parameter| parameter.name.text.as_str()).collect();
        let help = match suggest(&name.text, known.iter().copied()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("it has {}", known.join(", ")),
        };
        let message = format!("`{}` has no parameter `{}`", datapath.name.text, name.text);
        self.report.error("fdl.parameter", &message, (name.span, "not known"), &help);
    }

    /// Resolves a datapath again, with these values.
    fn make(
        &mut self,
        index: usize,
        template: Template<'_>,
        values: Vec<BigInt>,
        used: Span,
    ) -> usize {
        let (reported, before, others) = (self.report.list.len(), self.parts, self.others);
        let names = template.datapath.parameters.iter().map(|parameter| &parameter.name.text);
        let parameters = names.cloned().zip(values.iter().cloned()).collect();
        let outer = (std::mem::replace(&mut self.parameters, parameters), self.above);
        self.above = Some(index);
        let mut resolved = self.datapath(template.datapath);
        resolved.name = self.name_of(template.datapath, &values);
        let made = self.place(resolved);
        if let Some(controller) = template.controller {
            self.attach_controller(controller, made);
        }
        self.others = others.saturating_add(self.parts - before);
        (self.parameters, self.above) = outer;
        self.made.insert((index, values), made);
        self.only_new(reported, Some(used));
        made
    }

    /// A name for a datapath with these values: `name_w16`, say.
    fn name_of(&mut self, datapath: &ast::Datapath, values: &[BigInt]) -> String {
        let declared = datapath.parameters.iter().zip(values);
        let short = declared.clone().all(|(_, value)| value.bits() <= 64);
        let parts = declared.map(|(parameter, value)| format!("_{}{value}", parameter.name.text));
        let given = if short { parts.collect::<String>() } else { String::new() };
        let base = format!("{}{given}", datapath.name.text);
        if base.len() > limits::NAME {
            return self.numbered(&datapath.name.text);
        }
        if self.places.contains_key(&base) { self.numbered(&base) } else { base }
    }

    /// Drops diagnostics that were already reported with other values, and labels the rest with the origin
    /// of their values.
    pub(super) fn only_new(&mut self, reported: usize, used: Option<Span>) {
        let diagnostics = self.report.list.split_off(reported);
        let same = |a: &Diagnostic, b: &Diagnostic| {
            a.code == b.code && a.labels.first() == b.labels.first()
        };
        for diagnostic in diagnostics {
            if !self.report.list.iter().any(|known| same(known, &diagnostic)) {
                self.report.list.push(match used {
                    Some(used) => diagnostic.with_label(used.range(), "with these parameters"),
                    None => diagnostic,
                });
            }
        }
    }
}

/// Returns true if all operators are such that whole numbers have.
fn is_arithmetic(expr: &ast::Expr) -> bool {
    use ast::{Binary as Op, ExprKind as Kind};
    match &expr.kind {
        Kind::Number(_) | Kind::Name(_) => true,
        Kind::Negate(a) | Kind::IsZero(a) => is_arithmetic(a),
        Kind::Binary(Op::Or | Op::Xor | Op::And | Op::Concat, ..) => false,
        Kind::Binary(_, a, b) => is_arithmetic(a) && is_arithmetic(b),
        Kind::Choose(a, b, c) => [a, b, c].into_iter().all(|each| is_arithmetic(each)),
        _ => false,
    }
}

/// An operator on whole numbers; those on bits have none.
fn whole_binary(operator: ast::Binary, a: &BigInt, b: &BigInt) -> Option<BigInt> {
    use ast::Binary as Op;
    let truth = |holds: bool| Some(BigInt::from(u8::from(holds)));
    let zero = BigInt::ZERO;
    let amount = || b.to_u32().filter(|amount| u64::from(*amount) <= LARGEST);
    match operator {
        Op::Add => Some(a + b),
        Op::Sub => Some(a - b),
        Op::Mul => Some(a * b),
        Op::Divide if *b != zero => Some((a - modulo(a, b)) / b),
        Op::Remainder if *b != zero => Some(modulo(a, b)),
        Op::ShiftLeft => Some(a << amount()?),
        Op::ShiftRight => Some(a >> amount()?),
        Op::Equal => truth(a == b),
        Op::NotEqual => truth(a != b),
        Op::Less => truth(a < b),
        Op::Greater => truth(a > b),
        Op::LessEqual => truth(a <= b),
        Op::GreaterEqual => truth(a >= b),
        Op::AndAlso => truth(*a != zero && *b != zero),
        Op::OrElse => truth(*a != zero || *b != zero),
        Op::Divide | Op::Remainder | Op::Or | Op::Xor | Op::And | Op::Concat => None,
    }
}
