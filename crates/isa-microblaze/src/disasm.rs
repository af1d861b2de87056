//! Disassembly: the table's formats, printed as the GNU assembler reads them.

use crate::decode::Decoded;
use crate::mode::immediate;
use crate::stream::Variant;
use crate::table::{Format, Opcode};

/// Special registers by number (UG984, chapter 5, `mfs`).
const SPECIAL: &[(u16, &str)] = &[
    (0, "rpc"),
    (1, "rmsr"),
    (3, "rear"),
    (5, "resr"),
    (7, "rfsr"),
    (11, "rbtr"),
    (13, "redr"),
    (0x800, "rslr"),
    (0x802, "rshr"),
    (0x1000, "rpid"),
    (0x1001, "rzpr"),
    (0x1002, "rtlbx"),
    (0x1003, "rtlblo"),
    (0x1004, "rtlbhi"),
    (0x1005, "rtlbsx"),
];

/// The instruction at `pc` in a decode mode in assembly; targets are absolute.
#[must_use]
pub fn disassemble(insn: Decoded, pc: u64, mode: u32) -> String {
    let Decoded { d, a, b, low, .. } = insn;
    let row = insn.opcode.row();
    let name = row.name;
    let imm = immediate(mode, low) as i32;
    let target = (pc as u32).wrapping_add_signed(imm);
    match row.format {
        Format::Registers => format!("{name} r{d}, r{a}, r{b}"),
        Format::Immediate => format!("{name} r{d}, r{a}, {imm}"),
        Format::Shift => format!("{name} r{d}, r{a}, {}", low & 31),
        Format::Field => {
            let (width, amount) = field(insn);
            format!("{name} r{d}, r{a}, {width}, {amount}")
        }
        Format::Unary => format!("{name} r{d}, r{a}"),
        Format::Cache | Format::Condition => format!("{name} r{a}, r{b}"),
        Format::Prefix => format!("{name} {}", low as i16),
        Format::Target => format!("{name} r{b}"),
        Format::LinkTarget => format!("{name} r{d}, r{b}"),
        Format::Distance => format!("{name} {target:#x}"),
        Format::LinkDistance => format!("{name} r{d}, {target:#x}"),
        Format::Address => format!("{name} {:#x}", imm as u32),
        Format::LinkAddress => format!("{name} r{d}, {:#x}", imm as u32),
        Format::Barrier => format!("{name} {d}"),
        Format::ConditionDistance => format!("{name} r{a}, {target:#x}"),
        Format::Return => format!("{name} r{a}, {imm}"),
        Format::FromSpecial => format!("{name} r{d}, {}", special(low & 0x3fff)),
        Format::ToSpecial => format!("{name} {}, r{a}", special(low & 0x3fff)),
        Format::Status => format!("{name} r{d}, {:#x}", low & 0x7fff),
        Format::Stream => stream(insn, &format!("rfsl{}", low & 15)),
        Format::DynamicStream => stream(insn, &format!("r{b}")),
    }
}

/// An access to a link: a test of `put` has no register with a word.
fn stream(insn: Decoded, link: &str) -> String {
    let variant = Variant::of(insn).expect("the format is that of accesses to links");
    let sends = matches!(insn.opcode, Opcode::Put | Opcode::Putd);
    let word = match (sends, variant.tests) {
        (true, true) => String::new(),
        (true, false) => format!("r{}, ", insn.a),
        (false, _) => format!("r{}, ", insn.d),
    };
    format!("{}{} {word}{link}", variant.letters(), insn.opcode.row().name)
}

/// The name of a special register.
pub fn special(number: u16) -> String {
    let known = SPECIAL.iter().find(|(known, _)| *known == number);
    known.map_or_else(|| format!("{number:#x}"), |(_, name)| (*name).to_owned())
}

/// The width and the lowest bit of a bit field. `bsifi` encodes the highest bit instead of the width.
pub const fn field(insn: Decoded) -> (u32, u32) {
    let (wide, amount) = ((insn.low >> 6 & 31) as u32, (insn.low & 31) as u32);
    match insn.opcode {
        Opcode::Bsifi => ((wide + 1).saturating_sub(amount), amount),
        _ => (wide, amount),
    }
}
