//! Decode modes: user mode, in which some instructions are illegal; the branch in whose delay slot an instruction is; that the
//! instructions of the DSP are legal; that a repeat loop is counted.

use cocrypt_ir::Transfer;

use crate::status;

/// Privileged code.
pub const CODE: u32 = 0;
/// The bit of user mode.
pub const USER: u32 = 1;

/// The bit of the DSP: its instructions are legal.
pub const DSP: u32 = 1 << 4;
/// The bit of a repeat loop: it may end at any instruction.
pub const REPEAT: u32 = 1 << 5;
/// The bits that stay behind a delay slot.
pub const KEPT: u32 = USER | DSP | REPEAT;

const SLOT: u32 = 1;
/// The bits of a slot.
const SLOTS: u32 = 7 << SLOT;

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
    pub const fn mode(self, around: u32) -> u32 {
        around & KEPT | (self as u32) << SLOT
    }

    /// The branch in whose delay slot an instruction of a mode is.
    pub const fn of(mode: u32) -> Option<Self> {
        match (mode & SLOTS) >> SLOT {
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

/// The mode of code by the bits of the status register, those of mode and bank included.
pub const fn of_status(status: u32) -> u32 {
    let user = if status & status::PRIVILEGED == 0 { USER } else { CODE };
    let dsp = if status & status::HAS_DSP == 0 { 0 } else { DSP };
    let repeat = if status & status::REPEAT_MASK == 0 { 0 } else { REPEAT };
    user | dsp | repeat
}
