//! Follows secrets through a program: which bits of registers and memory depend on them, and which
//! instructions take time, an address or a way that does.
//!
//! Values are computed as the reference evaluator has it, and beside each stands a mask of its secret
//! bits ([`shadow`]). Nothing is known here of instruction sets, cores and devices but what their
//! front end and timing model say.

mod cached;
pub mod cells;
pub mod choice;
mod follow;
mod memory;
pub mod prepared;
pub mod shadow;

pub use follow::{Entry, Finding, Follow, Halt, Leak, Outside, Program, Report};
pub use memory::Memory;
