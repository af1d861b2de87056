//! Caches that a device puts between its core and its memories.

use serde::Serialize;

use crate::reader::{Reader, Spot};
use crate::section::Section;

/// The caches of a device, of a core that has none of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Caches {
    /// Of instructions.
    pub instruction: Option<Cache>,
    /// Of data, for what lies in the first memory that programs write.
    pub data: Option<Cache>,
    /// Of both, in place of the others.
    pub unified: Option<Cache>,
}

/// A cache; it is empty after reset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// Bytes in all: a power of two.
    pub size: u32,
    /// Lines that an address can be in.
    pub ways: u32,
    /// Bytes in a line: a power of two.
    pub line: u32,
    /// Which of them is evicted, by the names of [`REPLACEMENTS`].
    pub replacement: String,
    /// The policy for a store that misses, by the names of [`WRITES`].
    pub writes: String,
    /// Cycles that the core waits for an absent line, beyond those that it waits for a present one.
    pub refill: u32,
    /// Cycles that an access takes beyond those, while the program has the cache switched off; of cores whose
    /// programs can.
    pub bypass: Option<u32>,
}

/// The line that was not used for the longest time is evicted, or the one that came first.
pub const REPLACEMENTS: &[&str] = &["lru", "fifo"];

/// A store goes past the cache where that lacks its line, or brings it in.
pub const WRITES: &[&str] = &["around", "allocate"];

/// Reads the section `[cache]`.
pub fn caches(reader: &Reader, section: &Section<'_>) -> Caches {
    let read = |key| section.section(key).map(|section| cache(reader, &section));
    let caches =
        Caches { instruction: read("instruction"), data: read("data"), unified: read("unified") };
    if caches.unified.is_some() && (caches.instruction.is_some() || caches.data.is_some()) {
        let message = "a unified cache stands beside another".to_owned();
        let help = "it holds instructions and data; take the other sections out, or it";
        reader.report(section.span(), "two-caches", message, "these caches", help);
    }
    section.finish();
    caches
}

fn cache(reader: &Reader, section: &Section<'_>) -> Cache {
    let power = |key, range| {
        let number = section.required_integer(key, range);
        if let Some(number) = number.as_ref().filter(|number| number.value.count_ones() != 1) {
            let message = format!("a cache's {key} of {} bytes is no power of two", number.value);
            let help = "caches are found by bits of the address; choose 16, 32, 64 and so on";
            reader.report(number.span.clone(), "no-power-of-two", message, "here", help);
        }
        number.map_or(4, |number| number.value as u32)
    };
    let ways = section.number("ways", 1..=64) as u32;
    let cache = Cache {
        size: power("size", 4..=0x10_0000),
        ways,
        line: power("line", 4..=4096),
        replacement: named(reader, section.text("replacement"), "rule", REPLACEMENTS),
        writes: named(reader, section.text("writes"), "rule", WRITES),
        refill: section.number("refill", 0..=10_000) as u32,
        bypass: section.integer("bypass", 0..=10_000).map(|number| number.value as u32),
    };
    let sets = cache.size / (cache.line * ways).max(1);
    if !sets.is_power_of_two() || sets * ways * cache.line != cache.size {
        let message = format!(
            "{} bytes are no power of two of sets of {ways} lines of {} bytes",
            cache.size, cache.line
        );
        let help = "choose a larger size, or fewer ways";
        reader.report(section.span(), "no-sets", message, "this cache", help);
    }
    section.finish();
    cache
}

/// One of some names, the first where none is given.
fn named(
    reader: &Reader,
    name: Option<Spot<String>>,
    what: &str,
    names: &'static [&'static str],
) -> String {
    let Some(name) = name else { return names[0].to_owned() };
    if !names.contains(&name.value.as_str()) {
        reader.unknown(&name, what, names.iter().copied());
    }
    name.value
}
