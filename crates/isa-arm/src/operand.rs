//! The operands and operations of instructions: operands, addresses, and the kinds of operations that share
//! a form.

/// A general register by its number; 13 is the stack pointer, 14 the link register, 15 the program
/// counter.
pub type Register = u8;

/// Kinds that assembly tells apart by a part of a name; in the order of their encodings where they have
/// one.
macro_rules! named {
    ($($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $variant:ident $name:literal)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $kind { $($(#[$doc])* $variant,)* }

        impl $kind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its syntax in assembly.
            #[must_use]
            pub const fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($name,)*];
                NAMES[self as usize]
            }
        }
    )*};
}

named! {
    /// The condition under which an instruction is executed, by its encoding (DDI 0403, A7.3).
    Condition {
        Equal "eq"
        NotEqual "ne"
        CarrySet "cs"
        CarryClear "cc"
        Minus "mi"
        Plus "pl"
        Overflow "vs"
        NoOverflow "vc"
        Higher "hi"
        LowerOrSame "ls"
        GreaterOrEqual "ge"
        Less "lt"
        Greater "gt"
        LessOrEqual "le"
        Always "al"
    }

    /// The shift of the second operand by a constant or a register.
    Shift {
        Left "lsl"
        Right "lsr"
        RightArithmetic "asr"
        Rotate "ror"
        /// By one, the carry coming in; only by a constant.
        RotateExtended "rrx"
    }

    /// Data processing: `rd = rn op operand`. `Mov` and `Mvn` do not read `rn`; `Tst`, `Teq`, `Cmp`,
    /// `Cmn` do not write `rd` and always set flags.
    DataOp {
        And "and"
        Eor "eor"
        Sub "sub"
        Rsb "rsb"
        Add "add"
        Adc "adc"
        Sbc "sbc"
        Rsc "rsc"
        Tst "tst"
        Teq "teq"
        Cmp "cmp"
        Cmn "cmn"
        Orr "orr"
        Mov "mov"
        Bic "bic"
        Mvn "mvn"
        /// Thumb-2 alone.
        Orn "orn"
    }

    /// The width of an access, and what a load makes of what is narrower than a word.
    Access {
        Byte "b"
        SignedByte "sb"
        Half "h"
        SignedHalf "sh"
        Word ""
    }

    /// The overflow treatment of parallel sums and differences.
    ParallelKind {
        /// Signed, sets GE.
        Signed "s"
        /// Signed, saturating.
        SignedSaturating "q"
        /// Signed, halving.
        SignedHalving "sh"
        /// Unsigned, sets GE.
        Unsigned "u"
        /// Unsigned, saturating.
        UnsignedSaturating "uq"
        /// Unsigned, halving.
        UnsignedHalving "uh"
    }

    /// Parallel sums and differences.
    ParallelOp {
        Add8 "add8"
        Add16 "add16"
        /// The halves of `rm` exchanged; difference below, sum above.
        Asx "asx"
        Sub8 "sub8"
        Sub16 "sub16"
        /// The halves of `rm` exchanged; sum below, difference above.
        Sax "sax"
    }

    /// Special registers that `mrs` and `msr` name: two of the A profile, then those of the M profile
    /// (DDI 0403, B5.1.1). GNU binutils call the flags of the M profile CPSR too.
    Special {
        Current "CPSR"
        /// Of the current mode.
        Saved "SPSR"
        Apsr "CPSR"
        Iapsr "IAPSR"
        Eapsr "EAPSR"
        Xpsr "PSR"
        Ipsr "IPSR"
        Epsr "EPSR"
        Iepsr "IEPSR"
        Msp "MSP"
        Psp "PSP"
        Primask "PRIMASK"
        Basepri "BASEPRI"
        /// BASEPRI, which only comes to hold back more.
        BasepriMax "BASEPRI_MAX"
        Faultmask "FAULTMASK"
        Control "CONTROL"
    }

    /// Barriers.
    Barrier {
        Data "dmb"
        DataSynchronization "dsb"
        Instruction "isb"
    }
}

impl Condition {
    /// The condition of an encoding; nothing for 15, which is none.
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<Self> {
        Self::ALL.get(bits as usize).copied()
    }
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
        /// The kind of the shift.
        shift: Shift,
        /// The shift amount.
        amount: u8,
    },
    /// A register, shifted by the lowest byte of another.
    Shifted {
        /// The register.
        rm: Register,
        /// The kind of the shift.
        shift: Shift,
        /// The shift amount.
        rs: Register,
    },
}

impl Special {
    /// The register of the M profile of a SYSm number.
    #[must_use]
    pub fn numbered(number: u32) -> Option<Self> {
        const NUMBERS: [u32; 14] = [0, 1, 2, 3, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20];
        let at = NUMBERS.iter().position(|known| *known == number)?;
        Some(Self::ALL[at + Self::Apsr as usize])
    }
}

impl DataOp {
    /// Returns true if it only sets flags.
    #[must_use]
    pub const fn compares(self) -> bool {
        matches!(self, Self::Tst | Self::Teq | Self::Cmp | Self::Cmn)
    }

    /// Returns true if the second operand's shift decides about the carry.
    #[must_use]
    pub const fn is_logical(self) -> bool {
        use DataOp::{Adc, Add, Cmn, Cmp, Rsb, Rsc, Sbc, Sub};
        !matches!(self, Add | Adc | Sub | Sbc | Rsb | Rsc | Cmp | Cmn)
    }

    /// Returns true if it has no first operand.
    #[must_use]
    pub const fn moves(self) -> bool {
        matches!(self, Self::Mov | Self::Mvn)
    }
}

/// The offset that is added to the base register of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offset {
    /// A constant.
    Immediate(i32),
    /// A register, shifted by a constant, added or subtracted.
    Register {
        /// The register.
        rm: Register,
        /// Its shift.
        shift: Shift,
        /// The shift amount, as in [`Operand::Register`].
        amount: u8,
        /// True if it is subtracted.
        subtract: bool,
    },
}

/// The write-back of an access's base register.
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
    /// The offset that is added to it.
    pub offset: Offset,
    /// Its write-back.
    pub index: Index,
}

/// A load or store of several registers: `ldm`, `stm`, `pop`, `push`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // Each is a bit of encodings.
pub struct Multiple {
    /// True if it is a load.
    pub loads: bool,
    /// Base register.
    pub rn: Register,
    /// The registers, as bits.
    pub list: u16,
    /// True if addresses grow.
    pub up: bool,
    /// True if the base is not the first (or last) address itself.
    pub before: bool,
    /// True if the base is changed.
    pub writeback: bool,
    /// `^` of A32: the user's registers, or of a load with the program counter the return from an
    /// exception.
    pub user: bool,
}

/// The value written to a special register.
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

/// The kind of a branch to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selected {
    /// The instruction set stays.
    Same,
    /// The other one.
    Other,
}

/// A32's coprocessor instructions beside `mcr` and `mrc`.
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
    /// The number of them.
    pub count: u8,
    /// True if assembly names them as double-precision ones.
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
