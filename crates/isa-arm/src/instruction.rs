//! The one form that all encodings are decoded to.
//!
//! What A32, Thumb and Thumb-2 encode differently but mean alike is the same value here. Registers are
//! numbers 0 to 15; what 15 means where it is read is said at [`Instruction::pc_reads`].

/// A general register by its number; 13 is the stack pointer, 14 the link register, 15 the program
/// counter.
pub type Register = u8;

/// Under what flags an instruction is executed, by its encoding (DDI 0403, A7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Condition {
    Equal,
    NotEqual,
    CarrySet,
    CarryClear,
    Minus,
    Plus,
    Overflow,
    NoOverflow,
    Higher,
    LowerOrSame,
    GreaterOrEqual,
    Less,
    Greater,
    LessOrEqual,
    Always,
}

impl Condition {
    /// All, by their encodings.
    pub const ALL: [Self; 15] = [
        Self::Equal,
        Self::NotEqual,
        Self::CarrySet,
        Self::CarryClear,
        Self::Minus,
        Self::Plus,
        Self::Overflow,
        Self::NoOverflow,
        Self::Higher,
        Self::LowerOrSame,
        Self::GreaterOrEqual,
        Self::Less,
        Self::Greater,
        Self::LessOrEqual,
        Self::Always,
    ];

    /// The condition of an encoding; nothing for 15, which is none.
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<Self> {
        Self::ALL.get(bits as usize).copied()
    }

