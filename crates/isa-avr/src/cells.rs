//! The cells of the guest state.
//!
//! Registers hold a byte, flags 0 or 1. The stack pointer's cell holds the address in the machine's space,
//! so that it can be compared with other addresses there; pushing and popping count in 16 bits.

use cocrypt_ir::{Slot, Value};

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

/// The number of registers, which are the first cells.
pub const REGISTERS: u16 = 32;

cells! {
    SP "SP" "The stack pointer: an address in the machine's space."
    C "C" "Carry."
    Z "Z" "Zero."
    N "N" "Negative."
    V "V" "Overflow of two's complement."
    S "S" "Sign: N or V, but not both."
    H "H" "Half carry, of the lower four bits."
    T "T" "The bit that BLD and BST copy."
    I "I" "Interrupts are enabled."
    RAMPD "RAMPD" "Above the address of LDS and STS."
    RAMPX "RAMPX" "Above X."
    RAMPY "RAMPY" "Above Y."
    RAMPZ "RAMPZ" "Above Z."
    EIND "EIND" "Above Z in EICALL and EIJMP."
    EXECUTING "executing" "Whether a handler runs, on cores that do not clear I for it."
}

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

const GENERAL: [&str; REGISTERS as usize] = [
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27",
    "r28", "r29", "r30", "r31",
];

/// The names of all cells, in order.
pub const STATE: &[&str] = &NAMES;
/// The number of them.
pub const COUNT: u16 = STATE.len() as u16;
/// The flags from bit 0 of the status register up (section 1).
pub const FLAGS: [Slot; 8] = [C, Z, N, V, S, H, T, I];

/// The value of a register.
#[must_use]
pub const fn register(number: u8) -> Value {
    Value::Slot(Slot(number as u16))
}
