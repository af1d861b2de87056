//! Data processing, moves of constants, bit fields.

use super::{Text, letter, register, shift_name, shifted};
use crate::instruction::{BitOp, DataOp, Instruction, Operand, Operation, Register, Shift};

pub(super) fn text(instruction: &Instruction) -> Option<Text> {
    Some(match instruction.operation {
        Operation::Data { op: DataOp::Mov, sets_flags, rd, operand, .. } => {
            moved(instruction, sets_flags, rd, operand)
        }
        Operation::Data { op: DataOp::Mvn, sets_flags, rd, operand, .. } => {
            unary(instruction, &format!("mvn{}", letter(sets_flags, "s")), rd, operand)
        }
        Operation::Data {
            op: op @ (DataOp::Tst | DataOp::Teq | DataOp::Cmp | DataOp::Cmn),
            rn,
            operand,
            ..
        } => unary(instruction, name(op), rn, operand),
        Operation::Data { op, sets_flags, rd, rn, operand } => {
            binary(instruction, op, sets_flags, [rd, rn], operand)
        }
        Operation::AddressOf { rd, offset } => address_of(rd, offset),
        Operation::MoveHalf { rd, value, top } => {
            Text::new(if top { "movt" } else { "movw" }, format!("{}, #{value}", register(rd)))
        }
        Operation::Bits { op, rd, rm } => Text::of_registers(bits(op), &[rd, rm]),
        Operation::ExtractField { signed, rd, rn, lsb, width } => {
            let name = if signed { "sbfx" } else { "ubfx" };
            Text::new(name, format!("{}, {}, #{lsb}, #{width}", register(rd), register(rn)))
        }
        Operation::InsertField { rd, rn, lsb, width } => insertion(rd, rn, lsb, width),
        _ => return None,
    })
}

fn name(op: DataOp) -> &'static str {
    const NAMES: [&str; 17] = [
        "and", "eor", "sub", "rsb", "add", "adc", "sbc", "rsc", "tst", "teq", "cmp", "cmn", "orr",
        "mov", "bic", "mvn", "orn",
    ];
    NAMES[op as usize]
}

fn bits(op: BitOp) -> &'static str {
    match op {
        BitOp::LeadingZeros => "clz",
        BitOp::ReverseBits => "rbit",
        BitOp::ReverseBytes => "rev",
        BitOp::ReverseHalves => "rev16",
        BitOp::ReverseSigned => "revsh",
    }
}

/// `mov`, which by a shift by a constant is written as that shift, but in wide Thumb.
fn moved(instruction: &Instruction, sets_flags: bool, rd: Register, operand: Operand) -> Text {
    let s = letter(sets_flags, "s");
    match operand {
        Operand::Shifted { rm, shift, rs } => {
            let name = format!("{}{s}", shift_name(shift));
            let registers = [rd, rm, rs];
            Text::of_registers(name, &registers[usize::from(is_narrow(instruction))..])
        }
        Operand::Register { rm, shift, amount } if amount != 0 && !is_wide(instruction) => {
            let name = format!("{}{s}", shift_name(shift));
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
    let mnemonic = format!("{}{s}", name(op));
    if rd == rn && is_narrow(instruction) && !is_of_three(op, sets_flags, operand) {
        return unary(instruction, &mnemonic, rd, operand);
    }
    let operand = second(instruction, operand);
    Text::new(mnemonic, format!("{}, {}, {operand}", register(rd), register(rn)))
}

/// Whether a narrow instruction names its destination apart from its first operand: sums of three
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
            format!("{}, {} {}", register(rm), shift_name(shift), register(rs))
        }
    }
}

fn address_of(rd: Register, offset: i32) -> Text {
    let name = if offset < 0 { "sub" } else { "add" };
    Text::new(name, format!("{}, pc, #{}", register(rd), offset.unsigned_abs()))
}

fn insertion(rd: Register, rn: Option<Register>, lsb: u8, width: u8) -> Text {
    match rn {
        Some(rn) => {
            Text::new("bfi", format!("{}, {}, #{lsb}, #{width}", register(rd), register(rn)))
        }
        None => Text::new("bfc", format!("{}, #{lsb}, #{width}", register(rd))),
    }
}

fn is_narrow(instruction: &Instruction) -> bool {
    instruction.length == 2
}

fn is_wide(instruction: &Instruction) -> bool {
    instruction.thumb && instruction.length == 4
}
