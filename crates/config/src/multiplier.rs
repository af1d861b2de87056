//! A chip's unit that multiplies, adds products up and divides.

use serde::Serialize;

use crate::ranges::Ranges;
use crate::reader::Reader;
use crate::section::Section;

/// The last address at which either part can begin.
const LAST: i64 = 0xffff_fff0;
/// Bytes of the factors and of the product.
const FACTORS: i64 = 8;
/// Bytes from the sum to the mode.
const CONTROL: i64 = 9;

/// The multiplier and divider unit of RL78: two factors of 16 bits, product and sum of 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Multiplier {
    /// The address of the factors: MDAL, MDAH, MDBH and MDBL, of two bytes each.
    pub factors: u64,
    /// The address of the sum, MDCL and MDCH; the mode, MDUC, is the byte 8 behind it.
    pub sum: u64,
}

/// Reads the section `[multiplier]` of a device.
pub fn multiplier(reader: &Reader, section: &Section<'_>, windows: &mut Ranges) -> Multiplier {
    let [factors, sum] = [("factors", FACTORS), ("sum", CONTROL)].map(|(key, size)| {
        let at = section.number(key, 0..=LAST);
        windows.add(reader, "addresses", key, at..at + size, section.span());
        at as u64
    });
    section.finish();
    Multiplier { factors, sum }
}
