//! The text form of a block, for people and for tests.

use std::fmt::Write as _;

use crate::{Block, Exit, Op, Slot, Value};

/// Prints a block, one instruction heading and one line per operation.
#[must_use]
pub fn print(block: &Block) -> String {
    let mut out = String::new();
    for insn in &block.insns {
        let _ = writeln!(out, "{:#x}: class {} length {}", insn.pc, insn.class, insn.length);
        for op in &block.ops[insn.ops.clone()] {
            let _ = writeln!(out, "    {}", operation(op));
        }
    }
    let _ = writeln!(out, "    {}", exit(&block.exit));
    out
}

fn operation(op: &Op) -> String {
    match *op {
        Op::Move { dst, src } => format!("{} = {}", cell(dst), operand(src)),
        Op::Binary { op, width, dst, a, b } => {
            format!("{} = {op:?}.{} {}, {}", cell(dst), width.bits(), operand(a), operand(b))
        }
        Op::Unary { op, width, dst, a } => {
            format!("{} = {op:?}.{} {}", cell(dst), width.bits(), operand(a))
        }
        Op::Compare { condition, width, dst, a, b } => {
            let (a, b) = (operand(a), operand(b));
            format!("{} = {condition:?}.{} {a}, {b}", cell(dst), width.bits())
        }
        Op::Select { dst, condition, a, b } => {
            format!("{} = {} ? {} : {}", cell(dst), operand(condition), operand(a), operand(b))
        }
        Op::Guard { condition, ops } => format!("unless {} skip {ops}", operand(condition)),
        Op::Load { width, signed, dst, base, offset } => {
            let sign = if signed { "s" } else { "u" };
            format!("{} = load.{sign}{} [{}{offset:+}]", cell(dst), width.bits(), operand(base))
        }
        Op::Store { width, src, base, offset } => {
            format!("store.{} [{}{offset:+}] = {}", width.bits(), operand(base), operand(src))
        }
        Op::Count { counter, dst, shift } => format!("{} = {counter:?} >> {shift}", cell(dst)),
    }
}

fn exit(exit: &Exit) -> String {
    match *exit {
        Exit::Next { pc } => format!("next {pc:#x}"),
        Exit::Jump { target } => format!("jump {target:#x}"),
        Exit::Branch { condition, width, a, b, taken, next } => {
            let (a, b) = (operand(a), operand(b));
            format!("if {condition:?}.{} {a}, {b} goto {taken:#x} else {next:#x}", width.bits())
        }
        Exit::Indirect { target } => format!("jump {}", operand(target)),
        Exit::Yield { target } => format!("yield {}", operand(target)),
        Exit::YieldIf { condition, next } => {
            format!("next {next:#x}, yield if {}", operand(condition))
        }
        Exit::Stop(kind) => format!("stop {kind:?}"),
    }
}

fn cell(Slot(slot): Slot) -> String {
    format!("%{slot}")
}

fn operand(value: Value) -> String {
    match value {
        Value::Slot(slot) => cell(slot),
        Value::Const(value) => format!("{value:#x}"),
    }
}
