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

/// Bytes of the text from the first place to the last, with their lines, that are worth printing.
const SHOWN: usize = 16_384;

/// Returns true if the lines of all labels are few and short enough to print.
fn is_short(diagnostic: &Diagnostic) -> bool {
    let Some(source) = &diagnostic.source else { return true };
    let bytes = source.text.as_bytes();
    let starts = diagnostic.labels.iter().map(|label| label.span.start);
    let ends = diagnostic.labels.iter().map(|label| label.span.end);
    let (Some(start), Some(end)) = (starts.min(), ends.max()) else { return true };
    let (start, end) = (start.min(bytes.len()), end.min(bytes.len()));
    // A line more is printed on either side.
    let before = bytes[..start].iter().rev().take(SHOWN).enumerate();
    let first =
        before.filter(|(_, byte)| **byte == b'\n').nth(1).map_or(SHOWN.min(start), |at| at.0);
    let behind = bytes[end.max(start)..].iter().take(SHOWN).enumerate();
    let last = behind.filter(|(_, byte)| **byte == b'\n').nth(1);
    let last = last.map_or(SHOWN.min(bytes.len() - end.max(start)), |at| at.0);
    first + end.saturating_sub(start) + last < SHOWN
}

/// Renders a diagnostic; without color it is plain Unicode. Of a text with very long lines the place is
/// printed alone.
pub fn render(diagnostic: &Diagnostic, color: bool) -> String {
    if !is_short(diagnostic) {
        return unseen(diagnostic, color);
    }
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

/// A diagnostic with its place in words.
fn unseen(diagnostic: &Diagnostic, color: bool) -> String {
    let place = diagnostic.source.as_ref().zip(diagnostic.line_column());
    let message = match place {
        Some((source, (line, column))) => {
            format!("{}:{line}:{column}: {}", source.name, diagnostic.message)
        }
        None => diagnostic.message.clone(),
    };
    render(&Diagnostic { message, source: None, labels: vec![], ..diagnostic.clone() }, color)
}

#[cfg(test)]
mod tests {
    use crate::{Diagnostic, Source};

    #[test]
    fn very_long_lines_are_not_printed() {
        let text = format!("ok\n{}x", "a ".repeat(100_000));
        let place = text.len() - 1..text.len();
        let wrong = Diagnostic::error("room.wrong", "this is wrong").with_label(place, "here");
        let shown = wrong.with_source(&Source::new("long.txt", &text)).render(false);
        assert!(shown.len() < 500, "{}", shown.len());
        assert!(
            shown.replace(['\n', ' ', '│'], "").contains("long.txt:2:200001:thisiswrong"),
            "{shown}"
        );
    }
}
