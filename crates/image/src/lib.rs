//! Images: what a program file puts into a device's memory, and what it calls the places there.
//!
//! Source: "Tool Interface Standard, Executable and Linking Format", version 1.2, book I. What is an
//! instruction set's own in a file, its value says; nothing here executes anything.

mod debug;
mod elf;
mod prototypes;
mod raw;
mod start;
mod symbols;

use cocrypt_diag::Diagnostic;

pub use debug::{Debug, Frame};
pub use elf::{Image, InstructionSets, Segment, read as read_elf, section};
pub use raw::{read_hex, read_raw};
pub use start::{Board, Start};
pub use symbols::{Symbol, SymbolKind, Symbols};

/// Reads a program file of whatever format it is in: ELF or Intel HEX by its first bytes, and anything
/// else as a raw binary if `load_address` says where its bytes go.
///
/// # Errors
/// A diagnostic that says what the file is instead, or where it is broken.
pub fn read(
    name: &str,
    bytes: &[u8],
    load_address: Option<u32>,
    known: InstructionSets<'_>,
) -> Result<Image, Diagnostic> {
    match (bytes, load_address) {
        (_, Some(address)) => Ok(read_raw(name, bytes, address)),
        ([b':', ..], None) => read_hex(name, bytes),
        _ => read_elf(name, bytes, known),
    }
}
