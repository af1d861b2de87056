//! What leads to a handler.

use cocrypt_ir::Slot;

use crate::class::Class;

/// The cause of an exception or interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its code, or before the SH-3 the number of its vector.
    pub number: u32,
    /// A register that says more, where the core has one.
    pub more: Option<(Slot, u32)>,
    /// The address to return to.
    pub back: u64,
    /// The timing class of the way to its handler.
    pub class: Class,
}

impl Cause {
    /// That of an exception of which the number says all.
    pub const fn new(number: u32, back: u64) -> Self {
        Self { number, more: None, back, class: Class::Exception }
    }

    /// The same with a register that says more.
    pub const fn with(self, register: Slot, value: u32) -> Self {
        Self { more: Some((register, value)), ..self }
    }
}
