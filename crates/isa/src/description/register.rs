//! The registers of an instruction set, as programs, debuggers and debug information know them.

/// The role of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is always 0.
    Zero,
    /// Anything.
    General,
    /// The stack pointer.
    Stack,
    /// The register in which a call leaves its return address.
    Link,
    /// The program counter.
    Counter,
    /// Flags and modes.
    Status,
}

impl Role {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::General => "general",
            Self::Stack => "stack",
            Self::Link => "link",
            Self::Counter => "counter",
            Self::Status => "status",
        }
    }
}

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name in assembly.
    pub name: &'static str,
    /// Its role.
    pub role: Role,
    /// Its width in bits.
    pub bits: u8,
    /// Its number in the GNU debugger.
    pub gdb: u16,
    /// Its number in debug information, if it has one.
    pub dwarf: Option<u16>,
    /// The address at which it is mapped in memory.
    pub address: Option<u32>,
}

impl Register {
    /// A register of 32 bits that is not seen in memory and has the same number everywhere.
    #[must_use]
    pub const fn word(name: &'static str, role: Role, number: u16) -> Self {
        Self { name, role, bits: 32, gdb: number, dwarf: Some(number), address: None }
    }

    /// Bytes that it takes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bits.div_ceil(8) as usize
    }
}

/// The GNU debugger's description of a core's registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterFile {
    /// The architecture's name.
    pub architecture: &'static str,
    /// The name of the feature that has the registers; empty where the debugger takes no description.
    pub feature: &'static str,
    /// The registers that are cells, in the cells' order.
    pub registers: &'static [Register],
    /// The program counter, which comes behind them.
    pub counter: Register,
    /// A register that is composed from several cells, and comes behind that.
    pub status: Option<Register>,
    /// The order of a value's bytes.
    pub order: super::ByteOrder,
}

impl RegisterFile {
    /// That of a core which no debugger knows.
    pub const NONE: Self = Self {
        architecture: "",
        feature: "",
        registers: &[],
        counter: Register::word("pc", Role::Counter, 0),
        status: None,
        order: super::ByteOrder::Little,
    };

    /// All registers, in the order in which the debugger counts them.
    #[must_use]
    pub fn all(&self) -> Vec<Register> {
        let cells = self.registers.iter().copied();
        let mut all: Vec<Register> = cells.chain([self.counter]).chain(self.status).collect();
        all.sort_by_key(|register| register.gdb);
        all
    }
}
