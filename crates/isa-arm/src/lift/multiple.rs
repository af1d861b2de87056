//! Loads and stores of several registers.

use cocrypt_ir::{Binary, Slot, Value, Width};

use super::lifter::{ControlFlow, Lifter, Unaligned};
use super::{branch, exceptions, memory};
use crate::cells;
use crate::instruction::{Multiple, Register};
use crate::mode::{FAST, SYSTEM, USER};

/// Lifts such an access.
pub fn lift(lifter: &mut Lifter<'_>, transfer: Multiple) -> ControlFlow {
    let range = range(lifter, transfer);
    if transfer.loads {
        return load(lifter, &range, transfer);
    }
    store(lifter, &range, transfer);
    ControlFlow::Next
}

/// The addresses of the words, and the change of the base register.
struct Range {
    base: Value,
    first: i32,
    change: i32,
}

fn range(lifter: &mut Lifter<'_>, transfer: Multiple) -> Range {
    let size = 4 * transfer.list.count_ones() as i32;
    let (first, change) = match (transfer.up, transfer.before) {
        (true, false) => (0, size),
        (true, true) => (4, size),
        (false, false) => (4 - size, -size),
        (false, true) => (-size, -size),
    };
    let base = lifter.builder.register(transfer.rn);
    let base = match lifter.unaligned {
        Unaligned::Rounded => lifter.builder.binary(Binary::And, base, Value::Const(0xffff_fffc)),
        _ => base,
    };
    Range { base, first, change }
}

fn registers(list: u16) -> impl Iterator<Item = Register> {
    (0..16).filter(move |number| list >> number & 1 != 0)
}

/// The cell of a register as user mode has it.
fn user_cell(lifter: &Lifter<'_>, register: Register) -> Slot {
    match (lifter.state.mode, register) {
        (USER | SYSTEM, _) | (_, 0..=7) => cells::general(register),
        (_, 13) => cells::SP_USR,
        (_, 14) => cells::LR_USR,
        (FAST, _) => Slot(cells::R8_FIQ.0 + u16::from(register) - 8),
        _ => cells::general(register),
    }
}

/// The base register moves; one that is its own new value's operand marks the stack's depth.
fn write_back(lifter: &mut Lifter<'_>, rn: Register, change: i32) {
    let base = lifter.builder.register(rn);
    let by = Value::Const(u64::from(change as u32));
    let moved = lifter.builder.binary(Binary::Add, base, by);
    lifter.builder.write(cells::general(rn), moved);
}

fn load(lifter: &mut Lifter<'_>, range: &Range, transfer: Multiple) -> ControlFlow {
    let Multiple { rn, list, writeback, user, .. } = transfer;
    let returns = user && list >> 15 != 0;
    let mut loaded = vec![];
    for (number, register) in registers(list).enumerate() {
        let offset = range.first.wrapping_add(4 * number as i32);
        let value = lifter.builder.load(Width::W32, false, range.base, offset);
        loaded.push((register, value));
    }
    if writeback {
        write_back(lifter, rn, range.change);
    }
    let mut flow = ControlFlow::Next;
    for (register, value) in loaded {
        if register == 15 {
            flow = if returns {
                exceptions::restore(lifter, value)
            } else {
                branch::to_loaded(lifter, value)
            };
        } else if user && !returns {
            let cell = user_cell(lifter, register);
            lifter.builder.write(cell, value);
        } else {
            lifter.builder.write_register(register, value);
        }
    }
    flow
}

fn store(lifter: &mut Lifter<'_>, range: &Range, transfer: Multiple) {
    let Multiple { rn, list, writeback, user, .. } = transfer;
    let lowest = list.trailing_zeros() == u32::from(rn);
    let is_a = lifter.arm.architecture.version.has_a32();
    for (number, register) in registers(list).enumerate() {
        let value = if register == rn && writeback && !lowest && is_a {
            // Any but the first finds the base register already changed (DDI 0029G, 4.11.6).
            let base = lifter.builder.register(rn);
            let by = Value::Const(u64::from(range.change as u32));
            lifter.builder.binary(Binary::Add, base, by)
        } else if user && register != 15 {
            Value::Slot(user_cell(lifter, register))
        } else {
            memory::given(lifter, register)
        };
        let offset = range.first.wrapping_add(4 * number as i32);
        lifter.builder.store(Width::W32, value, range.base, offset);
    }
    if writeback {
        write_back(lifter, rn, range.change);
    }
}
