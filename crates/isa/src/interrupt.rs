//! Interrupt timing: what becomes of the instruction in whose place one may come.

use cocrypt_ir::Block;

use crate::{CodeMemory, PipelineState};

/// The registers by which a core decides whether a line interrupts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registers {
    /// As they stand at the issue.
    Now,
    /// As they stood in front of the last instruction; no line interrupts where that is not known.
    Before,
    /// As they counted in a cycle, from the issue on, on a core of which [`InterruptTiming::counts`] says
    /// when changes do.
    At(i32),
}

/// An instruction that is about to be issued, what ran before it, and what may interrupt it. Cycles count
/// from the issue on.
pub struct Front<'a> {
    /// Address of the instruction.
    pub pc: u64,
    /// The pipeline state in front of it.
    pub state: PipelineState,
    /// The block that ended in front of it, where one is known.
    pub previous: Option<&'a Block>,
    /// True if that block's branch was taken.
    pub taken: bool,
    /// True if the instruction before it came back from a handler.
    pub returned: bool,
    /// Bytes of the instruction before it, where that was left within its block.
    pub left: Option<u8>,
    /// The interrupt that would be taken with these registers and the lines of a cycle.
    pub asks: &'a dyn Fn(Registers, i32) -> Option<u8>,
    /// True if the instruction cache holds the line of an address.
    pub holds: &'a dyn Fn(u32) -> bool,
}

impl Front<'_> {
    /// The interrupt of the lines that were up so many cycles before the issue.
    #[must_use]
    pub fn sampled(&self, before: u64) -> Option<u8> {
        (self.asks)(Registers::Now, -(before as i32))
    }
}

/// The decision about an instruction in front of which an interrupt may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is issued.
    Issues,
    /// It is issued, but so many cycles later (or earlier), or in another pipeline state.
    Delayed {
        /// Cycles until it is issued.
        cycles: i32,
        /// The pipeline state then.
        state: PipelineState,
    },
    /// An interrupt comes in its place.
    Interrupted {
        /// The number of it.
        number: u8,
        /// Cycles from where it would have been issued to where the entry into the handler begins; with
        /// `state`, to the issue of the handler.
        cycles: i32,
        /// The pipeline state in front of the handler. Nothing if the entry costs what
        /// [`TimingModel::cost`](crate::TimingModel::cost) says of it.
        state: Option<PipelineState>,
        /// The note for the core's front end: see [`Trap`](crate::Trap).
        note: u32,
    },
}

impl Decision {
    /// An interrupt in front of the instruction, if there is one, and no sooner or later.
    #[must_use]
    pub fn of(number: Option<u8>, note: impl FnOnce() -> u32) -> Self {
        number.map_or(Self::Issues, |number| Self::Interrupted {
            number,
            cycles: 0,
            state: None,
            note: note(),
        })
    }
}

/// The interrupt timing of a core. What is not overridden is so on one that looks at its lines in front of
/// every instruction.
pub trait InterruptTiming: Send + Sync {
    /// The number of cycles before the issue of an instruction at which the core samples its lines for the
    /// last time.
    fn sampled_before(&self) -> u64 {
        0
    }
    /// The number of cycles before the end of its block from which on a change counts that an instruction made which
    /// may let an interrupt in, or an exception's entry or return (`jumps`). Nothing if the core decides by
    /// its registers as they stand at the issue.
    fn counts(&self, _jumps: bool) -> Option<u64> {
        None
    }
    /// The decision about an instruction near an interrupt.
    fn decide(&self, front: &Front<'_>, _code: &dyn CodeMemory) -> Decision {
        Decision::of(front.sampled(self.sampled_before()), || 0)
    }
}

/// The timing of a core that takes an interrupt in place of the instruction in whose cycle of issue its
/// line is up.
#[derive(Clone, Copy, Debug)]
pub struct AtIssue;

impl InterruptTiming for AtIssue {}
