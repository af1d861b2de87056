//! Loads and stores of general registers.

use super::{Text, letter, list, register, shifted};
use crate::instruction::{Access, Address, Index, Instruction, Offset, Operation, Register};

pub(super) fn text(instruction: &Instruction) -> Option<Text> {
    Some(match instruction.operation {
        Operation::Load { access, rt, address, user } => {
            single(instruction, "ldr", rt, (access, user), &address)
        }
        Operation::Store { access, rt, address, user } => {
            single(instruction, "str", rt, (access, user), &address)
        }
        Operation::LoadDouble { rt, rt2, address } => {
            double(instruction, "ldrd", [rt, rt2], &address)
        }
        Operation::StoreDouble { rt, rt2, address } => {
            double(instruction, "strd", [rt, rt2], &address)
        }
        Operation::LoadMultiple { rn, list, up, before, writeback, user } => {
            Multiple { loads: true, rn, list, order: (up, before), writeback, user }
                .text(instruction)
        }
        Operation::StoreMultiple { rn, list, up, before, writeback, user } => {
            Multiple { loads: false, rn, list, order: (up, before), writeback, user }
                .text(instruction)
        }
        Operation::LoadExclusive { access, rt, rn, offset } => {
            let name = format!("ldrex{}", width(access));
            Text::new(name, format!("{}, {}", register(rt), constant(rn, offset)))
        }
        Operation::StoreExclusive { access, rd, rt, rn, offset } => {
            let name = format!("strex{}", width(access));
            let address = constant(rn, offset);
            Text::new(name, format!("{}, {}, {address}", register(rd), register(rt)))
        }
        Operation::ClearExclusive => Text::new("clrex", ""),
        Operation::Swap { byte, rt, rt2, rn } => {
            let registers = [rt, rt2, rn].map(register);
            let [rt, rt2, rn] = registers;
            Text::new(format!("swp{}", letter(byte, "b")), format!("{rt}, {rt2}, [{rn}]"))
        }
        Operation::Preload => Text::new("pld", ""),
        _ => return None,
    })
}

fn width(access: Access) -> &'static str {
    match access {
        Access::Byte => "b",
        Access::SignedByte => "sb",
        Access::Half => "h",
        Access::SignedHalf => "sh",
        Access::Word => "",
    }
}

/// An address with an offset that counts upwards.
fn constant(rn: Register, offset: u16) -> String {
    if offset == 0 {
        format!("[{}]", register(rn))
    } else {
        format!("[{}, #{offset}]", register(rn))
    }
}

fn single(
    instruction: &Instruction,
    name: &str,
    rt: Register,
    (access, user): (Access, bool),
    address: &Address,
) -> Text {
    if let Some(name) = stack(instruction, name, access, address) {
        return Text::new(name, format!("{{{}}}", register(rt)));
    }
    let name = format!("{name}{}{}", width(access), letter(user, "t"));
    Text::new(name, format!("{}, {}", register(rt), of(instruction, address)))
}

/// What an access of A32 to the stack's end is called that moves the stack pointer along.
fn stack(
    instruction: &Instruction,
    name: &str,
    access: Access,
    address: &Address,
) -> Option<&'static str> {
    if instruction.thumb || access != Access::Word || address.rn != 13 {
        return None;
    }
    match (name, address.offset, address.index) {
        ("str", Offset::Immediate(-4), Index::Before) => Some("push"),
        ("ldr", Offset::Immediate(4), Index::After) => Some("pop"),
        _ => None,
    }
}

/// Of the two registers, A32 names the first, which the other follows.
fn double(instruction: &Instruction, name: &str, rt: [Register; 2], address: &Address) -> Text {
    let named = if instruction.thumb { &rt[..] } else { &rt[..1] };
    let address = of(instruction, address);
    let operands = named.iter().map(|&rt| register(rt)).chain([&address[..]]);
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

/// `ldm` or `stm`.
struct Multiple {
    loads: bool,
    rn: Register,
    list: u16,
    /// Whether addresses grow, and whether the base is not the first (or last) one itself.
    order: (bool, bool),
    writeback: bool,
    user: bool,
}

impl Multiple {
    fn text(&self, instruction: &Instruction) -> Text {
        let list = format!("{}{}", list(self.list), letter(self.user, "^"));
        if self.is_stack(instruction) {
            return Text::new(if self.loads { "pop" } else { "push" }, list);
        }
        let name = format!("{}{}", if self.loads { "ldm" } else { "stm" }, self.order(instruction));
        let base = format!("{}{}", register(self.rn), letter(self.writeback, "!"));
        Text::new(name, format!("{base}, {list}"))
    }

    fn order(&self, instruction: &Instruction) -> &'static str {
        let is_usual = self.loads || !self.writeback && !self.user;
        match self.order {
            _ if self.moves_stack() && !instruction.thumb && !self.user => "fd",
            (true, false) if is_usual && !instruction.thumb => "",
            (true, false) => "ia",
            (true, true) => "ib",
            (false, false) => "da",
            (false, true) => "db",
        }
    }

    /// Whether it is `push` or `pop`; wide Thumb does not say so, nor A32 with a single register.
    fn is_stack(&self, instruction: &Instruction) -> bool {
        let is_named = if instruction.thumb {
            instruction.length == 2
        } else {
            !self.user && self.list.count_ones() != 1
        };
        is_named && self.moves_stack()
    }

    /// Whether it moves the stack pointer along, upwards for loads and downwards for stores.
    fn moves_stack(&self) -> bool {
        self.order == (self.loads, !self.loads) && self.rn == 13 && self.writeback
    }
}
