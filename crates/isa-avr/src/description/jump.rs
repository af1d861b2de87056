//! The jumps that replace functions.
//!
//! Source: DS40002198, sections 6.62 and 6.90.

use cocrypt_isa::{CodePointer, Jump};

use crate::features::{Features, Variant};

/// `jmp`, or `rjmp` where cores lack it: those with so little flash memory that `rjmp` reaches all of it.
pub fn jump(variant: &str, from: CodePointer, to: CodePointer, memory: u64) -> Jump {
    let words = u32::try_from(memory / 2).unwrap_or(u32::MAX);
    let is_far = |variant| Features::new(variant, words).jumps_far();
    if Variant::named(variant).is_none_or(is_far) { absolute(to) } else { relative(from, to) }
}

/// `rjmp`, which counts from the next word on, and where flash memory has 4096 words from its end on too.
fn relative(from: CodePointer, to: CodePointer) -> Jump {
    let words = to.address.wrapping_sub(from.address).wrapping_sub(2) / 2;
    let word = 0xc000 | words as u16 & 0xfff;
    Jump { reach: 1 << 13, code: word.to_le_bytes().to_vec() }
}

/// `jmp`: bits 21 to 17 of the word's address, then bit 16, then the others.
fn absolute(to: CodePointer) -> Jump {
    let words = to.address / 2;
    let first = 0x940c | words >> 13 & 0x1f0 | words >> 16 & 1;
    let code = [first as u16, words as u16].map(u16::to_le_bytes).concat();
    Jump { reach: 1 << 23, code }
}
