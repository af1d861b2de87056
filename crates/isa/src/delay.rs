//! Delay slots: the instruction behind a branch that is executed before what the branch leads to.

use cocrypt_ir::{Exit, Insn, Transfer, Value};

/// A branch whose delay slot comes next. It is part of the decode mode of the instruction there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum DelaySlot {
    /// Of a branch.
    Jump = 1,
    /// Of a call.
    Call,
    /// Of a return from a function.
    Return,
    /// Of a return from a handler, behind which interrupts may come.
    Yield,
}

impl DelaySlot {
    /// Its three bits in a mode, of which the lowest is bit `at`.
    #[must_use]
    pub const fn bits(self, at: u32) -> u32 {
        (self as u32) << at
    }

    /// The branch in whose delay slot an instruction of a mode is.
    #[must_use]
    pub const fn of(mode: u32, at: u32) -> Option<Self> {
        match mode >> at & 7 {
            1 => Some(Self::Jump),
            2 => Some(Self::Call),
            3 => Some(Self::Return),
            4 => Some(Self::Yield),
            _ => None,
        }
    }

    /// The meaning of the branch for calls.
    #[must_use]
    pub const fn transfer(self) -> Transfer {
        match self {
            Self::Jump => Transfer::Jump,
            Self::Call => Transfer::Call,
            Self::Return | Self::Yield => Transfer::Return,
        }
    }

    /// The exit behind the slot: that of the branch, if the block has it, or to the `target` that the branch wrote.
    /// It lets interrupts in where the branch or the instruction in the slot does, whose own exit is `own`.
    #[must_use]
    pub fn exit(self, of_branch: Option<Exit>, target: Value, own: &Exit) -> Exit {
        if self == Self::Yield || matches!(own, Exit::Yield { .. }) {
            return Exit::Yield { target };
        }
        of_branch.unwrap_or(Exit::Indirect { target })
    }
}

/// The value by which a conditional branch with a delay slot is taken, for a block that does not end by the branch: it
/// ends in front of the slot, or the slot lets interrupts in or ends the run.
#[derive(Clone, Copy, Debug)]
pub struct BranchCondition {
    /// The value.
    pub value: Value,
    /// The number of the branch's first operations, which only compute the value.
    pub lead: u16,
    /// The index of the branch in its block.
    pub branch: usize,
}

impl BranchCondition {
    /// Lets the branch's time depend on the value, unless the exit's cost says whether it was taken.
    pub fn apply(self, insns: &mut [Insn], exit: &Exit) {
        if !matches!(exit, Exit::Branch { .. }) {
            let branch = &mut insns[self.branch];
            (branch.operand, branch.lead) = (Some(self.value), self.lead);
        }
    }
}
