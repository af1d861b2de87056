//! Timers of a chip: counters of cycles, with flags that interrupt.

use serde::Serialize;

use crate::names::Names;
use crate::ranges::Ranges;
use crate::reader::Reader;
use crate::section::Section;

/// Addresses have 32 bits.
const LAST: i64 = 0xffff_ffff;
/// Numbers of interrupts.
const VECTORS: std::ops::RangeInclusive<i64> = 1..=31;
/// Flags of a timer.
const MOST: usize = 8;
/// Bits of a counter.
const WIDTHS: std::ops::RangeInclusive<i64> = 8..=16;
/// Divisors of a clock; 0 stops it.
const DIVISORS: std::ops::RangeInclusive<i64> = 0..=0x1_0000;

/// A timer. Its registers are bytes, those of counts as many as it has bits, the lowest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChipTimer {
    /// Its name in the data sheet.
    pub name: String,
    /// Bits of the counter, 8 or 16.
    pub bits: u32,
    /// The address of the first register that says how it counts.
    pub mode: u64,
    /// That of the second, which selects the clock too.
    pub clock: u64,
    /// The address of the count.
    pub count: u64,
    /// The addresses of the compare values; the count may restart at the first.
    pub compares: Vec<u64>,
    /// The address of the interrupt mask.
    pub mask: u64,
    /// The address of the interrupt flags; writing 1 clears a flag.
    pub flags: u64,
    /// The bits of both mode registers, the second's 8 bits up, with which it begins again behind the first
    /// comparison.
    pub clears: u32,
    /// The bits of them that may be set.
    pub modelled: u32,
    /// The clock's divisors, by the lowest bits of the second.
    pub divisors: Vec<i64>,
    /// The interrupts: of the overflow, whose flag is bit 0, and of each comparison, the flags behind it.
    pub vectors: Vec<i64>,
}

/// Reads a section `[[timer]]` of a device.
pub fn timer(
    reader: &Reader,
    section: &Section<'_>,
    names: &mut Names,
    windows: &mut Ranges,
) -> ChipTimer {
    let name = section.required_text("name");
    names.add(reader, "timer", &name);
    let bits = section.number("bits", WIDTHS);
    let address = |key| section.number(key, 0..=LAST);
    let list = |key, range| {
        section.required_integers(key, range).map(|found| found.value).unwrap_or_default()
    };
    let compares = list("compares", &(0..=LAST));
    let [mode, clock, count, mask, flags] =
        ["mode", "clock", "count", "mask", "flags"].map(address);
    let wide = [count].into_iter().chain(compares.iter().copied()).map(|at| (at, (bits + 7) / 8));
    for (at, size) in [mode, clock, mask, flags].map(|at| (at, 1)).into_iter().chain(wide) {
        windows.add(reader, "addresses", &name.value, at..at + size, section.span());
    }
    let vectors = list("vectors", &VECTORS);
    if vectors.len() != compares.len() + 1 || vectors.len() > MOST {
        let message = format!("`{}` has interrupts of its own for each flag", name.value);
        let help = format!(
            "give `vectors` one number for the overflow and one for each of `compares`, {MOST} at most"
        );
        reader.report(section.span(), "timer-vectors", message, "this timer", help);
    }
    let unsigned = |addresses: Vec<i64>| addresses.into_iter().map(|at| at as u64).collect();
    let found = ChipTimer {
        name: name.value,
        bits: bits as u32,
        mode: mode as u64,
        clock: clock as u64,
        count: count as u64,
        compares: unsigned(compares),
        mask: mask as u64,
        flags: flags as u64,
        clears: section.number("clears", 0..=0xffff) as u32,
        modelled: section.number("modelled", 0..=0xffff) as u32,
        divisors: list("divisors", &DIVISORS),
        vectors,
    };
    section.finish();
    found
}
