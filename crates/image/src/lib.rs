//! Images: what an ELF file puts into a device's memory, and what it calls the places there.
//!
//! Source: "Tool Interface Standard, Executable and Linking Format", version 1.2, book I; "RISC-V ELF
//! psABI", 1.0. Nothing here executes anything.

mod elf;
mod symbols;

pub use elf::{Image, Segment, read};
pub use symbols::{Symbol, SymbolKind, Symbols};
