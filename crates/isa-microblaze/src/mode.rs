//! Decode modes: the part of an instruction's meaning that the instruction in front of it has.
//!
//! Bits 15 to 0 are the high half of an immediate, if bit 16 says that there is one (`imm`); bits 19 to 17 are the
//! kind of branch in whose delay slot the instruction is; bit 20 says that interrupts wait behind an atomic access to a
//! link.

use cocrypt_ir::Transfer;

/// Ordinary code.
pub const CODE: u32 = 0;

const PREFIXED: u32 = 1 << 16;
const SLOT: u32 = 17;
const SLOTS: u32 = 7;
/// Behind an atomic access to a link, where no interrupt comes.
pub const ATOMIC: u32 = 1 << 20;

/// A branch whose delay slot comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Slot {
    /// Of a branch.
    Jump = 1,
    /// Of a call.
    Call,
    /// Of a return from a function.
    Return,
    /// Of a return from a handler, behind which interrupts may come.
    Yield,
}

impl Slot {
    /// The mode of the instruction in it.
    pub const fn mode(self) -> u32 {
        (self as u32) << SLOT
    }

    /// The branch in whose delay slot an instruction of a mode is.
    pub const fn of(mode: u32) -> Option<Self> {
        match mode >> SLOT & SLOTS {
            1 => Some(Self::Jump),
            2 => Some(Self::Call),
            3 => Some(Self::Return),
            4 => Some(Self::Yield),
            _ => None,
        }
    }

    /// The meaning of the branch for calls.
    pub const fn transfer(self) -> Transfer {
        match self {
            Self::Jump => Transfer::Jump,
            Self::Call => Transfer::Call,
            Self::Return | Self::Yield => Transfer::Return,
        }
    }
}

/// The mode behind `imm` with such a half.
pub const fn prefixed(high: u16) -> u32 {
    PREFIXED | high as u32
}

/// The immediate of an instruction whose own half is `low`.
pub const fn immediate(mode: u32, low: u16) -> u32 {
    if mode & PREFIXED == 0 { low as i16 as u32 } else { mode << 16 | low as u32 }
}
