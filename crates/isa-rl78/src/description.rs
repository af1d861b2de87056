//! The description of RL78: the one value that this crate exports of it.
//!
//! Sources: binutils, `include/elf/rl78.h`; GCC, `config/rl78/rl78.h`; the GNU debugger, `rl78-tdep.c`.

mod build;
mod calls;
mod jump;
mod toolchain;

use cocrypt_isa::{
    AddressSpace, ByteOrder, Elf, InstructionSet, Pointers, Register, RegisterFile, Role, names,
};

use crate::cells::{REGISTERS, STATE};
use crate::class::KINDS;
use crate::features::Variant;

/// RL78.
pub static RL78: InstructionSet = InstructionSet {
    name: "RL78",
    variants: &names(&Variant::NAMES),
    timings: &["rl78"],
    classes: KINDS,
    // The lower bits are the core that a file is for.
    elf: Elf { machine: 197, class: 32, order: ByteOrder::Little, flags: 0, prefix: "_" },
    spaces: &[AddressSpace { name: "memory", bits: 20, origin: 0 }],
    pointers: Pointers { modes: 0, unit: 1, unmarked: "" },
    code_unit: 1,
    registers: &NUMBERED,
    convention: calls::CONVENTION,
    caller: calls::CALLER,
    toolchain: toolchain::TOOLCHAIN,
    build: build::build,
    jump: jump::jump,
};

/// The GNU debugger's description of the registers: nothing, since it takes no description of them and
/// knows them by their numbers alone.
pub const REGISTER_FILE: RegisterFile = RegisterFile {
    architecture: "rl78",
    feature: "",
    registers: &NUMBERED,
    counter: Register { dwarf: Some(37), ..Register::word("pc", Role::Counter, 35) },
    status: Some(Register { dwarf: Some(34), bits: 8, ..Register::word("psw", Role::Status, 32) }),
    order: ByteOrder::Little,
};

/// The registers of all banks, the stack pointer, ES and CS.
const COUNT: usize = REGISTERS as usize + 3;

static NUMBERED: [Register; COUNT] = {
    let mut all = [Register { bits: 8, ..Register::word("", Role::General, 0) }; COUNT];
    let mut number = 0;
    while number < COUNT {
        all[number].name = STATE[number];
        all[number].gdb = number as u16;
        all[number].dwarf = Some(number as u16);
        number += 1;
    }
    // The debugger has the stack pointer as two registers of 8 bits, 36 and 37.
    let stack = REGISTERS as usize;
    all[stack].role = Role::Stack;
    all[stack].bits = 16;
    all[stack].gdb = 36;
    all[stack + 1].gdb = 33;
    all[stack + 1].dwarf = Some(35);
    all[stack + 2].gdb = 34;
    all[stack + 2].dwarf = Some(36);
    all
};
