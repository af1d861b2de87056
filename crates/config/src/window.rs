//! A window of addresses that shows a section of a memory, which a register selects.

use serde::Serialize;

use crate::device::{Memory, MemoryKind};
use crate::ranges::Ranges;
use crate::reader::Reader;
use crate::section::Section;

/// Addresses have 32 bits.
const LAST: i64 = 0xffff_ffff;
const SIZES: std::ops::RangeInclusive<i64> = 4..=0x1000_0000;
const BITS: std::ops::RangeInclusive<i64> = 1..=0xff;
const BYTES: std::ops::RangeInclusive<i64> = 0..=0xff;

/// The address of a memory's section, and the register that selects it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryWindow {
    /// The memory's name.
    pub memory: String,
    /// First address of the window.
    pub base: u64,
    /// Bytes of a section.
    pub size: u64,
    /// The address of the register, a byte.
    pub register: u64,
    /// The bits of it that number the section.
    pub select: u8,
    /// Its value after reset.
    pub reset: u8,
    /// Bits of which one, once written, lets the register be as it is.
    pub lock: u8,
}

/// Reads the section `[window]` of a device with these memories.
pub fn window(
    reader: &Reader,
    section: &Section<'_>,
    memories: &[Memory],
    windows: &mut Ranges,
) -> MemoryWindow {
    let memory = section.required_text("memory");
    let roms = memories.iter().filter(|memory| memory.kind == MemoryKind::Rom);
    let names: Vec<&str> = roms.map(|rom| rom.name.as_str()).collect();
    if !memory.value.is_empty() && !names.contains(&memory.value.as_str()) {
        reader.unknown(&memory, "memory area of kind rom", names);
    }
    let base = section.number("base", 0..=LAST);
    let size = section.number("size", SIZES);
    let register = section.number("register", 0..=LAST);
    windows.add(reader, "addresses", "window", base..base + size, section.span());
    windows.add(reader, "addresses", "window's register", register..register + 1, section.span());
    let found = MemoryWindow {
        memory: memory.value,
        base: base as u64,
        size: size as u64,
        register: register as u64,
        select: section.number("select", BITS) as u8,
        reset: section.integer("reset", BYTES).map_or(0, |value| value.value as u8),
        lock: section.integer("lock", BYTES).map_or(0, |value| value.value as u8),
    };
    section.finish();
    found
}
