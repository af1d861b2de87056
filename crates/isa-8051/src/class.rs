//! Timing classes: what instructions that cost alike on every core have in common.

use cocrypt_isa::{InstructionKind, timing_classes};

timing_classes! {
    Alu "alu" Alu "On the accumulator and registers; `nop`."
    AluDirect "alu_direct" Alu "With a direct address beside the accumulator, `inc`, `dec` and `xch` of one."
    AluIndirect "alu_indirect" Alu "With internal data by R0 or R1 beside the accumulator."
    AluImmediate "alu_immediate" Alu "With a constant beside the accumulator."
    DirectImmediate "direct_immediate" Alu "`anl`, `orl`, `xrl` of a direct address and a constant."
    IncrementPointer "increment_pointer" Alu "`inc dptr`."
    Multiply "multiply" Multiply "`mul`."
    Divide "divide" Divide "`div`."
    LoadDirect "load_direct" Load "`mov` from a direct address to the accumulator."
    LoadIndirect "load_indirect" Load "`mov` from internal data by R0 or R1 to the accumulator."
    RegisterDirect "register_direct" Load "`mov` from a direct address to a register."
    RegisterImmediate "register_immediate" Alu "`mov` of a constant to a register."
    StoreDirect "store_direct" Store "`mov` of the accumulator to a direct address."
    StoreRegister "store_register" Store "`mov` of a register to a direct address."
    MoveDirect "move_direct" Store "`mov` from one direct address to another."
    MoveIndirect "move_indirect" Store "`mov` from internal data by R0 or R1 to a direct address."
    MoveImmediate "move_immediate" Store "`mov` of a constant to a direct address."
    StoreIndirect "store_indirect" Store "`mov` of the accumulator to internal data by R0 or R1."
    IndirectDirect "indirect_direct" Store "`mov` from a direct address to internal data by R0 or R1."
    IndirectImmediate "indirect_immediate" Store "`mov` of a constant to internal data by R0 or R1."
    Pointer "pointer" Alu "`mov` of a constant to DPTR."
    LoadCode "load_code" Load "`movc`."
    LoadExternal "load_external" Load "`movx` from external data."
    StoreExternal "store_external" Store "`movx` to external data."
    Push "push" Store "`push`."
    Pop "pop" Load "`pop`."
    Bit "bit" Alu "`clr`, `setb`, `cpl` of a bit."
    BitLoad "bit_load" Load "`mov` of a bit to the carry."
    BitLogic "bit_logic" Alu "`anl`, `orl` of the carry and a bit."
    BitStore "bit_store" Store "`mov` of the carry to a bit."
    Branch "branch" Branch "`jc`, `jnc`, `jz`, `jnz`."
    BranchBit "branch_bit" Branch "`jb`, `jnb`, `jbc`."
    Compare "compare" Branch "`cjne` of the accumulator or a register."
    CompareIndirect "compare_indirect" Branch "`cjne` of internal data by R0 or R1."
    Loop "loop" Branch "`djnz` of a register."
    LoopDirect "loop_direct" Branch "`djnz` of a direct address."
    Jump "jump" Jump "`ajmp`, `sjmp`."
    JumpLong "jump_long" Jump "`ljmp`."
    JumpIndirect "jump_indirect" Jump "`jmp @a+dptr`."
    Call "call" Jump "`acall`."
    CallLong "call_long" Jump "`lcall`."
    Return "return" Jump "`ret`, `reti`."
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

/// No class costs what another does where a core file leaves it out.
#[must_use]
pub const fn coarser(_class: &str) -> Option<&'static str> {
    None
}
