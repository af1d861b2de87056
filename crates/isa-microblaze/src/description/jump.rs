//! The jump that replaces a function.
//!
//! Source: UG984, chapter 5, `imm` and `bri`.

use cocrypt_isa::{ByteOrder, CodePointer, Jump};

use super::{MICROBLAZE, of};

/// `imm` and `brai`, which lead anywhere and change no register.
pub fn jump(variant: &str, _from: CodePointer, to: CodePointer, _memory: u64) -> Jump {
    let is_big = MICROBLAZE.variants.contains(&variant);
    let order = of(if is_big { ByteOrder::Big } else { ByteOrder::Little }).elf.order;
    let words = [0xb000_0000 | to.address >> 16, 0xb808_0000 | to.address & 0xffff];
    let code = words.map(|word| order.bytes(word.into(), 4)).concat();
    Jump { reach: 1 << 32, code }
}
