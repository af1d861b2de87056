//! The limits of a design's size, so that every text is read or refused soon and in bounded memory.
//! docs/fdl/language.md states these figures.

use crate::value::LIMB;

/// Bytes of a design with all that it includes.
pub const SOURCE: usize = 2 << 20;
/// Files of a design, and how deeply they include one another.
pub(crate) const FILES: usize = 1000;
pub(crate) const INCLUDES: usize = 64;
/// Letters of a name, digits of a number, characters of a string.
pub(crate) const NAME: usize = 255;
pub(crate) const NUMBER: usize = 65_536;
pub(crate) const STRING: usize = 4096;
/// Errors, and warnings, that are said of one design.
pub(crate) const SAID: usize = 100;
/// Parts of a design: declarations, operators, operands, states, entries of tables; once as it is written,
/// with copies and repetitions, and once more with all its instances.
pub(crate) const PARTS: usize = 1 << 19;
/// The cost of an instance in addition to its parts.
pub(crate) const INSTANCE: usize = 4;
/// Words of 64 bits in tables and arrays.
pub(crate) const WORDS: usize = 1 << 21;
/// Instances within one another.
pub(crate) const LEVELS: usize = 128;
/// Steps of a datapath, each with the parts of the datapath; and dependencies of its signals.
pub(crate) const STEPS: usize = 1 << 24;
/// Signals and operators that depend on one another without a register in between.
pub(crate) const CHAIN: usize = 8000;
/// Bytes of stack for following them.
pub(crate) const STACK: usize = 128 << 20;

/// Bits of a value that make it two parts.
const BITS: usize = 512;

/// The parts that a value of so many bits counts as.
pub(crate) fn value(width: u32) -> usize {
    1 + width as usize / BITS
}

/// The parts that a product, quotient or remainder of values of so many bits counts as.
pub(crate) fn product(a: u32, b: u32) -> usize {
    let limbs = |width: u32| u64::from(width / LIMB);
    usize::try_from(limbs(a) * limbs(b) / BITS as u64).unwrap_or(usize::MAX)
}

/// The words of a memory with so many elements of so many bits.
pub(crate) fn words(elements: usize, width: u32) -> usize {
    elements.saturating_mul(width.div_ceil(LIMB) as usize)
}
