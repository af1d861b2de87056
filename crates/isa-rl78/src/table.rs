//! The instruction table: encoding, operands and timing class of every form of every instruction, and the cores
//! that have it.
//!
//! Source: R01US0015, sections 5.4 to 5.6; names and operands are those that the GNU tools print.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::class::Class;
use crate::features::Variant;

/// An operand of an instruction's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// None.
    None,
    /// X.
    X,
    /// A.
    A,
    /// B.
    B,
    /// C.
    C,
    /// AX.
    Ax,
    /// BC.
    Bc,
    /// The stack pointer.
    Sp,
    /// ES.
    Es,
    /// The program status word.
    Status,
    /// The carry.
    Carry,
    /// A register of 8 bits.
    Register,
    /// One of X, A, C and B.
    LowRegister,
    /// A register of 8 bits that is not A.
    Other,
    /// A register of 8 bits that is neither A nor X.
    Others,
    /// A register of 16 bits.
    Pair,
    /// A register of 16 bits that is not AX.
    OtherPair,
    /// The number of a register bank.
    Bank,
    /// A constant of 8 bits.
    Byte,
    /// A constant of 16 bits.
    Word,
    /// The constant 1.
    One,
    /// A number of bits, which is not 0.
    Count,
    /// Memory at an address of 16 bits.
    Absolute,
    /// Memory at an address of 8 bits, from FFE20 on.
    Saddr,
    /// Memory at an address of 8 bits, from FFF00 on.
    Sfr,
    /// Memory at DE.
    AtDe,
    /// Memory at DE and a displacement.
    AtDeByte,
    /// Memory at HL.
    AtHl,
    /// Memory at HL and a displacement.
    AtHlByte,
    /// Memory at the sum of HL and B.
    AtHlB,
    /// Memory at the sum of HL and C.
    AtHlC,
    /// Memory at the stack pointer and a displacement.
    AtSpByte,
    /// Memory at B and an address of 16 bits.
    IndexB,
    /// Memory at C and an address of 16 bits.
    IndexC,
    /// Memory at BC and an address of 16 bits.
    IndexBc,
    /// A bit of A.
    BitA,
    /// A bit of memory at an address of 16 bits.
    BitAbsolute,
    /// A bit of memory at an address of 8 bits, from FFE20 on.
    BitSaddr,
    /// A bit of memory at an address of 8 bits, from FFF00 on.
    BitSfr,
    /// A bit of memory at HL.
    BitHl,
    /// A distance of 8 bits from the next instruction on.
    Near,
    /// A distance of 16 bits from the next instruction on.
    Relative,
    /// An address of code of 16 bits.
    Low,
    /// An address of code of 20 bits.
    Far,
    /// The address of an entry of the table of calls.
    Table,
}

impl Operand {
    /// Bytes behind the pattern that belong to it.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self {
            Self::Byte
            | Self::Saddr
            | Self::Sfr
            | Self::AtDeByte
            | Self::AtHlByte
            | Self::AtSpByte
            | Self::BitSaddr
            | Self::BitSfr
            | Self::Near => 1,
            Self::Word
            | Self::Absolute
            | Self::BitAbsolute
            | Self::Relative
            | Self::Low
            | Self::IndexB
            | Self::IndexC
            | Self::IndexBc => 2,
            Self::Far => 3,
            _ => 0,
        }
    }

    /// Returns true if the prefix `es:` applies to it.
    #[must_use]
    pub const fn takes_prefix(self) -> bool {
        matches!(
            self,
            Self::Absolute
                | Self::AtDe
                | Self::AtDeByte
                | Self::AtHl
                | Self::AtHlByte
                | Self::AtHlB
                | Self::AtHlC
                | Self::IndexB
                | Self::IndexC
                | Self::IndexBc
                | Self::BitAbsolute
                | Self::BitHl
        )
    }

    /// Returns true if a field of a form can have this value.
    const fn takes(self, field: u32) -> bool {
        match self {
            Self::Other => field != 1,
            Self::Others => field > 1,
            Self::OtherPair | Self::Count => field != 0,
            _ => true,
        }
    }
}

/// The cores that have an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Has {
    /// All.
    All,
    /// Those with several register banks.
    Banks,
    /// Those with the extended instructions.
    Extended,
}

