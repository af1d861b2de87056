//! The calling convention.
//!
//! Source: GCC, `config/sh/sh.h`.

use cocrypt_isa::{ByteOrder, Caller, Convention};

/// Arguments in R4 to R7, results in R0 and R1; R8 to R15 belong to the caller.
pub const fn convention(order: ByteOrder) -> Convention {
    Convention {
        arguments: &[4, 5, 6, 7],
        results: &[0, 1],
        preserved: &[8, 9, 10, 11, 12, 13, 14, 15],
        word: 4,
        registers: 1,
        // A value of two words has its higher one in R0 where memory has it first.
        descends: matches!(order, ByteOrder::Big),
        paired: false,
        alignment: 4,
    }
}

/// As in `runtime/superh/caller.S`.
pub const CALLER: Caller = Caller { stacked: 10, frame: 40, kept: 1, around: 35 };
