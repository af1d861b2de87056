//! The description of an instruction set for everybody who neither decodes nor lifts it: one value each.
//!
//! Each `isa-*` crate exports such a value, `isa-all` lists them, and nobody else names one. All of it is
//! what the instruction set's manuals, its ABI and its tools say; what a configured core does beside that
//! is asked of its [`crate::Frontend`].

mod calls;
mod core;
mod elf;
mod jump;
mod kind;
mod private;
mod register;
mod toolchain;

use cocrypt_config as config;

pub use calls::{Caller, Convention};
pub use core::{Core, CoreError, Links, parameter, table};
pub use elf::{AddressSpace, ByteOrder, Elf, Pointers};
pub use jump::{CodePointer, Jump};
pub use kind::InstructionKind;
pub use private::{Effect, External, Private, Written};
pub use register::{Register, RegisterFile, Role};
pub use toolchain::{Builder, Compiler, CompilerKind, Encoding, Target, Toolchain};

/// An instruction set.
#[derive(Debug)]
pub struct InstructionSet {
    /// Its name for people.
    pub name: &'static str,
    /// The `isa` of core files that are cores of it.
    pub variants: &'static [&'static str],
    /// The `timing` of core files: the names of its timing models.
    pub timings: &'static [&'static str],
    /// Its timing classes, each with what an instruction of it does to a device's energy.
    pub classes: &'static [(&'static str, InstructionKind)],
    /// The marks of its ELF files.
    pub elf: Elf,
    /// Its spaces of addresses, that of code first.
    pub spaces: &'static [AddressSpace],
    /// The encoding of pointers to code.
    pub pointers: Pointers,
    /// Bytes that every instruction's address and length are a multiple of.
    pub code_unit: u8,
    /// The registers that programs name, in the order of a machine's first cells.
    pub registers: &'static [Register],
    /// The calling convention.
    pub convention: Convention,
    /// The host's way to call functions of a program.
    pub caller: Caller,
    /// The compiler options, and its part of `runtime/`.
    pub toolchain: Toolchain,
    /// Makes the core of a device whose core file names one of the variants.
    pub build: fn(&config::Device) -> Result<Core, CoreError>,
    /// The jump from one place to another, on a core of a variant whose memory for code has so many bytes.
    pub jump: fn(variant: &str, from: CodePointer, to: CodePointer, memory: u64) -> Jump,
}

/// There is one value of each.
impl PartialEq for InstructionSet {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for InstructionSet {}

impl InstructionSet {
    /// That it has no variant of a name.
    #[must_use]
    pub fn unknown_isa(&self, isa: &str) -> CoreError {
        CoreError::UnknownIsa { isa: isa.to_owned(), known: quoted(self.variants) }
    }

    /// That it has no timing model of a name.
    #[must_use]
    pub fn unknown_timing(&self, timing: &str) -> CoreError {
        let known = format!("{} for {}", quoted(self.timings), self.name);
        CoreError::UnknownTiming { timing: timing.to_owned(), known }
    }

    /// The encoding that a core's programs are compiled to.
    ///
    /// # Errors
    /// If its file names one that the instruction set does not have.
    pub fn encoding(&self, core: &config::Core) -> Result<&'static Encoding, CoreError> {
        let encodings = self.toolchain.encodings;
        let Some(name) = core.compiler.as_ref().and_then(|told| told.code.as_deref()) else {
            return Ok(&encodings[0]);
        };
        encodings.iter().find(|encoding| encoding.name == name).ok_or_else(|| {
            CoreError::UnknownEncoding {
                core: core.name.clone(),
                encoding: name.to_owned(),
                known: quoted(&encodings.iter().map(|encoding| encoding.name).collect::<Vec<_>>()),
            }
        })
    }

    /// The registers of a role, by their places.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = usize> + '_ {
        let registers = self.registers.iter().enumerate();
        registers.filter(move |(_, register)| register.role == role).map(|(place, _)| place)
    }
}

/// The first of each pair of a table whose rows begin with a name.
#[must_use]
pub const fn names<T, const N: usize>(pairs: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = pairs[at].0;
        at += 1;
    }
    names
}

/// Names, as messages list them.
#[must_use]
pub fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
