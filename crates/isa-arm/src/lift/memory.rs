//! Loads and stores of single registers and pairs, exclusive ones, and swaps.
//!
//! Registers are written behind all accesses, so that an instruction that is refused in the middle has
//! not changed any. What becomes of an address that an access's width does not allow the machine asks
//! for when it happens; the same functions then lift the instruction for that.

use cocrypt_ir::{Binary, Condition, Value, Width};

use super::branch;
use super::builder::Builder;
use super::data::shifted;
use super::lifter::{ControlFlow, Lifter, Unaligned};
use super::term::of;
use crate::cells;
use crate::instruction::{Access, Address, Index, Offset, Register};

const fn shape(access: Access) -> (Width, bool) {
    match access {
        Access::Byte => (Width::W8, false),
        Access::SignedByte => (Width::W8, true),
        Access::Half => (Width::W16, false),
        Access::SignedHalf => (Width::W16, true),
        Access::Word => (Width::W32, false),
    }
}

/// The effective address of an access, and the new value of its base register.
struct EffectiveAddress {
    base: Value,
    offset: i32,
    /// The base register and its new value; a constant is added to it where it is written.
    becomes: Option<(Register, Value)>,
}

fn effective_address(builder: &mut Builder, address: Address) -> EffectiveAddress {
    let base = match address.rn {
        15 => Value::Const((builder.pc & !3).into()),
        register => builder.register(register),
    };
    let sum = match address.offset {
        Offset::Immediate(offset) => {
            let by = Value::Const(u64::from(offset as u32));
            let becomes = (address.index != Index::Offset).then(|| {
                let sum = builder.binary(Binary::Add, base, by);
                (address.rn, sum)
            });
            let offset = if address.index == Index::After { 0 } else { offset };
            return EffectiveAddress { base, offset, becomes };
        }
        Offset::Register { rm, shift, amount, subtract } => {
            let by = builder.register(rm);
            let by = shifted(builder, by, shift, amount);
            builder.binary(if subtract { Binary::Sub } else { Binary::Add }, base, by)
        }
    };
    let becomes = (address.index != Index::Offset).then_some((address.rn, sum));
    let base = if address.index == Index::After { base } else { sum };
    EffectiveAddress { base, offset: 0, becomes }
}

fn write_back(builder: &mut Builder, effective: &EffectiveAddress) {
    if let Some((register, value)) = effective.becomes {
        builder.write(cells::general(register), value);
    }
}

/// The address of an access that ignores the lowest bits.
fn rounded(builder: &mut Builder, effective: &EffectiveAddress, width: Width) -> Value {
    builder.term((of(effective.base) + effective.offset as u32) & !(width.bytes() - 1))
}

/// The kind of the load.
fn loaded(lifter: &mut Lifter<'_>, access: Access, effective: &EffectiveAddress) -> Value {
    let (width, signed) = shape(access);
    let builder = &mut lifter.builder;
    match lifter.unaligned {
        Unaligned::Refused => builder.load(width, signed, effective.base, effective.offset),
        Unaligned::Rounded => {
            let base = rounded(builder, effective, width);
            let value = builder.load(width, signed, base, 0);
            if width != Width::W32 {
                return value;
            }
            let bits = (of(effective.base) + effective.offset as u32) << 3;
            builder.term(of(value).with(Binary::RotateRight, bits))
        }
        Unaligned::Split(behind) => gathered(builder, width, signed, behind, effective),
    }
}

/// The parts of an access that begins so many bytes behind a word's first: aligned ones, in ascending
/// order, each with its place within the access.
pub fn parts(behind: u32, bytes: u32) -> impl Iterator<Item = (Width, u32)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let width = match ((behind + done) % 4, bytes - done) {
            (_, 0) => return None,
            (0, 4..) => Width::W32,
            (0 | 2, 2..) => Width::W16,
            _ => Width::W8,
        };
        let part = (width, done);
        done += width.bytes();
        Some(part)
    })
}

fn gathered(
    builder: &mut Builder,
    width: Width,
    signed: bool,
    behind: u32,
    effective: &EffectiveAddress,
) -> Value {
    let mut sum = Value::Const(0);
    for (part, at) in parts(behind, width.bytes()) {
        let is_last = at + part.bytes() == width.bytes();
        let offset = effective.offset.wrapping_add_unsigned(at);
        let value = builder.load(part, signed && is_last, effective.base, offset);
        sum = builder.term(of(sum) | (of(value) << (8 * at)));
    }
    sum
}

fn stored(lifter: &mut Lifter<'_>, width: Width, value: Value, effective: &EffectiveAddress) {
    let builder = &mut lifter.builder;
    match lifter.unaligned {
        Unaligned::Refused => builder.store(width, value, effective.base, effective.offset),
        Unaligned::Rounded => {
            let base = rounded(builder, effective, width);
            builder.store(width, value, base, 0);
        }
        Unaligned::Split(behind) => {
            for (part, at) in parts(behind, width.bytes()) {
                let piece = builder.term(of(value) >> (8 * at));
                builder.store(
                    part,
                    piece,
                    effective.base,
                    effective.offset.wrapping_add_unsigned(at),
                );
            }
        }
    }
}

