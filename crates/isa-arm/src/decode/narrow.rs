//! The 16-bit instructions of Thumb (DDI 0403, A5.2; DDI 0100, A6).
//!
//! What the manuals call unpredictable is decoded where what it would do is plain; an empty list of
//! registers, and what must not stand in an IT block, are no instructions.

use super::{
    at, bit, bits, constant, data, plain, register, shift, shifted, signed, thumb, transfer,
};
use crate::architecture::{Architecture, Version};
use crate::instruction::{
    Access, Address, BitOp, Condition, DataOp, Extension, Hint, Index, Instruction, Offset,
    Operand, Operation, Product, Register, Selected, Shift,
};

const SP: Register = 13;
const LR: Register = 14;
const PC: Register = 15;

/// Decodes one unit; nothing where it is no instruction of this architecture. Within an IT block
/// most instructions leave the flags alone.
#[must_use]
pub fn narrow(unit: u16, architecture: Architecture, in_it: bool) -> Option<Instruction> {
    let unit = u32::from(unit);
    if !architecture.version.has_thumb() {
        return None;
    }
    match unit >> 12 {
        0b1101 => conditional(unit),
        _ => operation(unit, architecture.version, !in_it).map(|operation| thumb(2, operation)),
    }
}

fn operation(unit: u32, version: Version, sets_flags: bool) -> Option<Operation> {
    Some(match unit >> 11 {
        0..=2 => shift_by_constant(unit, sets_flags),
        3 => sum_of_three(unit, sets_flags),
        4..=7 => with_byte(unit, sets_flags),
        8 if bit(unit, 10) => return high_registers(unit, version),
        8 => data_processing(unit, sets_flags),
        9 => transfer(true, Access::Word, low(unit, 8), at(PC, words(unit, 0, 8))),
        10 | 11 => register_offset(unit),
        12..=17 => constant_offset(unit),
        18 | 19 => transfer(bit(unit, 11), Access::Word, low(unit, 8), at(SP, words(unit, 0, 8))),
        20 => Operation::AddressOf { rd: low(unit, 8), offset: words(unit, 0, 8) },
        21 => data(DataOp::Add, false, low(unit, 8), SP, constant(bits(unit, 0, 8) << 2)),
        22 | 23 => return miscellaneous(unit, version),
        24 | 25 => return multiple(unit),
        28 => branch(signed(unit << 1, 12)),
        _ => return linked(unit, version),
    })
}

/// One of the registers 0 to 7.
const fn low(unit: u32, at: u32) -> Register {
    bits(unit, at, 3) as Register
}

/// A distance in words, as bytes.
const fn words(unit: u32, at: u32, width: u32) -> i32 {
    (bits(unit, at, width) << 2) as i32
}

fn shift_by_constant(unit: u32, sets_flags: bool) -> Operation {
    let operand = shifted(low(unit, 3), bits(unit, 11, 2), bits(unit, 6, 5));
    data(DataOp::Mov, sets_flags, low(unit, 0), 0, operand)
}

fn sum_of_three(unit: u32, sets_flags: bool) -> Operation {
    let op = if bit(unit, 9) { DataOp::Sub } else { DataOp::Add };
    let operand = if bit(unit, 10) { constant(bits(unit, 6, 3)) } else { plain(low(unit, 6)) };
    data(op, sets_flags, low(unit, 0), low(unit, 3), operand)
}

fn with_byte(unit: u32, sets_flags: bool) -> Operation {
    let (register, operand) = (low(unit, 8), constant(bits(unit, 0, 8)));
    match bits(unit, 11, 2) {
        0 => data(DataOp::Mov, sets_flags, register, 0, operand),
        1 => data(DataOp::Cmp, true, 0, register, operand),
        2 => data(DataOp::Add, sets_flags, register, register, operand),
        _ => data(DataOp::Sub, sets_flags, register, register, operand),
    }
}

