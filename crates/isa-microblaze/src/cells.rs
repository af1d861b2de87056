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
    "caches",
    "invalidated",
];
/// The number of them.
pub const COUNT: u16 = STATE.len() as u16;

/// The machine status register, without the carry and the bits that switch caches on.
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

/// The bits of the machine status register that switch caches on.
pub const CACHES: Slot = Slot(39);
/// The line that the last instruction takes out of a cache, for the machine; 0 if it takes none out.
pub const INVALIDATED: Slot = Slot(40);

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
    /// The instruction cache is on.
    pub const ICE: u32 = 1 << 5;
    /// A division by zero, or one whose quotient is too large, was made.
    pub const DZO: u32 = 1 << 6;
    /// The data cache is on.
    pub const DCE: u32 = 1 << 7;
    /// Exceptions are enabled.
    pub const EE: u32 = 1 << 8;
    /// An exception is handled.
    pub const EIP: u32 = 1 << 9;
    /// The bits that switch caches on.
    pub const CACHES: u32 = ICE | DCE;
    /// The bits that programs write.
    pub const WRITTEN: u32 = IE | C | BIP | FSL | ICE | DZO | DCE | EE | EIP;
    /// The bits that reset may set (`C_RESET_MSR`).
    pub const RESET: u32 = IE | BIP | ICE | DCE | EE | EIP;
}

/// The value of a register.
#[must_use]
pub const fn register(number: u8) -> Value {
    if number == 0 { Value::Const(0) } else { Value::Slot(Slot(number as u16)) }
}
