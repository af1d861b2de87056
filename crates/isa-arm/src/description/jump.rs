//! The jumps that replace functions.
//!
//! Sources: "ARM Architecture Reference Manual" (DDI 0100), A4.1.5 and A7.1, and "ARMv7-M" (DDI 0403),
//! A7.7.12; "Procedure Call Standard for the Arm Architecture" (IHI 0042), 6.3.1.1, for `ip`, which any call
//! may change.

use cocrypt_isa::{CodePointer, Jump};

use crate::architecture::Version;

const ANYWHERE: u64 = 1 << 32;

/// The jump from a function to another, which either may be of Thumb code.
pub fn jump(variant: &str, from: CodePointer, to: CodePointer, _memory: u64) -> Jump {
    let is_wide = Version::named(variant).is_some_and(Version::has_thumb2);
    match (from.mode != 0, to.mode != 0) {
        (true, _) if is_wide => Jump { reach: 1 << 24, code: wide_branch(from, to) },
        (true, _) => Jump { reach: ANYWHERE, code: by_register(from, to) },
        (false, true) => Jump { reach: ANYWHERE, code: to_thumb(to) },
        (false, false) => Jump { reach: 1 << 25, code: branch(from, to) },
    }
}

/// `b` of A32, which counts from two instructions further on.
fn branch(from: CodePointer, to: CodePointer) -> Vec<u8> {
    let distance = to.address.wrapping_sub(from.address).wrapping_sub(8);
    (0xea00_0000 | distance >> 2 & 0x00ff_ffff).to_le_bytes().to_vec()
}

/// From A32 to Thumb: `ldr ip, [pc]`, `bx ip` and the address.
fn to_thumb(to: CodePointer) -> Vec<u8> {
    [0xe59f_c000, 0xe12f_ff1c, to.address | to.mode].map(u32::to_le_bytes).concat()
}

/// `b.w` of Thumb-2, which counts from two short instructions further on.
fn wide_branch(from: CodePointer, to: CodePointer) -> Vec<u8> {
    let offset = to.address.wrapping_sub(from.address).wrapping_sub(4);
    let sign = offset >> 24 & 1;
    // Two bits are the offset's own where it is negative, and turned over elsewhere.
    let [high, low] = [23, 22].map(|bit| offset >> bit & 1 ^ sign ^ 1);
    let first = 0xf000 | sign << 10 | offset >> 12 & 0x3ff;
    let second = 0x9000 | high << 13 | low << 11 | offset >> 1 & 0x7ff;
    [first as u16, second as u16].map(u16::to_le_bytes).concat()
}

/// From Thumb without wide branches, by way of `ip`: these can only load the first registers.
///
/// `push {r0}`, `ldr r0, =place`, `mov ip, r0`, `pop {r0}`, `bx ip`, and the aligned address.
fn by_register(from: CodePointer, to: CodePointer) -> Vec<u8> {
    let is_odd = !from.address.is_multiple_of(4);
    let load = 0x4800 | if is_odd { 1 } else { 2 };
    let mut code = vec![0xb401, load, 0x4684, 0xbc01, 0x4760];
    // The address stands at a multiple of 4, behind a `nop` where that is needed.
    code.extend((!is_odd).then_some(0x46c0));
    let mut code = code.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    code.extend((to.address | to.mode).to_le_bytes());
    code
}
