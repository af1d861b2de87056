//! The calling convention.
//!
//! Source: GCC, "avr-gcc" in its wiki, "Calling Convention", and `config/avr/avr.c`.

use cocrypt_isa::{Caller, Convention};

/// That of avr-gcc: arguments go downward from r25, each to an even register, its lowest byte first; so does
/// a result, which ends at r25 unless it is larger. Return addresses are on the stack. r0 may hold anything,
/// r1 is 0.
pub const CONVENTION: Convention = Convention {
    arguments: &[24, 22, 20, 18, 16, 14, 12, 10, 8],
    results: &[24, 22, 20, 18],
    preserved: &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, STACK],
    word: 2,
    registers: 2,
    descends: true,
    paired: false,
    alignment: 1,
};

/// The stack pointer's place.
const STACK: u16 = 32;

/// `runtime/avr/caller.S`.
pub const CALLER: Caller = Caller { stacked: 5, frame: 10, kept: 2, around: 57 };
