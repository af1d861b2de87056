//! The table of computations: instructions that make a word or two of registers and constants, and do
//! nothing else but setting flags.
//!
//! A row describes a computation except for its result, which is lifting's: its name, its operands, its
//! timing class, its encoding in Thumb-2 and those elsewhere. Operands say how assembly lists them and
//! which registers are read and written at once:
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

use crate::architecture::Architecture;
use crate::class::Class;
use crate::encoding::{Fields, Need, Pattern};
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
    /// Its operands, with spaces between them.
    pub operands: &'static str,
    /// Its timing class.
    pub class: Class,
    encodings: &'static [(Set, Need, Pattern)],
}

macro_rules! computations {
    ($(
        $opcode:ident $name:literal $operands:literal $class:ident $wide:ident $thumb2:literal
        $(| $set:ident $need:ident $pattern:literal)*
    )*) => {
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
            encodings: &[
                (Set::Wide, Need::$wide, Pattern::new($thumb2)),
                $((Set::$set, Need::$need, Pattern::new($pattern)),)*
            ],
        },)*];
    };
}

computations! {
    Mul     "mulS"    "d n m"     Multiply               Thumb2 "11111011 0000nnnn 1111dddd 0000mmmm"
        | A32 Any "cccc0000 000sdddd 0000mmmm 1001nnnn"
    Mla     "mlaS"    "d n m a"   MultiplyAccumulate     Thumb2 "11111011 0000nnnn aaaadddd 0000mmmm"
        | A32 Any "cccc0000 001sdddd aaaammmm 1001nnnn"
    Mls     "mls"     "d n m a"   MultiplyAccumulate     Thumb2 "11111011 0000nnnn aaaadddd 0001mmmm"
    Umull   "umullS"  "l h n m"   MultiplyLong           Thumb2 "11111011 1010nnnn aaaadddd 0000mmmm"
        | A32 Any "cccc0000 100sdddd aaaammmm 1001nnnn"
    Smull   "smullS"  "l h n m"   MultiplyLong           Thumb2 "11111011 1000nnnn aaaadddd 0000mmmm"
        | A32 Any "cccc0000 110sdddd aaaammmm 1001nnnn"
    Umlal   "umlalS"  "L H n m"   MultiplyAccumulateLong Thumb2 "11111011 1110nnnn aaaadddd 0000mmmm"
        | A32 Any "cccc0000 101sdddd aaaammmm 1001nnnn"
    Smlal   "smlalS"  "L H n m"   MultiplyAccumulateLong Thumb2 "11111011 1100nnnn aaaadddd 0000mmmm"
        | A32 Any "cccc0000 111sdddd aaaammmm 1001nnnn"
    Umaal   "umaal"   "L H n m"   MultiplyAccumulateLong Dsp    "11111011 1110nnnn aaaadddd 0110mmmm"
    Smulxy  "smulXY"  "d n m"     MultiplyHalf           Dsp    "11111011 0001nnnn 1111dddd 00xymmmm"
        | A32 V5TE "cccc0001 0110dddd 0000mmmm 1yx0nnnn"
    Smlaxy  "smlaXY"  "d n m a"   MultiplyAccumulateHalf Dsp    "11111011 0001nnnn aaaadddd 00xymmmm"
        | A32 V5TE "cccc0001 0000dddd aaaammmm 1yx0nnnn"
    Smulwy  "smulwY"  "d n m"     MultiplyHalf           Dsp    "11111011 0011nnnn 1111dddd 000ymmmm"
        | A32 V5TE "cccc0001 0010dddd 0000mmmm 1y10nnnn"
    Smlawy  "smlawY"  "d n m a"   MultiplyAccumulateHalf Dsp    "11111011 0011nnnn aaaadddd 000ymmmm"
        | A32 V5TE "cccc0001 0010dddd aaaammmm 1y00nnnn"
    Smlalxy "smlalXY" "L H n m"   MultiplyAccumulateHalfLong Dsp    "11111011 1100nnnn aaaadddd 10xymmmm"
        | A32 V5TE "cccc0001 0100dddd aaaammmm 1yx0nnnn"
    Smuad   "smuadE"  "d n m"     MultiplyDual           Dsp    "11111011 0010nnnn 1111dddd 000ymmmm"
    Smlad   "smladE"  "d n m a"   MultiplyDual           Dsp    "11111011 0010nnnn aaaadddd 000ymmmm"
    Smusd   "smusdE"  "d n m"     MultiplyDual           Dsp    "11111011 0100nnnn 1111dddd 000ymmmm"
    Smlsd   "smlsdE"  "d n m a"   MultiplyDual           Dsp    "11111011 0100nnnn aaaadddd 000ymmmm"
    Smmul   "smmulR"  "d n m"     MultiplyDual           Dsp    "11111011 0101nnnn 1111dddd 000ymmmm"
    Smmla   "smmlaR"  "d n m a"   MultiplyDual           Dsp    "11111011 0101nnnn aaaadddd 000ymmmm"
    Smmls   "smmlsR"  "d n m a"   MultiplyDual           Dsp    "11111011 0110nnnn aaaadddd 000ymmmm"
    Smlald  "smlaldE" "L H n m"   MultiplyDualLong       Dsp    "11111011 1100nnnn aaaadddd 110ymmmm"
    Smlsld  "smlsldE" "L H n m"   MultiplyDualLong       Dsp    "11111011 1101nnnn aaaadddd 110ymmmm"
    Sdiv    "sdiv"    "d n m"     Divide                 Thumb2 "11111011 1001nnnn 1111dddd 1111mmmm"
    Udiv    "udiv"    "d n m"     Divide                 Thumb2 "11111011 1011nnnn 1111dddd 1111mmmm"
    Ssat16  "ssat16"  "d #w n"    Saturate               Dsp    "11110011 0010nnnn 0000dddd 0000wwww"
    Usat16  "usat16"  "d #w n"    Saturate               Dsp    "11110011 1010nnnn 0000dddd 0000wwww"
    Ssat    "ssat"    "d #w n~"   Saturate               Thumb2 "11110011 00z0nnnn 0kkkdddd kk0wwwww"
    Usat    "usat"    "d #w n~"   Saturate               Thumb2 "11110011 10z0nnnn 0kkkdddd kk0wwwww"
    Qadd    "qadd"    "d m n"     Saturate               Dsp    "11111010 1000nnnn 1111dddd 1000mmmm"
        | A32 V5TE "cccc0001 0000nnnn dddd0000 0101mmmm"
    Qsub    "qsub"    "d m n"     Saturate               Dsp    "11111010 1000nnnn 1111dddd 1010mmmm"
        | A32 V5TE "cccc0001 0010nnnn dddd0000 0101mmmm"
    Qdadd   "qdadd"   "d m n"     Saturate               Dsp    "11111010 1000nnnn 1111dddd 1001mmmm"
        | A32 V5TE "cccc0001 0100nnnn dddd0000 0101mmmm"
    Qdsub   "qdsub"   "d m n"     Saturate               Dsp    "11111010 1000nnnn 1111dddd 1011mmmm"
        | A32 V5TE "cccc0001 0110nnnn dddd0000 0101mmmm"
    Sel     "sel"     "d n m"     Parallel               Dsp    "11111010 1010nnnn 1111dddd 1000mmmm"
    Usad8   "usad8"   "d n m"     Parallel               Dsp    "11111011 0111nnnn 1111dddd 0000mmmm"
    Usada8  "usada8"  "d n m a"   Parallel               Dsp    "11111011 0111nnnn aaaadddd 0000mmmm"
    Sxtb    "sxtb"    "d m~"      Bits                   Thumb2 "11111010 01001111 1111dddd 10kkmmmm"
        | Narrow M "10110010 01mmmddd"
    Sxth    "sxth"    "d m~"      Bits                   Thumb2 "11111010 00001111 1111dddd 10kkmmmm"
        | Narrow M "10110010 00mmmddd"
    Uxtb    "uxtb"    "d m~"      Bits                   Thumb2 "11111010 01011111 1111dddd 10kkmmmm"
        | Narrow M "10110010 11mmmddd"
    Uxth    "uxth"    "d m~"      Bits                   Thumb2 "11111010 00011111 1111dddd 10kkmmmm"
        | Narrow M "10110010 10mmmddd"
    Sxtb16  "sxtb16"  "d m~"      Bits                   Dsp    "11111010 00101111 1111dddd 10kkmmmm"
    Uxtb16  "uxtb16"  "d m~"      Bits                   Dsp    "11111010 00111111 1111dddd 10kkmmmm"
    Sxtab   "sxtab"   "d n m~"    Bits                   Dsp    "11111010 0100nnnn 1111dddd 10kkmmmm"
    Sxtah   "sxtah"   "d n m~"    Bits                   Dsp    "11111010 0000nnnn 1111dddd 10kkmmmm"
    Uxtab   "uxtab"   "d n m~"    Bits                   Dsp    "11111010 0101nnnn 1111dddd 10kkmmmm"
    Uxtah   "uxtah"   "d n m~"    Bits                   Dsp    "11111010 0001nnnn 1111dddd 10kkmmmm"
    Sxtab16 "sxtab16" "d n m~"    Bits                   Dsp    "11111010 0010nnnn 1111dddd 10kkmmmm"
    Uxtab16 "uxtab16" "d n m~"    Bits                   Dsp    "11111010 0011nnnn 1111dddd 10kkmmmm"
    Pkhbt   "pkhbt"   "d n m~"    Bits                   Dsp    "11101010 1100nnnn 0kkkdddd kk00mmmm"
    Pkhtb   "pkhtb"   "d n m~"    Bits                   Dsp    "11101010 1100nnnn 0kkkdddd kk10mmmm"
    Clz     "clz"     "d m"       Bits                   Thumb2 "11111010 1011==== 1111dddd 1000mmmm"
        | A32 V5TE "cccc0001 01101111 dddd1111 0001mmmm"
    Rbit    "rbit"    "d m"       Bits                   Thumb2 "11111010 1001==== 1111dddd 1010mmmm"
    Rev     "rev"     "d m"       Bits                   Thumb2 "11111010 1001==== 1111dddd 1000mmmm"
        | Narrow M "10111010 00mmmddd"
    Rev16   "rev16"   "d m"       Bits                   Thumb2 "11111010 1001==== 1111dddd 1001mmmm"
        | Narrow M "10111010 01mmmddd"
    Revsh   "revsh"   "d m"       Bits                   Thumb2 "11111010 1001==== 1111dddd 1011mmmm"
        | Narrow M "10111010 11mmmddd"
    Sbfx    "sbfx"    "d n #k #w" Bits                   Thumb2 "11110011 0100nnnn 0kkkdddd kk0wwwww"
    Ubfx    "ubfx"    "d n #k #w" Bits                   Thumb2 "11110011 1100nnnn 0kkkdddd kk0wwwww"
    Bfi     "bfi"     "D n #k #w" Bits                   Thumb2 "11110011 0110nnnn 0kkkdddd kk0wwwww"
    Bfc     "bfc"     "D #k #w"   Bits                   Thumb2 "11110011 01101111 0kkkdddd kk0wwwww"
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
    /// The opcode.
    pub op: Opcode,
    /// True if N and Z are set.
    pub sets_flags: bool,
    /// The half of the first operand that counts.
    pub x: bool,
    /// The half of the second operand that counts, or whether its halves are exchanged, or the product is
    /// rounded.
    pub y: bool,
    /// Destination; the upper word of two.
    pub rd: Register,
    /// First operand.
    pub rn: Register,
    /// Second operand; cores that end products early look at this one (`Rs` in A32).
    pub rm: Register,
    /// The addend; the lower word of a destination of two.
    pub ra: Register,
    /// The shift of the shifted operand.
    pub shift: Shift,
    /// The shift amount: left 0 to 31, to the right 1 to 32, rotated 0, 8, 16 or 24; of a field, its lowest
    /// bit.
    pub amount: u8,
    /// Bits of a field, or of a range: signed 1 to 32, unsigned 0 to 31.
    pub width: u8,
}

