//! Fusion: a few sequences that cryptography is full of become one interpreter instruction each.
//!
//! Every cell that the sequence writes is still written, so that nothing can tell the difference but
//! the time that dispatch takes. What a guard may skip is never fused: those are general operations.

use crate::micro::Micro;

/// The same instructions, fused where they can be.
pub fn fuse(code: &[Micro]) -> Vec<Micro> {
    let mut fused = Vec::with_capacity(code.len());
    let mut rest = code;
    while let Some((&first, behind)) = rest.split_first() {
        let (micro, taken) = rotation(rest)
            .map(|rotation| (rotation, 3))
            .or_else(|| Some((pair(first, *behind.first()?)?, 2)))
            .unwrap_or((first, 1));
        fused.push(micro);
        rest = &rest[taken..];
    }
    fused
}

/// A shift left, a shift right by what is missing to 32, and the union of both.
fn rotation(code: &[Micro]) -> Option<Micro> {
    let &[first, second, Micro::OrR { dst, a: x, b: y }, ..] = code else { return None };
    let ((Micro::ShlI { dst: left, a, imm: by }, Micro::ShrI { dst: right, a: from, imm: down })
    | (Micro::ShrI { dst: right, a: from, imm: down }, Micro::ShlI { dst: left, a, imm: by })) =
        (first, second)
    else {
        return None;
    };
    let is_union = (x, y) == (left, right) || (x, y) == (right, left);
    // The first shift must leave the second its operand, and both results must be there.
    let overwritten = match first {
        Micro::ShlI { .. } => left == a,
        _ => right == a,
    };
    (is_union && a == from && by + down == 32 && left != right && !overwritten)
        .then_some(Micro::Rotate { dst, left, right, a, by: by as u8 })
}

fn pair(first: Micro, second: Micro) -> Option<Micro> {
    Some(match (first, second) {
        (Micro::XorR { dst, a, b }, Micro::XorR { dst: d, a: x, b: y }) => {
            Micro::XorXor { first: [dst, a, b], second: [d, x, y] }
        }
        (Micro::AddR { dst, a, b }, Micro::AddR { dst: d, a: x, b: y }) => {
            Micro::AddAdd { first: [dst, a, b], second: [d, x, y] }
        }
        (Micro::AndR { dst, a, b }, Micro::XorR { dst: d, a: x, b: y }) => {
            Micro::AndXor { first: [dst, a, b], second: [d, x, y] }
        }
        (Micro::XorR { dst, a, b }, Micro::AndR { dst: d, a: x, b: y }) => {
            Micro::XorAnd { first: [dst, a, b], second: [d, x, y] }
        }
        (Micro::AddR { dst: sum, a, b }, Micro::Load8 { dst, base, at, offset }) if base == sum => {
            Micro::AddLoad8 { dst, sum, a, b, at, offset: i16::try_from(offset).ok()? }
        }
        (Micro::ShlI { dst: middle, a, imm }, Micro::SarI { dst, a: from, imm: right })
            if from == middle =>
        {
            Micro::ShlSar { dst, middle, a, left: imm as u8, right: right as u8 }
        }
        (Micro::ShlI { dst: middle, a, imm }, Micro::ShrI { dst, a: from, imm: right })
            if from == middle =>
        {
            Micro::ShlShr { dst, middle, a, left: imm as u8, right: right as u8 }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::micro::Cell;

    const A: Cell = 1;
    const LEFT: Cell = 2;
    const RIGHT: Cell = 3;

    fn rotate(right: Cell, by: u32) -> [Micro; 3] {
        [
            Micro::ShlI { dst: LEFT, a: A, imm: by },
            Micro::ShrI { dst: right, a: A, imm: 32 - by },
            Micro::OrR { dst: 4, a: right, b: LEFT },
        ]
    }

    #[test]
    fn a_rotation_is_one_instruction() {
        let fused = fuse(&rotate(RIGHT, 7));
        assert_eq!(fused, [Micro::Rotate { dst: 4, left: LEFT, right: RIGHT, a: A, by: 7 }]);
    }

    #[test]
    fn shifts_that_share_a_destination_are_left_alone() {
        assert_eq!(fuse(&rotate(LEFT, 7)).len(), 3);
    }

    #[test]
    fn an_instruction_has_eight_bytes() {
        assert_eq!(std::mem::size_of::<Micro>(), 8);
    }
}
