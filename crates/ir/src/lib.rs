//! The lifted form: three-address micro-operations over slots.
//!
//! A front end turns guest instructions into [`Block`]s of [`Op`]s; interpreter and compiled back
//! ends consume those and nothing else. No instruction set is named here. `docs/adr/0001` shows how
//! the form carries instruction sets that are less polite than the first one.

mod aes;
mod block;
mod builder;
mod cells;
mod eval;
mod liveness;
mod op;
mod simplify;
#[cfg(feature = "strategies")]
pub mod strategies;
mod text;
mod verify;

pub use aes::{ORIGINALS, SUBSTITUTES};
pub use block::{Block, Exit, Insn, StopKind, Transfer};
pub use builder::Builder;
pub use cells::CellSet;
pub use eval::{Effect, Environment, Fault, Outcome, binary, condition, evaluate, unary};
pub use liveness::{Exact, lasting};
pub use op::{Binary, Condition, Counter, Op, Slot, Unary, Value, Width};
pub use simplify::simplify;
pub use text::print;
pub use verify::{Invalid, verify};
