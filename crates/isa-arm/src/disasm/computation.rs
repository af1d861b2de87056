//! Computations, by their rows.

use super::{Text, half, letter, register};
use crate::computation::{Computation, Opcode};
use crate::instruction::Instruction;

/// A computation; narrow products name the destination once, which is also a factor.
pub(super) fn text(instruction: &Instruction, it: &Computation) -> Text {
    let row = it.op.row();
    let is_short = instruction.length == 2 && it.op == Opcode::Mul;
    let operands = if is_short { "d n" } else { row.operands };
    let named = row.name.chars().map(|symbol| in_name(it, symbol));
    let listed = operands.chars().map(|symbol| operand(it, symbol));
    Text::new(named.collect::<String>(), listed.collect::<String>())
}

fn in_name(it: &Computation, symbol: char) -> String {
    match symbol {
        'X' => half(it.x).into(),
        'Y' => half(it.y).into(),
        'E' => letter(it.y, "x").into(),
        'R' => letter(it.y, "r").into(),
        'S' => letter(it.sets_flags, "s").into(),
        symbol => symbol.into(),
    }
}

fn operand(it: &Computation, symbol: char) -> String {
    match symbol {
        ' ' => ", ".into(),
        'k' => it.amount.to_string(),
        'w' => it.width.to_string(),
        '~' if it.amount == 0 => String::new(),
        '~' => format!(", {} #{}", it.shift.name(), it.amount),
        symbol => it.register(symbol).map_or(symbol.into(), |number| register(number).into()),
    }
}
