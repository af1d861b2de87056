//! Products and quotients.

use super::{Text, half, letter};
use crate::instruction::{
    HalfProduct, Instruction, LongHalfProduct, LongProduct, Operation, Product, Register,
};

pub(super) fn text(instruction: &Instruction) -> Option<Text> {
    Some(match instruction.operation {
        Operation::Multiply { product, sets_flags, rd, rn, rm, ra } => {
            word(instruction, product, sets_flags, [rd, rn, rm, ra])
        }
        Operation::MultiplyLong { product, sets_flags, lo, hi, rn, rm } => {
            let name = format!("{}{}", long(product), letter(sets_flags, "s"));
            Text::of_registers(name, &[lo, hi, rn, rm])
        }
        Operation::MultiplyHalf { product, rd, rn, rm, ra } => halves(product, [rd, rn, rm, ra]),
        Operation::MultiplyHalfLong { product, lo, hi, rn, rm } => {
            Text::of_registers(long_halves(product), &[lo, hi, rn, rm])
        }
        Operation::Divide { signed, rd, rn, rm } => {
            Text::of_registers(if signed { "sdiv" } else { "udiv" }, &[rd, rn, rm])
        }
        _ => return None,
    })
}

/// A product of a word; narrow Thumb names the destination once, which is also a factor.
fn word(
    instruction: &Instruction,
    product: Product,
    sets_flags: bool,
    registers: [Register; 4],
) -> Text {
    let s = letter(sets_flags, "s");
    let [rd, rn, rm, _] = registers;
    match product {
        Product::Mul if instruction.length == 2 => {
            Text::of_registers(format!("mul{s}"), &[rd, if rd == rm { rn } else { rm }])
        }
        Product::Mul => Text::of_registers(format!("mul{s}"), &registers[..3]),
        Product::Mla => Text::of_registers(format!("mla{s}"), &registers),
        Product::Mls => Text::of_registers("mls", &registers),
    }
}

fn long(product: LongProduct) -> &'static str {
    match product {
        LongProduct::Umull => "umull",
        LongProduct::Smull => "smull",
        LongProduct::Umlal => "umlal",
        LongProduct::Smlal => "smlal",
        LongProduct::Umaal => "umaal",
    }
}

fn halves(product: HalfProduct, registers: [Register; 4]) -> Text {
    let (name, count) = match product {
        HalfProduct::Smul { top: [n, m] } => (format!("smul{}{}", half(n), half(m)), 3),
        HalfProduct::Smla { top: [n, m] } => (format!("smla{}{}", half(n), half(m)), 4),
        HalfProduct::Smulw { top } => (format!("smulw{}", half(top)), 3),
        HalfProduct::Smlaw { top } => (format!("smlaw{}", half(top)), 4),
        HalfProduct::Smuad { exchange } => (format!("smuad{}", letter(exchange, "x")), 3),
        HalfProduct::Smusd { exchange } => (format!("smusd{}", letter(exchange, "x")), 3),
        HalfProduct::Smlad { exchange } => (format!("smlad{}", letter(exchange, "x")), 4),
        HalfProduct::Smlsd { exchange } => (format!("smlsd{}", letter(exchange, "x")), 4),
        HalfProduct::Smmul { round } => (format!("smmul{}", letter(round, "r")), 3),
        HalfProduct::Smmla { round } => (format!("smmla{}", letter(round, "r")), 4),
        HalfProduct::Smmls { round } => (format!("smmls{}", letter(round, "r")), 4),
    };
    Text::of_registers(name, &registers[..count])
}

fn long_halves(product: LongHalfProduct) -> String {
    match product {
        LongHalfProduct::Smlal { top: [n, m] } => format!("smlal{}{}", half(n), half(m)),
        LongHalfProduct::Smlald { exchange } => format!("smlald{}", letter(exchange, "x")),
        LongHalfProduct::Smlsld { exchange } => format!("smlsld{}", letter(exchange, "x")),
    }
}
