//! Timing classes: what instructions that cost alike on every core have in common.

use cocrypt_isa::{InstructionKind, timing_classes};

timing_classes! {
    Alu "alu" Alu "Instructions of 8 bits on registers, and of single bits there."
    AluWord "alu_word" Alu "Instructions of 16 bits on registers."
    Load "load" Load "Instructions of 8 bits that read memory."
    LoadWord "load_word" Load "Instructions of 16 bits that read memory."
    Store "store" Store "Instructions of 8 bits that write memory."
    StoreWord "store_word" Store "Instructions of 16 bits that write memory."
    Modify "modify" Store "Instructions of 8 bits that change memory."
    ModifyWord "modify_word" Store "Instructions of 16 bits that change memory."
    Exchange "exchange" Alu "`xch` of A and a register that is not X."
    ExchangeMemory "exchange_memory" Store "`xch` of A and memory."
    BitLoad "bit_load" Load "Instructions that read a bit of memory."
    BitModify "bit_modify" Store "Instructions that change a bit of memory."
    Status "status" Other "`mov` to the program status word."
    StatusBit "status_bit" Other "Instructions that change a bit of the program status word."
    Enable "enable" Other "`ei`, `di`."
    Multiply "multiply" Multiply "`mulu`."
    MultiplyWord "multiply_word" Multiply "`mulhu`, `mulh`."
    Divide "divide" Divide "`divhu`."
    DivideWord "divide_word" Divide "`divwu`."
    Accumulate "accumulate" Multiply "`machu`, `mach`."
    Branch "branch" Branch "Branches on flags."
    BranchBit "branch_bit" Branch "Branches on a bit."
    Skip "skip" Branch "Skips."
    Jump "jump" Jump "`br`."
    Call "call" Jump "`call`."
    CallTable "call_table" Jump "`callt`."
    Return "return" Jump "`ret`, `reti`, `retb`."
    Push "push" Store "`push`."
    Pop "pop" Load "`pop` to registers."
    PopStatus "pop_status" Load "`pop psw`."
    Halt "halt" Other "`halt`, `stop`."
    Break "break" Jump "`brk`, `brk1`."
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
