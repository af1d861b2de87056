//! The jumps that replace functions.
//!
//! Source: DS40002198, sections 6.62 and 6.90.

use cocrypt_isa::{Jump, Place};

use crate::Variant;

/// `jmp`, or `rjmp` where cores lack it.
pub fn jump(variant: &str, from: Place, to: Place) -> Jump {
    match Variant::named(variant) {
        Some(Variant::Avre | Variant::Avrrc) => relative(from, to),
        _ => absolute(to),
    }
}

/// `rjmp`, which counts from the next word on.
fn relative(from: Place, to: Place) -> Jump {
    let words = to.address.wrapping_sub(from.address).wrapping_sub(2) / 2;
    let word = 0xc000 | words as u16 & 0xfff;
    Jump { reach: 1 << 12, code: word.to_le_bytes().to_vec() }
}

/// `jmp`: bits 21 to 17 of the word's address, then bit 16, then the others.
fn absolute(to: Place) -> Jump {
    let words = to.address / 2;
    let first = 0x940c | words >> 13 & 0x1f0 | words >> 16 & 1;
    let code = [first as u16, words as u16].map(u16::to_le_bytes).concat();
    Jump { reach: 1 << 23, code }
}
