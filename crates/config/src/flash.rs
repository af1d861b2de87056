//! The interface between a core and a flash memory that is slower than it.

use serde::Serialize;

use crate::device::{Memory, MemoryKind};
use crate::reader::Reader;
use crate::section::Section;

/// How a flash memory gives code: more of it at once than an instruction, so that most fetches do not
/// wait. How long a read takes, the memory's own waits say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flash {
    /// The memory's name.
    pub memory: String,
    /// Bits that it gives at once: a power of two.
    pub width_bits: u32,
    /// True if the next line is prefetched.
    pub prefetch: bool,
    /// How much of what jumps led to is kept, in pieces of that width; nothing if there is no cache.
    pub instruction_lines: Option<u32>,
    /// The same of constants; the memory must be the device's first `rom` then.
    pub data_lines: Option<u32>,
    /// The source of the figures.
    pub source: Option<String>,
}

/// Reads the section `[flash]` of a device with these memories.
pub fn flash(reader: &Reader, section: &Section<'_>, memories: &[Memory]) -> Flash {
    let memory = section.required_text("memory");
    let names = || memories.iter().map(|memory| memory.name.as_str());
    if !memory.value.is_empty() && names().all(|name| name != memory.value) {
        reader.unknown(&memory, "memory area", names());
    }
    let width = section.required_integer("width_bits", 16..=1024);
    if let Some(width) = width.as_ref().filter(|width| width.value.count_ones() != 1) {
        let message = format!("a width of {} bits is no power of two", width.value);
        let help = "choose 32, 64, 128 and so on";
        reader.report(width.span.clone(), "no-power-of-two", message, "here", help);
    }
    let lines = |key| section.integer(key, 1..=4096);
    let data_lines = lines("data_lines");
    let mut roms = memories.iter().filter(|memory| memory.kind == MemoryKind::Rom);
    let is_first = roms.next().is_some_and(|first| first.name == memory.value);
    if let Some(lines) = data_lines.as_ref().filter(|_| !is_first) {
        let message = format!("`{}` has a cache of data, but is not the first `rom`", memory.value);
        let help =
            "let it be of kind `rom` and before others of that kind, or leave `data_lines` out";
        reader.report(lines.span.clone(), "not-first", message, "here", help);
    }
    let flash = Flash {
        memory: memory.value,
        width_bits: width.map_or(32, |width| width.value as u32),
        prefetch: section.switch("prefetch"),
        instruction_lines: lines("instruction_lines").map(|lines| lines.value as u32),
        data_lines: data_lines.map(|lines| lines.value as u32),
        source: section.text("source").map(|source| source.value),
    };
    section.finish();
    flash
}
