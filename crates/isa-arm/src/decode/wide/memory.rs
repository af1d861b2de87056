//! Loads and stores of Thumb-2 (DDI 0403, A5.3.5 to A5.3.10).

use super::super::{at, bit, bits, register};
use super::{PC, without_pc};
use crate::instruction::{Access, Address, Index, Offset, Operation, Register, Shift};

/// `ldm`, `stm` and with the stack pointer `pop`, `push`.
pub(super) fn multiple(word: u32) -> Option<Operation> {
    let (rn, list) = (register(word, 16), bits(word, 0, 16) as u16);
    let (up, writeback) = (bit(word, 23), bit(word, 21));
    let (before, user) = (!up, false);
    if bit(word, 24) == up || rn == PC || list == 0 {
        return None;
    }
    Some(if bit(word, 20) {
        Operation::LoadMultiple { rn, list, up, before, writeback, user }
    } else {
        Operation::StoreMultiple { rn, list, up, before, writeback, user }
    })
}

/// `ldrd`, `strd`; without index and write-back the accesses that reserve, and branches by table.
pub(super) fn double_or_exclusive(word: u32) -> Option<Operation> {
    if !bit(word, 24) && !bit(word, 21) {
        return if bit(word, 23) { exclusive_or_table(word) } else { exclusive_word(word) };
    }
    let (rt, rt2, loads) = (register(word, 12), register(word, 8), bit(word, 20));
    let [before, up, writeback] = [24, 23, 21].map(|at| bit(word, at));
    let distance = (bits(word, 0, 8) << 2) as i32;
    let address = indexed(register(word, 16), before, up, writeback, distance);
    if address.rn == PC && (!loads || writeback) {
        return None;
    }
    let operation = if loads {
        Operation::LoadDouble { rt, rt2, address }
    } else {
        Operation::StoreDouble { rt, rt2, address }
    };
    without_pc([rt, rt2], operation)
}

/// An address from the bits P, U and W.
const fn indexed(rn: Register, before: bool, up: bool, writeback: bool, distance: i32) -> Address {
    let offset = Offset::Immediate(if up { distance } else { -distance });
    let index = match (before, writeback) {
        (true, false) => Index::Offset,
        (true, true) => Index::Before,
        (false, _) => Index::After,
    };
    Address { rn, offset, index }
}

/// `ldrex`, `strex`.
fn exclusive_word(word: u32) -> Option<Operation> {
    let (access, offset) = (Access::Word, (bits(word, 0, 8) << 2) as u16);
    let (rn, rt, rd) = (register(word, 16), register(word, 12), register(word, 8));
    if !bit(word, 20) {
        return without_pc([rn, rt, rd], Operation::StoreExclusive { access, rd, rt, rn, offset });
    }
    let load = Operation::LoadExclusive { access, rt, rn, offset };
    if rd == PC { without_pc([rn, rt], load) } else { None }
}

/// `tbb`, `tbh`, and the accesses to narrow data that reserve.
fn exclusive_or_table(word: u32) -> Option<Operation> {
    let (rn, rt) = (register(word, 16), register(word, 12));
    let (fixed, last) = (register(word, 8), register(word, 0));
    let (offset, loads) = (0, bit(word, 20));
    let access = if bit(word, 4) { Access::Half } else { Access::Byte };
    match bits(word, 5, 3) {
        0 if loads && rt == PC && fixed == 0 => {
            without_pc([last], Operation::TableBranch { rn, rm: last, half: bit(word, 4) })
        }
        2 if loads && fixed == PC && last == PC => {
            without_pc([rn, rt], Operation::LoadExclusive { access, rt, rn, offset })
        }
        2 if !loads && fixed == PC => {
            let store = Operation::StoreExclusive { access, rd: last, rt, rn, offset };
            without_pc([rn, rt, last], store)
        }
        _ => None,
    }
}

/// Loads and stores of one register, and hints about memory in the place of loads of less than a
/// word to the program counter.
pub(super) fn single(word: u32) -> Option<Operation> {
    let (rt, access) = (register(word, 12), access(word)?);
    let (address, user) = address(word)?;
    if !bit(word, 20) {
        let store = Operation::Store { access, rt, address, user };
        return if bit(word, 24) { None } else { without_pc([address.rn, rt], store) };
    }
    let stays = matches!(address.index, Index::Offset);
    match (rt, access) {
        (PC, Access::Word) if !user => Some(Operation::Load { access, rt, address, user }),
        (PC, Access::Word) => None,
        (PC, _) => (stays && !user).then_some(Operation::Preload),
        _ => Some(Operation::Load { access, rt, address, user }),
    }
}

fn access(word: u32) -> Option<Access> {
    Some(match (bits(word, 21, 2), bit(word, 24)) {
        (0, false) => Access::Byte,
        (0, true) => Access::SignedByte,
        (1, false) => Access::Half,
        (1, true) => Access::SignedHalf,
        (2, false) => Access::Word,
        _ => return None,
    })
}

/// The address of a load or store, and whether it is made with a user's rights.
fn address(word: u32) -> Option<(Address, bool)> {
    let (rn, up) = (register(word, 16), bit(word, 23));
    let (twelve, eight) = (bits(word, 0, 12) as i32, bits(word, 0, 8) as i32);
    if rn == PC || up {
        return Some((at(rn, if up { twelve } else { -twelve }), false));
    }
    match bits(word, 8, 4) {
        0 if bits(word, 6, 2) == 0 => Some((register_offset(word)?, false)),
        0b1110 => Some((at(rn, eight), true)),
        0b1100 | 0b1001 | 0b1011 | 0b1101 | 0b1111 => {
            let [before, up, writeback] = [10, 9, 8].map(|at| bit(word, at));
            Some((indexed(rn, before, up, writeback, eight), false))
        }
        _ => None,
    }
}

fn register_offset(word: u32) -> Option<Address> {
    let (rn, rm) = (register(word, 16), register(word, 0));
    let amount = bits(word, 4, 2) as u8;
    let offset = Offset::Register { rm, shift: Shift::Left, amount, subtract: false };
    (rm != PC).then_some(Address { rn, offset, index: Index::Offset })
}
