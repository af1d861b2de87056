//! Collects what is wrong with a file.

use cocrypt_diag::{Diagnostic, Severity, Source};

use crate::ast::Span;

/// Places within so many lines of the first one are shown with it.
const NEAR: usize = 8;

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

    /// Adds a further place to the last diagnostic; one that is far away is named in the advice, since
    /// everything in between would be printed otherwise.
    pub fn also(&mut self, span: Span, text: &str) {
        let Some(last) = self.list.pop() else { return };
        let first = last.labels.first().map_or(span.start, |label| label.span.start);
        let lines = |at: usize| self.source.text[..at].bytes().filter(|b| *b == b'\n').count();
        let here = lines(span.start);
        let extended = if lines(first).abs_diff(here) <= NEAR {
            last.with_label(span.range(), text)
        } else {
            let help = last.help.clone().unwrap_or_default();
            last.with_help(format!("{help} (line {}: {text})", here + 1))
        };
        self.list.push(extended);
    }

    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}
