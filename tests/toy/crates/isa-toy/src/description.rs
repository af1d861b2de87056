//! The description of the instruction set.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{
    AddressSpace, Builder, ByteOrder, Caller, CodePointer, Compiler, CompilerKind, Convention,
    Core, CoreError, Elf, Encoding, InstructionSet, Jump, Pointers, Register, RegisterFile, Role,
    Target, Toolchain, table,
};

use crate::lift::{LINK, NAMES, REGISTERS, STACK, Toy};
use crate::table::{CLASSES, KINDS};
use crate::timing::Timing;

/// Toy.
pub static TOY: InstructionSet = InstructionSet {
    name: "Toy",
    variants: &["toy"],
    timings: &["toy"],
    classes: KINDS,
    // Its programs come from an assembler for MSP430.
    elf: Elf { machine: 105, class: 32, order: ByteOrder::Little, flags: 0, prefix: "" },
    spaces: &[AddressSpace { name: "memory", bits: 16, origin: 0 }],
    pointers: Pointers { modes: 0, unit: 1, unmarked: "" },
    code_unit: 2,
    registers: &NUMBERED,
    convention: CONVENTION,
    // Functions are not measured one by one: there is no compiler of C.
    caller: Caller { stacked: 0, frame: 0, kept: 1, around: 0 },
    toolchain: TOOLCHAIN,
    build,
    jump,
};

pub const REGISTER_FILE: RegisterFile = RegisterFile {
    architecture: "toy",
    feature: "org.gnu.gdb.toy.core",
    registers: &NUMBERED,
    counter: register("pc", Role::Counter, 8),
    status: None,
    order: ByteOrder::Little,
};

const fn register(name: &'static str, role: Role, number: u16) -> Register {
    Register { bits: 16, ..Register::word(name, role, number) }
}

static NUMBERED: [Register; REGISTERS] = {
    let mut all = [register("", Role::General, 0); REGISTERS];
    let mut number = 0;
    while number < REGISTERS {
        all[number] = register(NAMES[number], Role::General, number as u16);
        number += 1;
    }
    all[STACK as usize].role = Role::Stack;
    all[LINK as usize].role = Role::Link;
    all
};

/// Arguments and results in r0 to r3, a word each; r5 belongs to nobody, not even across a jump.
const CONVENTION: Convention = Convention {
    arguments: &[0, 1, 2, 3],
    results: &[0],
    preserved: &[4, 6],
    word: 2,
    registers: 1,
    descends: false,
    paired: false,
    alignment: 2,
};

const TOOLCHAIN: Toolchain = Toolchain {
    runtime: "toy",
    builder: Builder::Llvm,
    places_memories: false,
    libgcc: false,
    nowhere: 0xffff,
    comment: ";",
    steady: &[],
    parenthesised: false,
    machine: "msp430",
    gcc: "msp430-elf-gcc",
    probe: &[],
    encodings: &[Encoding { name: "toy", title: "Toy", mode: 0 }],
    flags: |_| &[],
    target,
    title: |_| "toy".to_owned(),
};

fn target(_target: &Target<'_>, compiler: Compiler) -> Vec<String> {
    match compiler.kind {
        CompilerKind::Zig => ["-target", "msp430-freestanding"].map(str::to_owned).to_vec(),
        CompilerKind::Clang => vec!["--target=msp430-none-elf".to_owned()],
        CompilerKind::Gcc => vec![],
    }
}

fn build(device: &config::Device) -> Result<Core, CoreError> {
    Ok(Core {
        frontend: Arc::new(Toy),
        timing: Arc::new(Timing::new(&table(device, CLASSES, |_| None))?),
        private: None,
        timer_line: None,
        data_bits: 16,
        links: None,
        overlaps: false,
    })
}

/// `ldi`, `ldh` and `jr` by r5, with a delay slot that does nothing.
fn jump(_variant: &str, _from: CodePointer, to: CodePointer, _memory: u64) -> Jump {
    let [low, high] = (to.address as u16).to_le_bytes();
    Jump { reach: 1 << 16, code: vec![low, 0x0a, high, 0x1a, 0x05, 0x90, 0x00, 0x5a] }
}
