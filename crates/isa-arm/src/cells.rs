//! The cells of the guest state.
//!
//! The general registers are always those of the current mode: cells 0 to 14. What is banked away lies
//! in further cells, and a change of mode exchanges them. Each flag is a cell of its own that holds 0
//! or 1, so that flags nobody reads can be left out.

use cocrypt_ir::Slot;

macro_rules! cells {
    ($($constant:ident $name:literal $doc:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        enum Number { $($constant,)* COUNT }

        $(#[doc = $doc] pub const $constant: Slot = Slot(Number::$constant as u16);)*

        /// The number of them.
        pub const COUNT: u16 = Number::COUNT as u16;

        /// Their names, in order.
        pub const NAMES: &[&str] = &[$($name,)*];
    };
}

cells! {
    R0 "r0" "A general register."
    R1 "r1" "A general register."
    R2 "r2" "A general register."
    R3 "r3" "A general register."
    R4 "r4" "A general register."
    R5 "r5" "A general register."
    R6 "r6" "A general register."
    R7 "r7" "A general register."
    R8 "r8" "A general register."
    R9 "r9" "A general register."
    R10 "r10" "A general register."
    R11 "r11" "A general register."
    R12 "r12" "A general register."
    SP "sp" "The stack pointer of the current mode."
    LR "lr" "The link register of the current mode."
    N "n" "Whether the last result was negative."
    Z "z" "Whether the last result was zero."
    C "c" "The carry, or that nothing was borrowed."
    V "v" "Whether the last sum or difference overflowed."
    Q "q" "Whether something was saturated since this was cleared."
    GE "ge" "The four bits that parallel sums and differences set."
    THUMB "thumb" "The instruction set: 0 for A32, 1 for Thumb."
    IT "it" "What is left of an IT block where an exception or a return left it (ITSTATE)."
    MODE "mode" "The mode bits of the CPSR (0x10 to 0x1f); A profile."
    IRQ_OFF "irq_off" "The I bit of the CPSR, or PRIMASK."
    FIQ_OFF "fiq_off" "The F bit of the CPSR, or FAULTMASK."
    SPSR "spsr" "The saved status of the current mode; A profile."
    SP_USR "sp_usr" "Banked: user and system mode."
    LR_USR "lr_usr" "Banked: user and system mode."
    SP_SVC "sp_svc" "Banked: supervisor mode."
    LR_SVC "lr_svc" "Banked: supervisor mode."
    SPSR_SVC "spsr_svc" "Banked: supervisor mode."
    SP_ABT "sp_abt" "Banked: abort mode."
    LR_ABT "lr_abt" "Banked: abort mode."
    SPSR_ABT "spsr_abt" "Banked: abort mode."
    SP_UND "sp_und" "Banked: undefined mode."
    LR_UND "lr_und" "Banked: undefined mode."
    SPSR_UND "spsr_und" "Banked: undefined mode."
    SP_IRQ "sp_irq" "Banked: interrupt mode."
    LR_IRQ "lr_irq" "Banked: interrupt mode."
    SPSR_IRQ "spsr_irq" "Banked: interrupt mode."
    R8_FIQ "r8_fiq" "Banked: fast interrupt mode, or what the others have there while it is current."
    R9_FIQ "r9_fiq" "Banked: as the first."
    R10_FIQ "r10_fiq" "Banked: as the first."
    R11_FIQ "r11_fiq" "Banked: as the first."
    R12_FIQ "r12_fiq" "Banked: as the first."
    SP_FIQ "sp_fiq" "Banked: fast interrupt mode."
    LR_FIQ "lr_fiq" "Banked: fast interrupt mode."
    SPSR_FIQ "spsr_fiq" "Banked: fast interrupt mode."
    SP_OTHER "sp_other" "The stack pointer that is not current: main or process; M profile."
    CONTROL "control" "CONTROL: unprivileged, process stack, floating point active; M profile."
    IPSR "ipsr" "The number of the exception that is handled; M profile."
    BASEPRI "basepri" "The priority up to which exceptions wait; M profile."
    RESERVED "reserved" "The address that an exclusive load reserved, with bit 32 set; 0 if none."
    SYSTEM_CONTROL "system_control" "Register 1 of coprocessor 15: MMU, caches, vectors; A profile."
    TABLE_BASE "table_base" "Register 2 of coprocessor 15: the table of pages; A profile."
    DOMAINS "domains" "Register 3 of coprocessor 15: access of domains; A profile."
    FAULT_STATUS "fault_status" "Register 5 of coprocessor 15, of data; A profile."
    FETCH_STATUS "fetch_status" "Register 5 of coprocessor 15, of instructions; A profile."
    FAULT_ADDRESS "fault_address" "Register 6 of coprocessor 15; A profile."
    PROCESS "process" "Register 13 of coprocessor 15: where the lowest addresses are; A profile."
    TRANSLATIONS "translations" "How often translations were said to be void; A profile."
    VECTORS "vectors" "Where the vector table is (VTOR in the M profile)."
    HOLDS "holds" "Whether the next instruction's condition is known to hold, behind a yield."
    FPSCR "fpscr" "Status and control of the floating-point extension."
    S0 "s0" "The first of 32 single-precision registers, which follow one another."
    S1 "s1" "." S2 "s2" "." S3 "s3" "." S4 "s4" "." S5 "s5" "." S6 "s6" "." S7 "s7" "."
    S8 "s8" "." S9 "s9" "." S10 "s10" "." S11 "s11" "." S12 "s12" "." S13 "s13" "." S14 "s14" "."
    S15 "s15" "." S16 "s16" "." S17 "s17" "." S18 "s18" "." S19 "s19" "." S20 "s20" "." S21 "s21" "."
    S22 "s22" "." S23 "s23" "." S24 "s24" "." S25 "s25" "." S26 "s26" "." S27 "s27" "." S28 "s28" "."
    S29 "s29" "." S30 "s30" "." S31 "s31" "."
}

/// The cell of a general register below 15. The program counter is not a cell: where it is read, its
/// value is known.
///
/// # Panics
/// If the number is 15 or more, which is a mistake in a lifting function.
#[must_use]
pub const fn general(register: u8) -> Slot {
    assert!(register < 15, "the program counter has no cell");
    Slot(register as u16)
}
