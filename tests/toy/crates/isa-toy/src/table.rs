//! The instruction table, which decoder, disassembler, lifting and timing classes read.

use cocrypt_isa::timing_classes;

timing_classes! {
    Alu "alu" Alu "Arithmetic, logic, constants."
    Load "load" Load "`lw`."
    Store "store" Store "`sw`."
    Branch "branch" Branch "`bz`."
    Jump "jump" Jump "`call`, `jr`."
    Illegal "illegal" Other "What is no instruction."
}

/// Which instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opcode {
    Ldi,
    Ldh,
    Add,
    Call,
    Xor,
    Shr,
    Lw,
    Sw,
    Bz,
    Jr,
}

/// How operands are laid out and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A register and a constant.
    Immediate,
    /// Two registers.
    Registers,
    /// A register and a distance.
    Branch,
    /// A distance.
    Distance,
    /// The second register alone.
    Source,
}

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    pub opcode: Opcode,
    pub name: &'static str,
    /// The bits that are fixed, and what they are.
    pub fixed: (u16, u16),
    pub format: Format,
    pub class: Class,
}

impl Row {
    /// True for jumps, which must not stand in a delay slot.
    pub const fn is_jump(&self) -> bool {
        matches!(self.class, Class::Branch | Class::Jump)
    }
}

const fn row(
    opcode: Opcode,
    name: &'static str,
    fixed: (u16, u16),
    format: Format,
    class: Class,
) -> Row {
    Row { opcode, name, fixed, format, class }
}

static TABLE: [Row; 10] = [
    row(Opcode::Ldi, "ldi", (0xf100, 0x0000), Format::Immediate, Class::Alu),
    row(Opcode::Ldh, "ldh", (0xf100, 0x1000), Format::Immediate, Class::Alu),
    row(Opcode::Add, "add", (0xf1f8, 0x2000), Format::Registers, Class::Alu),
    row(Opcode::Call, "call", (0xfc00, 0x3c00), Format::Distance, Class::Jump),
    row(Opcode::Xor, "xor", (0xf1f8, 0x4000), Format::Registers, Class::Alu),
    row(Opcode::Shr, "shr", (0xf1f0, 0x5000), Format::Immediate, Class::Alu),
    row(Opcode::Lw, "lw", (0xf1f8, 0x6000), Format::Registers, Class::Load),
    row(Opcode::Sw, "sw", (0xf1f8, 0x7000), Format::Registers, Class::Store),
    row(Opcode::Bz, "bz", (0xf000, 0x8000), Format::Branch, Class::Branch),
    row(Opcode::Jr, "jr", (0xfff8, 0x9000), Format::Source, Class::Jump),
];

/// A decoded instruction.
#[derive(Clone, Copy, Debug)]
pub struct Decoded {
    pub row: &'static Row,
    pub d: u8,
    pub s: u8,
    /// A constant, or a distance in bytes from the next instruction on.
    pub constant: i32,
}

/// Decodes a word.
pub fn decode(word: u16) -> Option<Decoded> {
    let row = TABLE.iter().find(|row| word & row.fixed.0 == row.fixed.1)?;
    let constant = match row.format {
        Format::Branch => distance(word, 9),
        Format::Distance => distance(word, 10),
        Format::Immediate | Format::Registers | Format::Source => i32::from(word & 0xff),
    };
    Some(Decoded { row, d: (word >> 9 & 7) as u8, s: (word & 7) as u8, constant })
}

/// The distance in bytes that the lowest bits of a word are, which count words.
fn distance(word: u16, bits: u32) -> i32 {
    let unused = 32 - bits;
    (i32::from(word) << unused >> unused) * 2
}

/// The instruction at an address in assembly.
pub fn disassemble(insn: &Decoded, pc: u64) -> String {
    let Decoded { row, d, s, constant, .. } = *insn;
    let operands = match row.format {
        Format::Immediate => format!("r{d}, {constant}"),
        Format::Registers => format!("r{d}, r{s}"),
        Format::Branch => format!("r{d}, {:#x}", behind(pc, constant)),
        Format::Distance => format!("{:#x}", behind(pc, constant)),
        Format::Source => format!("r{s}"),
    };
    format!("{} {operands}", row.name)
}

/// The address so many bytes behind the instruction that follows the one at `pc`.
pub const fn behind(pc: u64, distance: i32) -> u64 {
    pc.wrapping_add(2).wrapping_add_signed(distance as i64) & 0xffff
}
