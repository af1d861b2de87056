//! The description of RISC-V: the one value that this crate exports of it.
//!
//! Sources: "RISC-V ELF psABI", 1.0, chapters 1 to 3 and 8; the GNU debugger's manual, appendix G.5.8.

mod build;
mod calls;
mod jump;
mod toolchain;

use cocrypt_isa::{
    AddressSpace, ByteOrder, Elf, InstructionSet, Pointers, Register, RegisterFile, Role,
};

use crate::table::{KINDS, REGISTERS};

pub(crate) use calls::host_call;

/// RISC-V of 32 bits.
pub static RISC_V: InstructionSet = InstructionSet {
    name: "RISC-V",
    variants: &["rv32"],
    timings: &["ibex", "picorv32", "serv", "vexriscv"],
    classes: KINDS,
    elf: Elf { machine: 243, class: 32, order: ByteOrder::Little, flags: 0, prefix: "" },
    spaces: &[AddressSpace { name: "memory", bits: 32, origin: 0 }],
    pointers: Pointers { modes: 0, unit: 1, unmarked: "" },
    code_unit: 2,
    registers: &NUMBERED,
    convention: calls::CONVENTION,
    caller: calls::CALLER,
    toolchain: toolchain::TOOLCHAIN,
    build: build::build,
    jump: jump::jump,
};

/// The GNU debugger's description of the registers.
pub const REGISTER_FILE: RegisterFile = RegisterFile {
    architecture: "riscv:rv32",
    feature: "org.gnu.gdb.riscv.cpu",
    registers: &NUMBERED,
    counter: Register { dwarf: None, ..Register::word("pc", Role::Counter, COUNT as u16) },
    status: None,
    order: ByteOrder::Little,
};

const COUNT: usize = REGISTERS.len();

static NUMBERED: [Register; COUNT] = {
    let mut all = [Register::word("", Role::General, 0); COUNT];
    let mut number = 0;
    while number < COUNT {
        all[number] = Register::word(REGISTERS[number], role(number), number as u16);
        number += 1;
    }
    all
};

const fn role(number: usize) -> Role {
    match number {
        0 => Role::Zero,
        1 => Role::Link,
        2 => Role::Stack,
        _ => Role::General,
    }
}
