//! Address windows: whole words, inside the address space, none over another.

use std::ops::Range;

use crate::reader::{Reader, Spot};
use crate::section::Section;

/// One past the last address.
const END: i64 = 1 << 32;

/// The address windows of a device.
#[derive(Default)]
pub struct Windows(Vec<Window>);

struct Window {
    name: String,
    addresses: Range<i64>,
    span: Range<usize>,
}

impl Windows {
    /// Takes a window, and reports it if it is not whole words, leaves the address space, or overlaps
    /// one that is already there.
    pub fn add(
        &mut self,
        reader: &Reader,
        section: &Section<'_>,
        name: &str,
        base: &Spot<i64>,
        size: &Spot<i64>,
    ) {
        for (what, number) in [("base", base), ("size", size)] {
            if number.value % 4 != 0 {
                let message = format!("the {what} of `{name}` is not a multiple of 4");
                let help = "memories and peripherals are whole words; round it";
                reader.report(number.span.clone(), "unaligned", message, "here", help);
            }
        }
        let addresses = base.value..base.value + size.value;
        if addresses.end > END {
            let message = format!("`{name}` reaches past the end of the address space");
            let help = "choose a smaller base or size";
            reader.report(section.span(), "out-of-range", message, "this window", help);
        }
        let overlaps = |other: &&Window| {
            addresses.start < other.addresses.end && other.addresses.start < addresses.end
        };
        if let Some(other) = self.0.iter().find(overlaps) {
            let message = format!("the windows of `{name}` and `{}` overlap", other.name);
            let help = "give each its own addresses";
            reader.conflict(section.span(), other.span.clone(), "overlap", message, help);
        }
        self.0.push(Window { name: name.to_owned(), addresses, span: section.span() });
    }
}
