//! The calling convention, and the form of calls to the host.
//!
//! Sources: "Procedure Call Standard for the Arm Architecture" (IHI 0042), 6.1.1, 6.2.1 and 6.5; Arm,
//! "Semihosting for `AArch32` and `AArch64`", 2022Q4, 3.

use cocrypt_ir::StopKind;
use cocrypt_isa::{Caller, Convention, HostCall};

use crate::architecture::Version;
use crate::cells;

/// The base standard, without floating-point registers.
pub const CONVENTION: Convention = Convention {
    arguments: &[0, 1, 2, 3],
    results: &[0, 1],
    preserved: &[4, 5, 6, 7, 8, 9, 10, 11, 13],
    word: 4,
    registers: 1,
    descends: false,
    paired: true,
    alignment: 8,
};

/// As in `runtime/arm/caller.S`.
pub const CALLER: Caller = Caller { stacked: 10, frame: 40, kept: 1, around: 33 };

/// `bkpt 0xab` of the M profile; of the others `svc 0xab` in Thumb and `svc 0x123456` in A32, under any
/// condition.
const THUMB_BREAK: u32 = 0xbeab;
const THUMB_CALL: u32 = 0xdfab;
const CALL: u32 = 0x0f12_3456;

/// The call to the host that the instruction is which stopped the machine.
pub fn host_call(
    version: Version,
    stop: StopKind,
    memory: &dyn Fn(u32) -> Option<u32>,
    pc: u32,
    thumb: bool,
) -> Option<HostCall> {
    let is_call = match stop {
        StopKind::Breakpoint if version.is_m() => half(memory, pc) == Some(THUMB_BREAK),
        // In the M profile these are the operating system's.
        StopKind::EnvironmentCall if version.is_m() => false,
        StopKind::EnvironmentCall if thumb => half(memory, pc) == Some(THUMB_CALL),
        StopKind::EnvironmentCall => memory(pc).is_some_and(|word| word & 0x0fff_ffff == CALL),
        _ => false,
    };
    let (length, number) = (if thumb { 2 } else { 4 }, cells::R0);
    is_call.then_some(HostCall { length, number, argument: cells::R1, result: number })
}

/// The instruction of the 16-bit unit at an address, be there two or four bytes.
fn half(memory: &dyn Fn(u32) -> Option<u32>, at: u32) -> Option<u32> {
    let aligned = memory(at & !3)?;
    Some(aligned >> (8 * (at & 2)) & 0xffff)
}
