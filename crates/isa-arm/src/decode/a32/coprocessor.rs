//! Coprocessors: `mcr` and `mrc`, and what nobody here takes.

use super::{bit, bits, memory, register as general};
use crate::architecture::Version;
use crate::instruction::{AbsentCoprocessor, Index, Operation};

/// Decodes an operation of a coprocessor, or a move between it and a register.
pub(super) fn register(word: u32) -> Operation {
    let coprocessor = bits(word, 8, 4) as u8;
    let (crn, crm) = (bits(word, 16, 4) as u8, bits(word, 0, 4) as u8);
    let (rt, op2) = (general(word, 12), bits(word, 5, 3) as u8);
    if bit(word, 4) {
        let (reads, op1) = (bit(word, 20), bits(word, 21, 3) as u8);
        return Operation::Coprocessor { reads, coprocessor, op1, rt, crn, crm, op2 };
    }
    let (op1, crd) = (bits(word, 20, 4) as u8, rt);
    let process = AbsentCoprocessor::Process { coprocessor, op1, crd, crn, crm, op2 };
    Operation::AbsentCoprocessor(process)
}

/// Decodes a load or store of a coprocessor, or a move between it and two registers.
pub(super) fn memory(word: u32, version: Version) -> Option<Operation> {
    let (loads, long) = (bit(word, 20), bit(word, 22));
    let (coprocessor, crd) = (bits(word, 8, 4) as u8, bits(word, 12, 4) as u8);
    let index = match (bit(word, 24), bit(word, 21)) {
        (true, false) => Index::Offset,
        (true, true) => Index::Before,
        (false, true) => Index::After,
        (false, false) if bit(word, 23) => {
            let (rn, option) = (general(word, 16), bits(word, 0, 8) as u8);
            let option = AbsentCoprocessor::Option { loads, long, coprocessor, crd, rn, option };
            return Some(Operation::AbsentCoprocessor(option));
        }
        (false, false) => return pair(word, version),
    };
    let offset = memory::constant(word, 4 * bits(word, 0, 8));
    let address = memory::address(word, offset, index)?;
    let memory = AbsentCoprocessor::Memory { loads, long, coprocessor, crd, address };
    Some(Operation::AbsentCoprocessor(memory))
}

fn pair(word: u32, version: Version) -> Option<Operation> {
    if version != Version::V5TE || !bit(word, 22) {
        return None;
    }
    Some(Operation::AbsentCoprocessor(AbsentCoprocessor::Pair {
        reads: bit(word, 20),
        coprocessor: bits(word, 8, 4) as u8,
        op1: bits(word, 4, 4) as u8,
        rt: general(word, 12),
        rt2: general(word, 16),
        crm: bits(word, 0, 4) as u8,
    }))
}
