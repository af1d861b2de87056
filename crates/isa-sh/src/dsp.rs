//! The DSP of an SH3-DSP: its registers, moves of data, and operations.
//!
//! Source: "SH-3/SH-3E/SH3-DSP Programming Manual" and "SH-1/SH-2/SH-DSP Programming Manual", sections on DSP instructions, as
//! remembered; encodings as the GNU tools print them (`tests/python/test_sh_dsp.py`).

mod moves;
mod operation;
mod registers;

pub use moves::{Move, Pointer, Step, parallel_moves, single};
pub use operation::{Condition, Kind, Operation, operation};
pub use registers::Register;
