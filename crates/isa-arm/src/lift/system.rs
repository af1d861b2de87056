//! Status registers, coprocessor 15, hints, and what stops the machine.

use cocrypt_ir::{Condition, Slot, StopKind, Value};

use super::branch;
use super::builder::Builder;
use super::exceptions;
use super::lifter::{ControlFlow, Lifter};
use super::term::{Term, of};
use crate::cells;
use crate::instruction::{Register, Special, StatusSource};
use crate::mode::USER;

/// Bits of a status register that are flags, by their cells.
pub const FLAGS: [(Slot, u64); 5] =
    [(cells::N, 31), (cells::Z, 30), (cells::C, 29), (cells::V, 28), (cells::Q, 27)];

/// Puts cells of one bit (or a few) together.
pub fn compose(builder: &mut Builder, rest: u64, parts: &[(Slot, u64)]) -> Value {
    let placed = |sum: Term, &(cell, at): &(Slot, u64)| sum | (of(cell) << Value::Const(at));
    builder.term(parts.iter().fold(of(Value::Const(rest)), placed))
}

/// Takes a value apart into cells of one bit.
pub fn take_apart(builder: &mut Builder, value: Value, parts: &[(Slot, u64)]) {
    for &(cell, at) in parts {
        let bit = field(builder, value, at, 1);
        builder.write(cell, bit);
    }
}

/// `width` bits of a value, the lowest at `at`.
pub fn field(builder: &mut Builder, value: Value, at: u64, width: u32) -> Value {
    builder.term((of(value) >> Value::Const(at)) & ((1 << width) - 1))
}

/// The bits of CONTROL that an instruction of the floating-point extension changes: that the extension is
/// in use.
pub fn note_vector(builder: &mut Builder) {
    let control = builder.term(of(cells::CONTROL) | 4);
    builder.write(cells::CONTROL, control);
}

/// The status register of the A profile.
pub fn status(lifter: &mut Lifter<'_>) -> Value {
    let state = lifter.state;
    let rest = u64::from(state.mode) | u64::from(state.thumb) << 5;
    let parts = [&FLAGS[..], &[(cells::IRQ_OFF, 7), (cells::FIQ_OFF, 6)]].concat();
    compose(&mut lifter.builder, rest, &parts)
}

/// The value of a special register (of the M profile: DDI 0403, B5.2.2).
pub fn read(lifter: &mut Lifter<'_>, special: Special) -> Value {
    let builder = &mut lifter.builder;
    let exception = Value::Slot(cells::IPSR);
    match special {
        Special::Current => status(lifter),
        Special::Saved => Value::Slot(cells::SPSR),
        Special::Apsr | Special::Eapsr => program_status(builder, Value::Const(0)),
        Special::Iapsr | Special::Xpsr => program_status(builder, exception),
        Special::Ipsr | Special::Iepsr => exception,
        Special::Epsr => Value::Const(0),
        Special::Msp => read_stack(builder, false),
        Special::Psp => read_stack(builder, true),
        Special::Primask => Value::Slot(cells::IRQ_OFF),
        Special::Basepri | Special::BasepriMax => Value::Slot(cells::BASEPRI),
        Special::Faultmask => Value::Slot(cells::FIQ_OFF),
        Special::Control => Value::Slot(cells::CONTROL),
    }
}

/// The flags of the M profile, and what else is read with them.
fn program_status(builder: &mut Builder, rest: Value) -> Value {
    let parts = [&FLAGS[..], &[(cells::GE, 16)]].concat();
    let flags = compose(builder, 0, &parts);
    builder.term(of(flags) | rest)
}

/// The main or the process stack pointer, whichever of them is current.
fn read_stack(builder: &mut Builder, process: bool) -> Value {
    let uses_process = of(field(builder, Value::Slot(cells::CONTROL), 1, 1));
    let is_swapped = if process { uses_process ^ 1 } else { uses_process };
    builder.term(is_swapped.choose(cells::SP_OTHER, cells::SP))
}

