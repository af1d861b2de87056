//! Diagnostics: what a user wrote wrong, where, and what to do about it.

mod render;
mod suggest;

pub use suggest::suggest;

use std::ops::Range;
use std::sync::Arc;

use serde_json::{Value, json};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing can be done before it is mended.
    Error,
    /// Work goes on.
    Warning,
}

/// A text that diagnostics point into. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file's name, as the user gave it.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
}

impl Source {
    /// A text with its name.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// A place in the source, with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Byte offsets.
    pub span: Range<usize>,
    /// The remark; may be empty.
    pub text: String,
}

/// The message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name of the form `room.what-is-wrong`.
    pub code: String,
    /// The error in one sentence.
    pub message: String,
    /// The text that the labels point into.
    pub source: Option<Source>,
    /// Places, the culprit first.
    pub labels: Vec<Label>,
    /// The help: how to mend it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without place or help.
    #[must_use]
    pub fn error(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code: code.into(),
            message: message.into(),
            source: None,
            labels: vec![],
            help: None,
        }
    }

    /// A warning without place or help.
    #[must_use]
    pub fn warning(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Says which text the labels point into.
    #[must_use]
    pub fn with_source(mut self, source: &Source) -> Self {
        self.source = Some(source.clone());
        self
    }

    /// Adds a place.
    #[must_use]
    pub fn with_label(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Line and column of the first label, counted from 1, columns in characters.
    #[must_use]
    pub fn line_column(&self) -> Option<(usize, usize)> {
        let (source, label) = (self.source.as_ref()?, self.labels.first()?);
        Some(position(&source.text, label.span.start))
    }

    /// The diagnostic for a person, at most 100 columns wide as far as the source allows.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        render::render(self, color)
    }

    /// The diagnostic as JSON: `severity`, `code`, `message`, `file`, `line`, `column`, `end_line`,
    /// `end_column`, `help`, and the further places as `labels`. What is not known is null.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let text = self.source.as_ref().map(|source| &*source.text);
        let place = |label: &Label| {
            let (start, end) = text
                .map(|text| (position(text, label.span.start), position(text, label.span.end)))?;
            Some((start, end))
        };
        let first = self.labels.first().and_then(place);
        let labels = self.labels.iter().map(|label| {
            let start = place(label).map(|(start, _)| start);
            json!({
                "line": start.map(|start| start.0),
                "column": start.map(|start| start.1),
                "text": label.text,
            })
        });
        json!({
            "severity": match self.severity { Severity::Error => "error", Severity::Warning => "warning" },
            "code": self.code,
            "message": self.message,
            "file": self.source.as_ref().map(|source| &*source.name),
            "line": first.map(|(start, _)| start.0),
            "column": first.map(|(start, _)| start.1),
            "end_line": first.map(|(_, end)| end.0),
            "end_column": first.map(|(_, end)| end.1),
            "help": self.help,
            "labels": labels.collect::<Vec<_>>(),
        })
    }
}

fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset)];
    let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (line, 1 + before[start..].chars().count())
}
