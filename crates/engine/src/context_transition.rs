//! The effect of following a block's link on calling contexts.

/// The effect of following a block's link on calling contexts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ContextTransition {
    /// Nothing: the function stays the same.
    #[default]
    Stay,
    /// A jump that leads, or may lead, to another function, which takes the place of the first.
    Cross,
    /// A call.
    Call,
    /// A return.
    Return,
}

impl ContextTransition {
    /// As a number, for compiled code.
    #[must_use]
    pub const fn number(self) -> u64 {
        self as u64
    }

    /// Back again; a number of no transition is [`ContextTransition::Cross`]'s.
    #[must_use]
    pub const fn of(number: u64) -> Self {
        match number {
            0 => Self::Stay,
            2 => Self::Call,
            3 => Self::Return,
            _ => Self::Cross,
        }
    }
}

/// The jump at the end of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Jump {
    /// The index, among its function's counters, of the block's counter.
    pub counter: u32,
    /// Address of the jump.
    pub site: u64,
    /// First address behind it, to which a call returns; no address, where that is another function's.
    pub behind: u64,
}
