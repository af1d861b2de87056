//! Decoding: what stands at an address, read in the state that the core is in.

mod a32;
mod narrow;
mod wide;

use cocrypt_isa::CodeMemory;

use crate::architecture::Architecture;
use crate::computation::{self, Set};
use crate::encoding::{Encoding, Fields};
use crate::instruction::{
    Access, Address, Condition, DataOp, Index, Instruction, Multiple, Offset, Operand, Operation,
    Register, Selected, Shift,
};
use crate::state::State;

/// The instruction decoded at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// An instruction of this architecture.
    Instruction(Instruction),
    /// Something that is none.
    Illegal {
        /// Its bytes.
        length: u8,
    },
    /// No memory answers at this address.
    Unmapped(u64),
}

/// Reads the instruction at `pc`; in an IT block, it has the condition that the block gives it.
#[must_use]
pub fn read(architecture: Architecture, code: &dyn CodeMemory, pc: u64, state: State) -> Read {
    let Some(first) = code.unit(pc) else {
        return Read::Unmapped(pc);
    };
    let behind = pc.wrapping_add(2);
    if state.thumb && !is_wide(first, architecture) {
        let pair = branch_pair(first, || code.unit(behind), architecture);
        let instruction = pair.or_else(|| narrow(first, architecture, state.is_in_it()));
        return found(placed(instruction, state), 2);
    }
    let Some(second) = code.unit(behind) else {
        return Read::Unmapped(behind);
    };
    if state.thumb {
        return found(placed(wide(first, second, architecture), state), 4);
    }
    found(a32(u32::from(second) << 16 | u32::from(first), architecture), 4)
}

fn found(instruction: Option<Instruction>, length: u8) -> Read {
    instruction.map_or(Read::Illegal { length }, Read::Instruction)
}

/// Returns true if a Thumb instruction has a second unit. In Thumb-1 none has: its `bl` is two
/// instructions.
fn is_wide(first: u16, architecture: Architecture) -> bool {
    architecture.version.is_m() && first >= 0xe800
}

/// Both halves of Thumb-1's `bl` or `blx` as one instruction (DDI 0100, A7.1: BL, BLX (1)).
fn branch_pair(
    first: u16,
    second: impl Fn() -> Option<u16>,
    architecture: Architecture,
) -> Option<Instruction> {
    let Operation::BranchPrefix { offset: upper } = narrow(first, architecture, false)?.operation
    else {
        return None;
    };
    let Operation::BranchSuffix { offset: lower, selected } =
        narrow(second()?, architecture, false)?.operation
    else {
        return None;
    };
    let offset = upper + i32::from(lower);
    let (condition, thumb) = (Condition::Always, true);
    let operation = Operation::Branch { offset, link: true, selected };
    Some(Instruction { condition, operation, length: 4, thumb })
}

/// An instruction as its place in an IT block makes it; nothing where it must not stand there.
fn placed(instruction: Option<Instruction>, state: State) -> Option<Instruction> {
    let instruction = instruction?;
    if !state.is_in_it() {
        return Some(instruction);
    }
    let condition = Condition::from_bits(u32::from(state.it >> 4))?;
    match instruction.operation {
        Operation::Breakpoint { .. } => Some(instruction),
        Operation::It { .. } | Operation::CompareBranch { .. } | Operation::ChangeState { .. } => {
            None
        }
        _ if instruction.condition != Condition::Always => None,
        _ => Some(Instruction { condition, ..instruction }),
    }
}

/// Decodes one unit of Thumb; nothing where it is no instruction of this architecture. Within an IT
/// block most instructions leave the flags alone.
#[must_use]
pub fn narrow(unit: u16, architecture: Architecture, in_it: bool) -> Option<Instruction> {
    let known = architecture.version.has_thumb();
    known.then(|| decode(Set::Narrow, unit.into(), architecture, in_it)).flatten()
}

/// Decodes two units of Thumb; nothing where they are no instruction of this architecture.
#[must_use]
pub fn wide(first: u16, second: u16, architecture: Architecture) -> Option<Instruction> {
    let word = u32::from(first) << 16 | u32::from(second);
    decode(Set::Wide, word, architecture, false)
}

/// Decodes a word of A32; nothing where it is none of this architecture.
#[must_use]
pub fn a32(word: u32, architecture: Architecture) -> Option<Instruction> {
    let known = architecture.version.has_a32();
    known.then(|| decode(Set::A32, word, architecture, false)).flatten()
}

/// An instruction set's table, and how many bytes its encodings have.
const fn table(set: Set) -> (&'static [Encoding], u8) {
    match set {
        Set::A32 => (a32::A32, 4),
        Set::Narrow => (narrow::NARROW, 2),
        Set::Wide => (wide::WIDE, 4),
    }
}

/// Looks for an encoding in the tables: what one row refuses, another may have.
fn decode(set: Set, encoding: u32, architecture: Architecture, in_it: bool) -> Option<Instruction> {
    let (table, length) = table(set);
    let drawn = table.iter().filter(|row| row.pattern.draws(encoding));
    let known = drawn.filter(|row| row.need.is_met(architecture));
    let plain = known.into_iter().find_map(|row| {
        let mut fields = row.pattern.fields(encoding)?;
        fields.in_it = in_it;
        Some((row.pattern.condition(&fields)?, (row.operation)(&fields)?))
    });
    let (condition, operation) =
        plain.or_else(|| computation::decode(set, encoding, architecture))?;
    Some(Instruction { condition, operation, length, thumb: set != Set::A32 })
}

