//! The instruction table: name, encoding, operands and timing class of every instruction.
//!
//! Source: UG984, chapter 5. From the highest bit on there are six bits of the opcode, five each of rD, rA and rB,
//! and 11 more; or 16 of an immediate in place of rB and those.

use crate::class::Class;

/// The operands of an instruction, as assembly has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// rD, rA, rB.
    Registers,
    /// rD, rA, immediate.
    Immediate,
    /// rD, rA, amount.
    Shift,
    /// rD, rA, width, amount.
    Field,
    /// rD, rA.
    Unary,
    /// rA, rB.
    Cache,
    /// The high half of an immediate.
    Prefix,
    /// rB.
    Target,
    /// rD, rB.
    LinkTarget,
    /// A distance.
    Distance,
    /// rD, distance.
    LinkDistance,
    /// An address.
    Address,
    /// rD, address.
    LinkAddress,
    /// A number of five bits.
    Barrier,
    /// rA, rB.
    Condition,
    /// rA, distance.
    ConditionDistance,
    /// rA, immediate.
    Return,
    /// rD, special register.
    FromSpecial,
    /// Special register, rA.
    ToSpecial,
    /// rD, bits of the machine status register.
    Status,
    /// rD, link; or rA, link; only the link of a test of `put`.
    Stream,
    /// rD, rB; or rA, rB; only rB of a test of `put`.
    DynamicStream,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The instruction.
    pub opcode: Opcode,
    /// Its name in assembly.
    pub name: &'static str,
    /// The extensions of which each has it; none if every core does.
    pub extensions: &'static [&'static str],
    /// Operand layout.
    pub format: Format,
    /// Timing class.
    pub class: Class,
    /// The mask of the encoding's fixed bits.
    pub mask: u32,
    /// The values of the fixed bits.
    pub bits: u32,
}

macro_rules! instructions {
    ($(
        $opcode:ident $name:literal $extensions:tt $format:ident $class:ident
        $mask:literal $bits:literal
    )*) => {
        /// Every instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = concat!("`", $name, "`")] $opcode,)*
        }

        /// The table, in the order of [`Opcode`].
        pub const TABLE: &[Row] = &[
            $(Row {
                opcode: Opcode::$opcode,
                name: $name,
                extensions: &$extensions,
                format: Format::$format,
                class: Class::$class,
                mask: $mask,
                bits: $bits,
            },)*
        ];
    };
}

