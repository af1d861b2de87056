//! Disassembly in the manual's syntax, in lower case.

use crate::ADDRESSES;
use crate::decode::Decoded;
use crate::table::Operand;

/// The instruction at `pc` in assembly.
#[must_use]
pub fn disassemble(decoded: &Decoded, pc: u64) -> String {
    let following = (pc + u64::from(decoded.length)) & ADDRESSES;
    let operands = decoded.row.operands.iter().zip(decoded.values);
    let texts: Vec<String> =
        operands.map(|(&operand, value)| text(operand, value, decoded.field, following)).collect();
    match &texts[..] {
        [] => decoded.row.name.to_owned(),
        texts => format!("{} {}", decoded.row.name, texts.join(", ")),
    }
}

fn text(operand: Operand, value: i32, field: u8, following: u64) -> String {
    match operand {
        Operand::A => "a".to_owned(),
        Operand::Ab => "ab".to_owned(),
        Operand::Carry => "c".to_owned(),
        Operand::Pointer => "dptr".to_owned(),
        Operand::Register => format!("r{field}"),
        Operand::Indirect | Operand::ExternalPage => format!("@r{field}"),
        Operand::Direct => format!("{value:#04x}"),
        Operand::Immediate => format!("#{value:#04x}"),
        Operand::Wide => format!("#{value:#06x}"),
        Operand::Bit => bit(value),
        Operand::NotBit => format!("/{}", bit(value)),
        Operand::Relative => {
            format!("{:#06x}", following.wrapping_add_signed(value.into()) & ADDRESSES)
        }
        Operand::Page => format!("{:#06x}", following & 0xf800 | value as u64),
        Operand::Long => format!("{value:#06x}"),
        Operand::External => "@dptr".to_owned(),
        Operand::CodePointer => "@a+dptr".to_owned(),
        Operand::CodeCounter => "@a+pc".to_owned(),
    }
}

/// A bit by its byte's direct address and its number.
fn bit(address: i32) -> String {
    let byte = if address < 0x80 { 0x20 + address / 8 } else { address & 0xf8 };
    format!("{byte:#04x}.{}", address & 7)
}
