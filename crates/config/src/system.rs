//! The peripherals that a core of Arm's M profile has within itself.

use serde::Serialize;

use crate::ranges::Ranges;
use crate::reader::Reader;
use crate::section::Section;

/// Their addresses on every such core (DDI 0403, B3.1).
const ADDRESSES: std::ops::Range<i64> = 0xe000_0000..0xe010_0000;

/// The alignment of a vector table in bytes (DDI 0403, B3.2.5), and its last address.
const TABLE: i64 = 128;
const LAST_TABLE: i64 = 0xffff_ff80;

/// The private peripherals of a core: cycle counter, system timer, system control block and interrupt
/// controller, as far as chips differ in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct System {
    /// The CPUID register: implementer, variant, part, revision.
    pub cpuid: u32,
    /// Bits of a priority, its upper ones.
    pub priority_bits: u32,
    /// Cycles of the core in one of the system timer's reference clock; nothing if it has none.
    pub reference_divide: Option<u32>,
    /// The vector table's address after reset; the beginning of the first memory by default.
    pub vectors: Option<u32>,
    /// The source of the figures.
    pub source: Option<String>,
}

/// Reads the section `[system]` of a device.
pub fn system(reader: &Reader, section: &Section<'_>, windows: &mut Ranges) -> System {
    windows.add(reader, "addresses", "system", ADDRESSES, section.span());
    let divide = section.integer("reference_divide", 1..=1_000_000);
    let vectors = section.integer("vectors", 0..=LAST_TABLE);
    if let Some(wrong) = vectors.as_ref().filter(|vectors| vectors.value % TABLE != 0) {
        let message = format!("a vector table is at a multiple of {TABLE}");
        let help = "give the address of its first word, the initial stack pointer";
        reader.report(wrong.span.clone(), "unaligned", message, "here", help);
    }
    let system = System {
        cpuid: section.number("cpuid", 0..=0xffff_ffff) as u32,
        priority_bits: section.number("priority_bits", 1..=8) as u32,
        reference_divide: divide.map(|divide| divide.value as u32),
        vectors: vectors.map(|vectors| vectors.value as u32),
        source: section.text("source").map(|source| source.value),
    };
    section.finish();
    system
}
