//! The names of files in a design, which may be somebody else's text: none leads out of a folder.

use super::Resolver;
use crate::Dialect;
use crate::ast::Span;

/// The help for a name of a file to read that leads elsewhere.
pub(super) const BESIDE: &str = "put the file beside the design, or into a folder there";

/// The reason for which a name does not lead to a file below a folder, as the end of a sentence; nothing if
/// it does.
pub(crate) fn outside(name: &str) -> Option<&'static str> {
    let drive = name.as_bytes().get(1) == Some(&b':');
    if name.is_empty() || name.chars().any(char::is_control) {
        return Some("is no name of a file");
    }
    if name.starts_with(['/', '\\']) || drive {
        return Some("is an absolute path");
    }
    let mut parts = name.split(['/', '\\']);
    parts.any(|part| part == "..").then_some("leads out of its folder")
}

impl Resolver<'_> {
    /// Sees to it that the files that a design writes, and those that drive inputs, are named so.
    pub(super) fn named_files(&mut self) {
        let mut wrong: Vec<(String, &str, Span, &str)> = vec![];
        for datapath in self.model.datapaths.iter().filter(|datapath| datapath.original.is_none()) {
            let help = "name a file below the folder that `cocrypt fdl sim --files` says";
            let written = datapath.traces.iter().map(|trace| (&trace.file, trace.span, help));
            let read =
                datapath.stimuli.iter().map(|stimulus| (&stimulus.file, stimulus.span, BESIDE));
            for (file, span, help) in written.chain(read) {
                wrong.extend(outside(file).map(|why| (file.clone(), why, span, help)));
            }
        }
        for (file, why, span, help) in wrong {
            let message = format!("`{file}` {why}");
            // GEZEL runs on where a trace cannot be written.
            let strict = self.dialect == Dialect::Extended || help == BESIDE;
            self.report.doubt(strict, "fdl.file", &message, (span, "named here"), help);
        }
        if self.dialect == Dialect::Gezel {
            for datapath in &mut self.model.datapaths {
                datapath.traces.retain(|trace| outside(&trace.file).is_none());
            }
        }
    }
}