fn data_processing(unit: u32, sets_flags: bool) -> Operation {
    let (rd, rm) = (low(unit, 0), low(unit, 3));
    let two = |op| data(op, sets_flags, rd, rd, plain(rm));
    let moved =
        |shift| data(DataOp::Mov, sets_flags, rd, 0, Operand::Shifted { rm: rd, shift, rs: rm });
    match bits(unit, 6, 4) {
        0 => two(DataOp::And),
        1 => two(DataOp::Eor),
        2..=4 => moved(shift(bits(unit, 6, 4) - 2)),
        5 => two(DataOp::Adc),
        6 => two(DataOp::Sbc),
        7 => moved(Shift::Rotate),
        8 => data(DataOp::Tst, true, 0, rd, plain(rm)),
        9 => data(DataOp::Rsb, sets_flags, rd, rm, constant(0)),
        10 => data(DataOp::Cmp, true, 0, rd, plain(rm)),
        11 => data(DataOp::Cmn, true, 0, rd, plain(rm)),
        12 => two(DataOp::Orr),
        13 => Operation::Multiply { product: Product::Mul, sets_flags, rd, rn: rm, rm: rd, ra: 0 },
        14 => two(DataOp::Bic),
        _ => data(DataOp::Mvn, sets_flags, rd, 0, plain(rm)),
    }
}

fn high_registers(unit: u32, version: Version) -> Option<Operation> {
    let (rd, rm) = (low(unit, 0) | u8::from(bit(unit, 7)) << 3, register(unit, 3));
    Some(match bits(unit, 8, 2) {
        0 => data(DataOp::Add, false, rd, rd, plain(rm)),
        1 => data(DataOp::Cmp, true, 0, rd, plain(rm)),
        2 => data(DataOp::Mov, false, rd, 0, plain(rm)),
        _ => return branch_exchange(unit, rm, version),
    })
}

fn branch_exchange(unit: u32, rm: Register, version: Version) -> Option<Operation> {
    let link = bit(unit, 7);
    let known = bits(unit, 0, 3) == 0 && !(link && (version == Version::V4T || rm == PC));
    known.then_some(Operation::BranchExchange { rm, link })
}

fn register_offset(unit: u32) -> Operation {
    let (loads, access) = match bits(unit, 9, 3) {
        0 => (false, Access::Word),
        1 => (false, Access::Half),
        2 => (false, Access::Byte),
        3 => (true, Access::SignedByte),
        4 => (true, Access::Word),
        5 => (true, Access::Half),
        6 => (true, Access::Byte),
        _ => (true, Access::SignedHalf),
    };
    let offset =
        Offset::Register { rm: low(unit, 6), shift: Shift::Left, amount: 0, subtract: false };
    let address = Address { rn: low(unit, 3), offset, index: Index::Offset };
    transfer(loads, access, low(unit, 0), address)
}

fn constant_offset(unit: u32) -> Operation {
    let (access, scale) = match bits(unit, 12, 4) {
        6 => (Access::Word, 2),
        7 => (Access::Byte, 0),
        _ => (Access::Half, 1),
    };
    let offset = (bits(unit, 6, 5) << scale) as i32;
    transfer(bit(unit, 11), access, low(unit, 0), at(low(unit, 3), offset))
}

fn miscellaneous(unit: u32, version: Version) -> Option<Operation> {
    let (is_m, thumb2) = (version.is_m(), version.has_thumb2());
    Some(match bits(unit, 8, 4) {
        0 => adjust_stack(unit),
        1 | 3 | 9 | 11 if thumb2 => compare_branch(unit),
        2 if is_m => extend(unit),
        4 | 5 | 12 | 13 => return stack(unit),
        6 if is_m => return change_state(unit, version),
        10 if is_m => return reverse(unit),
        14 if version != Version::V4T => Operation::Breakpoint { number: bits(unit, 0, 8) as u16 },
        15 if is_m => return it_or_hint(unit, thumb2),
        _ => return None,
    })
}

fn adjust_stack(unit: u32) -> Operation {
    let op = if bit(unit, 7) { DataOp::Sub } else { DataOp::Add };
    data(op, false, SP, SP, constant(bits(unit, 0, 7) << 2))
}

fn compare_branch(unit: u32) -> Operation {
    let offset = (bits(unit, 9, 1) << 6 | bits(unit, 3, 5) << 1) as i32;
    Operation::CompareBranch { nonzero: bit(unit, 11), rn: low(unit, 0), offset }
}

fn extend(unit: u32) -> Operation {
    let extension = match bits(unit, 6, 2) {
        0 => Extension::SignedHalf,
        1 => Extension::SignedByte,
        2 => Extension::Half,
        _ => Extension::Byte,
    };
    Operation::Extend { extension, rd: low(unit, 0), rn: None, rm: low(unit, 3), rotation: 0 }
}

