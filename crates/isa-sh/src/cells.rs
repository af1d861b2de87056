//! The cells of the guest state.
//!
//! R0 to R7 are those of the bank in use; the cells of the other bank change places with them when SR selects it. T, M
//! and Q have cells of their own, so that they are computed only where somebody reads them.

use cocrypt_ir::{Slot, Value};

/// The number of general registers, which are the first cells.
pub const REGISTERS: usize = 16;
/// The number of first cells that a debugger knows as registers.
pub const KNOWN: usize = 21;
/// Registers of which there are two banks.
pub const BANKED: u16 = 8;

/// The names of all cells, in order.
pub const STATE: &[&str] = &[
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15", "pr", "gbr", "vbr", "mach", "macl", "sr", "t", "m", "q", "ssr", "spc", "sgr", "dbr",
    "r0_bank", "r1_bank", "r2_bank", "r3_bank", "r4_bank", "r5_bank", "r6_bank", "r7_bank", "tra",
    "expevt", "intevt", "tea", "target", "md_rb", "a0", "a1", "a0g", "a1g", "m0", "m1", "x0", "x1",
    "y0", "y1", "dsr", "mod", "rs", "re",
];
/// The number of them.
pub const COUNT: u16 = STATE.len() as u16;

/// The register that index and displaced accesses imply.
pub const R0: Slot = Slot(0);
/// The stack pointer.
pub const STACK: Slot = Slot(15);
/// The procedure register: the address to return to.
pub const PR: Slot = Slot(16);
/// The global base register.
pub const GBR: Slot = Slot(17);
/// The vector base register.
pub const VBR: Slot = Slot(18);
/// The high half of the accumulator.
pub const MACH: Slot = Slot(19);
/// The low half.
pub const MACL: Slot = Slot(20);
/// The status register, without T, M and Q, and without the bits of mode and bank.
pub const SR: Slot = Slot(21);
/// The T bit: 0 or 1.
pub const T: Slot = Slot(22);
/// The M bit of divisions.
pub const M: Slot = Slot(23);
/// The Q bit of divisions.
pub const Q: Slot = Slot(24);
/// The status register before an exception.
pub const SSR: Slot = Slot(25);
/// The address to return to from an exception.
pub const SPC: Slot = Slot(26);
/// R15 before an exception, on SH-4.
pub const SGR: Slot = Slot(27);
/// The debug base register, on SH-4.
pub const DBR: Slot = Slot(28);
/// The first register of the bank that is not in use.
pub const BANK: Slot = Slot(29);
/// The number of a trap, times 4.
pub const TRA: Slot = Slot(37);
/// The code of the last exception.
pub const EXPEVT: Slot = Slot(38);
/// The code of the last interrupt.
pub const INTEVT: Slot = Slot(39);
/// The address that led to an exception.
pub const TEA: Slot = Slot(40);
/// The address that the branch leads to whose delay slot is executed next.
pub const TARGET: Slot = Slot(41);

/// The bits of the status register that say mode and bank.
pub const MODE: Slot = Slot(42);

/// The accumulators of the DSP, without their guard bits.
pub const A0: Slot = Slot(43);
/// The other one.
pub const A1: Slot = Slot(44);
/// The guard bits of A0.
pub const A0G: Slot = Slot(45);
/// The guard bits of A1.
pub const A1G: Slot = Slot(46);
/// A product of the DSP.
pub const M0: Slot = Slot(47);
/// Another one.
pub const M1: Slot = Slot(48);
/// An operand from X memory.
pub const X0: Slot = Slot(49);
/// Another one.
pub const X1: Slot = Slot(50);
/// An operand from Y memory.
pub const Y0: Slot = Slot(51);
/// Another one.
pub const Y1: Slot = Slot(52);
/// The status of the DSP.
pub const DSR: Slot = Slot(53);
/// End and start of buffers in which pointers wrap.
pub const MOD: Slot = Slot(54);
/// The start of a repeat loop.
pub const RS: Slot = Slot(55);
/// The end of a repeat loop.
pub const RE: Slot = Slot(56);

/// The value of a register.
#[must_use]
pub const fn register(number: u8) -> Value {
    Value::Slot(Slot(number as u16))
}

/// The register of the bank that is not in use.
#[must_use]
pub const fn banked(number: u8) -> Slot {
    Slot(BANK.0 + number as u16)
}
