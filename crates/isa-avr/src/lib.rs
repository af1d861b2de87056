//! AVR of 8 bits: the cores `AVRe`, `AVRe+`, `AVRxm`, `AVRxt` and `AVRrc`.
//!
//! Source: "AVR Instruction Set Manual" (DS40002198), of which sections are named by their numbers. The
//! [`table`] is the one list of instructions; decoder, disassembler, lifting and timing classes all read it.
//!
//! Addresses of code are those of its bytes, twice what the program counter holds; the data space begins at
//! [`DATA`], as in the files that avr-gcc makes.

pub mod cells;
pub mod class;
mod decode;
mod description;
mod disasm;
mod features;
mod lift;
mod mapped;
pub mod table;
mod timing;

pub use decode::{Decoded, decode};
pub use description::AVR;
pub use disasm::disassemble;
pub use features::{Features, Variant};
pub use lift::Avr;
pub use timing::{Timing, UnknownRule};

/// The beginning of the data space in the machine's address space.
pub const DATA: u32 = 0x80_0000;
