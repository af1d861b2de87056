//! Simulation of many runs at once: each bit of a word is a lane with stimuli of its own.
//!
//! Each cycle all nets settle. Without delays what has changed since the previous cycle has toggled; with delays each
//! change on the way has, glitches included.

mod adder;
mod builder;
mod columns;
mod cover;
mod delays;
mod energy_code;
mod kernel;
mod lookup;
mod op;
mod ports;
mod program;
mod random;
mod registers;
mod run;
mod waves;

pub use cocrypt_simd::Instructions;
pub use columns::{Energy, UNIT, WORTHWHILE};
pub use delays::Delays;
pub use kernel::{LANES, Word};
pub use program::Program;
pub use random::{Spread, random_spread};
pub use run::Simulator;
