//! The jump that replaces a function.
//!
//! Source: the RISC-V unprivileged manual, section 2.5.1.

use cocrypt_isa::{CodePointer, Jump};

/// `jal x0`.
pub fn jump(_variant: &str, from: CodePointer, to: CodePointer, _memory: u64) -> Jump {
    let distance = to.address.wrapping_sub(from.address);
    let bits = |from: u32, count: u32| distance >> from & ((1 << count) - 1);
    let word = 0x6f | bits(20, 1) << 31 | bits(1, 10) << 21 | bits(11, 1) << 20 | bits(12, 8) << 12;
    Jump { reach: 1 << 20, code: word.to_le_bytes().to_vec() }
}
