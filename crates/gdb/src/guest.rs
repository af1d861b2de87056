//! The guest's registers as the debugger sees them, of whatever instruction set.
//!
//! Source: the GNU debugger's manual, appendix G, "Target Descriptions".

use cocrypt_soc::{ByteOrder, Machine, Register, RegisterFile, RegisterRole};
use gdbstub::arch::{Arch, Registers};

/// A guest whose addresses the debugger takes for 32 bits wide.
pub enum Guest {}

impl Arch for Guest {
    type Usize = u32;
    type Registers = Bytes;
    type BreakpointKind = usize;
    type RegId = ();
}

/// All registers one behind the other, as the guest describes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(Vec<u8>);

impl Registers for Bytes {
    type ProgramCounter = u32;

    /// The library asks for none; which of the registers it is, the description says.
    fn pc(&self) -> u32 {
        0
    }

    fn gdb_serialize(&self, write_byte: impl FnMut(Option<u8>)) {
        self.0.iter().copied().map(Some).for_each(write_byte);
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        bytes.clone_into(&mut self.0);
        Ok(())
    }
}

impl Bytes {
    fn push(&mut self, register: &Register, value: u64, order: ByteOrder) {
        self.0.extend(order.bytes(value, register.bytes()));
    }

    /// The value of each register, as far as there are bytes for it.
    fn values(&self, file: &RegisterFile) -> Vec<(Register, u64)> {
        let mut rest = &self.0[..];
        let mut next = |register: Register| {
            let (value, behind) = rest.split_at_checked(register.bytes())?;
            rest = behind;
            Some((register, file.order.number(value)))
        };
        file.all().into_iter().map_while(&mut next).collect()
    }
}

/// The debugger's view of the guest.
pub fn description(file: &RegisterFile) -> String {
    let mut expected = 0;
    let registers: String =
        file.all().iter().map(|register| element(register, &mut expected)).collect();
    format!(
        "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">\
         <architecture>{}</architecture><feature name=\"{}\">{registers}</feature></target>",
        file.architecture, file.feature
    )
}

/// A register, with its number where that is not the one that is `expected` behind the register before.
fn element(register: &Register, expected: &mut u16) -> String {
    let kind = match register.role {
        RegisterRole::Counter => "code_ptr",
        RegisterRole::Stack => "data_ptr",
        _ => "int",
    };
    let Register { name, bits, gdb, .. } = register;
    let number = if gdb == expected { String::new() } else { format!(" regnum=\"{gdb}\"") };
    *expected = gdb + 1;
    format!("<reg name=\"{name}\" bitsize=\"{bits}\" type=\"{kind}\"{number}/>")
}

/// The registers of a machine.
pub fn read(machine: &Machine) -> Bytes {
    let file = machine.register_file();
    let mut bytes = Bytes::default();
    for register in file.all() {
        let value = match register.role {
            RegisterRole::Counter => machine.pc(),
            RegisterRole::Status => machine.status().into(),
            _ => cell(&file, &register).map_or(0, |cell| machine.registers()[cell]),
        };
        bytes.push(&register, value, file.order);
    }
    bytes
}

/// Sets them. Bits of a cell that the debugger's register does not have stay as they are.
pub fn write(machine: &mut Machine, bytes: &Bytes) {
    let file = machine.register_file();
    for (register, value) in bytes.values(&file) {
        match register.role {
            RegisterRole::Zero => {}
            RegisterRole::Counter => {
                if machine.pc() != value {
                    machine.go_on_at(value);
                }
            }
            RegisterRole::Status => machine.set_status(value as u32),
            _ => {
                let Some(cell) = cell(&file, &register) else { continue };
                let beyond = machine.registers()[cell] >> register.bits << register.bits;
                machine.set_register(cell, beyond | value);
            }
        }
    }
}

/// The cell of a register.
fn cell(file: &RegisterFile, register: &Register) -> Option<usize> {
    file.registers.iter().position(|described| described == register)
}
