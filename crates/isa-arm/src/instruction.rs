//! The one form that all encodings are decoded to.
//!
//! What A32, Thumb and Thumb-2 encode differently but mean alike is the same value here. Registers are
//! numbers 0 to 15; what 15 means where it is read is said at [`Instruction::pc_reads`].

use crate::computation::Computation;
pub use crate::operand::*;

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Under what flags it is executed: by its own encoding, or by the IT block around it.
    pub condition: Condition,
    /// What it does then.
    pub operation: Operation,
    /// Bytes: 4, or 2 for a narrow Thumb instruction (the prefix and suffix of Thumb-1's `bl` are one
    /// instruction of 4 bytes where they stand together).
    pub length: u8,
    /// Whether it was read as Thumb.
    pub thumb: bool,
}

impl Instruction {
    /// What the program counter holds where it is read as an operand: 8 behind an A32 instruction, 4
    /// behind a Thumb one. Where an address is meant (`adr`, literals), it is rounded down to a multiple
    /// of 4 first.
    #[must_use]
    pub const fn pc_reads(&self, pc: u64) -> u32 {
        (pc as u32).wrapping_add(if self.thumb { 4 } else { 8 })
    }
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Data processing. With `sets_flags` and a destination of 15 in A32, the way back from an
    /// exception.
    Data {
        /// Which.
        op: DataOp,
        /// Whether flags are set.
        sets_flags: bool,
        /// Destination; anything where there is none.
        rd: Register,
        /// First operand; anything where there is none.
        rn: Register,
        /// Second operand.
        operand: Operand,
    },
    /// `adr`: the program counter rounded down to a multiple of 4, plus a constant. (A32 encodes it as
    /// [`Operation::Data`].)
    AddressOf {
        /// Destination.
        rd: Register,
        /// What is added.
        offset: i32,
    },
    /// `movw`, `movt`.
    MoveHalf {
        /// Destination.
        rd: Register,
        /// The half word.
        value: u16,
        /// Whether it is the upper half, and the lower stays; else the upper becomes 0.
        top: bool,
    },
    /// What [`crate::computation`] has a row for.
    Compute(Computation),
    /// A parallel sum or difference.
    Parallel {
        /// What becomes of what does not fit.
        kind: ParallelKind,
        /// Which.
        op: ParallelOp,
        /// Destination.
        rd: Register,
        /// First operand.
        rn: Register,
        /// Second operand.
        rm: Register,
    },
    /// A load or store of a register; of a load 15 is a jump.
    Transfer {
        /// Whether it is a load.
        loads: bool,
        /// Width and extension.
        access: Access,
        /// What is loaded or stored.
        rt: Register,
        /// From or to where.
        address: Address,
        /// Whether it is made with a user's rights (`ldrt`, `strt`).
        user: bool,
    },
    /// `ldrd`, `strd`.
    TransferDouble {
        /// Whether it is a load.
        loads: bool,
        /// The first word.
        rt: Register,
        /// The second word.
        rt2: Register,
        /// From or to where.
        address: Address,
    },
    /// A load or store of several registers.
    Multiple(Multiple),
    /// `ldrex`, `ldrexb`, `ldrexh`.
    LoadExclusive {
        /// Width.
        access: Access,
        /// Destination.
        rt: Register,
        /// Base register.
        rn: Register,
        /// What is added.
        offset: u16,
    },
    /// `strex`, `strexb`, `strexh`: `rd` becomes 0 where it was stored.
    StoreExclusive {
        /// Width.
        access: Access,
        /// What tells whether it was stored.
        rd: Register,
        /// What is stored.
        rt: Register,
        /// Base register.
        rn: Register,
        /// What is added.
        offset: u16,
    },
    /// `clrex`.
    ClearExclusive,
    /// `swp`, `swpb`.
    Swap {
        /// Whether it is a byte.
        byte: bool,
        /// Destination.
        rt: Register,
        /// What is stored.
        rt2: Register,
        /// The address.
        rn: Register,
    },
    /// `pld`: nothing happens.
    Preload,
    /// `b`, `bl`, and `blx` to a known target, from what [`Instruction::pc_reads`] says; for `blx` from
    /// Thumb that is rounded down to a multiple of 4.
    Branch {
        /// What is added.
        offset: i32,
        /// Whether the link register is set.
        link: bool,
        /// Which instruction set is at the target.
        selected: Selected,
    },
    /// `bx`, `blx` to a register.
    BranchExchange {
        /// The target.
        rm: Register,
        /// Whether the link register is set.
        link: bool,
    },
    /// The first half of Thumb-1's `bl` where it stands alone: `lr = pc + offset`.
    BranchPrefix {
        /// What is added.
        offset: i32,
    },
    /// The second half of Thumb-1's `bl` or `blx` where it stands alone.
    BranchSuffix {
        /// What is added to the link register.
        offset: u16,
        /// Which instruction set is at the target.
        selected: Selected,
    },
    /// `cbz`, `cbnz`.
    CompareBranch {
        /// Whether it branches where the register is not 0.
        nonzero: bool,
        /// The register.
        rn: Register,
        /// What is added.
        offset: i32,
    },
    /// `tbb`, `tbh`.
    TableBranch {
        /// The table's address.
        rn: Register,
        /// The index.
        rm: Register,
        /// Whether its entries are half words.
        half: bool,
    },
    /// `it`: the condition of the first and the mask.
    It {
        /// Bits of the first condition.
        first: u8,
        /// The mask, as encoded.
        mask: u8,
    },
    /// `mrs`.
    StatusRead {
        /// Destination.
        rd: Register,
        /// Which register.
        special: Special,
    },
    /// `msr`.
    StatusWrite {
        /// Which register.
        special: Special,
        /// Which fields: c, x, s, f as bits 0 to 3; of the M profile g and nzcvq as bits 2 and 3.
        fields: u8,
        /// What is written.
        source: StatusSource,
    },
    /// `cpsie`, `cpsid`.
    ChangeState {
        /// Whether interrupts are switched off.
        disable: bool,
        /// Whether PRIMASK is meant.
        primask: bool,
        /// Whether FAULTMASK is meant.
        faultmask: bool,
    },
    /// `svc`.
    SupervisorCall {
        /// Its number.
        number: u32,
    },
    /// `bkpt`.
    Breakpoint {
        /// Its number.
        number: u16,
    },
    /// A hint.
    Hint(Hint),
    /// A barrier.
    Barrier(Barrier),
    /// `mcr`, `mrc`.
    Coprocessor {
        /// Whether the general register is written (`mrc`).
        reads: bool,
        /// The coprocessor's number.
        coprocessor: u8,
        /// The first opcode.
        op1: u8,
        /// The general register.
        rt: Register,
        /// A register of the coprocessor.
        crn: u8,
        /// A register of the coprocessor.
        crm: u8,
        /// The second opcode.
        op2: u8,
    },
    /// What only coprocessors take that no core here has: undefined, if its condition holds.
    AbsentCoprocessor(AbsentCoprocessor),
    /// A move of the floating-point extension.
    VectorMove(VectorMove),
    /// `vldr`, `vstr`.
    VectorSingle {
        /// Whether it is a load.
        loads: bool,
        /// What is loaded or stored.
        registers: VectorRegisters,
        /// Base register; 15 is the program counter rounded down to a multiple of 4.
        rn: Register,
        /// What is added.
        offset: i32,
    },
    /// `vldm`, `vstm`, `vpop`, `vpush`.
    VectorMultiple {
        /// Whether it is a load.
        loads: bool,
        /// What is loaded or stored.
        registers: VectorRegisters,
        /// Base register.
        rn: Register,
        /// Whether addresses grow from the base; else they end there.
        up: bool,
        /// Whether the base is changed.
        writeback: bool,
    },
    /// `udf`, and what is undefined for good.
    Undefined,
}
