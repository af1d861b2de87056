//! The instruction table: name, operands, encoding and timing class of every instruction.
//!
//! Source: "SH-1/SH-2/SH-DSP Programming Manual", section 5 and 6, and "SH-4 Software Manual", section 7, from which
//! the notation of encodings is: a letter stands for a bit of a field, of which `n` is at bits 11 to 8, `m` at bits 7 to 4,
//! and `i` and `d` at the lowest bits.

use crate::class::Class;

/// The way from an instruction's fields to the address that it accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// It accesses no memory, or has a way of its own.
    No,
    /// A register.
    At,
    /// A register, which is decremented before.
    Decrement,
    /// A register, which is incremented behind.
    Increment,
    /// A register and a distance.
    Displaced,
    /// A register and R0.
    Indexed,
    /// GBR and a distance.
    Global,
    /// GBR and R0.
    GlobalIndexed,
    /// The program counter and a distance.
    Relative,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The instruction.
    pub opcode: Opcode,
    /// Its name in assembly; the suffix says the width of an access.
    pub name: &'static str,
    /// Its operands in assembly, with fields in braces: registers `n`, `m` and the banked `b`; the signed and the unsigned
    /// immediate `i` and `u`; the distance `d`; the target `p`.
    pub operands: &'static str,
    /// The extension that has it; empty if every core does. No core file here offers `sh4a`, whose instructions are only
    /// disassembled.
    pub extension: &'static str,
    /// True if it is illegal in user mode.
    pub privileged: bool,
    /// Timing class.
    pub class: Class,
    /// The address that it accesses.
    pub address: Address,
    /// The mask of the encoding's fixed bits.
    pub mask: u16,
    /// The values of the fixed bits.
    pub bits: u16,
}

impl Row {
    /// Bytes of its access.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        match self.name.as_bytes() {
            [.., b'.', b'b'] => 1,
            [.., b'.', b'w'] => 2,
            _ => 4,
        }
    }
}

/// The fixed bits of an encoding, as a mask, and their values.
pub(crate) const fn encoding(pattern: &str) -> (u16, u16) {
    let pattern = pattern.as_bytes();
    assert!(pattern.len() == 16, "an encoding has 16 bits");
    let (mut mask, mut bits, mut at) = (0, 0, 0);
    while at < 16 {
        let bit = 1 << (15 - at);
        match pattern[at] {
            b'0' => mask |= bit,
            b'1' => (mask, bits) = (mask | bit, bits | bit),
            _ => {}
        }
        at += 1;
    }
    (mask, bits)
}

macro_rules! instructions {
    ($(
        $opcode:ident $name:literal $operands:literal $extension:literal $privileged:literal
        $class:ident $address:ident $pattern:literal
    )*) => {
        /// Every instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = concat!("`", $name, " ", $operands, "`")] $opcode,)*
        }

        /// The table, in the order of [`Opcode`].
        pub const TABLE: &[Row] = &[
            $(Row {
                opcode: Opcode::$opcode,
                name: $name,
                operands: $operands,
                extension: $extension,
                privileged: $privileged != 0,
                class: Class::$class,
                address: Address::$address,
                mask: encoding($pattern).0,
                bits: encoding($pattern).1,
            },)*
        ];
    };
}