impl Computation {
    /// A computation without operands.
    #[must_use]
    pub const fn new(op: Opcode) -> Self {
        let (sets_flags, x, y, shift) = (false, false, false, Shift::Left);
        Self { op, sets_flags, x, y, rd: 0, rn: 0, rm: 0, ra: 0, shift, amount: 0, width: 0 }
    }

    /// The computation that an encoding's fields give.
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
    /// Returns true if it extends a byte or half word, or two bytes.
    #[must_use]
    pub const fn extends(self) -> bool {
        Self::Sxtb as u8 <= self as u8 && self as u8 <= Self::Uxtab16 as u8
    }
}

/// The computation that an encoding is, and its condition.
#[must_use]
pub fn decode(
    set: Set,
    encoding: u32,
    architecture: Architecture,
) -> Option<(Condition, Operation)> {
    let rows =
        TABLE.iter().flat_map(|row| row.encodings.iter().map(|encoding| (row.opcode, encoding)));
    let known = |(_, (of, need, pattern)): &(_, &(Set, Need, Pattern))| {
        *of == set && pattern.draws(encoding) && need.is_met(architecture)
    };
    rows.filter(known).find_map(|(opcode, (.., pattern))| {
        let fields = pattern.fields(encoding)?;
        let computation = Computation::of(opcode, &fields)?;
        Some((pattern.condition(&fields)?, Operation::Compute(computation)))
    })
}