/// Writes a special register (of the M profile: DDI 0403, B5.2.3).
pub fn write(
    lifter: &mut Lifter<'_>,
    special: Special,
    fields: u8,
    source: StatusSource,
) -> ControlFlow {
    let value = match source {
        StatusSource::Register(register) => lifter.builder.register(register),
        StatusSource::Immediate(value) => Value::Const(value.into()),
    };
    match special {
        Special::Current => write_status(lifter, fields, value),
        Special::Saved => {
            let bytes = (0..4).filter(|byte| fields >> byte & 1 != 0);
            let mask: u32 = bytes.map(|byte| 0xff << (8 * byte)).sum();
            let new = lifter.builder.term(of(value) & mask);
            let both = lifter.builder.term((of(cells::SPSR) & !mask) | new);
            lifter.builder.write(cells::SPSR, both);
            ControlFlow::Next
        }
        Special::Apsr | Special::Iapsr | Special::Eapsr | Special::Xpsr => {
            write_flags(&mut lifter.builder, fields, value);
            ControlFlow::Next
        }
        Special::Ipsr | Special::Epsr | Special::Iepsr => ControlFlow::Next,
        Special::Msp => privileged(lifter, |builder| write_stack(builder, false, value)),
        Special::Psp => privileged(lifter, |builder| write_stack(builder, true, value)),
        Special::Primask => {
            privileged(lifter, |builder| take_apart(builder, value, &[(cells::IRQ_OFF, 0)]))
        }
        Special::Basepri => privileged(lifter, |builder| {
            let level = field(builder, value, 0, 8);
            builder.write(cells::BASEPRI, level);
        }),
        Special::BasepriMax => privileged(lifter, |builder| raise_base(builder, value)),
        Special::Faultmask => {
            privileged(lifter, |builder| take_apart(builder, value, &[(cells::FIQ_OFF, 0)]))
        }
        Special::Control => privileged(lifter, |builder| write_control(builder, value)),
    }
}

/// The status of the A profile; users change nothing but the flags, and nobody the instruction set.
fn write_status(lifter: &mut Lifter<'_>, fields: u8, value: Value) -> ControlFlow {
    let mode = lifter.state.mode;
    let builder = &mut lifter.builder;
    let value = builder.copy(value);
    if fields & 8 != 0 {
        take_apart(builder, value, &FLAGS);
    }
    if fields & 1 == 0 || mode == USER {
        return ControlFlow::Next;
    }
    take_apart(builder, value, &[(cells::IRQ_OFF, 7), (cells::FIQ_OFF, 6)]);
    let new = builder.term(of(value) & 0x1f);
    exceptions::change_mode(builder, mode, new);
    ControlFlow::YieldNext
}

/// Writes what users may not (M profile): in handlers the core always has that right.
fn privileged(lifter: &mut Lifter<'_>, write: impl FnOnce(&mut Builder)) -> ControlFlow {
    let builder = &mut lifter.builder;
    let user = field(builder, Value::Slot(cells::CONTROL), 0, 1);
    let may = builder.term((of(user) & of(cells::IPSR).is(Condition::Equal, 0)) ^ 1);
    builder.guarded(may, write);
    ControlFlow::YieldNext
}

fn write_flags(builder: &mut Builder, fields: u8, value: Value) {
    if fields & 8 != 0 {
        take_apart(builder, value, &FLAGS);
    }
    if fields & 4 != 0 {
        let bits = field(builder, value, 16, 4);
        builder.write(cells::GE, bits);
    }
}

/// Writes the main or the process stack pointer, whichever of them is current.
fn write_stack(builder: &mut Builder, process: bool, value: Value) {
    let value = builder.term(of(value) & 0xffff_fffc);
    let uses_process = of(field(builder, Value::Slot(cells::CONTROL), 1, 1));
    let swapped = builder.term(if process { uses_process ^ 1 } else { uses_process });
    let [sp, sp_other] = [cells::SP, cells::SP_OTHER];
    let current = builder.select(swapped, Value::Slot(sp), value);
    let banked = builder.select(swapped, value, Value::Slot(sp_other));
    builder.write(sp, current);
    builder.write(sp_other, banked);
}

