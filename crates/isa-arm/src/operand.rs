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

/// Products that give one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Product {
    /// `rn * rm`.
    Mul,
    /// `ra + rn * rm`.
    Mla,
    /// `ra - rn * rm`.
    Mls,
}

/// Products that give two words, `hi:lo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LongProduct {
    /// Of unsigned words.
    Umull,
    /// Of signed words.
    Smull,
    /// Of unsigned words, added to `hi:lo`.
    Umlal,
    /// Of signed words, added to `hi:lo`.
    Smlal,
    /// Of unsigned words, to which `hi` and `lo` are added as words.
    Umaal,
}

/// Products of half words and most significant words. `top` says which half of the first and second
/// operand counts, `exchange` that the halves of the second are exchanged, `round` that 0x80000000 is
/// added first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum HalfProduct {
    /// `smulxy`.
    Smul { top: [bool; 2] },
    /// `smlaxy`: the sum may overflow, which sets Q.
    Smla { top: [bool; 2] },
    /// `smulwy`: a word by a half, the upper 32 of 48 bits.
    Smulw { top: bool },
    /// `smlawy`, which may set Q.
    Smlaw { top: bool },
    /// `smuad`, `smuadx`, which may set Q.
    Smuad { exchange: bool },
    /// `smusd`, `smusdx`.
    Smusd { exchange: bool },
    /// `smlad`, `smladx`, which may set Q.
    Smlad { exchange: bool },
    /// `smlsd`, `smlsdx`, which may set Q.
    Smlsd { exchange: bool },
    /// `smmul`, `smmulr`.
    Smmul { round: bool },
    /// `smmla`, `smmlar`.
    Smmla { round: bool },
    /// `smmls`, `smmlsr`.
    Smmls { round: bool },
}

/// Products of half words that are added to 64 bits in `hi:lo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum LongHalfProduct {
    /// `smlalxy`.
    Smlal { top: [bool; 2] },
    /// `smlald`, `smlaldx`.
    Smlald { exchange: bool },
    /// `smlsld`, `smlsldx`.
    Smlsld { exchange: bool },
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

/// What an extension takes out of its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Extension {
    SignedByte,
    SignedHalf,
    /// Bytes 0 and 2, each to a half word.
    SignedBytes,
    Byte,
    Half,
    /// Bytes 0 and 2, each to a half word.
    Bytes,
}

/// Reorderings and counts of the bits of one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOp {
    /// `clz`.
    LeadingZeros,
    /// `rbit`.
    ReverseBits,
    /// `rev`.
    ReverseBytes,
    /// `rev16`: in each half.
    ReverseHalves,
    /// `revsh`: the lower half, its sign extended.
    ReverseSigned,
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
