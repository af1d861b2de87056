//! MCS-51 of 8 bits: the classic 8051 and 8052, and cores with fewer clocks for each instruction.
//!
//! Source: Intel, "MCS 51 Microcontroller Family User's Manual" (272383-002, 1994), chapter 2, whose headings
//! are named. The [`table`] is the one list of instructions; decoder, disassembler, lifting and timing classes
//! all read it.
//!
//! The machine has one space of addresses, in which the spaces of the MCS-51 follow one another: code from 0
//! on, external data at [`EXTERNAL`], internal data at [`INTERNAL`], special function registers at [`SPECIAL`]. A port
//! has its pins at its own address, and its latch [`LATCH`] further on.

pub mod cells;
pub mod class;
mod decode;
mod description;
mod disasm;
mod lift;
mod mapped;
pub mod table;
mod timers;
mod timing;

pub use decode::{Decoded, Read, decode};
pub use description::MCS_51;
pub use disasm::disassemble;
pub use lift::Mcs51;
pub use timing::{Timing, UnknownRule};

/// The beginning of external data, which `movx` reaches.
pub const EXTERNAL: u32 = 0x1_0000;
/// The beginning of internal data, as indirect addresses and the stack reach it.
pub const INTERNAL: u32 = 0x2_0000;
/// The address that direct addresses are added to: special function registers are those from 0x80 on.
pub const SPECIAL: u32 = 0x3_0000;
/// The distance from the address of a port's pins to that of its latch, which instructions read that change it.
pub const LATCH: u32 = 0x100;
/// Bits of addresses of code.
pub const ADDRESSES: u64 = 0xffff;
