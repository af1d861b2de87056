//! Timing classes: what instructions that cost alike on every core have in common.

use cocrypt_isa::{InstructionKind, timing_classes};

// Where an I/O register is one of the core's own, its cell is read and written, but the bus is not asked.
timing_classes! {
    Alu "alu" Alu "Arithmetic, logic, moves, flags, `nop`."
    Word "word" Alu "`adiw`, `sbiw`."
    Multiply "multiply" Multiply "All products."
    Branch "branch" Branch "Conditional branches."
    Skip "skip" Branch "`cpse`, `sbrc`, `sbrs`."
    SkipIo "skip_io" Branch "`sbic`, `sbis`."
    Jump "jump" Jump "`rjmp`, `ijmp`, `eijmp`."
    JumpLong "jump_long" Jump "`jmp`."
    Call "call" Jump "`rcall`, `icall`."
    CallLong "call_long" Jump "`call`."
    CallExtended "call_extended" Jump "`eicall`."
    Return "return" Jump "`ret`, `reti`."
    Load "load" Load "`ld` by a pointer that stays."
    LoadIncrement "load_increment" Load "`ld` by a pointer that grows."
    LoadDecrement "load_decrement" Load "`ld` by a pointer that shrinks before."
    LoadDisplaced "load_displaced" Load "`ldd`."
    LoadDirect "load_direct" Load "`lds`."
    Store "store" Store "`st` by a pointer that stays."
    StoreIncrement "store_increment" Store "`st` by a pointer that grows."
    StoreDecrement "store_decrement" Store "`st` by a pointer that shrinks before."
    StoreDisplaced "store_displaced" Store "`std`."
    StoreDirect "store_direct" Store "`sts`."
    Push "push" Store "`push`."
    Pop "pop" Load "`pop`."
    IoRead "io_read" Load "`in`."
    IoWrite "io_write" Store "`out`."
    IoBit "io_bit" Store "`sbi`, `cbi`."
    Exchange "exchange" Load "`xch`, `las`, `lac`, `lat`."
    LoadProgram "load_program" Load "`lpm`, `elpm`."
    StoreProgram "store_program" Store "`spm`."
    Cipher "cipher" Alu "`des`."
    SetInterrupt "set_interrupt" Other "`sei`."
    Sleep "sleep" Other "`sleep`."
    Watchdog "watchdog" Other "`wdr`."
    Break "break" Other "`break`."
    Illegal "illegal" Other "What is no instruction."
    Interrupt "interrupt" Other "From between two instructions to the handler of an interrupt."
}

impl Class {
    /// The energy class of the class's instructions.
    #[must_use]
    pub const fn kind(self) -> InstructionKind {
        KINDS[self as usize].1
    }
}

/// No class costs what another does where a core file leaves it out: the core then lacks its instructions.
#[must_use]
pub const fn coarser(_class: &str) -> Option<&'static str> {
    None
}
