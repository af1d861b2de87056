//! Data processing of Thumb-2 (DDI 0403, A5.3.1, A5.3.3, A5.3.11 to A5.3.15).

use super::super::{bit, bits, constant, constant_shift, data, register, shift, shifted};
use super::{PC, without_pc};
use crate::instruction::{
    BitOp, DataOp, Extension, Operand, Operation, ParallelKind, ParallelOp, Register, Shift,
};

/// Data processing with a register that is shifted by a constant.
pub(super) fn shifted_register(word: u32, dsp: bool) -> Option<Operation> {
    let (rm, amount) = (register(word, 0), parted_amount(word));
    if bit(word, 15) || rm == PC {
        return None;
    }
    if bits(word, 21, 4) == 6 {
        return if dsp { pack(word, amount) } else { None };
    }
    named(word, shifted(rm, bits(word, 4, 2), amount))
}

/// Data processing with a constant.
pub(super) fn modified_immediate(word: u32) -> Option<Operation> {
    let twelve = bits(word, 26, 1) << 11 | bits(word, 12, 3) << 8 | bits(word, 0, 8);
    named(word, expanded(twelve))
}

/// Five bits in two parts.
const fn parted_amount(word: u32) -> u32 {
    bits(word, 12, 3) << 2 | bits(word, 6, 2)
}

/// A constant from its twelve bits (DDI 0403, A5.3.2).
fn expanded(twelve: u32) -> Operand {
    let byte = bits(twelve, 0, 8);
    match bits(twelve, 8, 4) {
        0 => constant(byte),
        1 => constant(byte << 16 | byte),
        2 => constant((byte << 16 | byte) << 8),
        3 => constant(byte * 0x0101_0101),
        _ => {
            let value = (byte | 0x80).rotate_right(bits(twelve, 7, 5));
            Operand::Immediate { value, carry: Some(bit(value, 31)) }
        }
    }
}

/// Data processing by its four bits; what has no destination or no first operand is a comparison or
/// a move.
fn named(word: u32, operand: Operand) -> Option<Operation> {
    let (sets_flags, rn, rd) = (bit(word, 20), register(word, 16), register(word, 8));
    let compared = rd == PC && sets_flags;
    let op = match bits(word, 21, 4) {
        0 if compared => DataOp::Tst,
        0 => DataOp::And,
        1 => DataOp::Bic,
        2 if rn == PC => DataOp::Mov,
        2 => DataOp::Orr,
        3 if rn == PC => DataOp::Mvn,
        3 => DataOp::Orn,
        4 if compared => DataOp::Teq,
        4 => DataOp::Eor,
        8 if compared => DataOp::Cmn,
        8 => DataOp::Add,
        10 => DataOp::Adc,
        11 => DataOp::Sbc,
        13 if compared => DataOp::Cmp,
        13 => DataOp::Sub,
        14 => DataOp::Rsb,
        _ => return None,
    };
    match op {
        DataOp::Tst | DataOp::Teq | DataOp::Cmn | DataOp::Cmp => {
            without_pc([rn], data(op, true, 0, rn, operand))
        }
        DataOp::Mov | DataOp::Mvn => without_pc([rd], data(op, sets_flags, rd, 0, operand)),
        _ => without_pc([rd, rn], data(op, sets_flags, rd, rn, operand)),
    }
}

fn pack(word: u32, amount: u32) -> Option<Operation> {
    if bit(word, 20) || bit(word, 4) {
        return None;
    }
    let (rd, rn, rm) = (register(word, 8), register(word, 16), register(word, 0));
    let (_, amount) = constant_shift(bits(word, 4, 2), amount);
    without_pc([rd, rn], Operation::Pack { top_first: bit(word, 5), rd, rn, rm, amount })
}

/// Constants of twelve and sixteen bits, saturation and bit fields.
pub(super) fn plain_immediate(word: u32, dsp: bool) -> Option<Operation> {
    let (rn, rd) = (register(word, 16), register(word, 8));
    let twelve = bits(word, 26, 1) << 11 | bits(word, 12, 3) << 8 | bits(word, 0, 8);
    let half = (register(word, 16) as u16) << 12 | twelve as u16;
    if rd == PC {
        return None;
    }
    match bits(word, 20, 5) {
        0b00000 if rn == PC => Some(Operation::AddressOf { rd, offset: twelve as i32 }),
        0b00000 => Some(data(DataOp::Add, false, rd, rn, constant(twelve))),
        0b01010 if rn == PC => Some(Operation::AddressOf { rd, offset: -(twelve as i32) }),
        0b01010 => Some(data(DataOp::Sub, false, rd, rn, constant(twelve))),
        0b00100 => Some(Operation::MoveHalf { rd, value: half, top: false }),
        0b01100 => Some(Operation::MoveHalf { rd, value: half, top: true }),
        _ if bit(word, 26) || bit(word, 5) => None,
        0b10000 | 0b10010 | 0b11000 | 0b11010 => saturate(word, dsp),
        0b10100 | 0b11100 => extract(word),
        0b10110 => insert(word),
        _ => None,
    }
}

