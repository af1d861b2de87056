//! Disassembly: the table's formats, printed as the GNU assembler reads them.

use crate::decode::Decoded;
use crate::table::{Format, REGISTERS};

/// The instruction at `pc` in assembly; targets are absolute.
#[must_use]
pub fn disassemble(decoded: &Decoded, pc: u64) -> String {
    let row = decoded.opcode.row();
    let name = row.name;
    let (rd, rs1, rs2) = (register(decoded.rd), register(decoded.rs1), register(decoded.rs2));
    let imm = decoded.imm;
    let target = (pc as u32).wrapping_add_signed(imm);
    match row.format {
        Format::R => format!("{name} {rd}, {rs1}, {rs2}"),
        Format::I | Format::Shift => format!("{name} {rd}, {rs1}, {imm}"),
        Format::Load => format!("{name} {rd}, {imm}({rs1})"),
        Format::S => format!("{name} {rs2}, {imm}({rs1})"),
        Format::B => format!("{name} {rs1}, {rs2}, {target:#x}"),
        Format::U => format!("{name} {rd}, {:#x}", (imm as u32) >> 12),
        Format::J => format!("{name} {rd}, {target:#x}"),
        Format::Unary => format!("{name} {rd}, {rs1}"),
        Format::Byte => format!("{name} {rd}, {rs1}, {rs2}, {imm}"),
        Format::Rd => format!("{name} {rd}"),
        Format::Csr => format!("{name} {rd}, {imm:#x}, {rs1}"),
        Format::CsrImmediate => format!("{name} {rd}, {imm:#x}, {}", decoded.rs1),
        Format::FromOwn => format!("{name} {rd}, q{}", decoded.rs1),
        Format::ToOwn => format!("{name} q{}, {rs1}", decoded.rd),
        Format::None => name.to_owned(),
    }
}

fn register(number: u8) -> &'static str {
    REGISTERS[usize::from(number)]
}
