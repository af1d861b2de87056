//! The description of AVR: the one value that this crate exports of it.
//!
//! Sources: binutils, `include/elf/avr.h`; GCC, `config/avr/avr.h` and `avr.c`; the GNU debugger,
//! `avr-tdep.c`.

mod build;
mod calls;
mod jump;
mod toolchain;

use cocrypt_isa::{
    AddressSpace, ByteOrder, Elf, InstructionSet, Pointers, Register, RegisterFile, Role, names,
};

use crate::DATA;
use crate::cells::{REGISTERS, STATE};
use crate::class::KINDS;
use crate::features::Variant;

/// AVR of 8 bits.
pub static AVR: InstructionSet = InstructionSet {
    name: "AVR",
    variants: &names(&Variant::NAMES),
    timings: &["avr"],
    classes: KINDS,
    // The lower bits are the number of the architecture that a file is for.
    elf: Elf { machine: 83, class: 32, order: ByteOrder::Little, flags: 0, prefix: "" },
    // EEPROM and fuses, which files have behind these, are memories of peripherals.
    spaces: &[
        AddressSpace { name: "program", bits: 23, origin: 0 },
        AddressSpace { name: "data", bits: 16, origin: DATA },
    ],
    pointers: Pointers { modes: 0, unit: 2, unmarked: "" },
    code_unit: 2,
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
    architecture: "avr",
    feature: "",
    registers: &NUMBERED,
    counter: Register { dwarf: None, ..Register::word("pc", Role::Counter, 34) },
    status: Some(Register { dwarf: None, bits: 8, ..Register::word("SREG", Role::Status, 32) }),
    order: ByteOrder::Little,
};

/// The registers and the stack pointer.
const COUNT: usize = REGISTERS as usize + 1;

/// Their addresses in memory depend on the core: `Frontend::mapped_cells`.
static NUMBERED: [Register; COUNT] = {
    let mut all = [Register { bits: 8, ..Register::word("", Role::General, 0) }; COUNT];
    let mut number = 0;
    while number < COUNT {
        let is_stack = number == REGISTERS as usize;
        all[number].name = STATE[number];
        all[number].role = if is_stack { Role::Stack } else { Role::General };
        all[number].bits = if is_stack { 16 } else { 8 };
        all[number].gdb = if is_stack { 33 } else { number as u16 };
        all[number].dwarf = Some(number as u16);
        number += 1;
    }
    all
};
