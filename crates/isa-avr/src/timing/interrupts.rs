//! The interrupt timing of AVR.

use cocrypt_ir::Exit;
use cocrypt_isa::{CodeMemory, Decision, Front, InterruptTiming};

use super::Timing;

impl InterruptTiming for Timing {
    /// The instruction behind one that may have enabled interrupts is executed first: `sei` and `reti`
    /// (DS40002198, section 6.104, and the data sheets on interrupts), and a write of the status register.
    /// These alone end blocks like that.
    fn decide(&self, front: &Front<'_>, _code: &dyn CodeMemory) -> Decision {
        let yields = |exit: &Exit| matches!(exit, Exit::Yield { .. } | Exit::YieldIf { .. });
        let enabled = front.previous.is_some_and(|block| yields(&block.exit));
        Decision::of(front.sampled(self.sampled_before()).filter(|_| !enabled), || 0)
    }
}
