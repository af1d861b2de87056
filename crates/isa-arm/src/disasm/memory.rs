//! Loads and stores of general registers.

use super::{Text, letter, list, register, shifted};
use crate::instruction::{Access, Address, Index, Instruction, Multiple, Offset, Register};

/// An access that reserves, or depends on that; its offset counts upwards.
pub(super) fn exclusive(
    name: &str,
    access: Access,
    registers: &[Register],
    (rn, offset): (Register, u16),
) -> Text {
    let base = register(rn);
    let address = if offset == 0 { format!("[{base}]") } else { format!("[{base}, #{offset}]") };
    let named = registers.iter().map(|&number| register(number)).chain([&address[..]]);
    Text::new(format!("{name}{}", access.name()), named.collect::<Vec<_>>().join(", "))
}

pub(super) fn single(
    instruction: &Instruction,
    loads: bool,
    rt: Register,
    (access, user): (Access, bool),
    address: &Address,
) -> Text {
    if let Some(name) = stack(instruction, loads, access, address) {
        return Text::new(name, format!("{{{}}}", register(rt)));
    }
    let stem = if loads { "ldr" } else { "str" };
    let name = format!("{stem}{}{}", access.name(), letter(user, "t"));
    Text::new(name, format!("{}, {}", register(rt), of(instruction, address)))
}

/// The mnemonic of an A32 access to the stack's end that moves the stack pointer along.
fn stack(
    instruction: &Instruction,
    loads: bool,
    access: Access,
    address: &Address,
) -> Option<&'static str> {
    if instruction.thumb || access != Access::Word || address.rn != 13 {
        return None;
    }
    match (loads, address.offset, address.index) {
        (false, Offset::Immediate(-4), Index::Before) => Some("push"),
        (true, Offset::Immediate(4), Index::After) => Some("pop"),
        _ => None,
    }
}

/// Of the two registers, A32 names the first, which the other follows.
pub(super) fn double(
    instruction: &Instruction,
    loads: bool,
    rt: [Register; 2],
    address: &Address,
) -> Text {
    let named = if instruction.thumb { &rt[..] } else { &rt[..1] };
    let address = of(instruction, address);
    let operands = named.iter().map(|&rt| register(rt)).chain([&address[..]]);
    let name = if loads { "ldrd" } else { "strd" };
    Text::new(name, operands.collect::<Vec<_>>().join(", "))
}

/// An address; narrow Thumb names an offset of 0 too.
pub(super) fn of(instruction: &Instruction, address: &Address) -> String {
    let rn = register(address.rn);
    let offset = match address.offset {
        Offset::Immediate(0) if address.index == Index::Offset && instruction.length == 4 => {
            return format!("[{rn}]");
        }
        Offset::Immediate(value) => format!("#{value}"),
        Offset::Register { rm, shift, amount, subtract } => {
            format!("{}{}", letter(subtract, "-"), shifted(rm, shift, amount))
        }
    };
    match address.index {
        Index::Offset => format!("[{rn}, {offset}]"),
        Index::Before => format!("[{rn}, {offset}]!"),
        Index::After => format!("[{rn}], {offset}"),
    }
}

/// `ldm` or `stm`, and what they are called where they move the stack pointer along.
pub(super) fn multiple(instruction: &Instruction, transfer: Multiple) -> Text {
    let list = format!("{}{}", list(transfer.list), letter(transfer.user, "^"));
    if is_stack(instruction, transfer) {
        return Text::new(if transfer.loads { "pop" } else { "push" }, list);
    }
    let name =
        format!("{}{}", if transfer.loads { "ldm" } else { "stm" }, order(instruction, transfer));
    let base = format!("{}{}", register(transfer.rn), letter(transfer.writeback, "!"));
    Text::new(name, format!("{base}, {list}"))
}

fn order(instruction: &Instruction, transfer: Multiple) -> &'static str {
    let is_usual = transfer.loads || !transfer.writeback && !transfer.user;
    match (transfer.up, transfer.before) {
        _ if moves_stack(transfer) && !instruction.thumb && !transfer.user => "fd",
        (true, false) if is_usual && !instruction.thumb => "",
        (true, false) => "ia",
        (true, true) => "ib",
        (false, false) => "da",
        (false, true) => "db",
    }
}

/// Returns true if it is `push` or `pop`; wide Thumb does not say so, nor A32 with a single register.
fn is_stack(instruction: &Instruction, transfer: Multiple) -> bool {
    let is_named = if instruction.thumb {
        instruction.length == 2
    } else {
        !transfer.user && transfer.list.count_ones() != 1
    };
    is_named && moves_stack(transfer)
}

/// Returns true if it moves the stack pointer along, upwards for loads and downwards for stores.
fn moves_stack(transfer: Multiple) -> bool {
    (transfer.up, transfer.before) == (transfer.loads, !transfer.loads)
        && transfer.rn == 13
        && transfer.writeback
}