/// `push` and `pop`; bit 8 is the link register in the one, the program counter in the other.
fn stack(unit: u32) -> Option<Operation> {
    let low = bits(unit, 0, 8) as u16;
    let (loads, further) = (bit(unit, 11), bits(unit, 8, 1) as u16);
    let list = low | further << if loads { PC } else { LR };
    let (rn, writeback, user) = (SP, true, false);
    (list != 0).then_some(if loads {
        Operation::LoadMultiple { rn, list, up: true, before: false, writeback, user }
    } else {
        Operation::StoreMultiple { rn, list, up: false, before: true, writeback, user }
    })
}

/// `cpsie`, `cpsid`. ARMv6-M has no FAULTMASK.
fn change_state(unit: u32, version: Version) -> Option<Operation> {
    let (primask, faultmask) = (bit(unit, 1), bit(unit, 0));
    let known = bits(unit, 5, 3) == 0b011 && bits(unit, 2, 2) == 0;
    let meant = (primask || faultmask) && !(faultmask && version == Version::V6M);
    (known && meant).then_some(Operation::ChangeState { disable: bit(unit, 4), primask, faultmask })
}

fn reverse(unit: u32) -> Option<Operation> {
    let op = match bits(unit, 6, 2) {
        0 => BitOp::ReverseBytes,
        1 => BitOp::ReverseHalves,
        3 => BitOp::ReverseSigned,
        _ => return None,
    };
    Some(Operation::Bits { op, rd: low(unit, 0), rm: low(unit, 3) })
}

/// `it` where there is a mask, else a hint. A condition of which an "else" is never, is none.
fn it_or_hint(unit: u32, thumb2: bool) -> Option<Operation> {
    let (first, mask) = (bits(unit, 4, 4), bits(unit, 0, 4));
    if mask == 0 {
        return Some(Operation::Hint(hint(first as u8)));
    }
    let known = first < 14 || first == 14 && mask.is_power_of_two();
    (thumb2 && known).then_some(Operation::It { first: first as u8, mask: mask as u8 })
}

/// A hint by its number.
pub(super) const fn hint(number: u8) -> Hint {
    match number {
        0 => Hint::Nop,
        1 => Hint::Yield,
        2 => Hint::WaitForEvent,
        3 => Hint::WaitForInterrupt,
        4 => Hint::SendEvent,
        number => Hint::Other(number),
    }
}

/// `stm` and `ldm`. A base that is loaded too is not written back.
fn multiple(unit: u32) -> Option<Operation> {
    let (rn, list) = (low(unit, 8), bits(unit, 0, 8) as u16);
    let (up, before, user) = (true, false, false);
    (list != 0).then_some(if bit(unit, 11) {
        let writeback = list >> rn & 1 == 0;
        Operation::LoadMultiple { rn, list, up, before, writeback, user }
    } else {
        Operation::StoreMultiple { rn, list, up, before, writeback: true, user }
    })
}

/// Conditional branches, and in the place of two conditions `udf` and `svc`.
fn conditional(unit: u32) -> Option<Instruction> {
    let number = bits(unit, 0, 8);
    match bits(unit, 8, 4) {
        14 => Some(thumb(2, Operation::Undefined)),
        15 => Some(thumb(2, Operation::SupervisorCall { number })),
        condition => {
            let condition = Condition::from_bits(condition)?;
            Some(Instruction { condition, ..thumb(2, branch(signed(number << 1, 9))) })
        }
    }
}

const fn branch(offset: i32) -> Operation {
    Operation::Branch { offset, link: false, selected: Selected::Same }
}

/// The halves of Thumb-1's `bl` and `blx`.
fn linked(unit: u32, version: Version) -> Option<Operation> {
    let suffix =
        |selected| Operation::BranchSuffix { offset: (bits(unit, 0, 11) << 1) as u16, selected };
    match unit >> 11 {
        _ if version.is_m() => None,
        0b11110 => Some(Operation::BranchPrefix { offset: signed(unit, 11) << 12 }),
        0b11111 => Some(suffix(Selected::Same)),
        _ => (version == Version::V5TE && !bit(unit, 0)).then(|| suffix(Selected::Other)),
    }
}
