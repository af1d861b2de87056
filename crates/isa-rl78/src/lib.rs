//! RL78: the cores S1, S2 and S3.
//!
//! Source: "RL78 family user's manual: software" (R01US0015), of which sections are named by their numbers. The
//! [`table`] is the one list of instructions; decoder, disassembler, lifting and timing classes all read it.
//!
//! Addresses have 20 bits. Those of 16 bits in instructions are in the last 64 KiB, unless the prefix `es:`
//! selects another part.

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

pub use decode::{Decoded, Read, decode};
pub use description::RL78;
pub use disasm::disassemble;
pub use features::Variant;
pub use lift::Rl78;
pub use timing::{Timing, UnknownRule};

/// The beginning of the last 64 KiB, which addresses of 16 bits name.
pub const DATA: u32 = 0xf_0000;
/// Bits of an address.
pub const ADDRESSES: u64 = 0xf_ffff;
