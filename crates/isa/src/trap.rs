//! The kinds of traps: exceptions of its own, and the lines of the machine.

use cocrypt_ir::StopKind;

/// The reason for which a core leaves a program for its handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// The instruction at which it happens asks for it, or is none.
    Instruction(StopKind),
    /// An access at an address that its width does not allow.
    Unaligned {
        /// The address.
        address: u32,
        /// True if it is a store.
        writes: bool,
    },
    /// An access that the translation of addresses refuses.
    Refused {
        /// The address.
        address: u32,
        /// Its purpose.
        purpose: crate::Purpose,
        /// The core's fault status.
        status: u32,
    },
    /// A jump to an address that no instruction can start at.
    UnalignedJump,
    /// An interrupt.
    Interrupt {
        /// Its number.
        number: u8,
        /// The timing model's note for the front end; a number between the two of one core.
        note: u32,
    },
}

/// Interrupt lines that are up, as bits by their numbers.
pub type Lines = u32;
