//! Names: what they may look like, and that no two are the same.

use std::ops::Range;

use crate::reader::{Reader, Spot};

/// Checks that a name can be a symbol in C and Verilog.
pub fn identifier(reader: &Reader, name: &Spot<String>, what: &str) {
    let mut letters = name.value.chars();
    let first = letters.next().is_none_or(|letter| letter.is_ascii_alphabetic() || letter == '_');
    if !first || !letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        let message = format!("`{}` cannot be the name of a {what}", name.value);
        let help = "write letters, digits and _, no digit first";
        reader.report(name.span.clone(), "no-identifier", message, "no identifier", help);
    }
}

/// Checks that a name can be a file's name everywhere.
pub fn file_name(reader: &Reader, name: &Spot<String>, what: &str) {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if !name.value.chars().all(fits) || name.value.starts_with('.') {
        let message = format!("`{}` cannot be the name of a {what}", name.value);
        let help = "write letters, digits, -, _ and dots, no dot first; titles may be anything";
        reader.report(name.span.clone(), "no-name", message, "no name", help);
    }
}

/// Names that must not be given twice.
#[derive(Default)]
pub struct Names(Vec<(String, Range<usize>)>);

impl Names {
    /// Takes a name, and reports it if it is already there.
    pub fn add(&mut self, reader: &Reader, what: &str, name: &Spot<String>) {
        // An empty name stands in for one that is missing, which was reported.
        let same = self.0.iter().find(|(other, _)| !other.is_empty() && *other == name.value);
        if let Some((_, other)) = same {
            let message = format!("there are two {what}s `{}`", name.value);
            let help = "give each its own name";
            reader.conflict(name.span.clone(), other.clone(), "duplicate-name", message, help);
        }
        self.0.push((name.value.clone(), name.span.clone()));
    }
}
