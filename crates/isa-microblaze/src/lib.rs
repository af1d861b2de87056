//! MicroBlaze: the integer instructions, with both orders of bytes; exceptions and interrupts; the timing of its
//! pipelines of three and of five stages.
//!
//! Source: "MicroBlaze Processor Reference Guide", UG081 and UG984, chapters 2 and 5. The [`table`] is the one
//! list of instructions; decoder, disassembler, lifting and timing classes all read it. The page docs/microblaze.md
//! states what is left out.

pub mod cells;
mod class;
mod decode;
mod description;
mod disasm;
mod exceptions;
mod lift;
mod mode;
mod stream;
pub mod table;
mod timing;

pub use class::CLASSES;
pub use decode::{Decoded, decode};
pub use description::{MICROBLAZE, MICROBLAZE_LITTLE};
pub use disasm::disassemble;
pub use lift::MicroBlaze;
pub use timing::{Timing, UnknownRule};
