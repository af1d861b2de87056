//! What interrupts a program: exceptions of its own, and the lines of the machine.

use cocrypt_ir::{Slot, StopKind};

/// Why a core leaves a program for its handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// The instruction at which it happens asks for it, or is none.
    Instruction(StopKind),
    /// An access at an address that its width does not allow.
    Unaligned {
        /// The address.
        address: u32,
        /// Whether it is a store.
        writes: bool,
    },
    /// An access that the translation of addresses refuses.
    Refused {
        /// The address.
        address: u32,
        /// What it was made for.
        purpose: crate::Purpose,
        /// Why, as the core's fault status has it.
        status: u32,
    },
    /// A jump to an address that no instruction can start at.
    UnalignedJump,
    /// An interrupt.
    Interrupt {
        /// Its number.
        number: u8,
        /// Whether the instruction before it came back from a handler.
        returning: bool,
        /// Whether the core remembers a 16-bit instruction before it.
        short: bool,
    },
}

/// Interrupt lines that are up, as bits by their numbers.
pub type Lines = u32;

/// The cells of a core that keeps what asked for an interrupt until it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The lines that were up since they were last taken.
    pub pending: Slot,
    /// Whether the next instruction is launched whatever is pending.
    pub shield: Slot,
    /// The cycle in front of which the core's own timer raises line 0; 0 if it does not.
    pub alarm: Slot,
}