instructions! {
    MovImmediate          "mov"     "#{i},{n}"       ""    0 Alu           No            "1110nnnniiiiiiii"
    MovwRelative          "mov.w"   "{p},{n}"        ""    0 Load          Relative      "1001nnnndddddddd"
    MovlRelative          "mov.l"   "{p},{n}"        ""    0 Load          Relative      "1101nnnndddddddd"
    Mov                   "mov"     "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm0011"
    MovbTo                "mov.b"   "{m},@{n}"       ""    0 Store         At            "0010nnnnmmmm0000"
    MovwTo                "mov.w"   "{m},@{n}"       ""    0 Store         At            "0010nnnnmmmm0001"
    MovlTo                "mov.l"   "{m},@{n}"       ""    0 Store         At            "0010nnnnmmmm0010"
    MovbFrom              "mov.b"   "@{m},{n}"       ""    0 Load          At            "0110nnnnmmmm0000"
    MovwFrom              "mov.w"   "@{m},{n}"       ""    0 Load          At            "0110nnnnmmmm0001"
    MovlFrom              "mov.l"   "@{m},{n}"       ""    0 Load          At            "0110nnnnmmmm0010"
    MovbPush              "mov.b"   "{m},@-{n}"      ""    0 Store         Decrement     "0010nnnnmmmm0100"
    MovwPush              "mov.w"   "{m},@-{n}"      ""    0 Store         Decrement     "0010nnnnmmmm0101"
    MovlPush              "mov.l"   "{m},@-{n}"      ""    0 Store         Decrement     "0010nnnnmmmm0110"
    MovbPop               "mov.b"   "@{m}+,{n}"      ""    0 Load          Increment     "0110nnnnmmmm0100"
    MovwPop               "mov.w"   "@{m}+,{n}"      ""    0 Load          Increment     "0110nnnnmmmm0101"
    MovlPop               "mov.l"   "@{m}+,{n}"      ""    0 Load          Increment     "0110nnnnmmmm0110"
    MovbToDisplaced       "mov.b"   "r0,@({d},{m})"  ""    0 Store         Displaced     "10000000mmmmdddd"
    MovwToDisplaced       "mov.w"   "r0,@({d},{m})"  ""    0 Store         Displaced     "10000001mmmmdddd"
    MovlToDisplaced       "mov.l"   "{m},@({d},{n})" ""    0 Store         Displaced     "0001nnnnmmmmdddd"
    MovbFromDisplaced     "mov.b"   "@({d},{m}),r0"  ""    0 Load          Displaced     "10000100mmmmdddd"
    MovwFromDisplaced     "mov.w"   "@({d},{m}),r0"  ""    0 Load          Displaced     "10000101mmmmdddd"
    MovlFromDisplaced     "mov.l"   "@({d},{m}),{n}" ""    0 Load          Displaced     "0101nnnnmmmmdddd"
    MovbToIndexed         "mov.b"   "{m},@(r0,{n})"  ""    0 Store         Indexed       "0000nnnnmmmm0100"
    MovwToIndexed         "mov.w"   "{m},@(r0,{n})"  ""    0 Store         Indexed       "0000nnnnmmmm0101"
    MovlToIndexed         "mov.l"   "{m},@(r0,{n})"  ""    0 Store         Indexed       "0000nnnnmmmm0110"
    MovbFromIndexed       "mov.b"   "@(r0,{m}),{n}"  ""    0 Load          Indexed       "0000nnnnmmmm1100"
    MovwFromIndexed       "mov.w"   "@(r0,{m}),{n}"  ""    0 Load          Indexed       "0000nnnnmmmm1101"
    MovlFromIndexed       "mov.l"   "@(r0,{m}),{n}"  ""    0 Load          Indexed       "0000nnnnmmmm1110"
    MovbToGlobal          "mov.b"   "r0,@({d},gbr)"  ""    0 Store         Global        "11000000dddddddd"
    MovwToGlobal          "mov.w"   "r0,@({d},gbr)"  ""    0 Store         Global        "11000001dddddddd"
    MovlToGlobal          "mov.l"   "r0,@({d},gbr)"  ""    0 Store         Global        "11000010dddddddd"
    MovbFromGlobal        "mov.b"   "@({d},gbr),r0"  ""    0 Load          Global        "11000100dddddddd"
    MovwFromGlobal        "mov.w"   "@({d},gbr),r0"  ""    0 Load          Global        "11000101dddddddd"
    MovlFromGlobal        "mov.l"   "@({d},gbr),r0"  ""    0 Load          Global        "11000110dddddddd"
    Mova                  "mova"    "{p},r0"         ""    0 Alu           No            "11000111dddddddd"
    Movt                  "movt"    "{n}"            ""    0 Alu           No            "0000nnnn00101001"
    SwapBytes             "swap.b"  "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm1000"
    SwapWords             "swap.w"  "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm1001"
    Xtrct                 "xtrct"   "{m},{n}"        ""    0 Alu           No            "0010nnnnmmmm1101"
    Add                   "add"     "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm1100"
    Addc                  "addc"    "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm1110"
    Addv                  "addv"    "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm1111"
    CompareEqual          "cmp/eq"  "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm0000"
    CompareHigherSame     "cmp/hs"  "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm0010"
    CompareGreaterEqual   "cmp/ge"  "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm0011"
    CompareHigher         "cmp/hi"  "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm0110"
    CompareGreater        "cmp/gt"  "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm0111"
    CompareString         "cmp/str" "{m},{n}"        ""    0 Alu           No            "0010nnnnmmmm1100"
    Div1                  "div1"    "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm0100"
    Div0s                 "div0s"   "{m},{n}"        ""    0 Alu           No            "0010nnnnmmmm0111"
    ExtendSignedByte      "exts.b"  "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm1110"
    ExtendSignedWord      "exts.w"  "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm1111"
    ExtendByte            "extu.b"  "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm1100"
    ExtendWord            "extu.w"  "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm1101"
    Neg                   "neg"     "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm1011"
    Negc                  "negc"    "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm1010"
    Sub                   "sub"     "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm1000"
    Subc                  "subc"    "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm1010"
    Subv                  "subv"    "{m},{n}"        ""    0 Alu           No            "0011nnnnmmmm1011"
    And                   "and"     "{m},{n}"        ""    0 Alu           No            "0010nnnnmmmm1001"
    Not                   "not"     "{m},{n}"        ""    0 Alu           No            "0110nnnnmmmm0111"
    Or                    "or"      "{m},{n}"        ""    0 Alu           No            "0010nnnnmmmm1011"
    Tst                   "tst"     "{m},{n}"        ""    0 Alu           No            "0010nnnnmmmm1000"
    Xor                   "xor"     "{m},{n}"        ""    0 Alu           No            "0010nnnnmmmm1010"
    AddImmediate          "add"     "#{i},{n}"       ""    0 Alu           No            "0111nnnniiiiiiii"
    CompareEqualImmediate "cmp/eq"  "#{i},r0"        ""    0 Alu           No            "10001000iiiiiiii"
    ComparePositive       "cmp/pl"  "{n}"            ""    0 Alu           No            "0100nnnn00010101"
    CompareNotNegative    "cmp/pz"  "{n}"            ""    0 Alu           No            "0100nnnn00010001"
    Div0u                 "div0u"   ""               ""    0 Alu           No            "0000000000011001"
    Dt                    "dt"      "{n}"            "sh2" 0 Alu           No            "0100nnnn00010000"
    Shad                  "shad"    "{m},{n}"        "sh3" 0 Alu           No            "0100nnnnmmmm1100"
    Shld                  "shld"    "{m},{n}"        "sh3" 0 Alu           No            "0100nnnnmmmm1101"
    Rotl                  "rotl"    "{n}"            ""    0 Alu           No            "0100nnnn00000100"
    Rotr                  "rotr"    "{n}"            ""    0 Alu           No            "0100nnnn00000101"
    Rotcl                 "rotcl"   "{n}"            ""    0 Alu           No            "0100nnnn00100100"
    Rotcr                 "rotcr"   "{n}"            ""    0 Alu           No            "0100nnnn00100101"
    Shal                  "shal"    "{n}"            ""    0 Alu           No            "0100nnnn00100000"
    Shar                  "shar"    "{n}"            ""    0 Alu           No            "0100nnnn00100001"
    Shll                  "shll"    "{n}"            ""    0 Alu           No            "0100nnnn00000000"
    Shlr                  "shlr"    "{n}"            ""    0 Alu           No            "0100nnnn00000001"
    Shll2                 "shll2"   "{n}"            ""    0 Alu           No            "0100nnnn00001000"
    Shlr2                 "shlr2"   "{n}"            ""    0 Alu           No            "0100nnnn00001001"
    Shll8                 "shll8"   "{n}"            ""    0 Alu           No            "0100nnnn00011000"
    Shlr8                 "shlr8"   "{n}"            ""    0 Alu           No            "0100nnnn00011001"
    Shll16                "shll16"  "{n}"            ""    0 Alu           No            "0100nnnn00101000"
    Shlr16                "shlr16"  "{n}"            ""    0 Alu           No            "0100nnnn00101001"
    TstImmediate          "tst"     "#{u},r0"        ""    0 Alu           No            "11001000iiiiiiii"
    AndImmediate          "and"     "#{u},r0"        ""    0 Alu           No            "11001001iiiiiiii"
    XorImmediate          "xor"     "#{u},r0"        ""    0 Alu           No            "11001010iiiiiiii"
    OrImmediate           "or"      "#{u},r0"        ""    0 Alu           No            "11001011iiiiiiii"
    TstByte               "tst.b"   "#{u},@(r0,gbr)" ""    0 Modify        GlobalIndexed "11001100iiiiiiii"
    AndByte               "and.b"   "#{u},@(r0,gbr)" ""    0 Modify        GlobalIndexed "11001101iiiiiiii"
    XorByte               "xor.b"   "#{u},@(r0,gbr)" ""    0 Modify        GlobalIndexed "11001110iiiiiiii"
    OrByte                "or.b"    "#{u},@(r0,gbr)" ""    0 Modify        GlobalIndexed "11001111iiiiiiii"
    Tas                   "tas.b"   "@{n}"           ""    0 TestAndSet    At            "0100nnnn00011011"
    Clrt                  "clrt"    ""               ""    0 Alu           No            "0000000000001000"
    Sett                  "sett"    ""               ""    0 Alu           No            "0000000000011000"
    Clrs                  "clrs"    ""               "sh3" 0 Alu           No            "0000000001001000"
    Sets                  "sets"    ""               "sh3" 0 Alu           No            "0000000001011000"
    Nop                   "nop"     ""               ""    0 Alu           No            "0000000000001001"
    Muls                  "muls.w"  "{m},{n}"        ""    0 Multiply16    No            "0010nnnnmmmm1111"
    Mulu                  "mulu.w"  "{m},{n}"        ""    0 Multiply16    No            "0010nnnnmmmm1110"
    Mull                  "mul.l"   "{m},{n}"        "sh2" 0 Multiply32    No            "0000nnnnmmmm0111"
    Dmuls                 "dmuls.l" "{m},{n}"        "sh2" 0 Multiply64    No            "0011nnnnmmmm1101"
    Dmulu                 "dmulu.l" "{m},{n}"        "sh2" 0 Multiply64    No            "0011nnnnmmmm0101"
    Macl                  "mac.l"   "@{m}+,@{n}+"    "sh2" 0 Accumulate32  No            "0000nnnnmmmm1111"
    Macw                  "mac.w"   "@{m}+,@{n}+"    ""    0 Accumulate16  No            "0100nnnnmmmm1111"
    Clrmac                "clrmac"  ""               ""    0 MacRegister   No            "0000000000101000"
    LdsMach               "lds"     "{n},mach"       ""    0 MacRegister   No            "0100nnnn00001010"
    LdsMachPop            "lds.l"   "@{n}+,mach"     ""    0 MacMemory     Increment     "0100nnnn00000110"
    StsMach               "sts"     "mach,{n}"       ""    0 MacRegister   No            "0000nnnn00001010"
    StsMachPush           "sts.l"   "mach,@-{n}"     ""    0 MacMemory     Decrement     "0100nnnn00000010"
    LdsMacl               "lds"     "{n},macl"       ""    0 MacRegister   No            "0100nnnn00011010"
    LdsMaclPop            "lds.l"   "@{n}+,macl"     ""    0 MacMemory     Increment     "0100nnnn00010110"
    StsMacl               "sts"     "macl,{n}"       ""    0 MacRegister   No            "0000nnnn00011010"
    StsMaclPush           "sts.l"   "macl,@-{n}"     ""    0 MacMemory     Decrement     "0100nnnn00010010"
    LdsPr                 "lds"     "{n},pr"         ""    0 Alu           No            "0100nnnn00101010"
    LdsPrPop              "lds.l"   "@{n}+,pr"       ""    0 Load          Increment     "0100nnnn00100110"
    StsPr                 "sts"     "pr,{n}"         ""    0 Alu           No            "0000nnnn00101010"
    StsPrPush             "sts.l"   "pr,@-{n}"       ""    0 Store         Decrement     "0100nnnn00100010"
    LdcSr                 "ldc"     "{n},sr"         ""    1 Status        No            "0100nnnn00001110"
    LdcSrPop              "ldc.l"   "@{n}+,sr"       ""    1 StatusLoad    Increment     "0100nnnn00000111"
    StcSr                 "stc"     "sr,{n}"         ""    1 ControlRead   No            "0000nnnn00000010"
    StcSrPush             "stc.l"   "sr,@-{n}"       ""    1 ControlStore  Decrement     "0100nnnn00000011"
    LdcGbr                "ldc"     "{n},gbr"        ""    0 Control       No            "0100nnnn00011110"
    LdcGbrPop             "ldc.l"   "@{n}+,gbr"      ""    0 ControlLoad   Increment     "0100nnnn00010111"
    StcGbr                "stc"     "gbr,{n}"        ""    0 ControlRead   No            "0000nnnn00010010"
    StcGbrPush            "stc.l"   "gbr,@-{n}"      ""    0 ControlStore  Decrement     "0100nnnn00010011"
    LdcVbr                "ldc"     "{n},vbr"        ""    1 Control       No            "0100nnnn00101110"
    LdcVbrPop             "ldc.l"   "@{n}+,vbr"      ""    1 ControlLoad   Increment     "0100nnnn00100111"
    StcVbr                "stc"     "vbr,{n}"        ""    1 ControlRead   No            "0000nnnn00100010"
    StcVbrPush            "stc.l"   "vbr,@-{n}"      ""    1 ControlStore  Decrement     "0100nnnn00100011"
    LdcSsr                "ldc"     "{n},ssr"        "sh3" 1 Control       No            "0100nnnn00111110"
    LdcSsrPop             "ldc.l"   "@{n}+,ssr"      "sh3" 1 ControlLoad   Increment     "0100nnnn00110111"
    StcSsr                "stc"     "ssr,{n}"        "sh3" 1 ControlRead   No            "0000nnnn00110010"
    StcSsrPush            "stc.l"   "ssr,@-{n}"      "sh3" 1 ControlStore  Decrement     "0100nnnn00110011"
    LdcSpc                "ldc"     "{n},spc"        "sh3" 1 Control       No            "0100nnnn01001110"
    LdcSpcPop             "ldc.l"   "@{n}+,spc"      "sh3" 1 ControlLoad   Increment     "0100nnnn01000111"
    StcSpc                "stc"     "spc,{n}"        "sh3" 1 ControlRead   No            "0000nnnn01000010"
    StcSpcPush            "stc.l"   "spc,@-{n}"      "sh3" 1 ControlStore  Decrement     "0100nnnn01000011"
    LdcDbr                "ldc"     "{n},dbr"        "sh4" 1 Control       No            "0100nnnn11111010"
    LdcDbrPop             "ldc.l"   "@{n}+,dbr"      "sh4" 1 ControlLoad   Increment     "0100nnnn11110110"
    StcDbr                "stc"     "dbr,{n}"        "sh4" 1 ControlRead   No            "0000nnnn11111010"
    StcDbrPush            "stc.l"   "dbr,@-{n}"      "sh4" 1 ControlStore  Decrement     "0100nnnn11110010"
    LdcSgr                "ldc"     "{n},sgr"        "sh4a" 1 Control       No            "0100nnnn00111010"
    LdcSgrPop             "ldc.l"   "@{n}+,sgr"      "sh4a" 1 ControlLoad   Increment     "0100nnnn00110110"
    StcSgr                "stc"     "sgr,{n}"        "sh4" 1 ControlRead   No            "0000nnnn00111010"
    StcSgrPush            "stc.l"   "sgr,@-{n}"      "sh4" 1 ControlStore  Decrement     "0100nnnn00110010"
    LdcBank               "ldc"     "{n},{b}"        "sh3" 1 Control       No            "0100nnnn1mmm1110"
    LdcBankPop            "ldc.l"   "@{n}+,{b}"      "sh3" 1 ControlLoad   Increment     "0100nnnn1mmm0111"
    StcBank               "stc"     "{b},{n}"        "sh3" 1 ControlRead   No            "0000nnnn1mmm0010"
    StcBankPush           "stc.l"   "{b},@-{n}"      "sh3" 1 ControlStore  Decrement     "0100nnnn1mmm0011"
    Bf                    "bf"      "{p}"            ""    0 Branch        No            "10001011dddddddd"
    Bt                    "bt"      "{p}"            ""    0 Branch        No            "10001001dddddddd"
    BfDelayed             "bf.s"    "{p}"            "sh2" 0 BranchDelayed No            "10001111dddddddd"
    BtDelayed             "bt.s"    "{p}"            "sh2" 0 BranchDelayed No            "10001101dddddddd"
    Bra                   "bra"     "{p}"            ""    0 Jump          No            "1010dddddddddddd"
    Bsr                   "bsr"     "{p}"            ""    0 Jump          No            "1011dddddddddddd"
    Braf                  "braf"    "{n}"            "sh2" 0 Jump          No            "0000nnnn00100011"
    Bsrf                  "bsrf"    "{n}"            "sh2" 0 Jump          No            "0000nnnn00000011"
    Jmp                   "jmp"     "@{n}"           ""    0 Jump          No            "0100nnnn00101011"
    Jsr                   "jsr"     "@{n}"           ""    0 Jump          No            "0100nnnn00001011"
    Rts                   "rts"     ""               ""    0 Jump          No            "0000000000001011"
    Rte                   "rte"     ""               ""    1 Return        No            "0000000000101011"
    Trapa                 "trapa"   "#{u}"           ""    0 Trap          No            "11000011iiiiiiii"
    Sleep                 "sleep"   ""               ""    1 Sleep         No            "0000000000011011"
    Pref                  "pref"    "@{n}"           "sh3" 0 Hint          No            "0000nnnn10000011"
    Ocbi                  "ocbi"    "@{n}"           "sh4" 0 Hint          No            "0000nnnn10010011"
    Ocbp                  "ocbp"    "@{n}"           "sh4" 0 Hint          No            "0000nnnn10100011"
    Ocbwb                 "ocbwb"   "@{n}"           "sh4" 0 Hint          No            "0000nnnn10110011"
    Movca                 "movca.l" "r0,@{n}"        "sh4" 0 Store         At            "0000nnnn11000011"
    LdcMod                "ldc"     "{n},mod"        "dsp" 0 Control       No            "0100nnnn01011110"
    LdcModPop             "ldc.l"   "@{n}+,mod"      "dsp" 0 ControlLoad   Increment     "0100nnnn01010111"
    StcMod                "stc"     "mod,{n}"        "dsp" 0 ControlRead   No            "0000nnnn01010010"
    StcModPush            "stc.l"   "mod,@-{n}"      "dsp" 0 ControlStore  Decrement     "0100nnnn01010011"
    LdcRs                 "ldc"     "{n},rs"         "dsp" 0 Control       No            "0100nnnn01101110"
    LdcRsPop              "ldc.l"   "@{n}+,rs"       "dsp" 0 ControlLoad   Increment     "0100nnnn01100111"
    StcRs                 "stc"     "rs,{n}"         "dsp" 0 ControlRead   No            "0000nnnn01100010"
    StcRsPush             "stc.l"   "rs,@-{n}"       "dsp" 0 ControlStore  Decrement     "0100nnnn01100011"
    LdcRe                 "ldc"     "{n},re"         "dsp" 0 Control       No            "0100nnnn01111110"
    LdcRePop              "ldc.l"   "@{n}+,re"       "dsp" 0 ControlLoad   Increment     "0100nnnn01110111"
    StcRe                 "stc"     "re,{n}"         "dsp" 0 ControlRead   No            "0000nnnn01110010"
    StcRePush             "stc.l"   "re,@-{n}"       "dsp" 0 ControlStore  Decrement     "0100nnnn01110011"
    LdsDsr                "lds"     "{n},dsr"        "dsp" 0 DspRegister   No            "0100nnnn01101010"
    LdsDsrPop             "lds.l"   "@{n}+,dsr"      "dsp" 0 DspMemory     Increment     "0100nnnn01100110"
    StsDsr                "sts"     "dsr,{n}"        "dsp" 0 DspRegister   No            "0000nnnn01101010"
    StsDsrPush            "sts.l"   "dsr,@-{n}"      "dsp" 0 DspMemory     Decrement     "0100nnnn01100010"
    LdsA0                 "lds"     "{n},a0"         "dsp" 0 DspRegister   No            "0100nnnn01111010"
    LdsA0Pop              "lds.l"   "@{n}+,a0"       "dsp" 0 DspMemory     Increment     "0100nnnn01110110"
    StsA0                 "sts"     "a0,{n}"         "dsp" 0 DspRegister   No            "0000nnnn01111010"
    StsA0Push             "sts.l"   "a0,@-{n}"       "dsp" 0 DspMemory     Decrement     "0100nnnn01110010"
    LdsX0                 "lds"     "{n},x0"         "dsp" 0 DspRegister   No            "0100nnnn10001010"
    LdsX0Pop              "lds.l"   "@{n}+,x0"       "dsp" 0 DspMemory     Increment     "0100nnnn10000110"
    StsX0                 "sts"     "x0,{n}"         "dsp" 0 DspRegister   No            "0000nnnn10001010"
    StsX0Push             "sts.l"   "x0,@-{n}"       "dsp" 0 DspMemory     Decrement     "0100nnnn10000010"
    LdsX1                 "lds"     "{n},x1"         "dsp" 0 DspRegister   No            "0100nnnn10011010"
    LdsX1Pop              "lds.l"   "@{n}+,x1"       "dsp" 0 DspMemory     Increment     "0100nnnn10010110"
    StsX1                 "sts"     "x1,{n}"         "dsp" 0 DspRegister   No            "0000nnnn10011010"
    StsX1Push             "sts.l"   "x1,@-{n}"       "dsp" 0 DspMemory     Decrement     "0100nnnn10010010"
    LdsY0                 "lds"     "{n},y0"         "dsp" 0 DspRegister   No            "0100nnnn10101010"
    LdsY0Pop              "lds.l"   "@{n}+,y0"       "dsp" 0 DspMemory     Increment     "0100nnnn10100110"
    StsY0                 "sts"     "y0,{n}"         "dsp" 0 DspRegister   No            "0000nnnn10101010"
    StsY0Push             "sts.l"   "y0,@-{n}"       "dsp" 0 DspMemory     Decrement     "0100nnnn10100010"
    LdsY1                 "lds"     "{n},y1"         "dsp" 0 DspRegister   No            "0100nnnn10111010"
    LdsY1Pop              "lds.l"   "@{n}+,y1"       "dsp" 0 DspMemory     Increment     "0100nnnn10110110"
    StsY1                 "sts"     "y1,{n}"         "dsp" 0 DspRegister   No            "0000nnnn10111010"
    StsY1Push             "sts.l"   "y1,@-{n}"       "dsp" 0 DspMemory     Decrement     "0100nnnn10110010"
    Ldrs                  "ldrs"    "{p}"            "dsp" 0 Repeat        Relative      "10001100dddddddd"
    Ldre                  "ldre"    "{p}"            "dsp" 0 Repeat        Relative      "10001110dddddddd"
    Setrc                 "setrc"   "{n}"            "dsp" 0 Repeat        No            "0100nnnn00010100"
    SetrcImmediate        "setrc"   "#{u}"           "dsp" 0 Repeat        No            "10000010iiiiiiii"
    DoubleMove            "movx"    ""               "dsp" 0 Dsp           No            "111100iiiiiiiiii"
    SingleMove            "movs"    ""               "dsp" 0 DspSingle     No            "111101iiiiiiiiii"
    Parallel              "parallel" ""              "dsp" 0 Dsp           No            "111110iiiiiiiiii"
    Ldtlb                 "ldtlb"   ""               "sh3" 1 Unmodelled    No            "0000000000111000"
}

impl Opcode {
    /// The instruction's row.
    #[must_use]
    pub const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}
