//! Disassembly: the table's operands with their fields filled in, as the GNU tools print them.

use crate::decode::{Decoded, target};
use crate::dsp::{Move, operation, parallel_moves, single};
use crate::table::Opcode;

/// The instruction at `pc` in assembly; targets are absolute.
#[must_use]
pub fn disassemble(insn: Decoded, pc: u64) -> String {
    match insn.opcode {
        Opcode::DoubleMove => return moves(insn.word).join(" "),
        Opcode::SingleMove => return single(insn.word).map_or_else(String::new, Move::text),
        Opcode::Parallel => return parallel(insn),
        _ => {}
    }
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

/// The moves of an instruction of the DSP.
fn moves(word: u16) -> Vec<String> {
    let moves = parallel_moves(word).unwrap_or_default();
    let texts: Vec<String> = moves.into_iter().flatten().map(Move::text).collect();
    if texts.is_empty() { vec!["nopx nopy".to_owned()] } else { texts }
}

/// An operation of the DSP, and the moves beside it if there are any.
fn parallel(insn: Decoded) -> String {
    let own = operation(insn.second).map(|operation| operation.text());
    let moves = parallel_moves(insn.word).unwrap_or_default();
    let moves = moves.into_iter().flatten().map(Move::text);
    own.into_iter().chain(moves).collect::<Vec<String>>().join(" ")
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
