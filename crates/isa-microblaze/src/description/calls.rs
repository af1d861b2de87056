//! The calling convention.
//!
//! Source: UG984, chapter 4, "MicroBlaze Application Binary Interface".

use cocrypt_isa::{ByteOrder, Caller, Convention};

/// Arguments in r5 to r10, results in r3 and r4; r13 and r14 belong to nobody, r19 to r31 and the stack pointer to
/// the caller.
pub const fn convention(order: ByteOrder) -> Convention {
    Convention {
        arguments: &[5, 6, 7, 8, 9, 10],
        results: &[3, 4],
        preserved: &[1, 2, 13, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31],
        word: 4,
        registers: 1,
        // A value of two words has its higher one in r3 where memory has it first.
        descends: matches!(order, ByteOrder::Big),
        paired: false,
        alignment: 4,
    }
}

/// `runtime/microblaze/caller.S`.
pub const CALLER: Caller = Caller { stacked: 6, frame: 52, kept: 1, around: 26 };
