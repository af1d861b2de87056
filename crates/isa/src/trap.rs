//! What interrupts a program: exceptions of its own, and the lines of the machine.

use cocrypt_ir::StopKind;

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
    /// An interrupt.
    Interrupt {
        /// Its number.
        number: u8,
        /// Whether the instruction before it came back from a handler.
        returning: bool,
    },
}

/// Interrupt lines that are up, as bits by their numbers.
pub type Lines = u32;