impl Has {
    /// Returns true if a core is one of them.
    #[must_use]
    pub const fn holds(self, core: Variant) -> bool {
        match self {
            Self::All => true,
            Self::Banks => core.banks() > 1,
            Self::Extended => matches!(core, Variant::S3),
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The instruction.
    pub opcode: Opcode,
    /// Its name in assembly.
    pub name: &'static str,
    /// Its first bytes, highest bit first: fixed bits, and `f` for each bit of a field.
    pub pattern: &'static str,
    /// The operands.
    pub operands: [Operand; 2],
    /// The timing class.
    pub class: Class,
    /// The cores that have it.
    pub has: Has,
    /// The mask of the fixed bits of the first three bytes, the first byte highest.
    pub mask: u32,
    /// The values of the fixed bits.
    pub bits: u32,
    /// Bytes of the pattern.
    pub bytes: u8,
}

impl Row {
    /// Returns true if the first three bytes are of this form.
    #[must_use]
    pub fn matches(&self, bytes: u32) -> bool {
        bytes & self.mask == self.bits
            && self.operands.iter().all(|operand| operand.takes(self.field(bytes)))
    }

    /// The field of a form.
    #[must_use]
    pub fn field(&self, bytes: u32) -> u32 {
        let positions = self.pattern.chars().filter(|&symbol| symbol != ' ').zip((0..24).rev());
        let bits = positions.filter(|&(symbol, _)| symbol == 'f');
        bits.fold(0, |field, (_, position)| field << 1 | bytes >> position & 1)
    }
}

/// The fixed bits of a pattern: which they are, what they are, and the pattern's bytes.
const fn fixed(pattern: &str) -> (u32, u32, u8) {
    let (bytes, mut at) = (pattern.as_bytes(), 0);
    let (mut mask, mut bits, mut position) = (0, 0, 24);
    while at < bytes.len() {
        if bytes[at] != b' ' {
            position -= 1;
            mask |= ((bytes[at] != b'f') as u32) << position;
            bits |= ((bytes[at] == b'1') as u32) << position;
        }
        at += 1;
    }
    (mask, bits, (24 - position as u8) / 8)
}

/// The row of three bytes: the one with the most fixed bits.
#[must_use]
pub fn find(core: Variant, bytes: u32) -> Option<&'static Row> {
    let rows = PAGES.get(&(bytes >> 16))?;
    rows.iter().copied().find(|row| row.has.holds(core) && row.matches(bytes))
}

/// The rows by their first byte, those with the most fixed bits first.
static PAGES: LazyLock<BTreeMap<u32, Vec<&'static Row>>> = LazyLock::new(|| {
    let page = |first: u32| {
        let fits = |row: &&Row| first << 16 & row.mask >> 16 << 16 == row.bits >> 16 << 16;
        let mut rows: Vec<&Row> = TABLE.iter().filter(fits).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.mask.count_ones()));
        (first, rows)
    };
    (0..=0xff).map(page).collect()
});

macro_rules! instructions {
    ($([$($opcode:ident)*] $($row:ident $name:literal $pattern:literal $first:ident $second:ident $class:ident $has:ident)*)*) => {
        /// Every instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Opcode { $($(#[doc = stringify!($opcode)] $opcode,)*)* }

        /// The table of all forms.
        pub static TABLE: &[Row] = &[
            $($(Row {
                opcode: Opcode::$row,
                name: $name,
                pattern: $pattern,
                operands: [Operand::$first, Operand::$second],
                class: Class::$class,
                has: Has::$has,
                mask: fixed($pattern).0,
                bits: fixed($pattern).1,
                bytes: fixed($pattern).2,
            },)*)*
        ];
    };
}