/// `width` bits of an encoding, the lowest at `at`.
pub(crate) const fn bits(encoding: u32, at: u32, width: u32) -> u32 {
    encoding >> at & ((1 << width) - 1)
}

/// One bit of an encoding.
pub(crate) const fn bit(encoding: u32, at: u32) -> bool {
    bits(encoding, at, 1) != 0
}

/// The lowest `width` bits as a signed number.
const fn signed(value: u32, width: u32) -> i32 {
    (value << (32 - width)) as i32 >> (32 - width)
}

/// A register shifted by a constant, from the shift's two bits and the amount's five (DDI 0403,
/// A7.4.2).
const fn shifted(rm: Register, kind: u32, amount: u32) -> Operand {
    let (shift, amount) = constant_shift(kind, amount);
    Operand::Register { rm, shift, amount }
}

/// A shift and its amount, from their encodings: 0 stands for 32, or for the rotation by one with
/// the carry.
const fn constant_shift(kind: u32, amount: u32) -> (Shift, u8) {
    match (kind, amount as u8) {
        (0, amount) => (Shift::Left, amount),
        (3, 0) => (Shift::RotateExtended, 1),
        (kind, 0) => (shift(kind), 32),
        (kind, amount) => (shift(kind), amount),
    }
}

/// A shift by its two bits.
const fn shift(kind: u32) -> Shift {
    Shift::ALL[(kind & 3) as usize]
}

/// Data processing; what it has no use for is 0.
const fn data(
    op: DataOp,
    sets_flags: bool,
    rd: Register,
    rn: Register,
    operand: Operand,
) -> Operation {
    Operation::Data { op, sets_flags, rd, rn, operand }
}

/// A register that is not shifted.
const fn plain(rm: Register) -> Operand {
    Operand::Register { rm, shift: Shift::Left, amount: 0 }
}

/// A constant that was not rotated.
const fn constant(value: u32) -> Operand {
    Operand::Immediate { value, carry: None }
}

/// A constant that was rotated to the right.
const fn rotated(value: u32, by: u32) -> Operand {
    let value = value.rotate_right(by);
    Operand::Immediate { value, carry: Some(bit(value, 31)) }
}

/// The address at a constant distance from a register that stays.
const fn at(rn: Register, offset: i32) -> Address {
    Address { rn, offset: Offset::Immediate(offset), index: Index::Offset }
}

/// An address at a constant distance, from the bits P, U and W; without P and W it is none.
fn indexed(f: &Fields, distance: u32) -> Option<Address> {
    let index = match (f.is('p'), f.is('w')) {
        (true, false) => Index::Offset,
        (true, true) => Index::Before,
        (false, true) => Index::After,
        (false, false) => return None,
    };
    let distance = distance as i32;
    let offset = Offset::Immediate(if f.is('v') { distance } else { -distance });
    Some(Address { rn: f.reg('n'), offset, index })
}

/// A load or store with the rights that the core has.
const fn transfer(loads: bool, access: Access, rt: Register, address: Address) -> Operation {
    Operation::Transfer { loads, access, rt, address, user: false }
}

/// A load or store of two registers.
const fn double(loads: bool, [rt, rt2]: [Register; 2], address: Address) -> Operation {
    Operation::TransferDouble { loads, rt, rt2, address }
}

/// A load or store of several registers, unless there are none.
fn multiple(multiple: Multiple) -> Option<Operation> {
    (multiple.list != 0).then_some(Operation::Multiple(multiple))
}

/// A branch that stays in its instruction set.
const fn branch(offset: i32, link: bool) -> Operation {
    Operation::Branch { offset, link, selected: Selected::Same }
}

#[cfg(test)]
mod tests {
    use super::{Set, table};

    /// The facts that `tests/thumb.rs` has from the manuals: the halves of `bl` and `blx`, `it`, and a move
    /// from a half of a double-precision register.
    const BY_HAND: [u32; 5] = [0xf001, 0xffff, 0xeffe, 0xbf08, 0xee23_2b10];

    /// Encodings that GNU binutils gave or a manual has, by the instruction set.
    fn given(set: Set) -> Vec<u32> {
        let (text, digits) = match set {
            Set::A32 => (include_str!("../tests/a32.txt"), 8),
            Set::Narrow => (include_str!("../tests/thumb.txt"), 4),
            Set::Wide => (include_str!("../tests/thumb.txt"), 8),
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let encodings = lines.filter_map(|line| line.split(' ').nth(1));
        let sized = encodings.filter(|encoding| encoding.len() == digits);
        let given = sized.map(|encoding| u32::from_str_radix(encoding, 16).expect("digits"));
        let by_hand = BY_HAND.into_iter().filter(|encoding| (encoding >> 16 == 0) == (digits == 4));
        given.chain(by_hand).collect()
    }

    /// A row that nothing meets would be held against nothing but itself.
    #[test]
    fn every_row_is_met_by_what_others_encode() {
        let mut unmet = vec![];
        for set in [Set::A32, Set::Narrow, Set::Wide] {
            let encodings = given(set);
            for row in table(set).0 {
                let gives = |encoding: &u32| {
                    row.pattern
                        .fields(*encoding)
                        .is_some_and(|fields| (row.operation)(&fields).is_some())
                };
                if !encodings.iter().any(gives) {
                    unmet.push(row.pattern.text());
                }
            }
        }
        assert!(unmet.is_empty(), "nothing meets {unmet:#?}");
    }
}
