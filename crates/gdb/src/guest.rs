//! The guest's registers as the debugger sees them, of whatever instruction set.
//!
//! Source: the GNU debugger's manual, appendix G, "Target Descriptions".

use cocrypt_soc::{Description, Machine};
use gdbstub::arch::{Arch, Registers};

/// A guest with addresses of 32 bits.
pub enum Guest {}

impl Arch for Guest {
    type Usize = u32;
    type Registers = Words;
    type BreakpointKind = usize;
    type RegId = ();
}

/// All registers, in the order in which the guest describes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub Vec<u32>);

impl Registers for Words {
    type ProgramCounter = u32;

    /// The library asks for none; which of the words it is, the description says.
    fn pc(&self) -> u32 {
        0
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        self.0.iter().flat_map(|word| word.to_le_bytes()).for_each(|byte| write_byte(Some(byte)));
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        let (words, rest) = bytes.as_chunks::<4>();
        self.0 = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
        if rest.is_empty() { Ok(()) } else { Err(()) }
    }
}

/// What the debugger is told of the guest.
pub fn description(said: &Description) -> String {
    let register = |(place, name): (usize, &&str)| {
        let kind = match *name {
            "pc" => "code_ptr",
            "sp" => "data_ptr",
            _ => "int",
        };
        let number = said.status.filter(|status| status.name == *name && place < status.number);
        let number = number.map_or_else(String::new, |it| format!(" regnum=\"{}\"", it.number));
        format!("<reg name=\"{name}\" bitsize=\"32\" type=\"{kind}\"{number}/>")
    };
    let registers: String = said.names().iter().enumerate().map(register).collect();
    format!(
        "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">\
         <architecture>{}</architecture><feature name=\"{}\">{registers}</feature></target>",
        said.architecture, said.feature
    )
}

/// The registers of a machine.
pub fn read(machine: &Machine) -> Words {
    let said = machine.description();
    let mut words: Vec<u32> = machine.registers().iter().map(|&word| word as u32).collect();
    words.push(machine.pc() as u32);
    words.extend(said.status.map(|_| machine.status()));
    Words(words)
}

/// Sets them.
pub fn write(machine: &mut Machine, Words(words): &Words) {
    let said = machine.description();
    let count = machine.registers().len();
    let constant = usize::from(said.first_is_zero);
    for (number, &word) in words.iter().enumerate().take(count).skip(constant) {
        machine.set_register(number, word.into());
    }
    let Some(&pc) = words.get(count) else { return };
    if machine.pc() != u64::from(pc) {
        machine.go_on_at(pc.into());
    }
    if let (Some(_), Some(&status)) = (said.status, words.get(count + 1)) {
        machine.set_status(status);
    }
}
