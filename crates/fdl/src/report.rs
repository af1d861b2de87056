//! Collects what is wrong with a file.

use cocrypt_diag::{Diagnostic, Severity, Source};

use crate::ast::Span;
use crate::limits;

/// The diagnostics of one file.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    source: Source,
    pub list: Vec<Diagnostic>,
    /// True if something was left out.
    cut: bool,
}

impl Report {
    pub fn new(source: &Source) -> Self {
        Self { source: source.clone(), list: Vec::new(), cut: false }
    }

    pub fn error(&mut self, code: &str, message: &str, at: (Span, &str), help: &str) {
        self.add(Severity::Error, Diagnostic::error(code, message), at, help);
    }

    fn add(&mut self, severity: Severity, diagnostic: Diagnostic, at: (Span, &str), help: &str) {
        self.cut = self.count(severity) >= limits::SAID;
        if self.cut {
            return;
        }
        let mut diagnostic = diagnostic.with_source(&self.source);
        diagnostic.severity = severity;
        self.list.push(diagnostic.with_label(at.0.range(), at.1).with_help(help));
    }

    fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// Returns true if so much is wrong that nothing more is said.
    pub fn is_full(&self) -> bool {
        self.list.len() >= limits::SAID && self.count(Severity::Error) >= limits::SAID
    }

    /// An error where a rule is strict, and a warning elsewhere.
    pub fn doubt(&mut self, strict: bool, code: &str, message: &str, at: (Span, &str), help: &str) {
        let severity = if strict { Severity::Error } else { Severity::Warning };
        self.add(severity, Diagnostic::error(code, message), at, help);
    }

    /// Makes warnings of the errors from this place of the list on.
    pub fn soften(&mut self, from: usize) {
        for diagnostic in self.list.iter_mut().skip(from) {
            if diagnostic.severity == Severity::Error {
                diagnostic.severity = Severity::Warning;
            }
        }
    }

    pub fn warning(&mut self, code: &str, message: &str, at: (Span, &str), help: &str) {
        self.add(Severity::Warning, Diagnostic::error(code, message), at, help);
    }

    /// Adds a further place to the last diagnostic.
    pub fn also(&mut self, span: Span, text: &str) {
        if self.cut {
            return;
        }
        if let Some(last) = self.list.pop() {
            self.list.push(last.with_label(span.range(), text));
        }
    }

    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}
