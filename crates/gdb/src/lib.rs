//! A server for the GNU debugger: registers, memory, breakpoints, watchpoints, steps, and `monitor`
//! commands for what only a simulator knows.
//!
//! Source: the GNU debugger's manual, appendix E, "GDB Remote Serial Protocol", as the crate `gdbstub`
//! speaks it.

mod command;
mod guest;
mod serve;
mod target;

pub use serve::{End, ServeError, serve};
