//! Saturation, sums of parts of a word, extensions, packing.

use super::{Text, letter, register, shifted};
use crate::instruction::{
    Extension, Instruction, Operation, ParallelKind, ParallelOp, Register, Shift,
};

pub(super) fn text(instruction: &Instruction) -> Option<Text> {
    Some(match instruction.operation {
        Operation::Saturate { signed, bits, rd, rn, shift, amount } => {
            let operand = shifted(rn, shift, amount);
            Text::new(saturation(signed), format!("{}, #{bits}, {operand}", register(rd)))
        }
        Operation::SaturateHalves { signed, bits, rd, rn } => {
            let name = format!("{}16", saturation(signed));
            Text::new(name, format!("{}, #{bits}, {}", register(rd), register(rn)))
        }
        Operation::SaturatingSum { double, subtract, rd, rm, rn } => {
            let sum = if subtract { "sub" } else { "add" };
            Text::of_registers(format!("q{}{sum}", letter(double, "d")), &[rd, rm, rn])
        }
        Operation::Parallel { kind, op, rd, rn, rm } => {
            Text::of_registers(format!("{}{}", prefix(kind), parallel(op)), &[rd, rn, rm])
        }
        Operation::Select { rd, rn, rm } => Text::of_registers("sel", &[rd, rn, rm]),
        Operation::SumOfDifferences { rd, rn, rm, ra: None } => {
            Text::of_registers("usad8", &[rd, rn, rm])
        }
        Operation::SumOfDifferences { rd, rn, rm, ra: Some(ra) } => {
            Text::of_registers("usada8", &[rd, rn, rm, ra])
        }
        Operation::Extend { extension, rd, rn, rm, rotation } => {
            extended(extension, rd, rn, &shifted(rm, Shift::Rotate, rotation))
        }
        Operation::Pack { top_first, rd, rn, rm, amount } => {
            let (name, shift) =
                if top_first { ("pkhtb", Shift::RightArithmetic) } else { ("pkhbt", Shift::Left) };
            let operand = shifted(rm, shift, amount);
            Text::new(name, format!("{}, {}, {operand}", register(rd), register(rn)))
        }
        _ => return None,
    })
}

fn saturation(signed: bool) -> &'static str {
    if signed { "ssat" } else { "usat" }
}

fn prefix(kind: ParallelKind) -> &'static str {
    match kind {
        ParallelKind::Signed => "s",
        ParallelKind::SignedSaturating => "q",
        ParallelKind::SignedHalving => "sh",
        ParallelKind::Unsigned => "u",
        ParallelKind::UnsignedSaturating => "uq",
        ParallelKind::UnsignedHalving => "uh",
    }
}

fn parallel(op: ParallelOp) -> &'static str {
    match op {
        ParallelOp::Add16 => "add16",
        ParallelOp::Asx => "asx",
        ParallelOp::Sax => "sax",
        ParallelOp::Sub16 => "sub16",
        ParallelOp::Add8 => "add8",
        ParallelOp::Sub8 => "sub8",
    }
}

fn extended(extension: Extension, rd: Register, rn: Option<Register>, operand: &str) -> Text {
    let (sign, part) = match extension {
        Extension::SignedByte => ("s", "b"),
        Extension::SignedHalf => ("s", "h"),
        Extension::SignedBytes => ("s", "b16"),
        Extension::Byte => ("u", "b"),
        Extension::Half => ("u", "h"),
        Extension::Bytes => ("u", "b16"),
    };
    match rn {
        None => Text::new(format!("{sign}xt{part}"), format!("{}, {operand}", register(rd))),
        Some(rn) => Text::new(
            format!("{sign}xta{part}"),
            format!("{}, {}, {operand}", register(rd), register(rn)),
        ),
    }
}
