//! The interrupt timing: none is taken in front of a delay slot, nor on SH-1 and SH-2 behind an instruction that moves a
//! special register (SH7604 Hardware Manual, section 4.6, "interrupt-disabled instruction": `ldc`, `stc`, `lds`, `sts`).

use cocrypt_isa::{CodeMemory, Decision, Front, InterruptTiming};

use super::Timing;
use crate::class::Class;
use crate::decode::{decode, word};
use crate::mode;
use crate::table::Row;

impl InterruptTiming for Timing {
    fn decide(&self, front: &Front<'_>, code: &dyn CodeMemory) -> Decision {
        let delays_this = front.previous.map(|block| mode::slot(block.onward).is_some());
        let before = match front.previous {
            Some(block) => block.insns.last().filter(|insn| insn.length != 0).map(|insn| insn.pc),
            None => front.left.map(|length| front.pc.wrapping_sub(length.into())),
        };
        let row = before.and_then(|pc| word(code, self.order, pc)).and_then(decode);
        let belongs = row.map(|insn| insn.opcode.row()).is_some_and(|row| {
            delays_this.unwrap_or_else(|| delays(row.class)) || self.shields && moves_special(row)
        });
        Decision::of(front.sampled(self.sampled_before()).filter(|_| !belongs), || 0)
    }
}

/// Returns true if the next instruction is in a delay slot.
const fn delays(class: Class) -> bool {
    matches!(class, Class::BranchDelayed | Class::Jump | Class::Return)
}

/// Returns true if an instruction moves, loads or stores a special register.
fn moves_special(row: &Row) -> bool {
    ["ldc", "stc", "lds", "sts"].iter().any(|name| row.name.starts_with(name))
}
