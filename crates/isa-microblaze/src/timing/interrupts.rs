//! The interrupt timing: none is taken between `imm` and what it belongs to, or in front of a delay slot (UG984,
//! chapter 2, "Interrupt"), or directly behind an atomic access to a link (chapter 5, `get` and `put`).

use cocrypt_isa::{CodeMemory, Decision, Front, InterruptTiming};

use super::Timing;
use crate::class::Class;
use crate::decode::{Decoded, decode, word};
use crate::mode;
use crate::stream::Variant;
use crate::table::Opcode;

impl InterruptTiming for Timing {
    fn decide(&self, front: &Front<'_>, code: &dyn CodeMemory) -> Decision {
        let belongs = match front.previous {
            Some(block) => mode::binds(block.onward),
            None => front.left.is_some_and(|length| {
                let before = front.pc.wrapping_sub(length.into());
                let insn = word(code, self.order, before).and_then(decode);
                insn.is_some_and(binds)
            }),
        };
        Decision::of(front.sampled(self.sampled_before()).filter(|_| !belongs), || 0)
    }
}

/// Returns true if the next instruction belongs to one.
fn binds(insn: Decoded) -> bool {
    let row = insn.opcode.row();
    let delays = matches!(row.class, Class::BranchDelayed | Class::JumpDelayed | Class::Return);
    delays || row.opcode == Opcode::Imm || Variant::of(insn).is_some_and(|variant| variant.atomic)
}
