//! The cells of the guest state.
//!
//! Registers hold a byte, flags 0 or 1. The stack pointer's cell holds the address in the machine's space,
//! so that it can be compared with other addresses there.

use cocrypt_ir::Slot;

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
    ES "es" "Bits 19 to 16 of addresses behind the prefix `es:`."
    CS "cs" "Bits 19 to 16 of addresses of code in registers."
    CY "cy" "Carry."
    AC "ac" "Carry between the two halves of a byte."
    Z "z" "Zero."
    RBS0 "rbs0" "The register bank, bit 0."
    RBS1 "rbs1" "The register bank, bit 1."
    ISP0 "isp0" "The priority of interrupts that are accepted, bit 0."
    ISP1 "isp1" "The priority of interrupts that are accepted, bit 1."
    IE "ie" "Interrupts are enabled."
    MACR "macr" "The accumulator of MACHU and MACH, of 32 bits."
}

/// The names of registers.
const GENERAL: [&str; REGISTERS as usize] = [
    "x", "a", "c", "b", "e", "d", "l", "h", "x1", "a1", "c1", "b1", "e1", "d1", "l1", "h1", "x2",
    "a2", "c2", "b2", "e2", "d2", "l2", "h2", "x3", "a3", "c3", "b3", "e3", "d3", "l3", "h3",
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
/// The flags from bit 0 of the program status word up (section 2.1.2).
pub const FLAGS: [Slot; 8] = [CY, ISP0, ISP1, RBS0, AC, RBS1, Z, IE];
