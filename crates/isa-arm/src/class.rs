//! Timing classes: what core files give a cost to.
//!
//! A class is coarse. What else decides (which registers, how many, where a branch goes) a timing
//! model reads from the instruction itself.
//!
//! The operand known only when it runs is `Insn::operand`, which depends on class and architecture:
//!
//! | instruction | operand |
//! |---|---|
//! | any with a condition, but `b<cond>`, `cbz` and what follows here | 1 where it is executed, else 0 |
//! | `multiply` to `multiply_accumulate_long` before ARMv6, without a condition | the second factor |
//! | the same with a condition | [`SKIPPED`], or the length of the second factor: of `umull`, `umlal` its bits up to the highest one; else those of its complement where it is negative |
//! | `multiply_long`, `multiply_accumulate_long` of ARMv7-M (not ARMv7E-M) | [`SKIPPED`], or a bit each: 0 and 1, that the lower and upper half of the first factor are not zero; 2 and 3, the same of the second; 4 and 5, that the first and the second are negative, where the product is of signed words |
//! | `divide` | [`SKIPPED`], or 0 where the dividend or the divisor is 0; else, with the lengths (bits up to the highest one) of their absolute values, 1 where the dividend's is less, or 2 and the difference of the lengths |

use cocrypt_isa::{InstructionKind, timing_classes};

use crate::architecture::Version;

timing_classes! {
    Alu "alu" Alu "Data processing with an immediate or a register, shifted by a constant or not."
    ShiftRegister "shift_register" Alu "Data processing with a shift by a register."
    AluPc "alu_pc" Alu "Data processing, or a move, that writes the program counter."
    Branch "branch" Branch "`b`, conditional or not."
    BranchLink "branch_link" Jump "`bl`, and `blx` to a known target."
    BranchExchange "branch_exchange" Jump "`bx`."
    BranchLinkExchange "branch_link_exchange" Jump "`blx` to a register."
    CompareBranch "compare_branch" Branch "`cbz`, `cbnz`."
    TableBranch "table_branch" Jump "`tbb`, `tbh`."
    Load "load" Load "A load of a word."
    LoadNarrow "load_narrow" Load "A load of a byte or half word; as `load` where that is the same."
    LoadPc "load_pc" Load "A load into the program counter."
    Store "store" Store "A store of a byte, half word or word."
    LoadDouble "load_double" Load "`ldrd`."
    StoreDouble "store_double" Store "`strd`."
    LoadMultiple "load_multiple" Load "`ldm`, `pop`, the program counter among the registers or not."
    StoreMultiple "store_multiple" Store "`stm`, `push`."
    LoadExclusive "load_exclusive" Load "`ldrex` and its kin."
    StoreExclusive "store_exclusive" Store "`strex` and its kin."
    Swap "swap" Load "`swp`, `swpb`."
    Preload "preload" Other "`pld`."
    Multiply "multiply" Multiply "`mul`."
    MultiplyAccumulate "multiply_accumulate" Multiply "`mla`, `mls`."
    MultiplyLong "multiply_long" Multiply "`umull`, `smull`."
    MultiplyAccumulateLong "multiply_accumulate_long" Multiply "`umlal`, `smlal`, `umaal`."
    MultiplyHalf "multiply_half" Multiply "`smulxy`, `smulwy`."
    MultiplyAccumulateHalf "multiply_accumulate_half" Multiply "`smlaxy`, `smlawy`."
    MultiplyAccumulateHalfLong "multiply_accumulate_half_long" Multiply "`smlalxy`."
    MultiplyDual "multiply_dual" Multiply "`smuad`, `smlad`, `smusd`, `smlsd`, and the most significant words."
    MultiplyDualLong "multiply_dual_long" Multiply "`smlald`, `smlsld`."
    Divide "divide" Divide "`sdiv`, `udiv`."
    Saturate "saturate" Alu "`ssat`, `usat`, `qadd` and their kin."
    Parallel "parallel" Alu "Sums and differences of bytes and half words, `sel`, sums of differences."
    Bits "bits" Alu "Bit fields, extensions, reversals, `clz`, `pkhbt`."
    It "it" Other "`it`."
    Hint "hint" Other "`nop` and hints that do nothing here."
    Wait "wait" Other "`wfi`, `wfe`."
    Barrier "barrier" Other "`dmb`, `dsb`, `isb`."
    StatusRead "status_read" Other "`mrs`."
    StatusWrite "status_write" Other "`msr` of more than flags."
    StatusWriteFlags "status_write_flags" Other "`msr` of the flags alone."
    ChangeState "change_state" Other "`cps`."
    Coprocessor "coprocessor" Other "`mrc`."
    CoprocessorWrite "coprocessor_write" Other "`mcr`; as `coprocessor` where that is the same."
    VectorMove "vector_move" Alu "Moves between general and single-precision registers, and among these."
    VectorMovePair "vector_move_pair" Alu "The same of two words at once."
    VectorLoad "vector_load" Load "`vldr`."
    VectorStore "vector_store" Store "`vstr`."
    VectorLoadMultiple "vector_load_multiple" Load "`vldm`, `vpop`."
    VectorStoreMultiple "vector_store_multiple" Store "`vstm`, `vpush`."
    System "system" Other "`svc`, `bkpt`."
    Return "return" Other "The way back from a handler."
    Illegal "illegal" Other "What is no instruction."
    EnterSystem "enter_system" Other "From `svc` to its handler."
    EnterIllegal "enter_illegal" Other "From what is no instruction to its handler."
    EnterFault "enter_fault" Other "From an access that was refused to its handler."
    Interrupt "interrupt" Other "From between two instructions to the handler of an interrupt."
}

/// The operand of an instruction whose condition does not hold, where it is more than the condition.
pub const SKIPPED: u32 = 64;

impl Class {
    /// The energy class of the class's instructions.
    #[must_use]
    pub const fn kind(self) -> InstructionKind {
        KINDS[self as usize].1
    }

    /// Returns true if the operand of a conditional instruction holds more than its condition, and
    /// [`SKIPPED`] where that does not hold; whatever a core makes of the rest.
    #[must_use]
    pub const fn has_shape(class: u8, version: Version) -> bool {
        let first = match version {
            Version::V4 | Version::V4T | Version::V5TE => Self::Multiply,
            Version::V7M => Self::MultiplyLong,
            Version::V6M | Version::V7EM => Self::Divide,
        };
        let is_product = first as u8 <= class && class <= Self::MultiplyAccumulateLong as u8;
        is_product || class == Self::Divide as u8
    }
}

/// The class whose cost a core file means for one that it does not name.
#[must_use]
pub fn coarser(class: &str) -> Option<&'static str> {
    Some(match class {
        "load_narrow" | "load_exclusive" | "preload" => "load",
        "store_exclusive" => "store",
        "status_write_flags" => "status_write",
        "coprocessor_write" => "coprocessor",
        "vector_move_pair" => "vector_move",
        "bits" | "hint" => "alu",
        _ => return None,
    })
}
