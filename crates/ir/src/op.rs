//! Operations, their operands and widths.

/// A cell of guest state, or a temporary of the block: an index into the file of 64-bit cells.
///
/// The front end says how many of the first cells are guest state; the rest are temporaries, which
/// hold nothing from one block to the next. A cell holds a value narrower than 64 bits zero-extended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u16);

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The value of the cell.
    Slot(Slot),
    /// A constant, zero-extended from the operation's width.
    Const(u64),
}

impl Value {
    /// The cell, unless it is a constant.
    #[must_use]
    pub const fn slot(self) -> Option<Slot> {
        match self {
            Self::Slot(slot) => Some(slot),
            Self::Const(_) => None,
        }
    }
}

/// Width of an operation in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// 8 bits.
    W8,
    /// 16 bits.
    W16,
    /// 32 bits.
    W32,
    /// 64 bits.
    W64,
}

impl Width {
    /// Number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::W8 => 8,
            Self::W16 => 16,
            Self::W32 => 32,
            Self::W64 => 64,
        }
    }

    /// Number of bytes.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        self.bits() / 8
    }

    /// The bits that a value of this width may have set.
    #[must_use]
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The value's low bits, zero-extended.
    #[must_use]
    pub const fn truncate(self, value: u64) -> u64 {
        value & self.mask()
    }

    /// The value's low bits, sign-extended to 64.
    #[must_use]
    pub const fn sign_extend(self, value: u64) -> i64 {
        let unused = 64 - self.bits();
        ((value << unused) as i64) >> unused
    }
}

/// Operations on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Sum, modulo 2^width.
    Add,
    /// Difference, modulo 2^width.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift; amounts of the width or more give 0.
    Shl,
    /// Logical right shift; amounts of the width or more give 0.
    Shr,
    /// Arithmetic right shift; amounts of the width or more give the sign in every bit.
    Sar,
    /// Low half of the product.
    Mul,
    /// High half of the product of signed operands.
    MulHighSigned,
    /// High half of the product of unsigned operands.
    MulHighUnsigned,
    /// High half of the product of a signed first and an unsigned second operand.
    MulHighMixed,
    /// Signed quotient, rounded to zero; division by zero gives all ones, overflow the dividend.
    DivSigned,
    /// Unsigned quotient; division by zero gives all ones.
    DivUnsigned,
    /// Signed remainder with the dividend's sign; division by zero gives the dividend, overflow 0.
    RemSigned,
    /// Unsigned remainder; division by zero gives the dividend.
    RemUnsigned,
    /// Rotation to the right, by an amount modulo the width.
    RotateRight,
    /// Low half of the product of two polynomials over GF(2).
    CarrylessMul,
    /// High half of that product, of which the highest bit is 0.
    CarrylessMulHigh,
}

/// Operations on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// Bitwise complement.
    Not,
    /// Negation, modulo 2^width.
    Neg,
    /// Sign extension from 8 bits.
    Extend8,
    /// Sign extension from 16 bits.
    Extend16,
    /// Sign extension from 32 bits.
    Extend32,
    /// Zero bits above the highest one; the width for 0.
    LeadingZeros,
    /// Zero bits below the lowest one; the width for 0.
    TrailingZeros,
    /// Number of ones.
    PopCount,
    /// The bytes in reverse order.
    ReverseBytes,
    /// The bits in reverse order.
    ReverseBits,
    /// The substitution of AES of the lowest byte; the others give 0.
    AesSubstitute,
    /// Its inverse.
    AesOriginal,
}

/// The relation that a comparison tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Less, signed.
    LessSigned,
    /// Greater or equal, signed.
    GreaterEqualSigned,
    /// Less, unsigned.
    LessUnsigned,
    /// Greater or equal, unsigned.
    GreaterEqualUnsigned,
}

/// A quantity that the machine counts and a program can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Clock cycles since reset, sampled at the timing model's offset within the instruction.
    Cycles,
    /// Instructions issued since reset, the reading one included.
    Instructions,
}