/// `ssat`, `usat`; what would shift to the right by 0 saturates halves.
fn saturate(word: u32, dsp: bool) -> Option<Operation> {
    let (signed, rd, rn) = (!bit(word, 23), register(word, 8), register(word, 16));
    let bits_of = |width| bits(word, 0, width) as u8 + u8::from(signed);
    let amount = parted_amount(word) as u8;
    if bit(word, 21) && amount == 0 {
        let halves = Operation::SaturateHalves { signed, bits: bits_of(4), rd, rn };
        return if dsp && !bit(word, 4) { without_pc([rn], halves) } else { None };
    }
    let shift = if bit(word, 21) { Shift::RightArithmetic } else { Shift::Left };
    without_pc([rn], Operation::Saturate { signed, bits: bits_of(5), rd, rn, shift, amount })
}

fn extract(word: u32) -> Option<Operation> {
    let (rd, rn) = (register(word, 8), register(word, 16));
    let (lsb, width) = (parted_amount(word) as u8, bits(word, 0, 5) as u8 + 1);
    let signed = !bit(word, 23);
    let field = Operation::ExtractField { signed, rd, rn, lsb, width };
    if lsb + width <= 32 { without_pc([rn], field) } else { None }
}

fn insert(word: u32) -> Option<Operation> {
    let (rd, rn) = (register(word, 8), register(word, 16));
    let (lsb, msb) = (parted_amount(word) as u8, bits(word, 0, 5) as u8);
    let width = (msb + 1).checked_sub(lsb).filter(|width| *width > 0)?;
    Some(Operation::InsertField { rd, rn: (rn != PC).then_some(rn), lsb, width })
}

/// Data processing of registers: shifts by registers, extensions, parallel sums, bits.
pub(super) fn registers(word: u32, dsp: bool) -> Option<Operation> {
    let (rd, rn, rm) = (register(word, 8), register(word, 16), register(word, 0));
    if register(word, 12) != PC || rd == PC || rm == PC {
        return None;
    }
    match (bit(word, 23), bits(word, 6, 2)) {
        (false, 0b00) => shift_by_register(word, rd, rn, rm),
        (false, 0b10) => extend(word, dsp),
        (true, 0b00 | 0b01) if dsp => parallel(word, rd, rn, rm),
        (true, 0b10) => miscellaneous(word, dsp),
        _ => None,
    }
}

fn shift_by_register(word: u32, rd: Register, rn: Register, rm: Register) -> Option<Operation> {
    if bits(word, 4, 2) != 0 {
        return None;
    }
    let operand = Operand::Shifted { rm: rn, shift: shift(bits(word, 21, 2)), rs: rm };
    without_pc([rn], data(DataOp::Mov, bit(word, 20), rd, 0, operand))
}

/// `sxtb` and its kin; with a sum, or of two bytes, they are of the DSP extension.
fn extend(word: u32, dsp: bool) -> Option<Operation> {
    let rn = register(word, 16);
    let extension = match bits(word, 20, 3) {
        0 => Extension::SignedHalf,
        1 => Extension::Half,
        2 => Extension::SignedBytes,
        3 => Extension::Bytes,
        4 => Extension::SignedByte,
        5 => Extension::Byte,
        _ => return None,
    };
    let basic = rn == PC && !matches!(extension, Extension::SignedBytes | Extension::Bytes);
    (dsp || basic).then(|| Operation::Extend {
        extension,
        rd: register(word, 8),
        rn: (rn != PC).then_some(rn),
        rm: register(word, 0),
        rotation: (bits(word, 4, 2) << 3) as u8,
    })
}

fn parallel(word: u32, rd: Register, rn: Register, rm: Register) -> Option<Operation> {
    let op = match bits(word, 20, 3) {
        0 => ParallelOp::Add8,
        1 => ParallelOp::Add16,
        2 => ParallelOp::Asx,
        4 => ParallelOp::Sub8,
        5 => ParallelOp::Sub16,
        6 => ParallelOp::Sax,
        _ => return None,
    };
    let kind = match bits(word, 4, 3) {
        0 => ParallelKind::Signed,
        1 => ParallelKind::SignedSaturating,
        2 => ParallelKind::SignedHalving,
        4 => ParallelKind::Unsigned,
        5 => ParallelKind::UnsignedSaturating,
        6 => ParallelKind::UnsignedHalving,
        _ => return None,
    };
    without_pc([rn], Operation::Parallel { kind, op, rd, rn, rm })
}

/// Saturating sums, reversals, `sel` and `clz`. What has one operand names it twice.
fn miscellaneous(word: u32, dsp: bool) -> Option<Operation> {
    let (rd, rn, rm) = (register(word, 8), register(word, 16), register(word, 0));
    let of_bits = |op| (rn == rm).then_some(Operation::Bits { op, rd, rm });
    match (bits(word, 20, 3), bits(word, 4, 2)) {
        (0, kind) if dsp => {
            let (double, subtract) = (kind & 1 != 0, kind & 2 != 0);
            without_pc([rn], Operation::SaturatingSum { double, subtract, rd, rm, rn })
        }
        (1, 0) => of_bits(BitOp::ReverseBytes),
        (1, 1) => of_bits(BitOp::ReverseHalves),
        (1, 2) => of_bits(BitOp::ReverseBits),
        (1, 3) => of_bits(BitOp::ReverseSigned),
        (2, 0) if dsp => without_pc([rn], Operation::Select { rd, rn, rm }),
        (3, 0) => of_bits(BitOp::LeadingZeros),
        _ => None,
    }
}
