//! The table of computations: instructions that make a word or two of registers and constants, and do
//! nothing else but setting flags.
//!
//! A row has all that is to be known of one but what it computes, which is lifting's: its name, its
//! operands, its timing class and its encodings. Operands say how assembly lists them and which
//! registers are read and written at once:
//!
//! | letter | what it is |
//! |---|---|
//! | `d` | the destination, `D` where it is read too |
//! | `l`, `h` | the lower and the upper word of a destination, `L` and `H` where they are added to |
//! | `n`, `m` | operands |
//! | `a` | what is added |
//! | `~` | how the operand before it is shifted |
//! | `k`, `w` | a bit's number, a width in bits |
//!
//! In names `X` and `Y` stand for the halves that count (`b`, `t`), `E` and `R` for `x` and `r` where
//! halves are exchanged and products rounded, `S` for `s` where flags are set.

use crate::class::Class;
use crate::encoding::{Context, Fields, Need, Pattern};
use crate::instruction::{Condition, Operation, Register, Shift};

/// An instruction set's encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Set {
    A32,
    /// One unit of Thumb.
    Narrow,
    /// Two units of Thumb.
    Wide,
}

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    /// The computation.
    pub opcode: Opcode,
    /// Its name in assembly.
    pub name: &'static str,
    /// Its operands.
    pub operands: &'static str,
    /// Its timing class.
    pub class: Class,
    encodings: &'static [(Set, Need, Pattern)],
}

macro_rules! computations {
    ($($opcode:ident $name:literal $operands:literal $class:ident {
        $($set:ident $need:ident $pattern:literal)*
    })*) => {
        /// Computations, by their names in the manuals.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Opcode { $(#[doc = concat!("`", $name, "`")] $opcode,)* }

        impl Opcode {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$opcode,)*];
        }

        static TABLE: &[Row] = &[$(Row {
            opcode: Opcode::$opcode,
            name: $name,
            operands: $operands,
            class: Class::$class,
            encodings: &[$((Set::$set, Need::$need, Pattern::new($pattern)),)*],
        },)*];
    };
}

