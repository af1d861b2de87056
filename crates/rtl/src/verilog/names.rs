//! Names: those of the design are kept; words that Verilog has taken are escaped.

use std::collections::{HashMap, HashSet};

use cocrypt_verilog::is_reserved;

/// A name as Verilog reads it: an escaped identifier ends with a blank.
pub(super) fn escape(name: &str) -> String {
    if is_reserved(name) { format!("\\{name} ") } else { name.to_owned() }
}

/// The names that are taken in one module.
#[derive(Debug, Default)]
pub(super) struct UsedNames {
    names: HashSet<String>,
    /// Of names that were asked for again: the number to try next, so that none is tried twice.
    next: HashMap<String, u32>,
}

impl UsedNames {
    /// Takes this name, or one like it; returns it ready for the text.
    pub fn take(&mut self, name: &str) -> String {
        escape(&self.take_plain(name))
    }

    /// The same without escaping.
    pub fn take_plain(&mut self, name: &str) -> String {
        if self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(1);
        loop {
            let candidate = format!("{name}_{next}");
            *next += 1;
            if self.names.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}
