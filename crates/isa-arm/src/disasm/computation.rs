//! Computations, by their rows, and parallel sums and differences.

use super::{Text, half, letter, register, shift_name};
use crate::computation::{Computation, Opcode};
use crate::instruction::{Instruction, ParallelKind, ParallelOp};

/// A computation; narrow products name the destination once, which is also a factor.
pub(super) fn text(instruction: &Instruction, it: &Computation) -> Text {
    let row = it.op.row();
    let is_short = instruction.length == 2 && it.op == Opcode::Mul;
    let operands = if is_short { "d, n" } else { row.operands };
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
        'k' => it.amount.to_string(),
        'w' => it.width.to_string(),
        '~' if it.amount == 0 => String::new(),
        '~' => format!(", {} #{}", shift_name(it.shift), it.amount),
        symbol => it.register(symbol).map_or(symbol.into(), |number| register(number).into()),
    }
}

/// The name of a parallel sum or difference.
pub(super) fn parallel(kind: ParallelKind, op: ParallelOp) -> String {
    let prefix = match kind {
        ParallelKind::Signed => "s",
        ParallelKind::SignedSaturating => "q",
        ParallelKind::SignedHalving => "sh",
        ParallelKind::Unsigned => "u",
        ParallelKind::UnsignedSaturating => "uq",
        ParallelKind::UnsignedHalving => "uh",
    };
    let op = match op {
        ParallelOp::Add16 => "add16",
        ParallelOp::Asx => "asx",
        ParallelOp::Sax => "sax",
        ParallelOp::Sub16 => "sub16",
        ParallelOp::Add8 => "add8",
        ParallelOp::Sub8 => "sub8",
    };
    format!("{prefix}{op}")
}
