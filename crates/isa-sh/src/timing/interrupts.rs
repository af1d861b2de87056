//! The interrupt timing: none is taken in front of a delay slot.

use cocrypt_isa::{CodeMemory, Decision, Front, InterruptTiming};

use super::Timing;
use crate::class::Class;
use crate::decode::{decode, word};
use crate::mode::Slot;

impl InterruptTiming for Timing {
    fn decide(&self, front: &Front<'_>, code: &dyn CodeMemory) -> Decision {
        let belongs = match front.previous {
            Some(block) => Slot::of(block.onward).is_some(),
            None => front.left.is_some_and(|length| {
                let before = front.pc.wrapping_sub(length.into());
                let insn = word(code, self.order, before).and_then(decode);
                insn.is_some_and(|insn| delays(insn.opcode.row().class))
            }),
        };
        Decision::of(front.sampled(self.sampled_before()).filter(|_| !belongs), || 0)
    }
}

/// Returns true if the next instruction is in a delay slot.
const fn delays(class: Class) -> bool {
    matches!(class, Class::BranchDelayed | Class::Jump | Class::Return)
}
