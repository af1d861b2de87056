//! The instructions that are calls to the host, and what the calls are named.

use cocrypt_ir::StopKind;

/// `slli zero, zero, 0x1f` and `srai zero, zero, 7`, around `ebreak`.
const BEFORE: u32 = 0x01f0_1013;
const BREAK: u32 = 0x0010_0073;
const BEHIND: u32 = 0x4070_5013;

/// `bkpt 0xab` of the M profile; of the others `svc 0xab` in Thumb and `svc 0x123456` in A32, under any
/// condition.
const THUMB_BREAK: u32 = 0xbeab;
const THUMB_CALL: u32 = 0xdfab;
const ARM_CALL: u32 = 0x0f12_3456;

/// Whether the instruction at `pc`, which stopped the machine for this, is a call to the host; `thumb` says
/// how it was read.
pub fn is_call(
    word: impl Fn(u32) -> Option<u32>,
    pc: u32,
    kind: StopKind,
    is_m: bool,
    thumb: bool,
) -> bool {
    let around = [pc.wrapping_sub(4), pc, pc.wrapping_add(4)];
    let half = half(&word, pc);
    match kind {
        StopKind::Breakpoint if is_m => half == Some(THUMB_BREAK),
        StopKind::Breakpoint => around.map(word) == [BEFORE, BREAK, BEHIND].map(Some),
        StopKind::EnvironmentCall if thumb && !is_m => half == Some(THUMB_CALL),
        StopKind::EnvironmentCall if !is_m => {
            word(pc).is_some_and(|it| it & 0x0fff_ffff == ARM_CALL)
        }
        _ => false,
    }
}

/// What the 16-bit unit at an address is, be there two or four bytes.
fn half(word: &impl Fn(u32) -> Option<u32>, at: u32) -> Option<u32> {
    let aligned = word(at & !3)?;
    Some(aligned >> (8 * (at & 2)) & 0xffff)
}

/// Bytes of a call to the host.
pub const fn length(thumb: bool) -> u64 {
    if thumb { 2 } else { 4 }
}

/// What the specification calls a call, by its number.
#[must_use]
pub fn name(number: u32) -> Option<&'static str> {
    Some(match number {
        0x01 => "SYS_OPEN",
        0x02 => "SYS_CLOSE",
        0x03 => "SYS_WRITEC",
        0x04 => "SYS_WRITE0",
        0x05 => "SYS_WRITE",
        0x06 => "SYS_READ",
        0x07 => "SYS_READC",
        0x08 => "SYS_ISERROR",
        0x09 => "SYS_ISTTY",
        0x0a => "SYS_SEEK",
        0x0c => "SYS_FLEN",
        0x0d => "SYS_TMPNAM",
        0x0e => "SYS_REMOVE",
        0x0f => "SYS_RENAME",
        0x10 => "SYS_CLOCK",
        0x11 => "SYS_TIME",
        0x12 => "SYS_SYSTEM",
        0x13 => "SYS_ERRNO",
        0x15 => "SYS_GET_CMDLINE",
        0x16 => "SYS_HEAPINFO",
        0x18 => "SYS_EXIT",
        0x20 => "SYS_EXIT_EXTENDED",
        0x30 => "SYS_ELAPSED",
        0x31 => "SYS_TICKFREQ",
        _ => return None,
    })
}