computations! {
    Mul "mulS" "d, n, m" Multiply {
        A32    Any    "cccc 0000 000s dddd 0000 mmmm 1001 nnnn"
        Wide   Thumb2 "1111 1011 0000 nnnn 1111 dddd 0000 mmmm"
    }
    Mla "mlaS" "d, n, m, a" MultiplyAccumulate {
        A32    Any    "cccc 0000 001s dddd aaaa mmmm 1001 nnnn"
        Wide   Thumb2 "1111 1011 0000 nnnn aaaa dddd 0000 mmmm"
    }
    Mls "mls" "d, n, m, a" MultiplyAccumulate {
        Wide   Thumb2 "1111 1011 0000 nnnn aaaa dddd 0001 mmmm"
    }
    Umull "umullS" "l, h, n, m" MultiplyLong {
        A32    Any    "cccc 0000 100s dddd aaaa mmmm 1001 nnnn"
        Wide   Thumb2 "1111 1011 1010 nnnn aaaa dddd 0000 mmmm"
    }
    Smull "smullS" "l, h, n, m" MultiplyLong {
        A32    Any    "cccc 0000 110s dddd aaaa mmmm 1001 nnnn"
        Wide   Thumb2 "1111 1011 1000 nnnn aaaa dddd 0000 mmmm"
    }
    Umlal "umlalS" "L, H, n, m" MultiplyAccumulateLong {
        A32    Any    "cccc 0000 101s dddd aaaa mmmm 1001 nnnn"
        Wide   Thumb2 "1111 1011 1110 nnnn aaaa dddd 0000 mmmm"
    }
    Smlal "smlalS" "L, H, n, m" MultiplyAccumulateLong {
        A32    Any    "cccc 0000 111s dddd aaaa mmmm 1001 nnnn"
        Wide   Thumb2 "1111 1011 1100 nnnn aaaa dddd 0000 mmmm"
    }
    Umaal "umaal" "L, H, n, m" MultiplyAccumulateLong {
        Wide   Dsp    "1111 1011 1110 nnnn aaaa dddd 0110 mmmm"
    }
    Smulxy "smulXY" "d, n, m" MultiplyHalf {
        A32    V5TE   "cccc 0001 0110 dddd 0000 mmmm 1yx0 nnnn"
        Wide   Dsp    "1111 1011 0001 nnnn 1111 dddd 00xy mmmm"
    }
    Smlaxy "smlaXY" "d, n, m, a" MultiplyAccumulateHalf {
        A32    V5TE   "cccc 0001 0000 dddd aaaa mmmm 1yx0 nnnn"
        Wide   Dsp    "1111 1011 0001 nnnn aaaa dddd 00xy mmmm"
    }
    Smulwy "smulwY" "d, n, m" MultiplyHalf {
        A32    V5TE   "cccc 0001 0010 dddd 0000 mmmm 1y10 nnnn"
        Wide   Dsp    "1111 1011 0011 nnnn 1111 dddd 000y mmmm"
    }
    Smlawy "smlawY" "d, n, m, a" MultiplyAccumulateHalf {
        A32    V5TE   "cccc 0001 0010 dddd aaaa mmmm 1y00 nnnn"
        Wide   Dsp    "1111 1011 0011 nnnn aaaa dddd 000y mmmm"
    }
    Smlalxy "smlalXY" "L, H, n, m" MultiplyAccumulateHalfLong {
        A32    V5TE   "cccc 0001 0100 dddd aaaa mmmm 1yx0 nnnn"
        Wide   Dsp    "1111 1011 1100 nnnn aaaa dddd 10xy mmmm"
    }
    Smuad "smuadE" "d, n, m" MultiplyDual {
        Wide   Dsp    "1111 1011 0010 nnnn 1111 dddd 000y mmmm"
    }
    Smlad "smladE" "d, n, m, a" MultiplyDual {
        Wide   Dsp    "1111 1011 0010 nnnn aaaa dddd 000y mmmm"
    }
    Smusd "smusdE" "d, n, m" MultiplyDual {
        Wide   Dsp    "1111 1011 0100 nnnn 1111 dddd 000y mmmm"
    }
    Smlsd "smlsdE" "d, n, m, a" MultiplyDual {
        Wide   Dsp    "1111 1011 0100 nnnn aaaa dddd 000y mmmm"
    }
    Smmul "smmulR" "d, n, m" MultiplyDual {
        Wide   Dsp    "1111 1011 0101 nnnn 1111 dddd 000y mmmm"
    }
    Smmla "smmlaR" "d, n, m, a" MultiplyDual {
        Wide   Dsp    "1111 1011 0101 nnnn aaaa dddd 000y mmmm"
    }
    Smmls "smmlsR" "d, n, m, a" MultiplyDual {
        Wide   Dsp    "1111 1011 0110 nnnn aaaa dddd 000y mmmm"
    }
    Smlald "smlaldE" "L, H, n, m" MultiplyDualLong {
        Wide   Dsp    "1111 1011 1100 nnnn aaaa dddd 110y mmmm"
    }
    Smlsld "smlsldE" "L, H, n, m" MultiplyDualLong {
        Wide   Dsp    "1111 1011 1101 nnnn aaaa dddd 110y mmmm"
    }
    Sdiv "sdiv" "d, n, m" Divide {
        Wide   Thumb2 "1111 1011 1001 nnnn 1111 dddd 1111 mmmm"
    }
    Udiv "udiv" "d, n, m" Divide {
        Wide   Thumb2 "1111 1011 1011 nnnn 1111 dddd 1111 mmmm"
    }
    Ssat16 "ssat16" "d, #w, n" Saturate {
        Wide   Dsp    "1111 0011 0010 nnnn 0000 dddd 0000 wwww"
    }
    Usat16 "usat16" "d, #w, n" Saturate {
        Wide   Dsp    "1111 0011 1010 nnnn 0000 dddd 0000 wwww"
    }
    Ssat "ssat" "d, #w, n~" Saturate {
        Wide   Thumb2 "1111 0011 00z0 nnnn 0kkk dddd kk0w wwww"
    }
    Usat "usat" "d, #w, n~" Saturate {
        Wide   Thumb2 "1111 0011 10z0 nnnn 0kkk dddd kk0w wwww"
    }
    Qadd "qadd" "d, m, n" Saturate {
        A32    V5TE   "cccc 0001 0000 nnnn dddd 0000 0101 mmmm"
        Wide   Dsp    "1111 1010 1000 nnnn 1111 dddd 1000 mmmm"
    }
    Qsub "qsub" "d, m, n" Saturate {
        A32    V5TE   "cccc 0001 0010 nnnn dddd 0000 0101 mmmm"
        Wide   Dsp    "1111 1010 1000 nnnn 1111 dddd 1010 mmmm"
    }
    Qdadd "qdadd" "d, m, n" Saturate {
        A32    V5TE   "cccc 0001 0100 nnnn dddd 0000 0101 mmmm"
        Wide   Dsp    "1111 1010 1000 nnnn 1111 dddd 1001 mmmm"
    }
    Qdsub "qdsub" "d, m, n" Saturate {
        A32    V5TE   "cccc 0001 0110 nnnn dddd 0000 0101 mmmm"
        Wide   Dsp    "1111 1010 1000 nnnn 1111 dddd 1011 mmmm"
    }
    Sel "sel" "d, n, m" Parallel {
        Wide   Dsp    "1111 1010 1010 nnnn 1111 dddd 1000 mmmm"
    }
    Usad8 "usad8" "d, n, m" Parallel {
        Wide   Dsp    "1111 1011 0111 nnnn 1111 dddd 0000 mmmm"
    }
    Usada8 "usada8" "d, n, m, a" Parallel {
        Wide   Dsp    "1111 1011 0111 nnnn aaaa dddd 0000 mmmm"
    }
    Sxtb "sxtb" "d, m~" Bits {
        Narrow M      "1011 0010 01mm mddd"
        Wide   Thumb2 "1111 1010 0100 1111 1111 dddd 10kk mmmm"
    }
    Sxth "sxth" "d, m~" Bits {
        Narrow M      "1011 0010 00mm mddd"
        Wide   Thumb2 "1111 1010 0000 1111 1111 dddd 10kk mmmm"
    }
    Uxtb "uxtb" "d, m~" Bits {
        Narrow M      "1011 0010 11mm mddd"
        Wide   Thumb2 "1111 1010 0101 1111 1111 dddd 10kk mmmm"
    }
    Uxth "uxth" "d, m~" Bits {
        Narrow M      "1011 0010 10mm mddd"
        Wide   Thumb2 "1111 1010 0001 1111 1111 dddd 10kk mmmm"
    }
    Sxtb16 "sxtb16" "d, m~" Bits {
        Wide   Dsp    "1111 1010 0010 1111 1111 dddd 10kk mmmm"
    }
    Uxtb16 "uxtb16" "d, m~" Bits {
        Wide   Dsp    "1111 1010 0011 1111 1111 dddd 10kk mmmm"
    }
    Sxtab "sxtab" "d, n, m~" Bits {
        Wide   Dsp    "1111 1010 0100 nnnn 1111 dddd 10kk mmmm"
    }
    Sxtah "sxtah" "d, n, m~" Bits {
        Wide   Dsp    "1111 1010 0000 nnnn 1111 dddd 10kk mmmm"
    }
    Uxtab "uxtab" "d, n, m~" Bits {
        Wide   Dsp    "1111 1010 0101 nnnn 1111 dddd 10kk mmmm"
    }
    Uxtah "uxtah" "d, n, m~" Bits {
        Wide   Dsp    "1111 1010 0001 nnnn 1111 dddd 10kk mmmm"
    }
    Sxtab16 "sxtab16" "d, n, m~" Bits {
        Wide   Dsp    "1111 1010 0010 nnnn 1111 dddd 10kk mmmm"
    }
    Uxtab16 "uxtab16" "d, n, m~" Bits {
        Wide   Dsp    "1111 1010 0011 nnnn 1111 dddd 10kk mmmm"
    }
    Pkhbt "pkhbt" "d, n, m~" Bits {
        Wide   Dsp    "1110 1010 1100 nnnn 0kkk dddd kk00 mmmm"
    }
    Pkhtb "pkhtb" "d, n, m~" Bits {
        Wide   Dsp    "1110 1010 1100 nnnn 0kkk dddd kk10 mmmm"
    }
    Clz "clz" "d, m" Bits {
        A32    V5TE   "cccc 0001 0110 1111 dddd 1111 0001 mmmm"
        Wide   Thumb2 "1111 1010 1011 ==== 1111 dddd 1000 mmmm"
    }
    Rbit "rbit" "d, m" Bits {
        Wide   Thumb2 "1111 1010 1001 ==== 1111 dddd 1010 mmmm"
    }
    Rev "rev" "d, m" Bits {
        Narrow M      "1011 1010 00mm mddd"
        Wide   Thumb2 "1111 1010 1001 ==== 1111 dddd 1000 mmmm"
    }
    Rev16 "rev16" "d, m" Bits {
        Narrow M      "1011 1010 01mm mddd"
        Wide   Thumb2 "1111 1010 1001 ==== 1111 dddd 1001 mmmm"
    }
    Revsh "revsh" "d, m" Bits {
        Narrow M      "1011 1010 11mm mddd"
        Wide   Thumb2 "1111 1010 1001 ==== 1111 dddd 1011 mmmm"
    }
    Sbfx "sbfx" "d, n, #k, #w" Bits {
        Wide   Thumb2 "1111 0011 0100 nnnn 0kkk dddd kk0w wwww"
    }
    Ubfx "ubfx" "d, n, #k, #w" Bits {
        Wide   Thumb2 "1111 0011 1100 nnnn 0kkk dddd kk0w wwww"
    }
    Bfi "bfi" "D, n, #k, #w" Bits {
        Wide   Thumb2 "1111 0011 0110 nnnn 0kkk dddd kk0w wwww"
    }
    Bfc "bfc" "D, #k, #w" Bits {
        Wide   Thumb2 "1111 0011 0110 1111 0kkk dddd kk0w wwww"
    }
}

