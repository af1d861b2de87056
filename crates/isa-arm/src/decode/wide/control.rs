//! Branches, status registers, hints and barriers (DDI 0403, A5.3.4).

use super::super::narrow::hint;
use super::super::{bit, bits, register, signed};
use super::{PC, always, under};
use crate::architecture::Version;
use crate::instruction::{
    Barrier, Condition, Hint, Instruction, Operation, Selected, Special, StatusSource,
};

/// Decodes what has its highest bit set in the second unit. ARMv6-M has `bl`, status registers,
/// barriers and `udf` of it.
pub(super) fn branch_or_control(word: u32, version: Version) -> Option<Instruction> {
    let thumb2 = version.has_thumb2();
    match (bit(word, 14), bit(word, 12)) {
        (true, true) => Some(always(branch(far(word), true))),
        (false, true) => thumb2.then(|| always(branch(far(word), false))),
        (true, false) => None,
        (false, false) if bit(word, 13) && bits(word, 20, 7) == 0x7f => {
            Some(always(Operation::Undefined))
        }
        (false, false) if bits(word, 23, 3) == 0b111 => control(word, version).map(always),
        (false, false) => thumb2.then(|| conditional(word)).flatten(),
    }
}

const fn branch(offset: i32, link: bool) -> Operation {
    Operation::Branch { offset, link, selected: Selected::Same }
}

/// The distance of `b` and `bl`: two of its bits are encoded as whether they are the sign.
fn far(word: u32) -> i32 {
    let sign = bits(word, 26, 1);
    let i1 = !(bits(word, 13, 1) ^ sign) & 1;
    let i2 = !(bits(word, 11, 1) ^ sign) & 1;
    let upper = sign << 24 | i1 << 23 | i2 << 22;
    signed(upper | bits(word, 16, 10) << 12 | bits(word, 0, 11) << 1, 25)
}

fn conditional(word: u32) -> Option<Instruction> {
    let condition = Condition::from_bits(bits(word, 22, 4))?;
    let upper = bits(word, 26, 1) << 20 | bits(word, 11, 1) << 19 | bits(word, 13, 1) << 18;
    let offset = signed(upper | bits(word, 16, 6) << 12 | bits(word, 0, 11) << 1, 21);
    Some(under(condition, branch(offset, false)))
}

fn control(word: u32, version: Version) -> Option<Operation> {
    if bit(word, 26) || bit(word, 13) {
        return None;
    }
    match bits(word, 20, 3) {
        0 => status_write(word, version),
        2 if version.has_thumb2() => far_hint(word),
        3 => barrier(word, version),
        6 => status_read(word, version),
        _ => None,
    }
}

/// Whether a version has a special register of this number (DDI 0403, B5.1.1; DDI 0419, B4.1.1).
fn is_special(number: u8, version: Version) -> bool {
    match number {
        0..=3 | 5..=9 | 16 | 20 => true,
        17..=19 => version.has_thumb2(),
        _ => false,
    }
}

fn status_write(word: u32, version: Version) -> Option<Operation> {
    let (rn, number) = (register(word, 16), bits(word, 0, 8) as u8);
    let known = bits(word, 8, 2) == 0 && is_special(number, version) && rn != PC;
    known.then_some(Operation::StatusWrite {
        special: Special::Numbered(number),
        fields: (bits(word, 10, 2) << 2) as u8,
        source: StatusSource::Register(rn),
    })
}

fn status_read(word: u32, version: Version) -> Option<Operation> {
    let (rd, number) = (register(word, 8), bits(word, 0, 8) as u8);
    let known = register(word, 16) == PC && is_special(number, version) && rd != PC;
    known.then_some(Operation::StatusRead { rd, special: Special::Numbered(number) })
}

fn far_hint(word: u32) -> Option<Operation> {
    let number = bits(word, 0, 8) as u8;
    let known = bits(word, 8, 12) == 0xf80;
    known.then(|| Operation::Hint(if number < 16 { hint(number) } else { Hint::Other(number) }))
}

fn barrier(word: u32, version: Version) -> Option<Operation> {
    if bits(word, 8, 12) != 0xf8f {
        return None;
    }
    Some(match bits(word, 4, 4) {
        2 if version.has_thumb2() && bits(word, 0, 4) == 15 => Operation::ClearExclusive,
        4 => Operation::Barrier(Barrier::DataSynchronization),
        5 => Operation::Barrier(Barrier::Data),
        6 => Operation::Barrier(Barrier::Instruction),
        _ => return None,
    })
}
