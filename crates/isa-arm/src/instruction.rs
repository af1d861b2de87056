//! The one form that all encodings are decoded to.
//!
//! Instructions that A32, Thumb and Thumb-2 encode differently but mean alike are the same value here.
//! Registers are numbers 0 to 15; what 15 means where it is read is said at [`Instruction::pc_reads`].

use crate::computation::Computation;
pub use crate::operand::*;

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The condition under which it is executed: by its own encoding, or by the IT block around it.
    pub condition: Condition,
    /// Its effect then.
    pub operation: Operation,
    /// Bytes: 4, or 2 for a narrow Thumb instruction (the prefix and suffix of Thumb-1's `bl` are one
    /// instruction of 4 bytes where they stand together).
    pub length: u8,
    /// True if it was read as Thumb.
    pub thumb: bool,
}

impl Instruction {
    /// The value of the program counter read as an operand: 8 behind an A32 instruction, 4 behind a Thumb
    /// one. Where an address is meant (`adr`, literals), it is rounded down to a multiple of 4 first.
    #[must_use]
    pub const fn pc_reads(&self, pc: u64) -> u32 {
        (pc as u32).wrapping_add(if self.thumb { 4 } else { 8 })
    }
}

/// The operation of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Data processing. With `sets_flags` and a destination of 15 in A32, the return from an
    /// exception.
    Data {
        /// The number of it.
        op: DataOp,
        /// True if flags are set.
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
        /// The addend.
        offset: i32,
    },
    /// `movw`, `movt`.
    MoveHalf {
        /// Destination.
        rd: Register,
        /// The half word.
        value: u16,
        /// True if it is the upper half, and the lower stays; else the upper becomes 0.
        top: bool,
    },
    /// An operation that [`crate::computation`] has a row for.
    Compute(Computation),
    /// A parallel sum or difference.
    Parallel {
        /// The treatment of overflow.
        kind: ParallelKind,
        /// The number of it.
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
        /// True if it is a load.
        loads: bool,
        /// Width and extension.
        access: Access,
        /// The kind of the access.
        rt: Register,
        /// From or to where.
        address: Address,
        /// True if it is made with a user's rights (`ldrt`, `strt`).
        user: bool,
    },
    /// `ldrd`, `strd`.
    TransferDouble {
        /// True if it is a load.
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
        /// The addend.
        offset: u16,
    },
    /// `strex`, `strexb`, `strexh`: `rd` becomes 0 where it was stored.
    StoreExclusive {
        /// Width.
        access: Access,
        /// The register that says whether it was stored.
        rd: Register,
        /// The register that is stored.
        rt: Register,
        /// Base register.
        rn: Register,
        /// The addend.
        offset: u16,
    },
    /// `clrex`.
    ClearExclusive,
    /// `swp`, `swpb`.
    Swap {
        /// True if it is a byte.
        byte: bool,
        /// Destination.
        rt: Register,
        /// The register that is stored.
        rt2: Register,
        /// The address.
        rn: Register,
    },
    /// `pld`: nothing happens.
    Preload,
    /// `b`, `bl`, and `blx` to a known target, from what [`Instruction::pc_reads`] says; for `blx` from
    /// Thumb that is rounded down to a multiple of 4.
    Branch {
        /// The addend.
        offset: i32,
        /// True if the link register is set.
        link: bool,
        /// The instruction set at the target.
        selected: Selected,
    },
    /// `bx`, `blx` to a register.
    BranchExchange {
        /// The target.
        rm: Register,
        /// True if the link register is set.
        link: bool,
    },
    /// The first half of Thumb-1's `bl` where it stands alone: `lr = pc + offset`.
    BranchPrefix {
        /// The addend.
        offset: i32,
    },
    /// The second half of Thumb-1's `bl` or `blx` where it stands alone.
    BranchSuffix {
        /// The offset that is added to the link register.
        offset: u16,
        /// The instruction set at the target.
        selected: Selected,
    },
    /// `cbz`, `cbnz`.
    CompareBranch {
        /// True if it branches where the register is not 0.
        nonzero: bool,
        /// The register.
        rn: Register,
        /// The addend.
        offset: i32,
    },
    /// `tbb`, `tbh`.
    TableBranch {
        /// The table's address.
        rn: Register,
        /// The index.
        rm: Register,
        /// True if its entries are half words.
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
        /// The register.
        special: Special,
    },
    /// `msr`.
    StatusWrite {
        /// The register.
        special: Special,
        /// The fields: c, x, s, f as bits 0 to 3; of the M profile g and nzcvq as bits 2 and 3.
        fields: u8,
        /// The value written.
        source: StatusSource,
    },
    /// `cpsie`, `cpsid`.
    ChangeState {
        /// True if interrupts are switched off.
        disable: bool,
        /// True if PRIMASK is meant.
        primask: bool,
        /// True if FAULTMASK is meant.
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
        /// True if the general register is written (`mrc`).
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
    /// Instructions for coprocessors that no core here has: undefined, if its condition holds.
    AbsentCoprocessor(AbsentCoprocessor),
    /// A move of the floating-point extension.
    VectorMove(VectorMove),
    /// `vldr`, `vstr`.
    VectorSingle {
        /// True if it is a load.
        loads: bool,
        /// The kind of the access.
        registers: VectorRegisters,
        /// Base register; 15 is the program counter rounded down to a multiple of 4.
        rn: Register,
        /// The addend.
        offset: i32,
    },
    /// `vldm`, `vstm`, `vpop`, `vpush`.
    VectorMultiple {
        /// True if it is a load.
        loads: bool,
        /// The kind of the access.
        registers: VectorRegisters,
        /// Base register.
        rn: Register,
        /// True if addresses grow from the base; else they end there.
        up: bool,
        /// True if the base is changed.
        writeback: bool,
    },
    /// `udf`, and what is undefined for good.
    Undefined,
}
