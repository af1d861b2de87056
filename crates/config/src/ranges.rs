//! Ranges of addresses, offsets or bits, of which none may lie over another.

use std::ops::Range;

use crate::reader::Reader;

/// The ranges seen so far.
#[derive(Default)]
pub struct Ranges(Vec<Taken>);

struct Taken {
    name: String,
    range: Range<i64>,
    span: Range<usize>,
}

impl Ranges {
    /// Takes a range, and reports it if it overlaps one that is already there. `unit` is what each
    /// needs for itself.
    pub fn add(
        &mut self,
        reader: &Reader,
        unit: &str,
        name: &str,
        range: Range<i64>,
        span: Range<usize>,
    ) {
        let overlaps =
            |other: &&Taken| range.start < other.range.end && other.range.start < range.end;
        if let Some(other) = self.0.iter().find(overlaps) {
            let message = format!("`{name}` and `{}` overlap", other.name);
            let help = format!("give each its own {unit}");
            reader.conflict(span.clone(), other.span.clone(), "overlap", message, help);
        }
        self.0.push(Taken { name: name.to_owned(), range, span });
    }
}