/// BASEPRI changes only to what holds back more; 0 holds back nothing.
fn raise_base(builder: &mut Builder, value: Value) {
    let (new, old) = (field(builder, value, 0, 8), Value::Slot(cells::BASEPRI));
    let counts = of(old).is(Condition::Equal, 0) | of(new).is(Condition::LessUnsigned, old);
    let chosen = builder.term(counts.choose(new, old));
    let level = builder.select(new, chosen, old);
    builder.write(cells::BASEPRI, level);
}

/// CONTROL: in handlers the stack pointer is not chosen by it.
fn write_control(builder: &mut Builder, value: Value) {
    let old = Value::Slot(cells::CONTROL);
    let kept = of(cells::IPSR).is(Condition::NotEqual, 0).choose(old, value);
    let new = builder.term((kept & 2) | (of(value) & 5));
    let exchanges = builder.term((of(new) ^ old) & 2);
    let [sp, other] = [cells::SP, cells::SP_OTHER].map(Value::Slot);
    let current = builder.select(exchanges, other, sp);
    let banked = builder.select(exchanges, sp, other);
    builder.write(cells::SP, current);
    builder.write(cells::SP_OTHER, banked);
    builder.write(cells::CONTROL, new);
}

/// `cps` of the M profile.
pub fn change(
    lifter: &mut Lifter<'_>,
    disable: bool,
    primask: bool,
    faultmask: bool,
) -> ControlFlow {
    privileged(lifter, |builder| {
        for (named, cell) in [(primask, cells::IRQ_OFF), (faultmask, cells::FIQ_OFF)] {
            if named {
                builder.write(cell, Value::Const(disable.into()));
            }
        }
    })
}

/// Coprocessor 15 (DDI 0100I, B2 and B3); users may not reach it.
pub fn coprocessor(
    lifter: &mut Lifter<'_>,
    reads: bool,
    rt: Register,
    [crn, crm, op2]: [u8; 3],
) -> ControlFlow {
    if lifter.state.mode == USER || lifter.arm.architecture.version.is_m() {
        return ControlFlow::Stop(StopKind::IllegalInstruction);
    }
    let cell = match (crn, op2) {
        (1, _) => Some(cells::SYSTEM_CONTROL),
        (2, _) => Some(cells::TABLE_BASE),
        (3, _) => Some(cells::DOMAINS),
        (5, 1) => Some(cells::FETCH_STATUS),
        (5, _) => Some(cells::FAULT_STATUS),
        (6, _) => Some(cells::FAULT_ADDRESS),
        (13, 0) => Some(cells::PROCESS),
        _ => None,
    };
    if reads {
        let value = match cell {
            Some(cell) => Value::Slot(cell),
            None if crn == 0 && op2 == 0 => Value::Const(lifter.arm.identification.into()),
            None => Value::Const(0),
        };
        read_coprocessor(lifter, rt, value);
        return ControlFlow::Next;
    }
    let value = lifter.builder.register(rt);
    match (cell, crn, crm, op2) {
        (Some(cell), ..) => {
            lifter.builder.write(cell, value);
            ControlFlow::YieldNext
        }
        // ARM926EJ-S waits for an interrupt so (DDI 0198E, 2.3.8).
        (None, 7, 0, 4) => ControlFlow::Stop(StopKind::Wait),
        // Code is shown as soon as it is written.
        (None, 7, ..) => {
            let next = Value::Const(lifter.behind.into());
            branch::to_same_set(lifter, next)
        }
        // Translations are void, of whichever page.
        (None, 8, ..) => {
            let builder = &mut lifter.builder;
            let age = builder.term(of(cells::TRANSLATIONS) + 1);
            builder.write(cells::TRANSLATIONS, age);
            ControlFlow::YieldNext
        }
        _ => ControlFlow::Next,
    }
}

/// To the program counter only the flags are read; the cache is always clean (`Z`).
fn read_coprocessor(lifter: &mut Lifter<'_>, rt: Register, value: Value) {
    if rt == 15 {
        let clean = lifter.builder.term(of(value) | 1 << 30);
        take_apart(&mut lifter.builder, clean, &FLAGS[..4]);
    } else {
        lifter.builder.write_register(rt, value);
    }
}
