//! The instruction table: name, encoding, operand format, timing class of every instruction, and who has it.
//!
//! Source: DS40002198, section 6, whose patterns and letters of operands stand here; mnemonics are those that
//! the GNU tools print where an encoding has several.

use crate::class::Class;
use crate::features::{Features, Variant};

/// The encoding and syntax of an instruction's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// No operands.
    None,
    /// One register.
    Register,
    /// Two registers.
    Registers,
    /// Two pairs of registers, each by its even one.
    Pairs,
    /// Two registers from r16 on.
    UpperRegisters,
    /// Two registers of r16 to r23.
    MiddleRegisters,
    /// A register from r16 on, and a byte.
    Immediate,
    /// A pair from r24 on, and 6 bits.
    WordImmediate,
    /// A register and the number of a bit.
    RegisterBit,
    /// An I/O register of the first 32 and the number of a bit.
    IoBit,
    /// A register and an I/O register.
    In,
    /// An I/O register and a register.
    Out,
    /// A register and a pointer.
    Load(&'static str),
    /// A pointer and a register.
    Store(&'static str),
    /// A register, a pointer and a displacement, which is not 0: that is `ld`.
    LoadDisplaced(&'static str),
    /// A pointer, a displacement, which is not 0, and a register.
    StoreDisplaced(&'static str),
    /// A register and an address in the second word.
    LoadDirect,
    /// An address in the second word and a register.
    StoreDirect,
    /// A register from r16 on and an address of 7 bits.
    LoadShort,
    /// An address of 7 bits and a register from r16 on.
    StoreShort,
    /// Z and a register.
    Exchange,
    /// A pointer alone.
    Pointer(&'static str),
    /// The number of a round.
    Round,
    /// A distance in words from the next instruction on.
    Relative,
    /// An address in words, whose lower bits are the second word.
    Absolute,
}

impl Format {
    /// Returns true if instructions have a second word.
    #[must_use]
    pub const fn is_long(self) -> bool {
        matches!(self, Self::LoadDirect | Self::StoreDirect | Self::Absolute)
    }

    /// Returns true if a displacement of 0 is another instruction's.
    #[must_use]
    pub const fn is_displaced(self) -> bool {
        matches!(self, Self::LoadDisplaced(_) | Self::StoreDisplaced(_))
    }
}

/// The cores that have an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Has {
    /// All.
    All,
    /// All but the reduced core.
    Full,
    /// The reduced core alone.
    Reduced,
    /// Those that multiply.
    Products,
    /// Those that jump farther than `rjmp`.
    FarJumps,
    /// Those with more than 64 KiB of flash memory.
    FarReads,
    /// Those with a program counter of 22 bits.
    WideCounter,
    /// XMEGA.
    Xmega,
    /// XMEGA and what came after it.
    Modern,
}

impl Has {
    /// Returns true if a core is one of them.
    #[must_use]
    pub const fn holds(self, core: &Features) -> bool {
        let variant = core.variant;
        match self {
            Self::All => true,
            Self::Full => !matches!(variant, Variant::Avrrc),
            Self::Reduced => matches!(variant, Variant::Avrrc),
            Self::Products => !matches!(variant, Variant::Avrrc | Variant::Avre),
            Self::FarJumps => core.jumps_far(),
            Self::FarReads => core.reads_far(),
            Self::WideCounter => core.wide_counter,
            Self::Xmega => matches!(variant, Variant::Avrxm),
            Self::Modern => matches!(variant, Variant::Avrxm | Variant::Avrxt),
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The instruction.
    pub opcode: Opcode,
    /// Its name in assembly.
    pub name: &'static str,
    /// Its first word, highest bit first: fixed bits, and a letter for each bit of an operand.
    pub pattern: &'static str,
    /// Operand layout.
    pub format: Format,
    /// Timing class.
    pub class: Class,
    /// The cores that have it.
    pub has: Has,
    /// The mask of the first word's fixed bits.
    pub mask: u16,
    /// The values of the fixed bits.
    pub bits: u16,
}

impl Row {
    /// Returns true if a first word is of this instruction.
    #[must_use]
    pub fn matches(&self, word: u16) -> bool {
        word & self.mask == self.bits && !(self.format.is_displaced() && self.field('q', word) == 0)
    }

    /// The operand whose bits have a letter.
    #[must_use]
    pub fn field(&self, letter: char, word: u16) -> u16 {
        let places = self.pattern.chars().filter(|&symbol| symbol != ' ').zip((0..16).rev());
        let bits = places.filter(|&(symbol, _)| symbol == letter);
        bits.fold(0, |field, (_, place)| field << 1 | word >> place & 1)
    }
}

/// The fixed bits of a pattern: which they are, and what they are.
const fn fixed(pattern: &str) -> (u16, u16) {
    let (bytes, mut at) = (pattern.as_bytes(), 0);
    let (mut mask, mut bits) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b' ' {
            mask = mask << 1 | (bytes[at] == b'0' || bytes[at] == b'1') as u16;
            bits = bits << 1 | (bytes[at] == b'1') as u16;
        }
        at += 1;
    }
    (mask, bits)
}

macro_rules! instructions {
    ($($opcode:ident $name:literal $pattern:literal $format:ident $(($pointer:literal))? $class:ident $has:ident)*) => {
        /// Every instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = concat!("`", $name, "`, ", $pattern, ".")] $opcode,)*
        }

        /// The table, in the order of [`Opcode`].
        pub const TABLE: &[Row] = &[
            $(Row {
                opcode: Opcode::$opcode,
                name: $name,
                pattern: $pattern,
                format: Format::$format $(($pointer))?,
                class: Class::$class,
                has: Has::$has,
                mask: fixed($pattern).0,
                bits: fixed($pattern).1,
            },)*
        ];
    };
}

#[rustfmt::skip]
instructions! {
    Nop            "nop"     "0000 0000 0000 0000"  None                   Alu             All
    Movw           "movw"    "0000 0001 dddd rrrr"  Pairs                  Alu             Full
    Muls           "muls"    "0000 0010 dddd rrrr"  UpperRegisters         Multiply        Products
    Mulsu          "mulsu"   "0000 0011 0ddd 0rrr"  MiddleRegisters        Multiply        Products
    Fmul           "fmul"    "0000 0011 0ddd 1rrr"  MiddleRegisters        Multiply        Products
    Fmuls          "fmuls"   "0000 0011 1ddd 0rrr"  MiddleRegisters        Multiply        Products
    Fmulsu         "fmulsu"  "0000 0011 1ddd 1rrr"  MiddleRegisters        Multiply        Products
    Cpc            "cpc"     "0000 01rd dddd rrrr"  Registers              Alu             All
    Sbc            "sbc"     "0000 10rd dddd rrrr"  Registers              Alu             All
    Add            "add"     "0000 11rd dddd rrrr"  Registers              Alu             All
    Cpse           "cpse"    "0001 00rd dddd rrrr"  Registers              Skip            All
    Cp             "cp"      "0001 01rd dddd rrrr"  Registers              Alu             All
    Sub            "sub"     "0001 10rd dddd rrrr"  Registers              Alu             All
    Adc            "adc"     "0001 11rd dddd rrrr"  Registers              Alu             All
    And            "and"     "0010 00rd dddd rrrr"  Registers              Alu             All
    Eor            "eor"     "0010 01rd dddd rrrr"  Registers              Alu             All
    Or             "or"      "0010 10rd dddd rrrr"  Registers              Alu             All
    Mov            "mov"     "0010 11rd dddd rrrr"  Registers              Alu             All
    Cpi            "cpi"     "0011 KKKK dddd KKKK"  Immediate              Alu             All
    Sbci           "sbci"    "0100 KKKK dddd KKKK"  Immediate              Alu             All
    Subi           "subi"    "0101 KKKK dddd KKKK"  Immediate              Alu             All
    Ori            "ori"     "0110 KKKK dddd KKKK"  Immediate              Alu             All
    Andi           "andi"    "0111 KKKK dddd KKKK"  Immediate              Alu             All
    Ldi            "ldi"     "1110 KKKK dddd KKKK"  Immediate              Alu             All
    LdZ            "ld"      "1000 000d dddd 0000"  Load("Z")              Load            All
    LdY            "ld"      "1000 000d dddd 1000"  Load("Y")              Load            All
    StZ            "st"      "1000 001r rrrr 0000"  Store("Z")             Store           All
    StY            "st"      "1000 001r rrrr 1000"  Store("Y")             Store           All
    LddZ           "ldd"     "10q0 qq0d dddd 0qqq"  LoadDisplaced("Z")     LoadDisplaced   Full
    LddY           "ldd"     "10q0 qq0d dddd 1qqq"  LoadDisplaced("Y")     LoadDisplaced   Full
    StdZ           "std"     "10q0 qq1r rrrr 0qqq"  StoreDisplaced("Z")    StoreDisplaced  Full
    StdY           "std"     "10q0 qq1r rrrr 1qqq"  StoreDisplaced("Y")    StoreDisplaced  Full
    LdsShort       "lds"     "1010 0kkk dddd kkkk"  LoadShort              LoadDirect      Reduced
    StsShort       "sts"     "1010 1kkk rrrr kkkk"  StoreShort             StoreDirect     Reduced
    Lds            "lds"     "1001 000d dddd 0000"  LoadDirect             LoadDirect      Full
    Sts            "sts"     "1001 001r rrrr 0000"  StoreDirect            StoreDirect     Full
    LdZIncrement   "ld"      "1001 000d dddd 0001"  Load("Z+")             LoadIncrement   All
    LdZDecrement   "ld"      "1001 000d dddd 0010"  Load("-Z")             LoadDecrement   All
    StZIncrement   "st"      "1001 001r rrrr 0001"  Store("Z+")            StoreIncrement  All
    StZDecrement   "st"      "1001 001r rrrr 0010"  Store("-Z")            StoreDecrement  All
    LdYIncrement   "ld"      "1001 000d dddd 1001"  Load("Y+")             LoadIncrement   All
    LdYDecrement   "ld"      "1001 000d dddd 1010"  Load("-Y")             LoadDecrement   All
    StYIncrement   "st"      "1001 001r rrrr 1001"  Store("Y+")            StoreIncrement  All
    StYDecrement   "st"      "1001 001r rrrr 1010"  Store("-Y")            StoreDecrement  All
    LdX            "ld"      "1001 000d dddd 1100"  Load("X")              Load            All
    LdXIncrement   "ld"      "1001 000d dddd 1101"  Load("X+")             LoadIncrement   All
    LdXDecrement   "ld"      "1001 000d dddd 1110"  Load("-X")             LoadDecrement   All
    StX            "st"      "1001 001r rrrr 1100"  Store("X")             Store           All
    StXIncrement   "st"      "1001 001r rrrr 1101"  Store("X+")            StoreIncrement  All
    StXDecrement   "st"      "1001 001r rrrr 1110"  Store("-X")            StoreDecrement  All
    LpmZ           "lpm"     "1001 000d dddd 0100"  Load("Z")              LoadProgram     Full
    LpmZIncrement  "lpm"     "1001 000d dddd 0101"  Load("Z+")             LoadProgram     Full
    ElpmZ          "elpm"    "1001 000d dddd 0110"  Load("Z")              LoadProgram     FarReads
    ElpmZIncrement "elpm"    "1001 000d dddd 0111"  Load("Z+")             LoadProgram     FarReads
    Xch            "xch"     "1001 001d dddd 0100"  Exchange               Exchange        Xmega
    Las            "las"     "1001 001d dddd 0101"  Exchange               Exchange        Xmega
    Lac            "lac"     "1001 001d dddd 0110"  Exchange               Exchange        Xmega
    Lat            "lat"     "1001 001d dddd 0111"  Exchange               Exchange        Xmega
    Pop            "pop"     "1001 000d dddd 1111"  Register               Pop             All
    Push           "push"    "1001 001d dddd 1111"  Register               Push            All
    Com            "com"     "1001 010d dddd 0000"  Register               Alu             All
    Neg            "neg"     "1001 010d dddd 0001"  Register               Alu             All
    Swap           "swap"    "1001 010d dddd 0010"  Register               Alu             All
    Inc            "inc"     "1001 010d dddd 0011"  Register               Alu             All
    Asr            "asr"     "1001 010d dddd 0101"  Register               Alu             All
    Lsr            "lsr"     "1001 010d dddd 0110"  Register               Alu             All
    Ror            "ror"     "1001 010d dddd 0111"  Register               Alu             All
    Dec            "dec"     "1001 010d dddd 1010"  Register               Alu             All
    Sec            "sec"     "1001 0100 0000 1000"  None                   Alu             All
    Sez            "sez"     "1001 0100 0001 1000"  None                   Alu             All
    Sen            "sen"     "1001 0100 0010 1000"  None                   Alu             All
    Sev            "sev"     "1001 0100 0011 1000"  None                   Alu             All
    Ses            "ses"     "1001 0100 0100 1000"  None                   Alu             All
    Seh            "seh"     "1001 0100 0101 1000"  None                   Alu             All
    Set            "set"     "1001 0100 0110 1000"  None                   Alu             All
    Sei            "sei"     "1001 0100 0111 1000"  None                   SetInterrupt    All
    Clc            "clc"     "1001 0100 1000 1000"  None                   Alu             All
    Clz            "clz"     "1001 0100 1001 1000"  None                   Alu             All
    Cln            "cln"     "1001 0100 1010 1000"  None                   Alu             All
    Clv            "clv"     "1001 0100 1011 1000"  None                   Alu             All
    Cls            "cls"     "1001 0100 1100 1000"  None                   Alu             All
    Clh            "clh"     "1001 0100 1101 1000"  None                   Alu             All
    Clt            "clt"     "1001 0100 1110 1000"  None                   Alu             All
    Cli            "cli"     "1001 0100 1111 1000"  None                   Alu             All
    Ijmp           "ijmp"    "1001 0100 0000 1001"  None                   Jump            All
    Eijmp          "eijmp"   "1001 0100 0001 1001"  None                   Jump            WideCounter
    Icall          "icall"   "1001 0101 0000 1001"  None                   Call            All
    Eicall         "eicall"  "1001 0101 0001 1001"  None                   CallExtended    WideCounter
    Ret            "ret"     "1001 0101 0000 1000"  None                   Return          All
    Reti           "reti"    "1001 0101 0001 1000"  None                   Return          All
    Sleep          "sleep"   "1001 0101 1000 1000"  None                   Sleep           All
    Break          "break"   "1001 0101 1001 1000"  None                   Break           All
    Wdr            "wdr"     "1001 0101 1010 1000"  None                   Watchdog        All
    Lpm            "lpm"     "1001 0101 1100 1000"  None                   LoadProgram     Full
    Elpm           "elpm"    "1001 0101 1101 1000"  None                   LoadProgram     FarReads
    Spm            "spm"     "1001 0101 1110 1000"  None                   StoreProgram    Full
    SpmIncrement   "spm"     "1001 0101 1111 1000"  Pointer("Z+")          StoreProgram    Modern
    Des            "des"     "1001 0100 KKKK 1011"  Round                  Cipher          Xmega
    Jmp            "jmp"     "1001 010k kkkk 110k"  Absolute               JumpLong        FarJumps
    Call           "call"    "1001 010k kkkk 111k"  Absolute               CallLong        FarJumps
    Adiw           "adiw"    "1001 0110 KKdd KKKK"  WordImmediate          Word            Full
    Sbiw           "sbiw"    "1001 0111 KKdd KKKK"  WordImmediate          Word            Full
    Cbi            "cbi"     "1001 1000 AAAA Abbb"  IoBit                  IoBit           All
    Sbic           "sbic"    "1001 1001 AAAA Abbb"  IoBit                  SkipIo          All
    Sbi            "sbi"     "1001 1010 AAAA Abbb"  IoBit                  IoBit           All
    Sbis           "sbis"    "1001 1011 AAAA Abbb"  IoBit                  SkipIo          All
    Mul            "mul"     "1001 11rd dddd rrrr"  Registers              Multiply        Products
    In             "in"      "1011 0AAd dddd AAAA"  In                     IoRead          All
    Out            "out"     "1011 1AAr rrrr AAAA"  Out                    IoWrite         All
    Rjmp           "rjmp"    "1100 kkkk kkkk kkkk"  Relative               Jump            All
    Rcall          "rcall"   "1101 kkkk kkkk kkkk"  Relative               Call            All
    Brcs           "brcs"    "1111 00kk kkkk k000"  Relative               Branch          All
    Breq           "breq"    "1111 00kk kkkk k001"  Relative               Branch          All
    Brmi           "brmi"    "1111 00kk kkkk k010"  Relative               Branch          All
    Brvs           "brvs"    "1111 00kk kkkk k011"  Relative               Branch          All
    Brlt           "brlt"    "1111 00kk kkkk k100"  Relative               Branch          All
    Brhs           "brhs"    "1111 00kk kkkk k101"  Relative               Branch          All
    Brts           "brts"    "1111 00kk kkkk k110"  Relative               Branch          All
    Brie           "brie"    "1111 00kk kkkk k111"  Relative               Branch          All
    Brcc           "brcc"    "1111 01kk kkkk k000"  Relative               Branch          All
    Brne           "brne"    "1111 01kk kkkk k001"  Relative               Branch          All
    Brpl           "brpl"    "1111 01kk kkkk k010"  Relative               Branch          All
    Brvc           "brvc"    "1111 01kk kkkk k011"  Relative               Branch          All
    Brge           "brge"    "1111 01kk kkkk k100"  Relative               Branch          All
    Brhc           "brhc"    "1111 01kk kkkk k101"  Relative               Branch          All
    Brtc           "brtc"    "1111 01kk kkkk k110"  Relative               Branch          All
    Brid           "brid"    "1111 01kk kkkk k111"  Relative               Branch          All
    Bld            "bld"     "1111 100d dddd 0bbb"  RegisterBit            Alu             All
    Bst            "bst"     "1111 101d dddd 0bbb"  RegisterBit            Alu             All
    Sbrc           "sbrc"    "1111 110d dddd 0bbb"  RegisterBit            Skip            All
    Sbrs           "sbrs"    "1111 111d dddd 0bbb"  RegisterBit            Skip            All
}

impl Opcode {
    /// The instruction's row.
    #[must_use]
    pub const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}
