//! The description of ARM: the one value that this crate exports of it.
//!
//! Sources: "ELF for the Arm Architecture" (IHI 0044), 4.3 and 4.5.3; "DWARF for the Arm Architecture" (IHI
//! 0040), 3.1; the GNU debugger's manual, appendix G.5.3.

mod build;
mod calls;
mod jump;
mod toolchain;

use cocrypt_isa::{
    AddressSpace, ByteOrder, Elf, InstructionSet, Pointers, Register, RegisterFile, Role, names,
};

use crate::architecture::Version;
use crate::cells;
use crate::class::KINDS;
use crate::timing::Kind;

pub(crate) use calls::host_call;

/// ARM of 32 bits.
pub static ARM: InstructionSet = InstructionSet {
    name: "ARM",
    variants: &names(&Version::NAMES),
    timings: &names(&Kind::NAMES),
    classes: KINDS,
    // Version 5 of the ABI.
    elf: Elf { machine: 40, class: 32, order: ByteOrder::Little, flags: 0x0500_0000, prefix: "" },
    spaces: &[AddressSpace { name: "memory", bits: 32, origin: 0 }],
    // Bit 0 of a function's address says that it is Thumb.
    pointers: Pointers {
        modes: 1,
        unit: 1,
        unmarked: "whose bit 0, the Thumb bit, is clear: declare the handler as a Thumb function \
                   (`.thumb_func`, or `.type NAME, %function`)",
    },
    code_unit: 2,
    registers: &NUMBERED,
    convention: calls::CONVENTION,
    caller: calls::CALLER,
    toolchain: toolchain::TOOLCHAIN,
    build: build::build,
    jump: jump::jump,
};

/// The GNU debugger's description of the registers.
pub const fn register_file(version: Version) -> RegisterFile {
    let [feature, status] = if version.is_m() {
        ["org.gnu.gdb.arm.m-profile", "xpsr"]
    } else {
        ["org.gnu.gdb.arm.core", "cpsr"]
    };
    RegisterFile {
        architecture: "arm",
        feature,
        registers: &NUMBERED,
        counter: Register::word("pc", Role::Counter, 15),
        status: Some(Register { dwarf: None, ..Register::word(status, Role::Status, 25) }),
        order: ByteOrder::Little,
    }
}

/// The general registers but the program counter, which no cell is.
const COUNT: usize = 15;

static NUMBERED: [Register; COUNT] = {
    let mut all = [Register::word("", Role::General, 0); COUNT];
    let mut number = 0;
    while number < COUNT {
        all[number] = Register::word(cells::NAMES[number], role(number), number as u16);
        number += 1;
    }
    all
};

const fn role(number: usize) -> Role {
    match number {
        13 => Role::Stack,
        14 => Role::Link,
        _ => Role::General,
    }
}
