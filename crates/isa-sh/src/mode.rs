//! Decode modes: user mode, in which some instructions are illegal; the branch in whose delay slot an instruction is; that the
//! instructions of the DSP are legal; that a repeat loop is counted.

use cocrypt_isa::DelaySlot;

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

/// The mode of an instruction in a delay slot, whose branch is in mode `around`.
pub const fn in_slot(slot: DelaySlot, around: u32) -> u32 {
    around & KEPT | slot.bits(SLOT)
}

/// The branch in whose delay slot an instruction of a mode is.
pub const fn slot(mode: u32) -> Option<DelaySlot> {
    DelaySlot::of(mode, SLOT)
}

/// The mode of code by the bits of the status register, those of mode and bank included.
pub const fn of_status(status: u32) -> u32 {
    let user = if status & status::PRIVILEGED == 0 { USER } else { CODE };
    let dsp = if status & status::HAS_DSP == 0 { 0 } else { DSP };
    let repeat = if status & status::REPEAT_MASK == 0 { 0 } else { REPEAT };
    user | dsp | repeat
}
