//! The description of MCS-51: the one value that this crate exports of it.
//!
//! Source: the registry of ELF machines (`EM_8051` is 165); SDCC's manual, "Calling conventions".

mod build;
mod calls;
mod jump;
mod toolchain;

use cocrypt_isa::{
    AddressSpace, ByteOrder, Elf, InstructionSet, Pointers, Register, RegisterFile, Role,
};

use crate::cells::{DPTR, REGISTERS, SP, STATE};
use crate::class::KINDS;
use crate::{EXTERNAL, INTERNAL, SPECIAL};

/// MCS-51.
pub static MCS_51: InstructionSet = InstructionSet {
    name: "MCS-51",
    variants: &["mcs51"],
    timings: &["mcs51"],
    classes: KINDS,
    elf: Elf { machine: 165, class: 32, order: ByteOrder::Little, flags: 0, prefix: "_" },
    spaces: &[
        AddressSpace { name: "code", bits: 16, origin: 0 },
        AddressSpace { name: "external data", bits: 16, origin: EXTERNAL },
        AddressSpace { name: "internal data", bits: 16, origin: INTERNAL },
        AddressSpace { name: "special function registers", bits: 16, origin: SPECIAL },
    ],
    pointers: Pointers { modes: 0, unit: 1, unmarked: "" },
    code_unit: 1,
    registers: &NUMBERED,
    convention: calls::CONVENTION,
    caller: calls::CALLER,
    toolchain: toolchain::TOOLCHAIN,
    build: build::build,
    jump: jump::jump,
};

/// The registers, for a debugger that asks: the GNU debugger has no MCS-51.
pub const REGISTER_FILE: RegisterFile = RegisterFile {
    architecture: "mcs51",
    feature: "",
    registers: &NUMBERED,
    counter: Register { bits: 16, ..Register::word("pc", Role::Counter, COUNT as u16) },
    status: Some(Register { bits: 8, ..Register::word("psw", Role::Status, COUNT as u16 + 1) }),
    order: ByteOrder::Little,
};

/// The registers, the stack pointer, A, B and DPTR.
const COUNT: usize = REGISTERS as usize + 4;

static NUMBERED: [Register; COUNT] = {
    let mut all = [Register { bits: 8, ..Register::word("", Role::General, 0) }; COUNT];
    let mut number = 0;
    while number < COUNT {
        all[number].name = STATE[number];
        all[number].gdb = number as u16;
        all[number].dwarf = None;
        number += 1;
    }
    all[SP.0 as usize].role = Role::Stack;
    all[DPTR.0 as usize].bits = 16;
    all
};