/// One micro-operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Copies a value.
    Move {
        /// Destination.
        dst: Slot,
        /// Source.
        src: Value,
    },
    /// Computes from two operands.
    Binary {
        /// The operation.
        op: Binary,
        /// Its width.
        width: Width,
        /// Destination.
        dst: Slot,
        /// First operand.
        a: Value,
        /// Second operand.
        b: Value,
    },
    /// Computes from one operand.
    Unary {
        /// The operation.
        op: Unary,
        /// Its width.
        width: Width,
        /// Destination.
        dst: Slot,
        /// Operand.
        a: Value,
    },
    /// Writes 1 where the condition holds, else 0.
    Compare {
        /// The condition.
        condition: Condition,
        /// Width of the operands.
        width: Width,
        /// Destination.
        dst: Slot,
        /// First operand.
        a: Value,
        /// Second operand.
        b: Value,
    },
    /// Copies `a` where `condition` is not 0, else `b`.
    Select {
        /// Destination.
        dst: Slot,
        /// The condition.
        condition: Value,
        /// Taken where the condition is not 0.
        a: Value,
        /// Taken where the condition is 0.
        b: Value,
    },
    /// Skips the next `ops` operations of the same instruction where `condition` is 0.
    Guard {
        /// The condition.
        condition: Value,
        /// The number of operations that depend on it.
        ops: u16,
    },
    /// Reads memory at `base + offset` (modulo 2^32).
    Load {
        /// Width of the access.
        width: Width,
        /// True if the value is sign-extended to 32 bits.
        signed: bool,
        /// Destination.
        dst: Slot,
        /// Base address.
        base: Value,
        /// Added to the base.
        offset: i32,
    },
    /// Writes memory at `base + offset` (modulo 2^32).
    Store {
        /// Width of the access.
        width: Width,
        /// The value written; its low bits count.
        src: Value,
        /// Base address.
        base: Value,
        /// Added to the base.
        offset: i32,
    },
    /// Reads a counter, shifted right by `shift` and cut to 32 bits.
    Count {
        /// The number of it.
        counter: Counter,
        /// Destination.
        dst: Slot,
        /// 0 for the low half, 32 for the high one.
        shift: u8,
    },
}

impl Op {
    /// The cell that the operation writes.
    #[must_use]
    pub const fn dst(&self) -> Option<Slot> {
        match *self {
            Self::Move { dst, .. }
            | Self::Binary { dst, .. }
            | Self::Unary { dst, .. }
            | Self::Compare { dst, .. }
            | Self::Select { dst, .. }
            | Self::Load { dst, .. }
            | Self::Count { dst, .. } => Some(dst),
            Self::Guard { .. } | Self::Store { .. } => None,
        }
    }

    /// Makes the operation write another cell, if it writes one.
    pub const fn set_dst(&mut self, to: Slot) {
        match self {
            Self::Move { dst, .. }
            | Self::Binary { dst, .. }
            | Self::Unary { dst, .. }
            | Self::Compare { dst, .. }
            | Self::Select { dst, .. }
            | Self::Load { dst, .. }
            | Self::Count { dst, .. } => *dst = to,
            Self::Guard { .. } | Self::Store { .. } => {}
        }
    }

    /// The operands that the operation reads.
    #[must_use]
    pub fn operands(&self) -> Vec<Value> {
        match *self {
            Self::Move { src, .. } => vec![src],
            Self::Binary { a, b, .. } | Self::Compare { a, b, .. } => vec![a, b],
            Self::Unary { a, .. } => vec![a],
            Self::Select { condition, a, b, .. } => vec![condition, a, b],
            Self::Guard { condition, .. } => vec![condition],
            Self::Load { base, .. } => vec![base],
            Self::Store { src, base, .. } => vec![src, base],
            Self::Count { .. } => vec![],
        }
    }

    /// Returns true if it reads or writes memory.
    #[must_use]
    pub const fn is_access(&self) -> bool {
        matches!(self, Self::Load { .. } | Self::Store { .. })
    }
}
