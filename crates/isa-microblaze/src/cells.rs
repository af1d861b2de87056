//! The cells of the guest state.
//!
//! Each register has the cell of its number; that of r0 stays 0. The carry has a cell of its own, so that it is
//! computed only where somebody reads it.

use cocrypt_ir::{Slot, Value};

/// The number of registers, which are the first cells.
pub const REGISTERS: usize = 32;

/// The names of all cells, in order.
pub const STATE: &[&str] = &[
    "r0",
    "r1",
    "r2",
    "r3",
    "r4",
    "r5",
    "r6",
    "r7",
    "r8",
    "r9",
    "r10",
    "r11",
    "r12",
    "r13",
    "r14",
    "r15",
    "r16",
    "r17",
    "r18",
    "r19",
    "r20",
    "r21",
    "r22",
    "r23",
    "r24",
    "r25",
    "r26",
    "r27",
    "r28",
    "r29",
    "r30",
    "r31",
    "msr",
    "carry",
    "ear",
    "esr",
    "btr",
    "reservation",
    "target",
];
/// The number of them.
pub const COUNT: u16 = STATE.len() as u16;

/// The machine status register, without the carry.
pub const MSR: Slot = Slot(32);
/// The carry: 0 or 1.
pub const CARRY: Slot = Slot(33);
/// The address of the access that led to an exception.
pub const EAR: Slot = Slot(34);
/// The cause of an exception.
pub const ESR: Slot = Slot(35);
/// The target of the branch in whose delay slot an exception happened.
pub const BTR: Slot = Slot(36);
/// 1 between `lwx` and `swx`.
pub const RESERVATION: Slot = Slot(37);
/// The address that the branch leads to whose delay slot is executed next.
pub const TARGET: Slot = Slot(38);

/// Bits of the machine status register (UG984, chapter 2, table "Machine Status Register").
pub mod msr {
    /// Interrupts are enabled.
    pub const IE: u32 = 1 << 1;
    /// The carry, which bit 31 repeats.
    pub const C: u32 = 1 << 2;
    /// A break is handled.
    pub const BIP: u32 = 1 << 3;
    /// A word of a link had another control bit than the instruction expected.
    pub const FSL: u32 = 1 << 4;
    /// A division by zero, or one whose quotient is too large, was made.
    pub const DZO: u32 = 1 << 6;
    /// Exceptions are enabled.
    pub const EE: u32 = 1 << 8;
    /// An exception is handled.
    pub const EIP: u32 = 1 << 9;
    /// The bits that programs write: these, and those that switch caches on (5, 7).
    pub const WRITTEN: u32 = IE | C | BIP | FSL | 1 << 5 | DZO | 1 << 7 | EE | EIP;
}

/// The value of a register.
#[must_use]
pub const fn register(number: u8) -> Value {
    if number == 0 { Value::Const(0) } else { Value::Slot(Slot(number as u16)) }
}
