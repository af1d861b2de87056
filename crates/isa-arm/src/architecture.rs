//! The versions of the architecture, and what tells them apart.

/// A version of the architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// A32 without Thumb and `bx` (StrongARM).
    V4,
    /// A32 and Thumb (ARM7TDMI).
    V4T,
    /// A32 and Thumb with `clz`, `blx`, saturating sums and products of halves (ARM926EJ-S).
    V5TE,
    /// Thumb and a few wide instructions (Cortex-M0, M0+).
    V6M,
    /// Thumb-2 (Cortex-M3).
    V7M,
    /// Thumb-2 with the DSP extension (Cortex-M4).
    V7EM,
}

/// The features of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Architecture {
    /// Its version.
    pub version: Version,
    /// True if it has the single-precision registers of the floating-point extension (Cortex-M4F).
    pub vector: bool,
}

impl Version {
    /// All of them by their names in core files.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("armv4", Self::V4),
        ("armv4t", Self::V4T),
        ("armv5te", Self::V5TE),
        ("armv6-m", Self::V6M),
        ("armv7-m", Self::V7M),
        ("armv7e-m", Self::V7EM),
    ];

    /// The version of a name.
    #[must_use]
    pub fn named(isa: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == isa).map(|&(_, version)| version)
    }

    /// Returns true if it is of the M profile: Thumb alone, exceptions that save registers by themselves.
    #[must_use]
    pub const fn is_m(self) -> bool {
        matches!(self, Self::V6M | Self::V7M | Self::V7EM)
    }

    /// Returns true if it has A32.
    #[must_use]
    pub const fn has_a32(self) -> bool {
        !self.is_m()
    }

    /// Returns true if it has Thumb.
    #[must_use]
    pub const fn has_thumb(self) -> bool {
        !matches!(self, Self::V4)
    }

    /// Returns true if it has all of Thumb-2, `it` and 32-bit data processing among it.
    #[must_use]
    pub const fn has_thumb2(self) -> bool {
        matches!(self, Self::V7M | Self::V7EM)
    }

    /// Returns true if a load into the program counter selects the instruction set by the address's lowest
    /// bit.
    #[must_use]
    pub const fn loads_interwork(self) -> bool {
        !matches!(self, Self::V4 | Self::V4T)
    }
}
