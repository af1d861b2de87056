//! Rendering for people, through miette.

use std::fmt;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};

use crate::{Diagnostic, Severity};

/// A diagnostic as miette wants to see it.
#[derive(Debug)]
struct Report<'a> {
    diagnostic: &'a Diagnostic,
    source: Option<NamedSource<String>>,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.diagnostic.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.diagnostic.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let labels = self.diagnostic.labels.iter().map(|label| {
            let text = (!label.text.is_empty()).then(|| label.text.clone());
            LabeledSpan::new(text, label.span.start, label.span.len())
        });
        self.source.as_ref().map(|_| Box::new(labels) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}

/// Renders a diagnostic; without color it is plain Unicode.
pub fn render(diagnostic: &Diagnostic, color: bool) -> String {
    let source = diagnostic
        .source
        .as_ref()
        .map(|source| NamedSource::new(&*source.name, source.text.to_string()));
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    let mut text = String::new();
    match handler.render_report(&mut text, &Report { diagnostic, source }) {
        Ok(()) => text,
        // The renderer fails on spans outside the text only; the message is still worth having.
        Err(_) => format!("{}: {}\n", diagnostic.code, diagnostic.message),
    }
}
