//! The interrupt timing of MCS-51.

use cocrypt_ir::{Block, Op};
use cocrypt_isa::{CodeMemory, Decision, Front, InterruptTiming};

use super::Timing;
use crate::cells::{HIGH, IE, IP};
use crate::class::Class;

impl InterruptTiming for Timing {
    /// The instruction behind `reti` and behind a write of IE or IP is executed first (272383-002, chapter 3,
    /// "How Interrupts Are Handled").
    fn decide(&self, front: &Front<'_>, _code: &dyn CodeMemory) -> Decision {
        let holds_back = front.previous.is_some_and(ends_with_a_change);
        Decision::of(front.sampled(self.sampled_before()).filter(|_| !holds_back), || 0)
    }
}

/// Returns true if the last instruction of a block writes what decides about interrupts.
fn ends_with_a_change(block: &Block) -> bool {
    let decides = |op: &Op| op.dst().is_some_and(|cell| matches!(cell, IE | IP | HIGH));
    let last = block.insns.last().filter(|insn| insn.class != Class::Interrupt as u8);
    last.is_some_and(|insn| block.ops[insn.ops.clone()].iter().any(decides))
}
