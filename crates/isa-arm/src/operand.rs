//! What instructions work on and how: operands, addresses, and the kinds of operations that share a
//! form.

/// A general register by its number; 13 is the stack pointer, 14 the link register, 15 the program
/// counter.
pub type Register = u8;

/// How the second operand is shifted by a constant or a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Shift {
    Left,
    Right,
    RightArithmetic,
    Rotate,
    /// By one, the carry coming in; only by a constant.
    RotateExtended,
}

/// A second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A constant, and what it makes of the carry where a logical operation sets flags: nothing where
    /// it was not rotated.
    Immediate {
        /// Its value.
        value: u32,
        /// The carry that the rotation gives.
        carry: Option<bool>,
    },
    /// A register, shifted by a constant: 0 only for [`Shift::Left`], 1 to 32 for shifts to the right,
    /// 1 to 31 for rotations, 1 for [`Shift::RotateExtended`].
    Register {
        /// The register.
        rm: Register,
        /// How.
        shift: Shift,
        /// By how much.
        amount: u8,
    },
    /// A register, shifted by the lowest byte of another.
    Shifted {
        /// The register.
        rm: Register,
        /// How.
        shift: Shift,
        /// By how much.
        rs: Register,
    },
}

/// Data processing: `rd = rn op operand`. `Mov` and `Mvn` do not read `rn`; `Tst`, `Teq`, `Cmp`, `Cmn`
/// do not write `rd` and always set flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DataOp {
    And,
    Eor,
    Sub,
    Rsb,
    Add,
    Adc,
    Sbc,
    Rsc,
    Tst,
    Teq,
    Cmp,
    Cmn,
    Orr,
    Mov,
    Bic,
    Mvn,
    /// Thumb-2 alone.
    Orn,
}

impl DataOp {
    /// Whether it only sets flags.
    #[must_use]
    pub const fn compares(self) -> bool {
        matches!(self, Self::Tst | Self::Teq | Self::Cmp | Self::Cmn)
    }

    /// Whether it has no first operand.
    #[must_use]
    pub const fn moves(self) -> bool {
        matches!(self, Self::Mov | Self::Mvn)
    }
}

/// The width of an access, and what a load makes of what is narrower than a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Access {
    Byte,
    SignedByte,
    Half,
    SignedHalf,
    Word,
}

/// What is added to the base register of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offset {
    /// A constant.
    Immediate(i32),
    /// A register, shifted by a constant, added or subtracted.
    Register {
        /// The register.
        rm: Register,
        /// How it is shifted.
        shift: Shift,
        /// By how much, as in [`Operand::Register`].
        amount: u8,
        /// Whether it is subtracted.
        subtract: bool,
    },
}

/// What becomes of the base register of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Index {
    /// It stays; the offset counts for the address.
    Offset,
    /// It becomes the address, offset included.
    Before,
    /// The address is its old value; it becomes that with the offset.
    After,
}

/// The address of an access. A base of 15 is the program counter rounded down to a multiple of 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The base register.
    pub rn: Register,
    /// What is added to it.
    pub offset: Offset,
    /// What becomes of it.
    pub index: Index,
}

/// A load or store of several registers: `ldm`, `stm`, `pop`, `push`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // Each is a bit of encodings.
pub struct Multiple {
    /// Whether it is a load.
    pub loads: bool,
    /// Base register.
    pub rn: Register,
    /// The registers, as bits.
    pub list: u16,
    /// Whether addresses grow.
    pub up: bool,
    /// Whether the base is not the first (or last) address itself.
    pub before: bool,
    /// Whether the base is changed.
    pub writeback: bool,
    /// `^` of A32: the user's registers, or of a load with the program counter the way back from an
    /// exception.
    pub user: bool,
}

/// What parallel sums and differences do with what does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ParallelKind {
    /// Signed, sets GE.
    Signed,
    /// Signed, saturating.
    SignedSaturating,
    /// Signed, halving.
    SignedHalving,
    /// Unsigned, sets GE.
    Unsigned,
    /// Unsigned, saturating.
    UnsignedSaturating,
    /// Unsigned, halving.
    UnsignedHalving,
}

/// Parallel sums and differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ParallelOp {
    Add16,
    /// The halves of `rm` exchanged; difference below, sum above.
    Asx,
    /// The halves of `rm` exchanged; sum below, difference above.
    Sax,
    Sub16,
    Add8,
    Sub8,
}

/// Special registers that `mrs` and `msr` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    /// CPSR of the A profile.
    Current,
    /// SPSR of the current mode.
    Saved,
    /// A register of the M profile by its SYSm number (DDI 0403, B5.1.1).
    Numbered(u8),
}

/// What is written to a special register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatusSource {
    /// A register.
    Register(Register),
    /// A constant (A32 alone).
    Immediate(u32),
}

/// Hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Hint {
    Nop,
    Yield,
    WaitForEvent,
    WaitForInterrupt,
    SendEvent,
    /// `dbg`, and those that mean nothing yet.
    Other(u8),
}

/// Barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Barrier {
    Data,
    DataSynchronization,
    Instruction,
}

/// Where a branch to a register goes, or what it does on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selected {
    /// The instruction set stays.
    Same,
    /// The other one.
    Other,
}

/// What A32 has for coprocessors beside `mcr` and `mrc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AbsentCoprocessor {
    /// `cdp`.
    Process { coprocessor: u8, op1: u8, crd: u8, crn: u8, crm: u8, op2: u8 },
    /// `ldc`, `stc`, with `l` behind them where they are long.
    Memory { loads: bool, long: bool, coprocessor: u8, crd: u8, address: Address },
    /// `ldc`, `stc` whose base register stays, and which hand a number to the coprocessor instead of
    /// an offset.
    Option { loads: bool, long: bool, coprocessor: u8, crd: u8, rn: Register, option: u8 },
    /// `mcrr`, `mrrc`.
    Pair { reads: bool, coprocessor: u8, op1: u8, rt: Register, rt2: Register, crm: u8 },
}

/// Single-precision registers, and double ones as pairs: an access or move of `count` registers that
/// follow `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VectorRegisters {
    /// The first single-precision register's number.
    pub first: u8,
    /// How many.
    pub count: u8,
    /// Whether assembly names them as double-precision ones.
    pub double: bool,
}

/// Moves of the floating-point extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum VectorMove {
    /// `vmov sn, rt`.
    FromGeneral { sn: u8, rt: Register },
    /// `vmov rt, sn`.
    ToGeneral { rt: Register, sn: u8 },
    /// `vmov sm, sm+1, rt, rt2` and `vmov dm, rt, rt2`.
    PairFromGeneral { sm: u8, rt: Register, rt2: Register, double: bool },
    /// `vmov rt, rt2, sm, sm+1` and `vmov rt, rt2, dm`.
    PairToGeneral { rt: Register, rt2: Register, sm: u8, double: bool },
    /// `vmov.f32 sd, sm`.
    Copy { sd: u8, sm: u8 },
    /// `vmov.f32 sd, #imm`, the bits of the value.
    Immediate { sd: u8, bits: u32 },
    /// `vmrs rt, fpscr`; 15 for the flags of the program status.
    FromStatus { rt: Register },
    /// `vmsr fpscr, rt`.
    ToStatus { rt: Register },
}
