//! Status registers, branches to registers, saturation, `clz`, `bkpt`, and where they lie products of
//! halves (DDI 0100I, A3.16).

use super::{are_general, bit, bits, immediate, products, register};
use crate::architecture::Version;
use crate::instruction::{BitOp, Operand, Operation, Special, StatusSource};

/// Decodes a comparison that would set no flags, with a register.
pub(super) fn decode(word: u32, version: Version) -> Option<Operation> {
    match bits(word, 4, 4) {
        0b0000 => status(word),
        0b0001 if word & 0x0fff_fff0 == 0x012f_ff10 => {
            let is_there = version != Version::V4;
            is_there.then(|| Operation::BranchExchange { rm: register(word, 0), link: false })
        }
        _ if version != Version::V5TE => None,
        0b0001 => count_leading_zeros(word),
        0b0011 => branch_link_exchange(word),
        0b0101 => saturating_sum(word),
        0b0111 => breakpoint(word),
        op if op & 0b1001 == 0b1000 => products::halves(word),
        _ => None,
    }
}

fn status(word: u32) -> Option<Operation> {
    let special = special(word);
    if word & 0x0fbf_0fff == 0x010f_0000 {
        let rd = register(word, 12);
        return are_general(&[rd]).then_some(Operation::StatusRead { rd, special });
    }
    let rn = register(word, 0);
    let is_write = word & 0x0fb0_fff0 == 0x0120_f000 && are_general(&[rn]);
    is_write.then(|| write(word, StatusSource::Register(rn)))
}

/// `msr` of a constant.
pub(super) fn status_immediate(word: u32) -> Option<Operation> {
    let Operand::Immediate { value, .. } = immediate(word) else { return None };
    let is_write = word & 0x0fb0_f000 == 0x0320_f000;
    is_write.then(|| write(word, StatusSource::Immediate(value)))
}

fn write(word: u32, source: StatusSource) -> Operation {
    Operation::StatusWrite { special: special(word), fields: bits(word, 16, 4) as u8, source }
}

const fn special(word: u32) -> Special {
    if bit(word, 22) { Special::Saved } else { Special::Current }
}

fn count_leading_zeros(word: u32) -> Option<Operation> {
    let (rd, rm) = (register(word, 12), register(word, 0));
    let is_it = word & 0x0fff_0ff0 == 0x016f_0f10 && are_general(&[rd, rm]);
    is_it.then_some(Operation::Bits { op: BitOp::LeadingZeros, rd, rm })
}

fn branch_link_exchange(word: u32) -> Option<Operation> {
    let rm = register(word, 0);
    let is_it = word & 0x0fff_fff0 == 0x012f_ff30 && are_general(&[rm]);
    is_it.then_some(Operation::BranchExchange { rm, link: true })
}

fn saturating_sum(word: u32) -> Option<Operation> {
    let (rd, rn, rm) = (register(word, 12), register(word, 16), register(word, 0));
    let is_it = bits(word, 8, 4) == 0 && are_general(&[rd, rn, rm]);
    let (double, subtract) = (bit(word, 22), bit(word, 21));
    is_it.then_some(Operation::SaturatingSum { double, subtract, rd, rm, rn })
}

/// `bkpt`, which has no condition.
fn breakpoint(word: u32) -> Option<Operation> {
    let number = (bits(word, 8, 12) << 4 | bits(word, 0, 4)) as u16;
    (word & 0xfff0_00f0 == 0xe120_0070).then_some(Operation::Breakpoint { number })
}
