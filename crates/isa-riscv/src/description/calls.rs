//! The calling convention, and the form of calls to the host.
//!
//! Sources: "RISC-V ELF psABI", 1.0, chapters 1 and 2; "RISC-V Semihosting", 1.0.

use cocrypt_ir::{Slot, StopKind};
use cocrypt_isa::{Caller, Convention, HostCall};

/// The integer calling convention, ILP32.
pub const CONVENTION: Convention = Convention {
    arguments: &[10, 11, 12, 13, 14, 15, 16, 17],
    results: &[10, 11],
    preserved: &[2, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27],
    word: 4,
    registers: 1,
    descends: false,
    paired: false,
    alignment: 16,
};

/// As in `runtime/riscv32/caller.S`.
pub const CALLER: Caller = Caller { stacked: 6, frame: 32, kept: 1, around: 27 };

/// `slli zero, zero, 0x1f` and `srai zero, zero, 7`, around `ebreak`.
const BEFORE: u32 = 0x01f0_1013;
const BREAK: u32 = 0x0010_0073;
const BEHIND: u32 = 0x4070_5013;

/// The call to the host that a breakpoint is among the two instructions that mark it as one.
pub fn host_call(stop: StopKind, memory: &dyn Fn(u32) -> Option<u32>, pc: u32) -> Option<HostCall> {
    let around = [pc.wrapping_sub(4), pc, pc.wrapping_add(4)];
    let is_call =
        stop == StopKind::Breakpoint && around.map(memory) == [BEFORE, BREAK, BEHIND].map(Some);
    let [number, argument] = [Slot(10), Slot(11)];
    is_call.then_some(HostCall { length: 4, number, argument, result: number })
}
