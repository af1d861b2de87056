//! The kind of an instruction, as far as a device's energy depends on it.

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

/// Makes an instruction set's timing classes of rows: identifier, name in core files, what instructions of the
/// class do to a device's energy, and which these are.
#[macro_export]
macro_rules! timing_classes {
    ($($class:ident $name:literal $kind:ident $doc:literal)*) => {
        /// Timing classes; the names are those of the core files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Class { $(#[doc = $doc] $class,)* }

        /// The names of [`Class`], by its numbers.
        pub const CLASSES: &[&str] = &[$($name,)*];

        /// The same, each with what instructions of the class do to a device's energy.
        pub const KINDS: &[(&str, $crate::InstructionKind)] =
            &[$(($name, $crate::InstructionKind::$kind),)*];
    };
}
