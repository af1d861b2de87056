//! The processor modes of the A profile, as the mode bits of the CPSR number them (DDI 0100I, A2.2).

/// Programs without privilege.
pub const USER: u8 = 0x10;
/// The fast interrupt.
pub const FAST: u8 = 0x11;
/// The interrupt.
pub const INTERRUPT: u8 = 0x12;
/// The vectors of reset and of a supervisor call.
pub const SUPERVISOR: u8 = 0x13;
/// A refused access.
pub const ABORT: u8 = 0x17;
/// An undefined instruction.
pub const UNDEFINED: u8 = 0x1b;
/// Privileged, with the registers of user mode.
pub const SYSTEM: u8 = 0x1f;