impl Opcode {
    /// The computation's row.
    #[must_use]
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// A computation on its operands. What it has no use for is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // Each is a bit of encodings.
pub struct Computation {
    /// Which.
    pub op: Opcode,
    /// Whether N and Z are set.
    pub sets_flags: bool,
    /// Which half of the first operand counts.
    pub x: bool,
    /// Which half of the second operand counts, or whether its halves are exchanged, or the product is
    /// rounded.
    pub y: bool,
    /// Destination; the upper word of two.
    pub rd: Register,
    /// First operand.
    pub rn: Register,
    /// Second operand; cores that end products early look at this one (`Rs` in A32).
    pub rm: Register,
    /// What is added; the lower word of a destination of two.
    pub ra: Register,
    /// How the operand that is shifted is shifted.
    pub shift: Shift,
    /// By how much: left 0 to 31, to the right 1 to 32, rotated 0, 8, 16 or 24; of a field, its lowest
    /// bit.
    pub amount: u8,
    /// Bits of a field, or of a range: signed 1 to 32, unsigned 0 to 31.
    pub width: u8,
}

impl Computation {
    /// One without operands.
    #[must_use]
    pub const fn new(op: Opcode) -> Self {
        let (sets_flags, x, y, shift) = (false, false, false, Shift::Left);
        Self { op, sets_flags, x, y, rd: 0, rn: 0, rm: 0, ra: 0, shift, amount: 0, width: 0 }
    }

