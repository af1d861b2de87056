//! The descriptions of MicroBlaze, one for each order of bytes: what this crate exports of it.
//!
//! Sources: binutils, `include/elf/common.h`; GCC, `config/microblaze/microblaze.h`; the GNU debugger,
//! `features/microblaze-core.xml`.

mod build;
mod calls;
mod jump;
mod toolchain;

use cocrypt_isa::{
    AddressSpace, ByteOrder, Elf, InstructionSet, Pointers, Register, RegisterFile, Role,
};

use crate::cells::{REGISTERS, STATE};
use crate::class::KINDS;

/// MicroBlaze with the highest byte of a word first, as with the PLB.
pub static MICROBLAZE: InstructionSet = described("MicroBlaze", &["microblaze"], ByteOrder::Big);

/// MicroBlaze with the lowest byte of a word first, as with AXI.
pub static MICROBLAZE_LITTLE: InstructionSet =
    described("little-endian MicroBlaze", &["microblazeel"], ByteOrder::Little);

/// The description for an order of bytes.
pub fn of(order: ByteOrder) -> &'static InstructionSet {
    if order == ByteOrder::Big { &MICROBLAZE } else { &MICROBLAZE_LITTLE }
}

const fn described(
    name: &'static str,
    variants: &'static [&'static str],
    order: ByteOrder,
) -> InstructionSet {
    let is_big = matches!(order, ByteOrder::Big);
    InstructionSet {
        name,
        variants,
        timings: if is_big { &["microblaze"] } else { &["microblazeel"] },
        classes: KINDS,
        elf: Elf { machine: 189, class: 32, order, flags: 0, prefix: "" },
        spaces: &[AddressSpace { name: "memory", bits: 32, origin: 0 }],
        pointers: Pointers { modes: 0, unit: 1, unmarked: "" },
        code_unit: 4,
        registers: &NUMBERED,
        convention: calls::convention(order),
        caller: calls::CALLER,
        toolchain: if is_big { toolchain::BIG } else { toolchain::LITTLE },
        build: build::build,
        jump: jump::jump,
    }
}

/// The GNU debugger's description of the registers.
pub const fn register_file(order: ByteOrder) -> RegisterFile {
    RegisterFile {
        architecture: "microblaze",
        feature: "org.gnu.gdb.microblaze.core",
        registers: &NUMBERED,
        counter: Register { dwarf: None, ..Register::word("rpc", Role::Counter, 32) },
        status: Some(Register { dwarf: None, ..Register::word("rmsr", Role::Status, 33) }),
        order,
    }
}

static NUMBERED: [Register; REGISTERS] = {
    let mut all = [Register::word("", Role::General, 0); REGISTERS];
    let mut number = 0;
    while number < REGISTERS {
        all[number] = Register::word(STATE[number], role(number), number as u16);
        number += 1;
    }
    all
};

const fn role(number: usize) -> Role {
    match number {
        0 => Role::Zero,
        1 => Role::Stack,
        15 => Role::Link,
        _ => Role::General,
    }
}
