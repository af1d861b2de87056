//! The calling convention.
//!
//! Source: SDCC's manual, "Parameter passing": DPL, DPH, B and A hold the first argument and the result.

use cocrypt_isa::{Caller, Convention};

use crate::cells::{DPTR, SP};

/// That of SDCC, as far as 16 bits go; other arguments are static objects, or on the stack.
pub const CONVENTION: Convention = Convention {
    arguments: &[DPTR.0],
    results: &[DPTR.0],
    preserved: &[SP.0],
    word: 2,
    registers: 1,
    descends: false,
    paired: false,
    alignment: 1,
};

/// Functions are not called one by one: the runtime has no caller for SDCC's programs.
pub const CALLER: Caller = Caller { stacked: 0, frame: 0, kept: 1, around: 0 };
