//! Collects what is wrong with a file.

use cocrypt_diag::{Diagnostic, Severity, Source};

use crate::ast::Span;

/// The diagnostics of one file.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    source: Source,
    pub list: Vec<Diagnostic>,
}

impl Report {
    pub fn new(source: &Source) -> Self {
        Self { source: source.clone(), list: Vec::new() }
    }

    pub fn error(&mut self, code: &str, message: &str, at: (Span, &str), help: &str) {
        let diagnostic = Diagnostic::error(code, message).with_source(&self.source);
        self.list.push(diagnostic.with_label(at.0.range(), at.1).with_help(help));
    }

    pub fn warning(&mut self, code: &str, message: &str, at: (Span, &str), help: &str) {
        self.error(code, message, at, help);
        if let Some(last) = self.list.last_mut() {
            last.severity = Severity::Warning;
        }
    }

    /// Adds a further place to the last diagnostic.
    pub fn also(&mut self, span: Span, text: &str) {
        if let Some(last) = self.list.pop() {
            self.list.push(last.with_label(span.range(), text));
        }
    }

    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}
