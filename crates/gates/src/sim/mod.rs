//! Simulation of many runs at once: each bit of a word is a lane with stimuli of its own.
//!
//! Gates have no delay. Each cycle all nets settle, and what has changed since the previous cycle has toggled.

mod columns;
mod kernel;
mod op;
mod program;
mod random;
mod registers;
mod run;

pub use columns::{Energy, UNIT};
pub use kernel::{Instructions, LANES, Word};
pub use program::Program;
pub use random::{Spread, random_spread};
pub use run::Simulator;