    /// Its suffix in assembly; empty for always.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        const SUFFIXES: [&str; 15] = [
            "eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "",
        ];
        SUFFIXES[self as usize]
    }
}

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
    /// A product of one word.
    Multiply {
        /// Which.
        product: Product,
        /// Whether N and Z are set.
        sets_flags: bool,
        /// Destination.
        rd: Register,
        /// First factor.
        rn: Register,
        /// Second factor; A32 and Thumb-1 cores that end early look at this one (`Rs` in A32).
        rm: Register,
        /// What is added or subtracted from; anything where there is none.
        ra: Register,
    },
    /// A product of two words.
    MultiplyLong {
        /// Which.
        product: LongProduct,
        /// Whether N and Z are set.
        sets_flags: bool,
        /// Destination of the lower word.
        lo: Register,
        /// Destination of the upper word.
        hi: Register,
        /// First factor.
        rn: Register,
        /// Second factor; as in [`Operation::Multiply`].
        rm: Register,
    },
    /// A product of half words or most significant words.
    MultiplyHalf {
        /// Which.
        product: HalfProduct,
        /// Destination.
        rd: Register,
        /// First factor.
        rn: Register,
        /// Second factor.
        rm: Register,
        /// What is added; anything where there is none.
        ra: Register,
    },
    /// A product of half words, added to two words.
    MultiplyHalfLong {
        /// Which.
        product: LongHalfProduct,
        /// The lower word.
        lo: Register,
        /// The upper word.
        hi: Register,
        /// First factor.
        rn: Register,
        /// Second factor.
        rm: Register,
    },
    /// `sdiv`, `udiv`: division by zero gives 0.
    Divide {
        /// Whether operands are signed.
        signed: bool,
        /// Destination.
        rd: Register,
        /// Dividend.
        rn: Register,
        /// Divisor.
        rm: Register,
    },
    /// `ssat`, `usat`: sets Q where it saturates.
    Saturate {
        /// Whether the range is signed.
        signed: bool,
        /// Bits of the range: 1 to 32 signed, 0 to 31 unsigned.
        bits: u8,
        /// Destination.
        rd: Register,
        /// Operand.
        rn: Register,
        /// Left, or arithmetic to the right.
        shift: Shift,
        /// By how much.
        amount: u8,
    },
    /// `ssat16`, `usat16`.
    SaturateHalves {
        /// Whether the range is signed.
        signed: bool,
        /// Bits of the range: 1 to 16 signed, 0 to 15 unsigned.
        bits: u8,
        /// Destination.
        rd: Register,
        /// Operand.
        rn: Register,
    },
    /// `qadd`, `qsub`, `qdadd`, `qdsub`: `rd = sat(rm ± sat(2 rn))` where it doubles.
    SaturatingSum {
        /// Whether `rn` is doubled.
        double: bool,
        /// Whether it is subtracted.
        subtract: bool,
        /// Destination.
        rd: Register,
        /// First operand.
        rm: Register,
        /// Second operand.
        rn: Register,
    },
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
    /// `sel`: bytes of `rn` where GE says so, else of `rm`.
    Select {
        /// Destination.
        rd: Register,
        /// First operand.
        rn: Register,
        /// Second operand.
        rm: Register,
    },
    /// `usad8`, `usada8`: the sum of the differences of bytes.
    SumOfDifferences {
        /// Destination.
        rd: Register,
        /// First operand.
        rn: Register,
        /// Second operand.
        rm: Register,
        /// What is added, if anything.
        ra: Option<Register>,
    },
    /// `sxtb` and its kin, with or without a sum.
    Extend {
        /// What is taken.
        extension: Extension,
        /// Destination.
        rd: Register,
        /// What is added, if anything: as a word, or for two bytes as half words.
        rn: Option<Register>,
        /// Operand.
        rm: Register,
        /// By how much it is rotated to the right first: 0, 8, 16 or 24.
        rotation: u8,
    },
    /// `pkhbt`, `pkhtb`: the lower half of one and the upper half of the other, of which `rm` is
    /// shifted.
    Pack {
        /// Whether the shifted operand gives the lower half (`pkhtb`, arithmetic to the right).
        top_first: bool,
        /// Destination.
        rd: Register,
        /// First operand.
        rn: Register,
        /// Second operand, which is shifted.
        rm: Register,
        /// By how much: left 0 to 31, or to the right 1 to 32.
        amount: u8,
    },
    /// An operation on the bits of one register.
    Bits {
        /// Which.
        op: BitOp,
        /// Destination.
        rd: Register,
        /// Operand.
        rm: Register,
    },
    /// `sbfx`, `ubfx`.
    ExtractField {
        /// Whether the sign is extended.
        signed: bool,
        /// Destination.
        rd: Register,
        /// Operand.
        rn: Register,
        /// The lowest bit.
        lsb: u8,
        /// How many bits.
        width: u8,
    },
    /// `bfi`, and `bfc` where there is no operand.
    InsertField {
        /// Destination.
        rd: Register,
        /// Operand, if not 0 is inserted.
        rn: Option<Register>,
        /// The lowest bit.
        lsb: u8,
        /// How many bits.
        width: u8,
    },
    /// A load of a register; 15 is a jump.
    Load {
        /// Width and extension.
        access: Access,
        /// Destination.
        rt: Register,
        /// From where.
        address: Address,
        /// Whether it is made with a user's rights (`ldrt`).
        user: bool,
    },
    /// A store of a register.
    Store {
        /// Width.
        access: Access,
        /// What is stored.
        rt: Register,
        /// To where.
        address: Address,
        /// Whether it is made with a user's rights (`strt`).
        user: bool,
    },
    /// `ldrd`.
    LoadDouble {
        /// Destination of the first word.
        rt: Register,
        /// Destination of the second word.
        rt2: Register,
        /// From where.
        address: Address,
    },
    /// `strd`.
    StoreDouble {
        /// The first word.
        rt: Register,
        /// The second word.
        rt2: Register,
        /// To where.
        address: Address,
    },
    /// `ldm`, `pop`.
    LoadMultiple {
        /// Base register.
        rn: Register,
        /// The registers, as bits.
        list: u16,
        /// Whether addresses grow.
        up: bool,
        /// Whether the base is not the first (or last) address itself.
        before: bool,
        /// Whether the base is changed.
        writeback: bool,
        /// `^` of A32: the user's registers, or with the program counter the way back from an
        /// exception.
        user: bool,
    },
    /// `stm`, `push`.
    StoreMultiple {
        /// Base register.
        rn: Register,
        /// The registers, as bits.
        list: u16,
        /// Whether addresses grow.
        up: bool,
        /// Whether the base is not the first (or last) address itself.
        before: bool,
        /// Whether the base is changed.
        writeback: bool,
        /// `^` of A32: the user's registers.
        user: bool,
    },
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
    /// `vldr`.
    VectorLoad {
        /// What is loaded.
        registers: VectorRegisters,
        /// Base register; 15 is the program counter rounded down to a multiple of 4.
        rn: Register,
        /// What is added.
        offset: i32,
    },
    /// `vstr`.
    VectorStore {
        /// What is stored.
        registers: VectorRegisters,
        /// Base register.
        rn: Register,
        /// What is added.
        offset: i32,
    },
    /// `vldm`, `vpop`.
    VectorLoadMultiple {
        /// What is loaded.
        registers: VectorRegisters,
        /// Base register.
        rn: Register,
        /// Whether addresses grow from the base; else they end there.
        up: bool,
        /// Whether the base is changed.
        writeback: bool,
    },
    /// `vstm`, `vpush`.
    VectorStoreMultiple {
        /// What is stored.
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
