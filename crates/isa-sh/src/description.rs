//! The descriptions of SuperH, one for each order of bytes: what this crate exports of it.
//!
//! Sources: binutils, `include/elf/common.h`; GCC, `config/sh/sh.h`; the GNU debugger, `gdb/sh-tdep.c`.

mod build;
mod calls;
mod jump;
mod mapped;
mod toolchain;

use cocrypt_isa::{
    AddressSpace, ByteOrder, Elf, InstructionSet, Pointers, Register, RegisterFile, Role,
};

use crate::cells::{KNOWN, REGISTERS, STATE};
use crate::class::KINDS;

/// SuperH with the highest byte of a word first.
pub static SUPERH: InstructionSet = described("SuperH", &["superh"], ByteOrder::Big);

/// SuperH with the lowest byte of a word first.
pub static SUPERH_LITTLE: InstructionSet =
    described("little-endian SuperH", &["superhel"], ByteOrder::Little);

/// The description for an order of bytes.
pub fn of(order: ByteOrder) -> &'static InstructionSet {
    if order == ByteOrder::Big { &SUPERH } else { &SUPERH_LITTLE }
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
        timings: if is_big { &["sh3", "sh2"] } else { &["sh3el"] },
        classes: KINDS,
        elf: Elf { machine: 42, class: 32, order, flags: 0, prefix: "" },
        spaces: &[AddressSpace { name: "memory", bits: 32, origin: 0 }],
        pointers: Pointers { modes: 0, unit: 1, unmarked: "" },
        code_unit: 2,
        registers: &NUMBERED,
        convention: calls::convention(order),
        caller: calls::CALLER,
        toolchain: if is_big { toolchain::BIG } else { toolchain::LITTLE },
        build: build::build,
        jump: jump::jump,
    }
}

/// The GNU debugger's numbers of the registers, which it knows without a description.
pub const fn register_file(order: ByteOrder) -> RegisterFile {
    RegisterFile {
        architecture: "",
        feature: "",
        registers: &NUMBERED,
        counter: Register { dwarf: None, ..Register::word("pc", Role::Counter, 16) },
        status: Some(Register { dwarf: None, ..Register::word("sr", Role::Status, 22) }),
        order,
    }
}

/// The general registers, and behind them, with PC between, those that the debugger knows as PR, GBR, VBR, MACH, MACL.
static NUMBERED: [Register; KNOWN] = {
    let mut all = [Register::word("", Role::General, 0); KNOWN];
    let mut place = 0;
    while place < KNOWN {
        let number = if place < REGISTERS { place } else { place + 1 };
        all[place] = Register::word(STATE[place], role(place), number as u16);
        place += 1;
    }
    all
};

const fn role(place: usize) -> Role {
    match place {
        15 => Role::Stack,
        16 => Role::Link,
        _ => Role::General,
    }
}
