//! Moves, loads and stores of the floating-point extension's registers (DDI 0403, A7.7 and A6).
//!
//! Loads fill temporaries first, so that a fault in their midst leaves all registers as they were.

use cocrypt_ir::{Binary, Slot, Value, Width};

use super::builder::Builder;
use crate::cells::{self, general};
use crate::instruction::{Register, VectorMove, VectorRegisters};

/// The bits of FPSCR that there are without vectors of half words (DDI 0403, A2.5.3).
const STATUS: u32 = 0xf7c0_009f;

/// Writes a load or store at a distance from its base; false where it names registers that there are
/// not, which is unpredictable.
pub(super) fn access(
    builder: &mut Builder,
    loads: bool,
    registers: VectorRegisters,
    rn: Register,
    offset: i32,
) -> bool {
    if exist(registers) {
        let base = base(builder, rn);
        transfer(builder, loads, registers, base, offset);
    }
    exist(registers)
}

/// The same of several registers, whose base may change.
pub(super) fn several(
    builder: &mut Builder,
    loads: bool,
    registers: VectorRegisters,
    rn: Register,
    (up, writeback): (bool, bool),
) -> bool {
    let known = exist(registers) && (!writeback || rn < 15);
    if known {
        let base = base(builder, rn);
        transfer(builder, loads, registers, base, first(registers, up));
        write_back(builder, registers, rn, up, writeback);
    }
    known
}

/// The cell of a single-precision register.
const fn single(number: u8) -> Slot {
    Slot(cells::S0.0 + number as u16)
}

const fn exist(registers: VectorRegisters) -> bool {
    registers.first < 32 && registers.count <= 32 - registers.first
}

/// The base of an access; the program counter counts as a multiple of 4.
fn base(builder: &Builder, rn: Register) -> Value {
    if rn == 15 { Value::Const((builder.pc & !3).into()) } else { builder.register(rn) }
}

const fn bytes(registers: VectorRegisters) -> i32 {
    registers.count as i32 * 4
}

/// The offset of the first of several registers from the base.
const fn first(registers: VectorRegisters, up: bool) -> i32 {
    if up { 0 } else { -bytes(registers) }
}

fn transfer(
    builder: &mut Builder,
    loads: bool,
    registers: VectorRegisters,
    base: Value,
    offset: i32,
) {
    if loads {
        load(builder, registers, base, offset);
    } else {
        store(builder, registers, base, offset);
    }
}

fn load(builder: &mut Builder, registers: VectorRegisters, base: Value, offset: i32) {
    let values: Vec<Value> = (0..registers.count)
        .map(|number| builder.load(Width::W32, false, base, offset + i32::from(number) * 4))
        .collect();
    for (number, value) in (registers.first..).zip(values) {
        builder.write(single(number), value);
    }
}

fn store(builder: &mut Builder, registers: VectorRegisters, base: Value, offset: i32) {
    for number in 0..registers.count {
        let value = Value::Slot(single(registers.first + number));
        builder.store(Width::W32, value, base, offset + i32::from(number) * 4);
    }
}

fn write_back(
    builder: &mut Builder,
    registers: VectorRegisters,
    rn: Register,
    up: bool,
    writeback: bool,
) {
    if writeback {
        let op = if up { Binary::Add } else { Binary::Sub };
        let size = Value::Const(bytes(registers) as u64);
        let base = builder.register(rn);
        let address = builder.binary(op, base, size);
        // A stack pointer stays the multiple of 4 that it is.
        builder.write(general(rn), address);
    }
}

/// Writes a move; false where it names registers that there are not.
pub(super) fn moved(builder: &mut Builder, moved: VectorMove) -> bool {
    match moved {
        VectorMove::FromGeneral { sn, rt } if sn < 32 => {
            let word = builder.register(rt);
            builder.write(single(sn), word);
        }
        VectorMove::ToGeneral { rt, sn } if rt < 15 && sn < 32 => {
            builder.write_register(rt, Value::Slot(single(sn)));
        }
        VectorMove::PairFromGeneral { sm, rt, rt2, .. } if sm < 31 => {
            let low = builder.register(rt);
            builder.write(single(sm), low);
            let high = builder.register(rt2);
            builder.write(single(sm + 1), high);
        }
        VectorMove::PairToGeneral { rt, rt2, sm, .. } if rt < 15 && rt2 < 15 && sm < 31 => {
            builder.write_register(rt, Value::Slot(single(sm)));
            builder.write_register(rt2, Value::Slot(single(sm + 1)));
        }
        VectorMove::Copy { sd, sm } if sd < 32 && sm < 32 => {
            builder.write(single(sd), Value::Slot(single(sm)));
        }
        VectorMove::Immediate { sd, bits } if sd < 32 => {
            builder.write(single(sd), Value::Const(bits.into()));
        }
        VectorMove::FromStatus { rt: 15 } => flags_from_status(builder),
        VectorMove::FromStatus { rt } => {
            builder.write_register(rt, Value::Slot(cells::FPSCR));
        }
        VectorMove::ToStatus { rt } => {
            let kept = Value::Const(STATUS.into());
            let word = builder.register(rt);
            let status = builder.binary(Binary::And, word, kept);
            builder.write(cells::FPSCR, status);
        }
        VectorMove::FromGeneral { .. }
        | VectorMove::ToGeneral { .. }
        | VectorMove::PairFromGeneral { .. }
        | VectorMove::PairToGeneral { .. }
        | VectorMove::Copy { .. }
        | VectorMove::Immediate { .. } => return false,
    }
    true
}

/// The flags of the last comparison become those of the program.
fn flags_from_status(builder: &mut Builder) {
    let status = Value::Slot(cells::FPSCR);
    for (flag, bit) in [(cells::N, 31), (cells::Z, 30), (cells::C, 29), (cells::V, 28)] {
        let mut value = builder.binary(Binary::Shr, status, Value::Const(bit));
        if bit != 31 {
            value = builder.binary(Binary::And, value, Value::Const(1));
        }
        builder.write(flag, value);
    }
}
