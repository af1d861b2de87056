//! SuperH: the integer instructions of SH-1 to SH-4, and the DSP of the SH3-DSP, with both orders of bytes; their exceptions;
//! the timing of the pipelines of SH-1 to SH-3.
//!
//! Sources: "SH-1/SH-2/SH-DSP Programming Manual"; "SH-3/SH-3E/SH3-DSP Programming Manual"; "SH-4 Software Manual". The
//! [`table`] is the one list of instructions; decoder, disassembler, lifting and timing classes all read it. The page
//! docs/sh.md states what is left out.

mod cause;
pub mod cells;
mod class;
mod decode;
mod description;
mod disasm;
mod dsp;
mod exceptions;
mod frames;
mod generation;
mod lift;
mod mode;
mod status;
pub mod table;
mod timing;

pub use class::CLASSES;
pub use decode::{Decoded, decode, decode_both};
pub use description::{SUPERH, SUPERH_LITTLE};
pub use disasm::disassemble;
pub use lift::SuperH;
pub use timing::{Timing, WrongRule};
