//! Data processing.

use super::{Text, letter, register, shifted};
use crate::instruction::{DataOp, Instruction, Operand, Register, Shift};

pub(super) fn processing(
    instruction: &Instruction,
    op: DataOp,
    sets_flags: bool,
    [rd, rn]: [Register; 2],
    operand: Operand,
) -> Text {
    match op {
        DataOp::Mov => moved(instruction, sets_flags, rd, operand),
        DataOp::Mvn => unary(instruction, &format!("mvn{}", letter(sets_flags, "s")), rd, operand),
        _ if op.compares() => unary(instruction, op.name(), rn, operand),
        _ => binary(instruction, op, sets_flags, [rd, rn], operand),
    }
}

/// `mov`, which by a shift by a constant is written as that shift, but in wide Thumb.
fn moved(instruction: &Instruction, sets_flags: bool, rd: Register, operand: Operand) -> Text {
    let s = letter(sets_flags, "s");
    match operand {
        Operand::Shifted { rm, shift, rs } => {
            let name = format!("{}{s}", shift.name());
            let registers = [rd, rm, rs];
            Text::of_registers(name, &registers[usize::from(is_narrow(instruction))..])
        }
        Operand::Register { rm, shift, amount } if amount != 0 && !is_wide(instruction) => {
            let name = format!("{}{s}", shift.name());
            if shift == Shift::RotateExtended {
                return Text::of_registers(name, &[rd, rm]);
            }
            Text::new(name, format!("{}, {}, #{amount}", register(rd), register(rm)))
        }
        _ => unary(instruction, &format!("mov{s}"), rd, operand),
    }
}

fn unary(instruction: &Instruction, name: &str, first: Register, operand: Operand) -> Text {
    Text::new(name, format!("{}, {}", register(first), second(instruction, operand)))
}

fn binary(
    instruction: &Instruction,
    op: DataOp,
    sets_flags: bool,
    [rd, rn]: [Register; 2],
    operand: Operand,
) -> Text {
    let s = letter(sets_flags, "s");
    if op == DataOp::Rsb && is_narrow(instruction) {
        return Text::of_registers(format!("neg{s}"), &[rd, rn]);
    }
    let mnemonic = format!("{}{s}", op.name());
    if rd == rn && is_narrow(instruction) && !is_of_three(op, sets_flags, operand) {
        return unary(instruction, &mnemonic, rd, operand);
    }
    let operand = second(instruction, operand);
    Text::new(mnemonic, format!("{}, {}, {operand}", register(rd), register(rn)))
}

/// Returns true if a narrow instruction names its destination apart from its first operand: sums of three
/// registers that set flags do.
fn is_of_three(op: DataOp, sets_flags: bool, operand: Operand) -> bool {
    sets_flags
        && matches!(op, DataOp::Add | DataOp::Sub)
        && matches!(operand, Operand::Register { .. })
}

fn second(instruction: &Instruction, operand: Operand) -> String {
    match operand {
        Operand::Immediate { value, .. } if instruction.thumb => format!("#{value}"),
        Operand::Immediate { value, .. } => format!("#{}", value as i32),
        Operand::Register { rm, shift, amount } => shifted(rm, shift, amount),
        Operand::Shifted { rm, shift, rs } => {
            format!("{}, {} {}", register(rm), shift.name(), register(rs))
        }
    }
}

pub(super) fn address_of(rd: Register, offset: i32) -> Text {
    let name = if offset < 0 { "sub" } else { "add" };
    Text::new(name, format!("{}, pc, #{}", register(rd), offset.unsigned_abs()))
}

fn is_narrow(instruction: &Instruction) -> bool {
    instruction.length == 2
}

fn is_wide(instruction: &Instruction) -> bool {
    instruction.thumb && instruction.length == 4
}
