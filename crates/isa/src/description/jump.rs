//! The jump that is written over a function's entry.

/// A place in code: its address, and the bits of a pointer to it that say how code is decoded there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePointer {
    /// The address.
    pub address: u32,
    /// Those bits ([`super::Pointers::modes`]).
    pub mode: u32,
}

/// A jump from one place to another that changes no register that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Its range in each direction, in bytes.
    pub reach: u64,
    /// Its bytes, which lead to another place than was asked for if that is farther away.
    pub code: Vec<u8>,
}