    /// The one that an encoding's fields give.
    fn of(op: Opcode, f: &Fields) -> Option<Self> {
        use Opcode::{Bfc, Bfi, Pkhtb, Sbfx, Ssat, Ssat16, Ubfx, Usat};
        let (amount, width) = (f.byte('k'), f.byte('w'));
        let [rd, rn, rm, ra] = ['d', 'n', 'm', 'a'].map(|letter| f.reg(letter));
        let (sets_flags, x, y, shift) = (f.is('s'), f.is('x'), f.is('y'), Shift::Left);
        let plain = Self { op, sets_flags, x, y, rd, rn, rm, ra, shift, amount, width };
        match op {
            Ssat | Usat if f.is('z') && amount == 0 => None,
            Ssat | Usat | Ssat16 => {
                let shift = if f.is('z') { Shift::RightArithmetic } else { Shift::Left };
                Some(Self { width: width + u8::from(op != Usat), shift, ..plain })
            }
            Sbfx | Ubfx => (amount + width < 32).then_some(Self { width: width + 1, ..plain }),
            Bfi | Bfc => {
                let width = (width + 1).checked_sub(amount).filter(|width| *width > 0)?;
                Some(Self { width, ..plain })
            }
            Pkhtb => {
                let amount = if amount == 0 { 32 } else { amount };
                Some(Self { shift: Shift::RightArithmetic, amount, ..plain })
            }
            _ if op.extends() => Some(Self { shift: Shift::Rotate, amount: 8 * amount, ..plain }),
            _ => Some(plain),
        }
    }

    /// The registers of some operands, as bits.
    #[must_use]
    pub fn registers(&self, letters: &str) -> u16 {
        let named = self.op.row().operands.chars().filter(|letter| letters.contains(*letter));
        named.fold(0, |all, letter| all | 1 << self.register(letter).unwrap_or(0))
    }

    /// The register of an operand, if it is one.
    #[must_use]
    pub const fn register(&self, letter: char) -> Option<Register> {
        match letter {
            'd' | 'D' | 'h' | 'H' => Some(self.rd),
            'l' | 'L' | 'a' => Some(self.ra),
            'n' => Some(self.rn),
            'm' => Some(self.rm),
            _ => None,
        }
    }
}

impl Opcode {
    /// Whether it extends a byte or half word, or two bytes.
    #[must_use]
    pub const fn extends(self) -> bool {
        Self::Sxtb as u8 <= self as u8 && self as u8 <= Self::Uxtab16 as u8
    }
}

/// The computation that an encoding is, and its condition.
#[must_use]
pub fn decode(set: Set, encoding: u32, context: Context) -> Option<(Condition, Operation)> {
    let rows = TABLE.iter().flat_map(|row| row.encodings.iter().map(|it| (row.opcode, it)));
    let known =
        |(_, (of, need, _)): &(_, &(Set, Need, _))| *of == set && need.is_met(context.architecture);
    rows.filter(known).find_map(|(opcode, (.., pattern))| {
        let fields = pattern.fields(encoding, context)?;
        let computation = Computation::of(opcode, &fields)?;
        Some((pattern.condition(&fields)?, Operation::Compute(computation)))
    })
}