instructions! {
    Add       "add"        []          Registers         Alu            0xfc00_07ff 0x0000_0000
    Rsub      "rsub"       []          Registers         Alu            0xfc00_07ff 0x0400_0000
    Addc      "addc"       []          Registers         Alu            0xfc00_07ff 0x0800_0000
    Rsubc     "rsubc"      []          Registers         Alu            0xfc00_07ff 0x0c00_0000
    Addk      "addk"       []          Registers         Alu            0xfc00_07ff 0x1000_0000
    Rsubk     "rsubk"      []          Registers         Alu            0xfc00_07ff 0x1400_0000
    Addkc     "addkc"      []          Registers         Alu            0xfc00_07ff 0x1800_0000
    Rsubkc    "rsubkc"     []          Registers         Alu            0xfc00_07ff 0x1c00_0000
    Cmp       "cmp"        []          Registers         Alu            0xfc00_07ff 0x1400_0001
    Cmpu      "cmpu"       []          Registers         Alu            0xfc00_07ff 0x1400_0003
    Addi      "addi"       []          Immediate         Alu            0xfc00_0000 0x2000_0000
    Rsubi     "rsubi"      []          Immediate         Alu            0xfc00_0000 0x2400_0000
    Addic     "addic"      []          Immediate         Alu            0xfc00_0000 0x2800_0000
    Rsubic    "rsubic"     []          Immediate         Alu            0xfc00_0000 0x2c00_0000
    Addik     "addik"      []          Immediate         Alu            0xfc00_0000 0x3000_0000
    Rsubik    "rsubik"     []          Immediate         Alu            0xfc00_0000 0x3400_0000
    Addikc    "addikc"     []          Immediate         Alu            0xfc00_0000 0x3800_0000
    Rsubikc   "rsubikc"    []          Immediate         Alu            0xfc00_0000 0x3c00_0000
    Mul       "mul"        ["mul"]     Registers         Multiply       0xfc00_07ff 0x4000_0000
    Mulh      "mulh"       ["mul64"]   Registers         MultiplyHigh   0xfc00_07ff 0x4000_0001
    Mulhsu    "mulhsu"     ["mul64"]   Registers         MultiplyHigh   0xfc00_07ff 0x4000_0002
    Mulhu     "mulhu"      ["mul64"]   Registers         MultiplyHigh   0xfc00_07ff 0x4000_0003
    Muli      "muli"       ["mul"]     Immediate         Multiply       0xfc00_0000 0x6000_0000
    Bsrl      "bsrl"       ["barrel"]  Registers         Barrel         0xfc00_07ff 0x4400_0000
    Bsra      "bsra"       ["barrel"]  Registers         Barrel         0xfc00_07ff 0x4400_0200
    Bsll      "bsll"       ["barrel"]  Registers         Barrel         0xfc00_07ff 0x4400_0400
    Bsrli     "bsrli"      ["barrel"]  Shift             Barrel         0xfc00_ffe0 0x6400_0000
    Bsrai     "bsrai"      ["barrel"]  Shift             Barrel         0xfc00_ffe0 0x6400_0200
    Bslli     "bslli"      ["barrel"]  Shift             Barrel         0xfc00_ffe0 0x6400_0400
    Bsefi     "bsefi"      ["barrel"]  Field             Barrel         0xfc00_f820 0x6400_4000
    Bsifi     "bsifi"      ["barrel"]  Field             Barrel         0xfc00_f820 0x6400_8000
    Idiv      "idiv"       ["div"]     Registers         Divide         0xfc00_07ff 0x4800_0000
    Idivu     "idivu"      ["div"]     Registers         Divide         0xfc00_07ff 0x4800_0002
    Or        "or"         []          Registers         Alu            0xfc00_07ff 0x8000_0000
    And       "and"        []          Registers         Alu            0xfc00_07ff 0x8400_0000
    Xor       "xor"        []          Registers         Alu            0xfc00_07ff 0x8800_0000
    Andn      "andn"       []          Registers         Alu            0xfc00_07ff 0x8c00_0000
    Pcmpbf    "pcmpbf"     ["pcmp"]    Registers         Compare        0xfc00_07ff 0x8000_0400
    Pcmpeq    "pcmpeq"     ["pcmp"]    Registers         Compare        0xfc00_07ff 0x8800_0400
    Pcmpne    "pcmpne"     ["pcmp"]    Registers         Compare        0xfc00_07ff 0x8c00_0400
    Ori       "ori"        []          Immediate         Alu            0xfc00_0000 0xa000_0000
    Andi      "andi"       []          Immediate         Alu            0xfc00_0000 0xa400_0000
    Xori      "xori"       []          Immediate         Alu            0xfc00_0000 0xa800_0000
    Andni     "andni"      []          Immediate         Alu            0xfc00_0000 0xac00_0000
    Sra       "sra"        []          Unary             Alu            0xfc00_ffff 0x9000_0001
    Src       "src"        []          Unary             Alu            0xfc00_ffff 0x9000_0021
    Srl       "srl"        []          Unary             Alu            0xfc00_ffff 0x9000_0041
    Sext8     "sext8"      []          Unary             Alu            0xfc00_ffff 0x9000_0060
    Sext16    "sext16"     []          Unary             Alu            0xfc00_ffff 0x9000_0061
    Clz       "clz"        ["pcmp"]    Unary             Alu            0xfc00_ffff 0x9000_00e0
    Swapb     "swapb"      ["reorder"] Unary             Alu            0xfc00_ffff 0x9000_01e0
    Swaph     "swaph"      ["reorder"] Unary             Alu            0xfc00_ffff 0x9000_01e2
    Wdc       "wdc"        ["wdc"]     Cache             InvalidateSet  0xffe0_07ff 0x9000_0064
    WdcFlush  "wdc.flush"  ["wdc"]     Cache             Invalidate     0xffe0_07ff 0x9000_0074
    WdcClear  "wdc.clear"  ["wdc"]     Cache             Invalidate     0xffe0_07ff 0x9000_0066
    WdcExtFlush "wdc.ext.flush" ["wdc"] Cache            Unmodelled     0xffe0_07ff 0x9000_0476
    WdcExtClear "wdc.ext.clear" ["wdc"] Cache            Unmodelled     0xffe0_07ff 0x9000_0466
    WdcClearEa "wdc.clear.ea" ["wdc"]  Cache             Unmodelled     0xffe0_07ff 0x9000_00e6
    Wic       "wic"        ["wic"]     Cache             Invalidate     0xffe0_07ff 0x9000_0068
    Imm       "imm"        []          Prefix            Alu            0xffff_0000 0xb000_0000
    Br        "br"         []          Target            Jump           0xffff_07ff 0x9800_0000
    Brd       "brd"        []          Target            JumpDelayed    0xffff_07ff 0x9810_0000
    Bra       "bra"        []          Target            Jump           0xffff_07ff 0x9808_0000
    Brad      "brad"       []          Target            JumpDelayed    0xffff_07ff 0x9818_0000
    Brld      "brld"       []          LinkTarget        JumpDelayed    0xfc1f_07ff 0x9814_0000
    Brald     "brald"      []          LinkTarget        JumpDelayed    0xfc1f_07ff 0x981c_0000
    Brk       "brk"        []          LinkTarget        Break          0xfc1f_07ff 0x980c_0000
    Bri       "bri"        []          Distance          Jump           0xffff_0000 0xb800_0000
    Brid      "brid"       []          Distance          JumpDelayed    0xffff_0000 0xb810_0000
    Brai      "brai"       []          Address           Jump           0xffff_0000 0xb808_0000
    Braid     "braid"      []          Address           JumpDelayed    0xffff_0000 0xb818_0000
    Brlid     "brlid"      []          LinkDistance      JumpDelayed    0xfc1f_0000 0xb814_0000
    Bralid    "bralid"     []          LinkAddress       JumpDelayed    0xfc1f_0000 0xb81c_0000
    Brki      "brki"       []          LinkAddress       Break          0xfc1f_0000 0xb80c_0000
    Mbar      "mbar"       []          Barrier           Barrier        0xfc1f_ffff 0xb802_0004
    Beq       "beq"        []          Condition         Branch         0xffe0_07ff 0x9c00_0000
    Beqi      "beqi"       []          ConditionDistance Branch         0xffe0_0000 0xbc00_0000
    Beqd      "beqd"       []          Condition         BranchDelayed  0xffe0_07ff 0x9e00_0000
    Beqid     "beqid"      []          ConditionDistance BranchDelayed  0xffe0_0000 0xbe00_0000
    Bne       "bne"        []          Condition         Branch         0xffe0_07ff 0x9c20_0000
    Bnei      "bnei"       []          ConditionDistance Branch         0xffe0_0000 0xbc20_0000
    Bned      "bned"       []          Condition         BranchDelayed  0xffe0_07ff 0x9e20_0000
    Bneid     "bneid"      []          ConditionDistance BranchDelayed  0xffe0_0000 0xbe20_0000
    Blt       "blt"        []          Condition         Branch         0xffe0_07ff 0x9c40_0000
    Blti      "blti"       []          ConditionDistance Branch         0xffe0_0000 0xbc40_0000
    Bltd      "bltd"       []          Condition         BranchDelayed  0xffe0_07ff 0x9e40_0000
    Bltid     "bltid"      []          ConditionDistance BranchDelayed  0xffe0_0000 0xbe40_0000
    Ble       "ble"        []          Condition         Branch         0xffe0_07ff 0x9c60_0000
    Blei      "blei"       []          ConditionDistance Branch         0xffe0_0000 0xbc60_0000
    Bled      "bled"       []          Condition         BranchDelayed  0xffe0_07ff 0x9e60_0000
    Bleid     "bleid"      []          ConditionDistance BranchDelayed  0xffe0_0000 0xbe60_0000
    Bgt       "bgt"        []          Condition         Branch         0xffe0_07ff 0x9c80_0000
    Bgti      "bgti"       []          ConditionDistance Branch         0xffe0_0000 0xbc80_0000
    Bgtd      "bgtd"       []          Condition         BranchDelayed  0xffe0_07ff 0x9e80_0000
    Bgtid     "bgtid"      []          ConditionDistance BranchDelayed  0xffe0_0000 0xbe80_0000
    Bge       "bge"        []          Condition         Branch         0xffe0_07ff 0x9ca0_0000
    Bgei      "bgei"       []          ConditionDistance Branch         0xffe0_0000 0xbca0_0000
    Bged      "bged"       []          Condition         BranchDelayed  0xffe0_07ff 0x9ea0_0000
    Bgeid     "bgeid"      []          ConditionDistance BranchDelayed  0xffe0_0000 0xbea0_0000
    Rtsd      "rtsd"       []          Return            Return         0xffe0_0000 0xb600_0000
    Rtid      "rtid"       []          Return            Return         0xffe0_0000 0xb620_0000
    Rtbd      "rtbd"       []          Return            Return         0xffe0_0000 0xb640_0000
    Rted      "rted"       []          Return            Return         0xffe0_0000 0xb680_0000
    Mfs       "mfs"        []          FromSpecial       Special        0xfc1f_c000 0x9400_8000
    Mts       "mts"        []          ToSpecial         Special        0xffe0_c000 0x9400_c000
    Msrset    "msrset"     ["msr"]     Status            Special        0xfc1f_8000 0x9410_0000
    Msrclr    "msrclr"     ["msr"]     Status            Special        0xfc1f_8000 0x9411_0000
    Lbu       "lbu"        []          Registers         Load           0xfc00_07ff 0xc000_0000
    Lbur      "lbur"       ["reorder"] Registers         Load           0xfc00_07ff 0xc000_0200
    Lhu       "lhu"        []          Registers         Load           0xfc00_07ff 0xc400_0000
    Lhur      "lhur"       ["reorder"] Registers         Load           0xfc00_07ff 0xc400_0200
    Lw        "lw"         []          Registers         Load           0xfc00_07ff 0xc800_0000
    Lwr       "lwr"        ["reorder"] Registers         Load           0xfc00_07ff 0xc800_0200
    Lwx       "lwx"        []          Registers         Load           0xfc00_07ff 0xc800_0400
    Sb        "sb"         []          Registers         Store          0xfc00_07ff 0xd000_0000
    Sbr       "sbr"        ["reorder"] Registers         Store          0xfc00_07ff 0xd000_0200
    Sh        "sh"         []          Registers         Store          0xfc00_07ff 0xd400_0000
    Shr       "shr"        ["reorder"] Registers         Store          0xfc00_07ff 0xd400_0200
    Sw        "sw"         []          Registers         Store          0xfc00_07ff 0xd800_0000
    Swr       "swr"        ["reorder"] Registers         Store          0xfc00_07ff 0xd800_0200
    Swx       "swx"        []          Registers         Store          0xfc00_07ff 0xd800_0400
    Lbui      "lbui"       []          Immediate         Load           0xfc00_0000 0xe000_0000
    Lhui      "lhui"       []          Immediate         Load           0xfc00_0000 0xe400_0000
    Lwi       "lwi"        []          Immediate         Load           0xfc00_0000 0xe800_0000
    Sbi       "sbi"        []          Immediate         Store          0xfc00_0000 0xf000_0000
    Shi       "shi"        []          Immediate         Store          0xfc00_0000 0xf400_0000
    Swi       "swi"        []          Immediate         Store          0xfc00_0000 0xf800_0000
    Get       "get"        []          Stream            Stream         0xfc1f_83f0 0x6c00_0000
    Put       "put"        []          Stream            Stream         0xffe0_83f0 0x6c00_8000
    Getd      "getd"       ["fsl"]     DynamicStream     Stream         0xfc1f_041f 0x4c00_0000
    Putd      "putd"       ["fsl"]     DynamicStream     Stream         0xffe0_041f 0x4c00_0400
}

impl Opcode {
    /// The instruction's row.
    #[must_use]
    pub const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}
