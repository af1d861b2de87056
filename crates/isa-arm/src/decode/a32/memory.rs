//! Loads and stores.

use super::{are_general, bit, bits, constant_shift, register};
use crate::architecture::Version;
use crate::instruction::{Access, Address, Index, Offset, Operation, Register, Shift};

/// Decodes a load or store of a word or byte.
pub(super) fn single(word: u32) -> Option<Operation> {
    let (index, user) = match (bit(word, 24), bit(word, 21)) {
        (true, false) => (Index::Offset, false),
        (true, true) => (Index::Before, false),
        (false, user) => (Index::After, user),
    };
    let address = address(word, single_offset(word)?, index)?;
    let (access, rt) =
        (if bit(word, 22) { Access::Byte } else { Access::Word }, register(word, 12));
    let is_jump_or_alike = access == Access::Word && !user;
    if rt == 15 && !is_jump_or_alike {
        return None;
    }
    Some(if bit(word, 20) {
        Operation::Load { access, rt, address, user }
    } else {
        Operation::Store { access, rt, address, user }
    })
}

fn single_offset(word: u32) -> Option<Offset> {
    if !bit(word, 25) {
        return Some(constant(word, bits(word, 0, 12)));
    }
    let rm = register(word, 0);
    let (shift, amount) = constant_shift(bits(word, 5, 2), bits(word, 7, 5));
    let subtract = !bit(word, 23);
    are_general(&[rm]).then_some(Offset::Register { rm, shift, amount, subtract })
}

/// Decodes a load or store of a half word, a signed byte or two words.
pub(super) fn narrow(word: u32, version: Version) -> Option<Operation> {
    let index = match (bit(word, 24), bit(word, 21)) {
        (true, false) => Index::Offset,
        (true, true) => Index::Before,
        (false, false) => Index::After,
        (false, true) => return None,
    };
    let address = address(word, narrow_offset(word)?, index)?;
    let rt = register(word, 12);
    let (access, user) = (narrow_access(word), false);
    match (bit(word, 20), access) {
        (false, Access::SignedByte | Access::SignedHalf) => double(word, version, address),
        _ if rt == 15 => None,
        (false, _) => Some(Operation::Store { access, rt, address, user }),
        (true, _) => Some(Operation::Load { access, rt, address, user }),
    }
}

fn narrow_access(word: u32) -> Access {
    match bits(word, 5, 2) {
        0b10 => Access::SignedByte,
        0b11 => Access::SignedHalf,
        _ => Access::Half,
    }
}

fn narrow_offset(word: u32) -> Option<Offset> {
    let (upper, rm) = (bits(word, 8, 4), register(word, 0));
    if bit(word, 22) {
        return Some(constant(word, upper << 4 | bits(word, 0, 4)));
    }
    let subtract = !bit(word, 23);
    let is_it = upper == 0 && are_general(&[rm]);
    is_it.then_some(Offset::Register { rm, shift: Shift::Left, amount: 0, subtract })
}

/// Two words, of an even register and the next one, where stores of what is signed would be.
fn double(word: u32, version: Version, address: Address) -> Option<Operation> {
    let rt = register(word, 12);
    if version != Version::V5TE || !rt.is_multiple_of(2) || rt == 14 {
        return None;
    }
    let rt2 = rt + 1;
    Some(if bit(word, 5) {
        Operation::StoreDouble { rt, rt2, address }
    } else {
        Operation::LoadDouble { rt, rt2, address }
    })
}

/// A constant offset, upwards or downwards.
pub(super) fn constant(word: u32, value: u32) -> Offset {
    let value = value as i32;
    Offset::Immediate(if bit(word, 23) { value } else { -value })
}

/// An address, unless it would change the program counter.
pub(super) fn address(word: u32, offset: Offset, index: Index) -> Option<Address> {
    let rn: Register = register(word, 16);
    (index == Index::Offset || rn != 15).then_some(Address { rn, offset, index })
}

/// Decodes a load or store of several registers. With the user's registers the base must not change,
/// but on the way back from an exception it may.
pub(super) fn multiple(word: u32) -> Option<Operation> {
    let (rn, list) = (register(word, 16), bits(word, 0, 16) as u16);
    let (before, up) = (bit(word, 24), bit(word, 23));
    let (user, writeback, loads) = (bit(word, 22), bit(word, 21), bit(word, 20));
    let returns = loads && list >> 15 != 0;
    if list == 0 || rn == 15 || user && writeback && !returns {
        return None;
    }
    Some(if loads {
        Operation::LoadMultiple { rn, list, up, before, writeback, user }
    } else {
        Operation::StoreMultiple { rn, list, up, before, writeback, user }
    })
}
