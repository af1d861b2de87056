//! Decode modes: user mode, in which some instructions are illegal, and the branch in whose delay slot an instruction is.

use cocrypt_ir::Transfer;

/// Privileged code.
pub const CODE: u32 = 0;
/// The bit of user mode.
pub const USER: u32 = 1;

const SLOT: u32 = 1;

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
        around & USER | (self as u32) << SLOT
    }

    /// The branch in whose delay slot an instruction of a mode is.
    pub const fn of(mode: u32) -> Option<Self> {
        match mode >> SLOT {
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
