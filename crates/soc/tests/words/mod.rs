//! Random words that are most likely instructions.

use cocrypt_isa_riscv::table::TABLE;
use proptest::prelude::*;

/// An instruction of RISC-V with random operands.
pub fn riscv() -> impl Strategy<Value = u32> {
    (0..TABLE.len(), any::<u32>())
        .prop_map(|(row, random)| random & !TABLE[row].mask | TABLE[row].bits)
}

/// Two narrow instructions of Thumb.
pub fn thumb() -> impl Strategy<Value = u32> {
    let narrow = |unit: u16| u32::from(if unit >= 0xe800 { unit & 0x7fff } else { unit });
    (any::<u16>(), any::<u16>()).prop_map(move |(a, b)| narrow(a) | narrow(b) << 16)
}

/// An instruction of A32 without a condition.
pub fn a32() -> impl Strategy<Value = u32> {
    any::<u32>().prop_map(|word| word & 0x0fff_ffff | 0xe000_0000)
}
