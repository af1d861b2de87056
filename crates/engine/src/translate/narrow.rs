//! Operations of 8 and 16 bits as interpreter instructions of their own.

use cocrypt_ir::{Binary, Condition, Value, Width};

use super::{Translator, cell};
use crate::micro::{Cell, Micro};

/// The instruction of an operation on two operands, if it has one.
pub fn binary(
    translator: &Translator,
    op: Binary,
    width: Width,
    dst: Cell,
    a: Value,
    b: Value,
) -> Option<Micro> {
    let mask = mask(width)?;
    let a = translator.operand(a)?;
    if let Value::Const(imm) = b
        && imm != 0
    {
        return immediate(op, width, dst, a, imm as u16 & mask);
    }
    let b = translator.operand(b)?;
    Some(match op {
        Binary::Add => Micro::NarrowAddR { dst, a, b, mask },
        Binary::Sub => Micro::NarrowSubR { dst, a, b, mask },
        Binary::And => Micro::NarrowAndR { dst, a, b, mask },
        Binary::Or => Micro::NarrowOrR { dst, a, b, mask },
        Binary::Xor => Micro::NarrowXorR { dst, a, b, mask },
        Binary::Mul => Micro::NarrowMulR { dst, a, b, mask },
        _ => return None,
    })
}

fn immediate(op: Binary, width: Width, dst: Cell, a: Cell, imm: u16) -> Option<Micro> {
    let mask = mask(width)?;
    let by = u8::try_from(imm).ok().filter(|&by| u32::from(by) < width.bits());
    Some(match op {
        Binary::Add => Micro::NarrowAddI { dst, a, imm, mask },
        Binary::Sub => Micro::NarrowAddI { dst, a, imm: imm.wrapping_neg() & mask, mask },
        Binary::And => Micro::NarrowAndI { dst, a, imm, mask },
        Binary::Or => Micro::NarrowOrI { dst, a, imm, mask },
        Binary::Xor => Micro::NarrowXorI { dst, a, imm, mask },
        Binary::Shl => Micro::NarrowShlI { dst, a, by: by?, mask },
        Binary::Shr => Micro::NarrowShrI { dst, a, by: by?, mask },
        Binary::Sar => Micro::NarrowSarI { dst, a, by: by?, width },
        _ => return None,
    })
}

/// The instruction of a comparison, if it has one.
pub fn compare(
    translator: &Translator,
    condition: Condition,
    width: Width,
    dst: Cell,
    a: Value,
    b: Value,
) -> Option<Micro> {
    let mask = mask(width)?;
    let a = translator.operand(a)?;
    Some(match (condition, b) {
        (Condition::Equal, Value::Const(imm)) => {
            Micro::NarrowEqualI { dst, a, imm: imm as u16 & mask, mask }
        }
        (Condition::Equal, Value::Slot(b)) => Micro::NarrowEqualR { dst, a, b: cell(b), mask },
        (Condition::LessUnsigned, Value::Const(imm)) => {
            Micro::NarrowLessUnsignedI { dst, a, imm: imm as u16 & mask, mask }
        }
        (Condition::LessUnsigned, Value::Slot(b)) => {
            Micro::NarrowLessUnsignedR { dst, a, b: cell(b), mask }
        }
        _ => return None,
    })
}

fn mask(width: Width) -> Option<u16> {
    u16::try_from(width.mask()).ok()
}