/// Lifts a load; of the program counter a jump.
pub fn load(
    lifter: &mut Lifter<'_>,
    access: Access,
    rt: Register,
    address: Address,
) -> ControlFlow {
    let effective = effective_address(&mut lifter.builder, address);
    let value = loaded(lifter, access, &effective);
    write_back(&mut lifter.builder, &effective);
    if rt == 15 {
        return branch::to_loaded(lifter, value);
    }
    lifter.builder.write_register(rt, value);
    ControlFlow::Next
}

/// The value that a register gives to a store: the program counter is further on than elsewhere on some
/// cores.
pub fn given(lifter: &Lifter<'_>, register: Register) -> Value {
    if register == 15 && !lifter.state.thumb {
        Value::Const(lifter.pc.wrapping_add(lifter.arm.stored_pc).into())
    } else {
        lifter.builder.register(register)
    }
}

/// Lifts a store.
pub fn store(lifter: &mut Lifter<'_>, access: Access, rt: Register, address: Address) {
    let effective = effective_address(&mut lifter.builder, address);
    let value = given(lifter, rt);
    stored(lifter, shape(access).0, value, &effective);
    write_back(&mut lifter.builder, &effective);
}

/// The address of an access to several words, of which cores before ARMv6 ignore the lowest bits.
fn words(lifter: &mut Lifter<'_>, effective: &EffectiveAddress) -> (Value, i32) {
    match lifter.unaligned {
        Unaligned::Rounded => (rounded(&mut lifter.builder, effective, Width::W32), 0),
        _ => (effective.base, effective.offset),
    }
}

/// Lifts a load of two registers.
pub fn load_double(lifter: &mut Lifter<'_>, rt: Register, rt2: Register, address: Address) {
    let effective = effective_address(&mut lifter.builder, address);
    let (base, offset) = words(lifter, &effective);
    let builder = &mut lifter.builder;
    let first = builder.load(Width::W32, false, base, offset);
    let second = builder.load(Width::W32, false, base, offset.wrapping_add(4));
    write_back(builder, &effective);
    builder.write_register(rt, first);
    builder.write_register(rt2, second);
}

/// Lifts a store of two registers.
pub fn store_double(lifter: &mut Lifter<'_>, rt: Register, rt2: Register, address: Address) {
    let effective = effective_address(&mut lifter.builder, address);
    let (base, offset) = words(lifter, &effective);
    let [first, second] = [rt, rt2].map(|register| given(lifter, register));
    let builder = &mut lifter.builder;
    builder.store(Width::W32, first, base, offset);
    builder.store(Width::W32, second, base, offset.wrapping_add(4));
    write_back(builder, &effective);
}

/// The value of the reserved address's cell once `base + offset` is reserved: bit 32 tells that there is
/// one.
fn reservation(builder: &mut Builder, base: Value, offset: u16) -> Value {
    let address = builder.term(of(base) + u32::from(offset));
    builder.wide_binary(Binary::Or, Width::W64, address, Value::Const(1 << 32))
}

/// Lifts a load that reserves its address.
pub fn load_exclusive(
    builder: &mut Builder,
    access: Access,
    rt: Register,
    rn: Register,
    offset: u16,
) {
    let base = builder.register(rn);
    let reserved = reservation(builder, base, offset);
    let value = builder.load(shape(access).0, false, base, offset.into());
    builder.write(cells::RESERVED, reserved);
    builder.write_register(rt, value);
}

/// Lifts a store that is made where the address is reserved.
pub fn store_exclusive(
    builder: &mut Builder,
    access: Access,
    [rd, rt, rn]: [Register; 3],
    offset: u16,
) {
    let [base, value] = [rn, rt].map(|register| builder.register(register));
    let wanted = reservation(builder, base, offset);
    let reserved = Value::Slot(cells::RESERVED);
    let holds = builder.wide_compare(Condition::Equal, Width::W64, reserved, wanted);
    builder.guarded(holds, |builder| {
        builder.store(shape(access).0, value, base, offset.into());
    });
    let failed = builder.term(of(holds) ^ 1);
    builder.write(cells::RESERVED, Value::Const(0));
    builder.write_register(rd, failed);
}

/// Lifts an exchange of a register with memory.
pub fn swap(lifter: &mut Lifter<'_>, byte: bool, rt: Register, rt2: Register, rn: Register) {
    let access = if byte { Access::Byte } else { Access::Word };
    let base = lifter.builder.register(rn);
    let effective = EffectiveAddress { base, offset: 0, becomes: None };
    let value = loaded(lifter, access, &effective);
    let new = lifter.builder.register(rt2);
    stored(lifter, shape(access).0, new, &effective);
    lifter.builder.write_register(rt, value);
}
