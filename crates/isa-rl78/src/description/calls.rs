//! The calling convention.
//!
//! Source: GCC, `config/rl78/rl78.c` and `rl78.h`.

use cocrypt_isa::{Caller, Convention};

/// That of GCC: arguments are on the stack, a result is in the registers of bank 1, and those of bank 2 are
/// preserved. Return addresses are on the stack.
pub const CONVENTION: Convention = Convention {
    arguments: &[],
    results: &[8, 10, 12, 14],
    preserved: &[16, 17, 18, 19, 20, 21, 22, 23, STACK],
    word: 2,
    registers: 2,
    descends: false,
    paired: false,
    alignment: 2,
};

/// The stack pointer's index.
const STACK: u16 = 32;

/// `runtime/rl78/caller.S`.
pub const CALLER: Caller = Caller { stacked: 14, frame: 28, kept: 2, around: 50 };
