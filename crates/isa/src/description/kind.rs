//! What an instruction does, as far as a device's energy is known by it.

/// A kind of instructions, by which device files state energies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionKind {
    /// It computes in registers.
    Alu,
    /// It reads memory, whatever else it does.
    Load,
    /// It writes memory.
    Store,
    /// It goes somewhere else if a condition holds.
    Branch,
    /// It goes somewhere else, or calls a function.
    Jump,
    /// It multiplies.
    Multiply,
    /// It divides.
    Divide,
    /// Anything else, what is no instruction included.
    Other,
}

impl InstructionKind {
    /// Its name in device files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alu => "alu",
            Self::Load => "load",
            Self::Store => "store",
            Self::Branch => "branch",
            Self::Jump => "jump",
            Self::Multiply => "multiply",
            Self::Divide => "divide",
            Self::Other => "other",
        }
    }
}
