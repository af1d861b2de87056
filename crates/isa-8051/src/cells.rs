//! The cells of the guest state.
//!
//! Registers hold a byte (DPTR two), flags 0 or 1. The stack pointer's cell holds the address in the machine's
//! space, so that it can be compared with other addresses there. The parity flag is no cell: it is computed
//! from the accumulator where it is read.

use cocrypt_ir::Slot;

use crate::INTERNAL;

/// The number of registers of all banks, which are the first cells: bank 0, then 1, 2 and 3.
pub const REGISTERS: u16 = 32;
/// Registers of a bank.
pub const BANK: u16 = 8;

macro_rules! cells {
    ($($constant:ident $name:literal $doc:literal)*) => {
        /// The cells behind the registers, in order.
        #[allow(clippy::upper_case_acronyms)]
        enum Behind { $($constant,)* }

        $(
            #[doc = $doc]
            pub const $constant: Slot = Slot(REGISTERS + Behind::$constant as u16);
        )*

        /// Their names.
        const BEHIND: &[&str] = &[$($name,)*];
    };
}

cells! {
    SP "sp" "The stack pointer: an address in the machine's space."
    A "a" "The accumulator."
    B "b" "The other operand of products and quotients."
    DPTR "dptr" "The data pointer, of 16 bits."
    UD "ud" "PSW.1, which has no meaning."
    OV "ov" "Overflow of two's complement."
    RS0 "rs0" "The register bank, bit 0."
    RS1 "rs1" "The register bank, bit 1."
    F0 "f0" "A flag of the program's own."
    AC "ac" "Carry between the two halves of a byte."
    CY "cy" "Carry."
    IE "ie" "The register IE: which interrupts are enabled."
    IP "ip" "The register IP: which interrupts have the higher priority."
    LOW "low" "Whether the handler of an interrupt of the lower priority runs."
    HIGH "high" "Whether the handler of an interrupt of the higher priority runs."
}

/// The names of registers.
const GENERAL: [&str; REGISTERS as usize] = [
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "b1r0", "b1r1", "b1r2", "b1r3", "b1r4", "b1r5",
    "b1r6", "b1r7", "b2r0", "b2r1", "b2r2", "b2r3", "b2r4", "b2r5", "b2r6", "b2r7", "b3r0", "b3r1",
    "b3r2", "b3r3", "b3r4", "b3r5", "b3r6", "b3r7",
];

const NAMES: [&str; REGISTERS as usize + BEHIND.len()] = {
    let mut names = [""; REGISTERS as usize + BEHIND.len()];
    let mut at = 0;
    while at < names.len() {
        let general = at < REGISTERS as usize;
        names[at] = if general { GENERAL[at] } else { BEHIND[at - REGISTERS as usize] };
        at += 1;
    }
    names
};

/// The names of all cells, in order.
pub const STATE: &[&str] = &NAMES;
/// The number of them.
pub const COUNT: u16 = STATE.len() as u16;
/// The flags from bit 1 of the program status word up; bit 0 is the parity of the accumulator.
pub const FLAGS: [Slot; 7] = [UD, OV, RS0, RS1, F0, AC, CY];
/// The stack pointer after reset ("Reset" in chapter 3 of the manual).
pub const STACK_AT_RESET: u64 = INTERNAL as u64 + 7;
