//! Computations, by their rows.

use super::{Text, half, letter, register};
use crate::computation::{Computation, Opcode};
use crate::instruction::Instruction;

/// A computation; narrow products name the destination once, which is also a factor.
pub(super) fn text(instruction: &Instruction, computation: &Computation) -> Text {
    let row = computation.op.row();
    let is_short = instruction.length == 2 && computation.op == Opcode::Mul;
    let operands = if is_short { "d n" } else { row.operands };
    let named = row.name.chars().map(|symbol| in_name(computation, symbol));
    let listed = operands.chars().map(|symbol| operand(computation, symbol));
    Text::new(named.collect::<String>(), listed.collect::<String>())
}

fn in_name(computation: &Computation, symbol: char) -> String {
    match symbol {
        'X' => half(computation.x).into(),
        'Y' => half(computation.y).into(),
        'E' => letter(computation.y, "x").into(),
        'R' => letter(computation.y, "r").into(),
        'S' => letter(computation.sets_flags, "s").into(),
        symbol => symbol.into(),
    }
}

fn operand(computation: &Computation, symbol: char) -> String {
    match symbol {
        ' ' => ", ".into(),
        'k' => computation.amount.to_string(),
        'w' => computation.width.to_string(),
        '~' if computation.amount == 0 => String::new(),
        '~' => format!(", {} #{}", computation.shift.name(), computation.amount),
        symbol => {
            computation.register(symbol).map_or(symbol.into(), |number| register(number).into())
        }
    }
}
