//! Disassembly: the table's operands with their fields filled in, as the GNU tools print them.

use crate::decode::{Decoded, target};

/// The instruction at `pc` in assembly; targets are absolute.
#[must_use]
pub fn disassemble(insn: Decoded, pc: u64) -> String {
    let row = insn.opcode.row();
    let mut text = row.name.to_owned();
    let mut rest = row.operands;
    if !rest.is_empty() {
        text.push(' ');
    }
    while let Some((before, behind)) = rest.split_once('{') {
        text.push_str(before);
        let (field, after) = behind.split_once('}').unwrap_or((behind, ""));
        text.push_str(&written(field, insn, pc));
        rest = after;
    }
    text.push_str(rest);
    text
}

/// A field's text.
fn written(field: &str, insn: Decoded, pc: u64) -> String {
    match field {
        "n" => format!("r{}", insn.n),
        "m" => format!("r{}", insn.m),
        "b" => format!("r{}_bank", insn.banked()),
        "i" => insn.signed().to_string(),
        "u" => insn.unsigned().to_string(),
        "d" => insn.distance().to_string(),
        _ => format!("{:#x}", target(insn, pc)),
    }
}