#[rustfmt::skip]
instructions! {
    [
        Nop Add Addc Sub Subc Cmp And Or Xor Addw Subw Cmpw Mov Movs Cmps Clrb Clrw Oneb Onew Cmp0
        Inc Incw Dec Decw Movw Xch Xchw Mov1 And1 Or1 Xor1 Set1 Clr1 Not1 Bc Bnc Bz Bnz Bh Bnh Bf Bt
        Btclr Br Call Callt Ret Reti Brk Brk1 Pop PopStatus Push PushStatus Rol Rolc Ror Rorc Rolwc
        Shl Shr Sar Shlw Shrw Sarw Skc Skh Sknc Sknh Sknz Skz Sel Mulu Mulhu Mulh Divhu Divwu Machu
        Mach Halt Stop Ei Di
    ]
    Nop         "nop"    "0000 0000"                      None         None         Alu             All
    Add         "add"    "0000 1010"                      Saddr        Byte         Modify          All
    Add         "add"    "0000 1011"                      A            Saddr        Load            All
    Add         "add"    "0000 1100"                      A            Byte         Alu             All
    Add         "add"    "0000 1101"                      A            AtHl         Load            All
    Add         "add"    "0000 1110"                      A            AtHlByte     Load            All
    Add         "add"    "0000 1111"                      A            Absolute     Load            All
    Add         "add"    "0110 0001 0000 0fff"            Register     A            Alu             All
    Add         "add"    "0110 0001 0000 1fff"            A            Other        Alu             All
    Add         "add"    "0110 0001 1000 0000"            A            AtHlB        Load            All
    Add         "add"    "0110 0001 1000 0010"            A            AtHlC        Load            All
    Addc        "addc"   "0001 1010"                      Saddr        Byte         Modify          All
    Addc        "addc"   "0001 1011"                      A            Saddr        Load            All
    Addc        "addc"   "0001 1100"                      A            Byte         Alu             All
    Addc        "addc"   "0001 1101"                      A            AtHl         Load            All
    Addc        "addc"   "0001 1110"                      A            AtHlByte     Load            All
    Addc        "addc"   "0001 1111"                      A            Absolute     Load            All
    Addc        "addc"   "0110 0001 0001 0fff"            Register     A            Alu             All
    Addc        "addc"   "0110 0001 0001 1fff"            A            Other        Alu             All
    Addc        "addc"   "0110 0001 1001 0000"            A            AtHlB        Load            All
    Addc        "addc"   "0110 0001 1001 0010"            A            AtHlC        Load            All
    Sub         "sub"    "0010 1010"                      Saddr        Byte         Modify          All
    Sub         "sub"    "0010 1011"                      A            Saddr        Load            All
    Sub         "sub"    "0010 1100"                      A            Byte         Alu             All
    Sub         "sub"    "0010 1101"                      A            AtHl         Load            All
    Sub         "sub"    "0010 1110"                      A            AtHlByte     Load            All
    Sub         "sub"    "0010 1111"                      A            Absolute     Load            All
    Sub         "sub"    "0110 0001 0010 0fff"            Register     A            Alu             All
    Sub         "sub"    "0110 0001 0010 1fff"            A            Other        Alu             All
    Sub         "sub"    "0110 0001 1010 0000"            A            AtHlB        Load            All
    Sub         "sub"    "0110 0001 1010 0010"            A            AtHlC        Load            All
    Subc        "subc"   "0011 1010"                      Saddr        Byte         Modify          All
    Subc        "subc"   "0011 1011"                      A            Saddr        Load            All
    Subc        "subc"   "0011 1100"                      A            Byte         Alu             All
    Subc        "subc"   "0011 1101"                      A            AtHl         Load            All
    Subc        "subc"   "0011 1110"                      A            AtHlByte     Load            All
    Subc        "subc"   "0011 1111"                      A            Absolute     Load            All
    Subc        "subc"   "0110 0001 0011 0fff"            Register     A            Alu             All
    Subc        "subc"   "0110 0001 0011 1fff"            A            Other        Alu             All
    Subc        "subc"   "0110 0001 1011 0000"            A            AtHlB        Load            All
    Subc        "subc"   "0110 0001 1011 0010"            A            AtHlC        Load            All
    Cmp         "cmp"    "0100 1010"                      Saddr        Byte         Load            All
    Cmp         "cmp"    "0100 1011"                      A            Saddr        Load            All
    Cmp         "cmp"    "0100 1100"                      A            Byte         Alu             All
    Cmp         "cmp"    "0100 1101"                      A            AtHl         Load            All
    Cmp         "cmp"    "0100 1110"                      A            AtHlByte     Load            All
    Cmp         "cmp"    "0100 1111"                      A            Absolute     Load            All
    Cmp         "cmp"    "0110 0001 0100 0fff"            Register     A            Alu             All
    Cmp         "cmp"    "0110 0001 0100 1fff"            A            Other        Alu             All
    Cmp         "cmp"    "0110 0001 1100 0000"            A            AtHlB        Load            All
    Cmp         "cmp"    "0110 0001 1100 0010"            A            AtHlC        Load            All
    And         "and"    "0101 1010"                      Saddr        Byte         Modify          All
    And         "and"    "0101 1011"                      A            Saddr        Load            All
    And         "and"    "0101 1100"                      A            Byte         Alu             All
    And         "and"    "0101 1101"                      A            AtHl         Load            All
    And         "and"    "0101 1110"                      A            AtHlByte     Load            All
    And         "and"    "0101 1111"                      A            Absolute     Load            All
    And         "and"    "0110 0001 0101 0fff"            Register     A            Alu             All
    And         "and"    "0110 0001 0101 1fff"            A            Other        Alu             All
    And         "and"    "0110 0001 1101 0000"            A            AtHlB        Load            All
    And         "and"    "0110 0001 1101 0010"            A            AtHlC        Load            All
    Or          "or"     "0110 1010"                      Saddr        Byte         Modify          All
    Or          "or"     "0110 1011"                      A            Saddr        Load            All
    Or          "or"     "0110 1100"                      A            Byte         Alu             All
    Or          "or"     "0110 1101"                      A            AtHl         Load            All
    Or          "or"     "0110 1110"                      A            AtHlByte     Load            All
    Or          "or"     "0110 1111"                      A            Absolute     Load            All
    Or          "or"     "0110 0001 0110 0fff"            Register     A            Alu             All
    Or          "or"     "0110 0001 0110 1fff"            A            Other        Alu             All
    Or          "or"     "0110 0001 1110 0000"            A            AtHlB        Load            All
    Or          "or"     "0110 0001 1110 0010"            A            AtHlC        Load            All
    Xor         "xor"    "0111 1010"                      Saddr        Byte         Modify          All
    Xor         "xor"    "0111 1011"                      A            Saddr        Load            All
    Xor         "xor"    "0111 1100"                      A            Byte         Alu             All
    Xor         "xor"    "0111 1101"                      A            AtHl         Load            All
    Xor         "xor"    "0111 1110"                      A            AtHlByte     Load            All
    Xor         "xor"    "0111 1111"                      A            Absolute     Load            All
    Xor         "xor"    "0110 0001 0111 0fff"            Register     A            Alu             All
    Xor         "xor"    "0110 0001 0111 1fff"            A            Other        Alu             All
    Xor         "xor"    "0110 0001 1111 0000"            A            AtHlB        Load            All
    Xor         "xor"    "0110 0001 1111 0010"            A            AtHlC        Load            All
    Cmp         "cmp"    "0100 0000"                      Absolute     Byte         Load            All
    Addw        "addw"   "0000 0010"                      Ax           Absolute     LoadWord        All
    Addw        "addw"   "0110 0001 0000 1001"            Ax           AtHlByte     LoadWord        All
    Addw        "addw"   "0000 0100"                      Ax           Word         AluWord         All
    Addw        "addw"   "0000 0ff1"                      Ax           Pair         AluWord         All
    Addw        "addw"   "0000 0110"                      Ax           Saddr        LoadWord        All
    Subw        "subw"   "0010 0010"                      Ax           Absolute     LoadWord        All
    Subw        "subw"   "0110 0001 0010 1001"            Ax           AtHlByte     LoadWord        All
    Subw        "subw"   "0010 0100"                      Ax           Word         AluWord         All
    Subw        "subw"   "0010 0ff1"                      Ax           Pair         AluWord         All
    Subw        "subw"   "0010 0110"                      Ax           Saddr        LoadWord        All
    Cmpw        "cmpw"   "0100 0010"                      Ax           Absolute     LoadWord        All
    Cmpw        "cmpw"   "0110 0001 0100 1001"            Ax           AtHlByte     LoadWord        All
    Cmpw        "cmpw"   "0100 0100"                      Ax           Word         AluWord         All
    Cmpw        "cmpw"   "0100 0ff1"                      Ax           OtherPair    AluWord         All
    Cmpw        "cmpw"   "0100 0110"                      Ax           Saddr        LoadWord        All
    Addw        "addw"   "0001 0000"                      Sp           Byte         AluWord         All
    Subw        "subw"   "0010 0000"                      Sp           Byte         AluWord         All
    Mov         "mov"    "1100 1111"                      Absolute     Byte         Store           All
    Mov         "mov"    "1001 1111"                      Absolute     A            Store           All
    Mov         "mov"    "1001 1001"                      AtDe         A            Store           All
    Mov         "mov"    "1100 1010"                      AtDeByte     Byte         Store           All
    Mov         "mov"    "1001 1010"                      AtDeByte     A            Store           All
    Mov         "mov"    "1001 1011"                      AtHl         A            Store           All
    Mov         "mov"    "0110 0001 1101 1001"            AtHlB        A            Store           All
    Mov         "mov"    "1100 1100"                      AtHlByte     Byte         Store           All
    Mov         "mov"    "1001 1100"                      AtHlByte     A            Store           All
    Mov         "mov"    "0110 0001 1111 1001"            AtHlC        A            Store           All
    Mov         "mov"    "1100 1000"                      AtSpByte     Byte         Store           All
    Mov         "mov"    "1001 1000"                      AtSpByte     A            Store           All
    Mov         "mov"    "0001 1001"                      IndexB       Byte         Store           All
    Mov         "mov"    "0001 1000"                      IndexB       A            Store           All
    Mov         "mov"    "0011 1001"                      IndexBc      Byte         Store           All
    Mov         "mov"    "0100 1000"                      IndexBc      A            Store           All
    Mov         "mov"    "0011 1000"                      IndexC       Byte         Store           All
    Mov         "mov"    "0010 1000"                      IndexC       A            Store           All
    Mov         "mov"    "1100 1101"                      Saddr        Byte         Store           All
    Mov         "mov"    "1001 1101"                      Saddr        A            Store           All
    Mov         "mov"    "1100 1110"                      Sfr          Byte         Store           All
    Mov         "mov"    "1001 1110"                      Sfr          A            Store           All
    Mov         "mov"    "1000 1111"                      A            Absolute     Load            All
    Mov         "mov"    "1000 1001"                      A            AtDe         Load            All
    Mov         "mov"    "1000 1010"                      A            AtDeByte     Load            All
    Mov         "mov"    "1000 1011"                      A            AtHl         Load            All
    Mov         "mov"    "1000 1100"                      A            AtHlByte     Load            All
    Mov         "mov"    "0110 0001 1100 1001"            A            AtHlB        Load            All
    Mov         "mov"    "0110 0001 1110 1001"            A            AtHlC        Load            All
    Mov         "mov"    "1000 1000"                      A            AtSpByte     Load            All
    Mov         "mov"    "0000 1001"                      A            IndexB       Load            All
    Mov         "mov"    "0100 1001"                      A            IndexBc      Load            All
    Mov         "mov"    "0010 1001"                      A            IndexC       Load            All
    Mov         "mov"    "1000 1110"                      A            Sfr          Load            All
    Mov         "mov"    "1000 1101"                      A            Saddr        Load            All
    Mov         "mov"    "1110 1001"                      B            Absolute     Load            All
    Mov         "mov"    "1110 1000"                      B            Saddr        Load            All
    Mov         "mov"    "1111 1001"                      C            Absolute     Load            All
    Mov         "mov"    "1111 1000"                      C            Saddr        Load            All
    Mov         "mov"    "1101 1001"                      X            Absolute     Load            All
    Mov         "mov"    "1101 1000"                      X            Saddr        Load            All
    Mov         "mov"    "0110 0001 1011 1000"            Es           Saddr        Load            All
    Mov         "mov"    "0101 0fff"                      Register     Byte         Alu             All
    Mov         "mov"    "0110 0fff"                      A            Other        Alu             All
    Mov         "mov"    "0111 0fff"                      Other        A            Alu             All
    Mov         "mov"    "0100 0001"                      Es           Byte         Alu             All
    Movs        "movs"   "0110 0001 1100 1110"            AtHlByte     X            Store           All
    Cmps        "cmps"   "0110 0001 1101 1110"            X            AtHlByte     Load            All
    Clrb        "clrb"   "1111 0101"                      Absolute     None         Store           All
    Clrb        "clrb"   "1111 00ff"                      LowRegister  None         Alu             All
    Clrb        "clrb"   "1111 0100"                      Saddr        None         Store           All
    Clrw        "clrw"   "1111 0110"                      Ax           None         AluWord         All
    Clrw        "clrw"   "1111 0111"                      Bc           None         AluWord         All
    Oneb        "oneb"   "1110 0101"                      Absolute     None         Store           All
    Oneb        "oneb"   "1110 00ff"                      LowRegister  None         Alu             All
    Oneb        "oneb"   "1110 0100"                      Saddr        None         Store           All
    Onew        "onew"   "1110 0110"                      Ax           None         AluWord         All
    Onew        "onew"   "1110 0111"                      Bc           None         AluWord         All
    Cmp0        "cmp0"   "1101 0101"                      Absolute     None         Load            All
    Cmp0        "cmp0"   "1101 00ff"                      LowRegister  None         Alu             All
    Cmp0        "cmp0"   "1101 0100"                      Saddr        None         Load            All
    Inc         "inc"    "1010 0000"                      Absolute     None         Modify          All
    Inc         "inc"    "0110 0001 0101 1001"            AtHlByte     None         Modify          All
    Inc         "inc"    "1000 0fff"                      Register     None         Alu             All
    Inc         "inc"    "1010 0100"                      Saddr        None         Modify          All
    Incw        "incw"   "1010 0010"                      Absolute     None         ModifyWord      All
    Incw        "incw"   "0110 0001 0111 1001"            AtHlByte     None         ModifyWord      All
    Incw        "incw"   "1010 0ff1"                      Pair         None         AluWord         All
    Incw        "incw"   "1010 0110"                      Saddr        None         ModifyWord      All
    Dec         "dec"    "1011 0000"                      Absolute     None         Modify          All
    Dec         "dec"    "0110 0001 0110 1001"            AtHlByte     None         Modify          All
    Dec         "dec"    "1001 0fff"                      Register     None         Alu             All
    Dec         "dec"    "1011 0100"                      Saddr        None         Modify          All
    Decw        "decw"   "1011 0010"                      Absolute     None         ModifyWord      All
    Decw        "decw"   "0110 0001 1000 1001"            AtHlByte     None         ModifyWord      All
    Decw        "decw"   "1011 0ff1"                      Pair         None         AluWord         All
    Decw        "decw"   "1011 0110"                      Saddr        None         ModifyWord      All
    Movw        "movw"   "1011 1111"                      Absolute     Ax           StoreWord       All
    Movw        "movw"   "1011 1001"                      AtDe         Ax           StoreWord       All
    Movw        "movw"   "1011 1010"                      AtDeByte     Ax           StoreWord       All
    Movw        "movw"   "1011 1011"                      AtHl         Ax           StoreWord       All
    Movw        "movw"   "1011 1100"                      AtHlByte     Ax           StoreWord       All
    Movw        "movw"   "1011 1000"                      AtSpByte     Ax           StoreWord       All
    Movw        "movw"   "0101 1000"                      IndexB       Ax           StoreWord       All
    Movw        "movw"   "0110 1000"                      IndexC       Ax           StoreWord       All
    Movw        "movw"   "0111 1000"                      IndexBc      Ax           StoreWord       All
    Movw        "movw"   "1100 1001"                      Saddr        Word         StoreWord       All
    Movw        "movw"   "1011 1101"                      Saddr        Ax           StoreWord       All
    Movw        "movw"   "1100 1011"                      Sfr          Word         StoreWord       All
    Movw        "movw"   "1011 1110"                      Sfr          Ax           StoreWord       All
    Movw        "movw"   "1010 1111"                      Ax           Absolute     LoadWord        All
    Movw        "movw"   "1010 1001"                      Ax           AtDe         LoadWord        All
    Movw        "movw"   "1010 1010"                      Ax           AtDeByte     LoadWord        All
    Movw        "movw"   "1010 1011"                      Ax           AtHl         LoadWord        All
    Movw        "movw"   "1010 1100"                      Ax           AtHlByte     LoadWord        All
    Movw        "movw"   "1010 1000"                      Ax           AtSpByte     LoadWord        All
    Movw        "movw"   "0101 1001"                      Ax           IndexB       LoadWord        All
    Movw        "movw"   "0110 1001"                      Ax           IndexC       LoadWord        All
    Movw        "movw"   "0111 1001"                      Ax           IndexBc      LoadWord        All
    Movw        "movw"   "1010 1101"                      Ax           Saddr        LoadWord        All
    Movw        "movw"   "1010 1110"                      Ax           Sfr          LoadWord        All
    Movw        "movw"   "11ff 1011"                      OtherPair    Absolute     LoadWord        All
    Movw        "movw"   "11ff 1010"                      OtherPair    Saddr        LoadWord        All
    Movw        "movw"   "0011 0ff0"                      Pair         Word         AluWord         All
    Movw        "movw"   "0001 0ff1"                      Ax           OtherPair    AluWord         All
    Movw        "movw"   "0001 0ff0"                      OtherPair    Ax           AluWord         All
    Xch         "xch"    "0110 0001 1010 1010"            A            Absolute     ExchangeMemory  All
    Xch         "xch"    "0110 0001 1010 1110"            A            AtDe         ExchangeMemory  All
    Xch         "xch"    "0110 0001 1010 1111"            A            AtDeByte     ExchangeMemory  All
    Xch         "xch"    "0110 0001 1010 1100"            A            AtHl         ExchangeMemory  All
    Xch         "xch"    "0110 0001 1010 1101"            A            AtHlByte     ExchangeMemory  All
    Xch         "xch"    "0110 0001 1011 1001"            A            AtHlB        ExchangeMemory  All
    Xch         "xch"    "0110 0001 1010 1001"            A            AtHlC        ExchangeMemory  All
    Xch         "xch"    "0110 0001 1010 1000"            A            Saddr        ExchangeMemory  All
    Xch         "xch"    "0110 0001 1010 1011"            A            Sfr          ExchangeMemory  All
    Xch         "xch"    "0110 0001 1000 1fff"            A            Others       Exchange        All
    Xch         "xch"    "0000 1000"                      A            X            Alu             All
    Xchw        "xchw"   "0011 0ff1"                      Ax           OtherPair    AluWord         All
    Mov1        "mov1"   "0111 0001 1fff 0100"            Carry        BitHl        BitLoad         All
    Mov1        "mov1"   "0111 0001 1fff 1100"            Carry        BitA         Alu             All
    Mov1        "mov1"   "0111 0001 0fff 1100"            Carry        BitSfr       BitLoad         All
    Mov1        "mov1"   "0111 0001 0fff 0100"            Carry        BitSaddr     BitLoad         All
    And1        "and1"   "0111 0001 1fff 0101"            Carry        BitHl        BitLoad         All
    And1        "and1"   "0111 0001 1fff 1101"            Carry        BitA         Alu             All
    And1        "and1"   "0111 0001 0fff 1101"            Carry        BitSfr       BitLoad         All
    And1        "and1"   "0111 0001 0fff 0101"            Carry        BitSaddr     BitLoad         All
    Or1         "or1"    "0111 0001 1fff 0110"            Carry        BitHl        BitLoad         All
    Or1         "or1"    "0111 0001 1fff 1110"            Carry        BitA         Alu             All
    Or1         "or1"    "0111 0001 0fff 1110"            Carry        BitSfr       BitLoad         All
    Or1         "or1"    "0111 0001 0fff 0110"            Carry        BitSaddr     BitLoad         All
    Xor1        "xor1"   "0111 0001 1fff 0111"            Carry        BitHl        BitLoad         All
    Xor1        "xor1"   "0111 0001 1fff 1111"            Carry        BitA         Alu             All
    Xor1        "xor1"   "0111 0001 0fff 1111"            Carry        BitSfr       BitLoad         All
    Xor1        "xor1"   "0111 0001 0fff 0111"            Carry        BitSaddr     BitLoad         All
    Mov1        "mov1"   "0111 0001 1fff 0001"            BitHl        Carry        BitModify       All
    Mov1        "mov1"   "0111 0001 1fff 1001"            BitA         Carry        Alu             All
    Mov1        "mov1"   "0111 0001 0fff 0001"            BitSaddr     Carry        BitModify       All
    Mov1        "mov1"   "0111 0001 0fff 1001"            BitSfr       Carry        BitModify       All
    Set1        "set1"   "0111 0001 0fff 0000"            BitAbsolute  None         BitModify       All
    Set1        "set1"   "0111 0001 1fff 0010"            BitHl        None         BitModify       All
    Set1        "set1"   "0111 0001 1fff 1010"            BitA         None         Alu             All
    Set1        "set1"   "0111 0001 1000 0000"            Carry        None         Alu             All
    Set1        "set1"   "0111 0001 0fff 1010"            BitSfr       None         BitModify       All
    Set1        "set1"   "0111 0001 0fff 0010"            BitSaddr     None         BitModify       All
    Clr1        "clr1"   "0111 0001 0fff 1000"            BitAbsolute  None         BitModify       All
    Clr1        "clr1"   "0111 0001 1fff 0011"            BitHl        None         BitModify       All
    Clr1        "clr1"   "0111 0001 1fff 1011"            BitA         None         Alu             All
    Clr1        "clr1"   "0111 0001 1000 1000"            Carry        None         Alu             All
    Clr1        "clr1"   "0111 0001 0fff 1011"            BitSfr       None         BitModify       All
    Clr1        "clr1"   "0111 0001 0fff 0011"            BitSaddr     None         BitModify       All
    Not1        "not1"   "0111 0001 1100 0000"            Carry        None         Alu             All
    Bc          "bc"     "1101 1100"                      Near         None         Branch          All
    Bnc         "bnc"    "1101 1110"                      Near         None         Branch          All
    Bz          "bz"     "1101 1101"                      Near         None         Branch          All
    Bnz         "bnz"    "1101 1111"                      Near         None         Branch          All
    Bh          "bh"     "0110 0001 1100 0011"            Near         None         Branch          All
    Bnh         "bnh"    "0110 0001 1101 0011"            Near         None         Branch          All
    Bf          "bf"     "0011 0001 1fff 0101"            BitHl        Near         BranchBit       All
    Bf          "bf"     "0011 0001 0fff 0101"            BitA         Near         BranchBit       All
    Bf          "bf"     "0011 0001 1fff 0100"            BitSfr       Near         BranchBit       All
    Bf          "bf"     "0011 0001 0fff 0100"            BitSaddr     Near         BranchBit       All
    Bt          "bt"     "0011 0001 1fff 0011"            BitHl        Near         BranchBit       All
    Bt          "bt"     "0011 0001 0fff 0011"            BitA         Near         BranchBit       All
    Bt          "bt"     "0011 0001 1fff 0010"            BitSfr       Near         BranchBit       All
    Bt          "bt"     "0011 0001 0fff 0010"            BitSaddr     Near         BranchBit       All
    Btclr       "btclr"  "0011 0001 1fff 0001"            BitHl        Near         BranchBit       All
    Btclr       "btclr"  "0011 0001 0fff 0001"            BitA         Near         BranchBit       All
    Btclr       "btclr"  "0011 0001 1fff 0000"            BitSfr       Near         BranchBit       All
    Btclr       "btclr"  "0011 0001 0fff 0000"            BitSaddr     Near         BranchBit       All
    Br          "br"     "1110 1100"                      Far          None         Jump            All
    Br          "br"     "1110 1101"                      Low          None         Jump            All
    Br          "br"     "1110 1110"                      Relative     None         Jump            All
    Br          "br"     "1110 1111"                      Near         None         Jump            All
    Br          "br"     "0110 0001 1100 1011"            Ax           None         Jump            All
    Call        "call"   "1111 1100"                      Far          None         Call            All
    Call        "call"   "1111 1101"                      Low          None         Call            All
    Call        "call"   "1111 1110"                      Relative     None         Call            All
    Call        "call"   "0110 0001 11ff 1010"            Pair         None         Call            All
    Callt       "callt"  "0110 0001 1fff 01ff"            Table        None         CallTable       All
    Ret         "ret"    "1101 0111"                      None         None         Return          All
    Reti        "reti"   "0110 0001 1111 1100"            None         None         Return          All
    Reti        "retb"   "0110 0001 1110 1100"            None         None         Return          All
    Brk         "brk"    "0110 0001 1100 1100"            None         None         Break           All
    Brk1        "brk1"   "1111 1111"                      None         None         Break           All
    Pop         "pop"    "1100 0ff0"                      Pair         None         Pop             All
    PopStatus   "pop"    "0110 0001 1100 1101"            Status       None         PopStatus       All
    Push        "push"   "1100 0ff1"                      Pair         None         Push            All
    PushStatus  "push"   "0110 0001 1101 1101"            Status       None         Push            All
    Rol         "rol"    "0110 0001 1110 1011"            A            One          Alu             All
    Rolc        "rolc"   "0110 0001 1101 1100"            A            One          Alu             All
    Ror         "ror"    "0110 0001 1101 1011"            A            One          Alu             All
    Rorc        "rorc"   "0110 0001 1111 1011"            A            One          Alu             All
    Rolwc       "rolwc"  "0110 0001 1110 1110"            Ax           One          AluWord         All
    Rolwc       "rolwc"  "0110 0001 1111 1110"            Bc           One          AluWord         All
    Shl         "shl"    "0011 0001 0fff 1001"            A            Count        Alu             All
    Shl         "shl"    "0011 0001 0fff 1000"            B            Count        Alu             All
    Shl         "shl"    "0011 0001 0fff 0111"            C            Count        Alu             All
    Shr         "shr"    "0011 0001 0fff 1010"            A            Count        Alu             All
    Sar         "sar"    "0011 0001 0fff 1011"            A            Count        Alu             All
    Shlw        "shlw"   "0011 0001 ffff 1101"            Ax           Count        AluWord         All
    Shlw        "shlw"   "0011 0001 ffff 1100"            Bc           Count        AluWord         All
    Shrw        "shrw"   "0011 0001 ffff 1110"            Ax           Count        AluWord         All
    Sarw        "sarw"   "0011 0001 ffff 1111"            Ax           Count        AluWord         All
    Skc         "skc"    "0110 0001 1100 1000"            None         None         Skip            All
    Skh         "skh"    "0110 0001 1110 0011"            None         None         Skip            All
    Sknc        "sknc"   "0110 0001 1101 1000"            None         None         Skip            All
    Sknh        "sknh"   "0110 0001 1111 0011"            None         None         Skip            All
    Sknz        "sknz"   "0110 0001 1111 1000"            None         None         Skip            All
    Skz         "skz"    "0110 0001 1110 1000"            None         None         Skip            All
    Sel         "sel"    "0110 0001 11ff 1111"            Bank         None         Alu             Banks
    Mulu        "mulu"   "1101 0110"                      X            None         Multiply        All
    Mulhu       "mulhu"  "1100 1110 1111 1011 0000 0001"  None         None         MultiplyWord    Extended
    Mulh        "mulh"   "1100 1110 1111 1011 0000 0010"  None         None         MultiplyWord    Extended
    Divhu       "divhu"  "1100 1110 1111 1011 0000 0011"  None         None         Divide          Extended
    Divwu       "divwu"  "1100 1110 1111 1011 0000 1011"  None         None         DivideWord      Extended
    Machu       "machu"  "1100 1110 1111 1011 0000 0101"  None         None         Accumulate      Extended
    Mach        "mach"   "1100 1110 1111 1011 0000 0110"  None         None         Accumulate      Extended
    Halt        "halt"   "0110 0001 1110 1101"            None         None         Halt            All
    Stop        "stop"   "0110 0001 1111 1101"            None         None         Halt            All
    Ei          "ei"     "0111 0001 0111 1010 1111 1010"  None         None         Enable          All
    Di          "di"     "0111 0001 0111 1011 1111 1010"  None         None         Enable          All
}
