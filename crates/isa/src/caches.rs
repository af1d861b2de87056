//! The shape of a core's caches.

/// The replacement policy of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Replacement {
    /// The one that was not used for the longest time.
    #[default]
    LeastRecent,
    /// The one that came first.
    FirstIn,
}

/// The shape of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    /// Number of sets, a power of two.
    pub sets: u32,
    /// Lines in a set.
    pub ways: u32,
    /// Bytes in a line, a power of two.
    pub line: u32,
    /// The replacement policy of a set.
    pub replacement: Replacement,
    /// True if a store to an absent line brings it in.
    pub allocate_on_write: bool,
}

impl Geometry {
    /// Returns true if stores leave the cache as it is, whatever it holds.
    #[must_use]
    pub const fn ignores_stores(&self) -> bool {
        self.ignores_hits() && !self.allocate_on_write
    }

    /// Returns true if finding a line leaves the cache as it is.
    #[must_use]
    pub const fn ignores_hits(&self) -> bool {
        self.ways == 1 || matches!(self.replacement, Replacement::FirstIn)
    }
}

/// The caches of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Caches {
    /// Of instructions.
    pub instruction: Option<Geometry>,
    /// Of data, for what lies in the directly mapped memory.
    pub data: Option<Geometry>,
    /// True if it is for what lies in the memory beside it, which programs only read, instead.
    pub data_of_rom: bool,
    /// True if both are one, for instructions and data.
    pub unified: bool,
    /// True if a load may be held up by the stores right before it ([`crate::Collision`]).
    pub stores_collide: bool,
}

/// The caches that a program has switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachesOn {
    /// That of instructions.
    pub instruction: bool,
    /// That of data.
    pub data: bool,
}

/// A line that an instruction takes out of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalidation {
    /// True if the cache is that of instructions.
    pub of_instructions: bool,
    /// An address in the line.
    pub address: u32,
    /// True if the line of another address in the same set stays.
    pub matching: bool,
}
