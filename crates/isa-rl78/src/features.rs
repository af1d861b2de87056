//! The cores of the family.
//!
//! Source: R01US0015, sections 1.1 and 5.1.

/// A core (section 1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// With an arithmetic unit of 8 bits and one bank of registers.
    S1,
    /// With an arithmetic unit of 16 bits.
    S2,
    /// The same, with instructions that multiply 16 bits, divide and accumulate.
    S3,
}

impl Variant {
    /// All names, as core files have them.
    pub const NAMES: [(&'static str, Self); 3] =
        [("rl78-s1", Self::S1), ("rl78-s2", Self::S2), ("rl78-s3", Self::S3)];

    /// The variant of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, variant)| variant)
    }

    /// The number of register banks.
    #[must_use]
    pub const fn banks(self) -> u16 {
        match self {
            Self::S1 => 1,
            Self::S2 | Self::S3 => 4,
        }
    }
}
