//! Semihosting: what a program asks of its host by a breakpoint or system call that is marked as such.
//!
//! Source: "RISC-V Semihosting", 1.0, and the instructions and calls of Arm's "Semihosting for `AArch32` and
//! `AArch64`", 2022Q4, that need no files. A call takes no cycles beyond the breakpoint's.

use cocrypt_engine::Ram;
use cocrypt_ir::{StopKind, Width};

use crate::bus::SystemBus;

/// `slli zero, zero, 0x1f` and `srai zero, zero, 7`, around `ebreak`.
const BEFORE: u32 = 0x01f0_1013;
const BREAK: u32 = 0x0010_0073;
const BEHIND: u32 = 0x4070_5013;

/// What `SYS_EXIT` names as a normal end.
const APPLICATION_EXIT: u32 = 0x2_0026;
/// File handle of `:tt`, the console.
const CONSOLE: u32 = 1;
/// How long a string is that the program gives, at most.
const LONGEST: u32 = 1 << 20;

/// How a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The program goes on, with this as the result.
    Return(u32),
    /// The program ends with this code.
    Exit(u32),
    /// Nobody knows such a call.
    Unknown,
}

/// `bkpt 0xab` and `svc 0xab` of Thumb, `svc 0x123456` of A32 under any condition.
const THUMB_BREAK: u64 = 0xbeab;
const THUMB_CALL: u64 = 0xdfab;
const ARM_CALL: u32 = 0x0f12_3456;

/// Whether the instruction at `pc`, which stopped the machine for this, is a call to the host.
pub fn is_call(ram: &Ram, pc: u32, kind: StopKind) -> bool {
    let word = |at: u32| read(ram, at);
    let half = ram.read(pc, Width::W16);
    let around = [pc.wrapping_sub(4), pc, pc.wrapping_add(4)];
    match kind {
        StopKind::Breakpoint => {
            half == Some(THUMB_BREAK) || around.map(word) == [BEFORE, BREAK, BEHIND].map(Some)
        }
        StopKind::EnvironmentCall => {
            half == Some(THUMB_CALL) || word(pc).is_some_and(|it| it & 0x0fff_ffff == ARM_CALL)
        }
        _ => false,
    }
}

/// Bytes of the call to the host at `pc`.
pub fn length(ram: &Ram, pc: u32) -> u64 {
    match ram.read(pc, Width::W16) {
        Some(THUMB_BREAK | THUMB_CALL) => 2,
        _ => 4,
    }
}

/// Answers the call `number` with its argument.
pub fn answer(
    ram: &mut Ram,
    bus: &mut SystemBus,
    number: u32,
    argument: u32,
    cycle: u64,
) -> Answer {
    let field = |ram: &Ram, index: u32| read(ram, argument.wrapping_add(4 * index));
    match number {
        // SYS_OPEN: the console is the only file.
        0x01 => Answer::Return(open(ram, argument).unwrap_or(u32::MAX)),
        // SYS_CLOSE, SYS_ISERROR, SYS_ERRNO.
        0x02 | 0x08 | 0x13 => Answer::Return(0),
        // SYS_WRITEC.
        0x03 => {
            let byte = ram.get(argument, 1).map_or(0, |bytes| bytes[0]);
            bus.console.write(0, byte.into());
            Answer::Return(argument)
        }
        // SYS_WRITE0.
        0x04 => {
            say(bus, &text(ram, argument));
            Answer::Return(argument)
        }
        // SYS_WRITE: what it could not write.
        0x05 => match (field(ram, 1), field(ram, 2)) {
            (Some(from), Some(size)) => Answer::Return(write(ram, bus, from, size)),
            _ => Answer::Return(u32::MAX),
        },
        // SYS_READ: what it could not read.
        0x06 => match (field(ram, 1), field(ram, 2)) {
            (Some(to), Some(size)) => Answer::Return(read_in(ram, bus, to, size)),
            _ => Answer::Return(u32::MAX),
        },
        // SYS_READC.
        0x07 => Answer::Return(bus.console.take().map_or(u32::MAX, u32::from)),
        // SYS_ISTTY.
        0x09 => Answer::Return(1),
        // SYS_ELAPSED, in cycles.
        0x30 => {
            let is_written = ram.write(argument, Width::W64, cycle);
            Answer::Return(if is_written { 0 } else { u32::MAX })
        }
        // SYS_EXIT: its argument is the reason itself.
        0x18 => Answer::Exit(u32::from(argument != APPLICATION_EXIT)),
        // SYS_EXIT_EXTENDED: reason and code.
        0x20 => match (field(ram, 0), field(ram, 1)) {
            (Some(APPLICATION_EXIT), Some(code)) => Answer::Exit(code),
            _ => Answer::Exit(1),
        },
        _ => Answer::Unknown,
    }
}

fn read(ram: &Ram, at: u32) -> Option<u32> {
    ram.read(at, Width::W32).map(|value| value as u32)
}

fn text(ram: &Ram, from: u32) -> Vec<u8> {
    let byte = |at: u32| ram.get(from.wrapping_add(at), 1).map(|bytes| bytes[0]);
    (0..LONGEST).map_while(byte).take_while(|&byte| byte != 0).collect()
}

fn open(ram: &Ram, argument: u32) -> Option<u32> {
    let name = read(ram, argument)?;
    (text(ram, name) == b":tt").then_some(CONSOLE)
}

fn write(ram: &Ram, bus: &mut SystemBus, from: u32, size: u32) -> u32 {
    // Addresses that follow one another may lead to different places.
    let byte = |at: u32| ram.get(from.wrapping_add(at), 1).map(|bytes| bytes[0]);
    let Some(bytes) = (0..size).map(byte).collect::<Option<Vec<u8>>>() else { return size };
    say(bus, &bytes);
    0
}

fn say(bus: &mut SystemBus, bytes: &[u8]) {
    for &byte in bytes {
        bus.console.write(0, byte.into());
    }
}

fn read_in(ram: &mut Ram, bus: &mut SystemBus, to: u32, size: u32) -> u32 {
    let mut left = size;
    while left != 0 {
        let Some(byte) = bus.console.take() else { break };
        ram.write(to.wrapping_add(size - left), Width::W8, byte.into());
        left -= 1;
    }
    left
}
