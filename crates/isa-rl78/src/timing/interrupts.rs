//! The interrupt timing of RL78.

use cocrypt_ir::Exit;
use cocrypt_isa::{CodeMemory, Decision, Front, InterruptTiming};

use super::Timing;

impl InterruptTiming for Timing {
    /// The instruction behind one that changes the program status word is executed first (hardware manuals,
    /// "Interrupt request hold"). These alone end blocks like that.
    fn decide(&self, front: &Front<'_>, _code: &dyn CodeMemory) -> Decision {
        let yields = |exit: &Exit| matches!(exit, Exit::Yield { .. } | Exit::YieldIf { .. });
        let changed = front.previous.is_some_and(|block| yields(&block.exit));
        Decision::of(front.sampled(self.sampled_before()).filter(|_| !changed), || 0)
    }
}
