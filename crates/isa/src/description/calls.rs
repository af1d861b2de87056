//! The calling convention: by one another, and by the host.

/// An instruction set's calling convention for C. Registers are named by their places among
/// [`super::InstructionSet::registers`].
#[derive(Clone, Copy, Debug)]
pub struct Convention {
    /// The registers of the first words of arguments, in order.
    pub arguments: &'static [u16],
    /// The registers of a result, in the order in which a longer one takes them.
    pub results: &'static [u16],
    /// The registers that a function leaves as they were.
    pub preserved: &'static [u16],
    /// Bytes of a word, in which arguments are counted.
    pub word: u8,
    /// Registers that a word takes: the one that is named, and those behind it for its higher bits.
    pub registers: u8,
    /// True if a value of several words has its lowest one in the last of the registers that it takes; else
    /// in the first.
    pub descends: bool,
    /// True if a value of two words begins at an even one.
    pub paired: bool,
    /// Bytes that the stack pointer is a multiple of where a function is called.
    pub alignment: u8,
}

/// The work that `caller.S` of the runtime does around each call that the host has written down.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// The words of arguments that it puts on the stack, behind those in registers.
    pub stacked: u16,
    /// Bytes below the stack's top when a function is called.
    pub frame: u16,
    /// The words of a result that it writes to the end of the call's record, where debug information says how
    /// long the result is; else one.
    pub kept: u16,
    /// Instructions that are executed for each call beside it.
    pub around: u16,
}
