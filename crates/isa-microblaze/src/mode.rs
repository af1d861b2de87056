//! Decode modes: the part of an instruction's meaning that the instruction in front of it has.
//!
//! Bits 15 to 0 are the high half of an immediate, if bit 16 says that there is one (`imm`); bits 19 to 17 are the
//! kind of branch in whose delay slot the instruction is; bit 20 says that interrupts wait behind an atomic access to a
//! link; bits 21 and 22 that the caches of instructions and of data are off, which goes on from each instruction to the
//! next.

use cocrypt_isa::{CachesOn, DelaySlot};

use crate::cells::msr;

/// Ordinary code, the caches being on.
pub const CODE: u32 = 0;

const PREFIXED: u32 = 1 << 16;
const SLOT: u32 = 17;
/// Behind an atomic access to a link, where no interrupt comes.
pub const ATOMIC: u32 = 1 << 20;

/// The instruction cache is off.
const FETCHES_PAST: u32 = 1 << 21;
/// The data cache is off.
const ACCESSES_PAST: u32 = 1 << 22;

/// The part of a mode that is that of all instructions behind it: the caches that are off.
pub const fn lasting(mode: u32) -> u32 {
    mode & (FETCHES_PAST | ACCESSES_PAST)
}

/// Returns true if an instruction in a mode belongs to the one in front of it.
pub const fn binds(mode: u32) -> bool {
    lasting(mode) != mode
}

/// The mode of ordinary code, given the bits of the status register that switch caches on.
pub const fn of_status(bits: u32) -> u32 {
    let fetches = if bits & msr::ICE == 0 { FETCHES_PAST } else { 0 };
    let accesses = if bits & msr::DCE == 0 { ACCESSES_PAST } else { 0 };
    fetches | accesses
}

/// The caches that are on in a mode.
pub const fn caches_on(mode: u32) -> CachesOn {
    CachesOn { instruction: mode & FETCHES_PAST == 0, data: mode & ACCESSES_PAST == 0 }
}

/// The mode of an instruction in a delay slot, whose branch is in mode `around`.
pub const fn in_slot(slot: DelaySlot, around: u32) -> u32 {
    lasting(around) | slot.bits(SLOT)
}

/// The branch in whose delay slot an instruction of a mode is.
pub const fn slot(mode: u32) -> Option<DelaySlot> {
    DelaySlot::of(mode, SLOT)
}

/// The mode behind `imm` with such a half.
pub const fn prefixed(high: u16) -> u32 {
    PREFIXED | high as u32
}

/// The immediate of an instruction whose own half is `low`.
pub const fn immediate(mode: u32, low: u16) -> u32 {
    if mode & PREFIXED == 0 { low as i16 as u32 } else { mode << 16 | low as u32 }
}
