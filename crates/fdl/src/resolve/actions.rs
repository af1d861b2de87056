//! The output of a design while it runs: `$display`, `$trace`, `$option`.

use cocrypt_diag::suggest;

use super::Resolver;
use super::datapath::Draft;
use crate::Dialect;
use crate::ast::{self, ExprKind as AstKind, Name, Span};
use crate::model::{Action, Base, Shown, Toggles, Trace};

/// The directives that `$display` knows.
const DIRECTIVES: [&str; 9] =
    ["$dp", "$sfg", "$cycle", "$toggle", "$ones", "$zeroes", "$hex", "$dec", "$bin"];

/// Options that have a meaning for GEZEL's own tools and none here, by their first word.
const FOREIGN: [&str; 8] = [
    "profile_display_cycles",
    "profile_display_operations",
    "toggle_include",
    "toggle_weights",
    "toggle_variation",
    "generic",
    "attribute_def",
    "attribute_use",
];

impl Resolver<'_> {
    /// The line that `$display` prints; none after a mistake.
    pub(super) fn display(
        &mut self,
        draft: &Draft,
        (items, span): (&[ast::Display], Span),
    ) -> Option<Action> {
        let (mut base, mut shown) = (Base::default(), Some(Vec::new()));
        for item in items {
            if let ast::Display::Text(text) = item {
                self.spend(1 + text.len() / 64, span)?;
            }
            let part = match item {
                ast::Display::Text(text) => Some(Shown::Text(text.clone())),
                ast::Display::Value(value) => self.shown(draft, value, base),
                ast::Display::Directive(name) => match self.directive(name, &mut base) {
                    Ok(None) => continue,
                    Ok(part) => part,
                    Err(()) => None,
                },
            };
            shown = shown.zip(part).map(|(mut shown, part)| {
                shown.push(part);
                shown
            });
        }
        shown.map(Action::Display)
    }

    /// The items that a directive prints, if it does not switch the base instead.
    fn directive(&mut self, name: &Name, base: &mut Base) -> Result<Option<Shown>, ()> {
        *base = match name.text.as_str() {
            "$dp" => return Ok(Some(Shown::Datapath)),
            "$sfg" => return Ok(Some(Shown::Sfg)),
            "$cycle" => return Ok(Some(Shown::Cycle)),
            "$toggle" => return Ok(Some(Shown::Toggles)),
            "$ones" => return Ok(Some(Shown::Ones)),
            "$zeroes" => return Ok(Some(Shown::Zeroes)),
            "$hex" => Base::Hexadecimal,
            "$dec" => Base::Decimal,
            "$bin" => Base::Binary,
            other => {
                let help = match suggest(other, DIRECTIVES) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("there are {}", DIRECTIVES.join(", ")),
                };
                let message = format!("`$display` knows no `{other}`");
                self.report.error("fdl.directive", &message, (name.span, "not known"), &help);
                return Err(());
            }
        };
        Ok(None)
    }

    /// A value in print; numbers are printed as they were written. GEZEL heeds the base for names and bits
    /// of them alone, and prints all else in hex.
    fn shown(&mut self, draft: &Draft, value: &ast::Expr, base: Base) -> Option<Shown> {
        let base = match (self.dialect, &value.kind) {
            (_, AstKind::Number(_)) => self.written(value.span),
            (Dialect::Extended, _) | (_, AstKind::Name(_)) => base,
            (_, AstKind::Select(of, ..)) if matches!(of.kind, AstKind::Name(_)) => base,
            _ => Base::Hexadecimal,
        };
        Some(Shown::Value(self.expression(&draft.names, value)?, base))
    }

    /// The base that a number is written in.
    fn written(&self, number: Span) -> Base {
        let text = &self.model.source.text[number.range()];
        match text.get(..2) {
            Some("0x") => Base::Hexadecimal,
            Some("0b") => Base::Binary,
            _ => Base::Decimal,
        }
    }

    pub(super) fn trace(&mut self, draft: &mut Draft, trace: &ast::Trace) {
        if let Some(value) = self.expression(&draft.names, &trace.value) {
            draft.datapath.traces.push(Trace { value, file: trace.file.clone(), span: trace.span });
        }
    }

    pub(super) fn option(&mut self, text: &str, span: Span) {
        let first = text.split_whitespace().next().unwrap_or_default();
        let options = &mut self.model.options;
        match first {
            "debug" => options.debug = true,
            "vcd" => options.waves = true,
            "profile_toggle_alledge" => options.toggles = Some(Toggles::Both),
            "profile_toggle_upedge" => options.toggles = Some(Toggles::Rising),
            _ if FOREIGN.contains(&first) => self.report.warning(
                "fdl.option",
                &format!("the option \"{text}\" has no effect here"),
                (span, "ignored"),
                "remove it; `cocrypt fdl sim` has options of its own",
            ),
            _ => {
                let known = ["debug", "vcd", "profile_toggle_alledge", "profile_toggle_upedge"];
                let help = match suggest(first, known) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("there are {}", known.join(", ")),
                };
                let message = format!("there is no option \"{text}\"");
                self.report.warning("fdl.option", &message, (span, "ignored"), &help);
            }
        }
    }
}
