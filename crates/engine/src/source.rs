//! The source of a translated block, for execution, profiling and compilation.

use cocrypt_ir::Block;
use cocrypt_isa::{BlockCost, InsnCost};

use crate::context_transition::{ContextTransition, Jump};
use crate::leakage::Observation;

/// The source from which a block was translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The lifted block.
    pub block: Block,
    /// Its cost.
    pub cost: BlockCost,
    /// The computed target that leads to it.
    pub reached: u64,
    /// The index of its counter.
    pub counter: u32,
    /// The context transitions of its links; all [`ContextTransition::Stay`] where there are none.
    pub transitions: [ContextTransition; 2],
    /// Its last instruction, as calling contexts see it.
    pub jump: Jump,
    /// The function that it belongs to, where there are calling contexts.
    pub function: u32,
    /// The values that a leakage model is told of, if one is sampled.
    pub observation: Option<Observation>,
}

impl Source {
    /// First address behind it.
    #[must_use]
    pub fn end(&self) -> u64 {
        let last = self.block.insns.last();
        last.map_or(self.block.start, |insn| insn.pc + u64::from(insn.length))
    }

    /// Cycles that it takes at most, where an access waits no longer than `longest_wait`.
    #[must_use]
    pub fn longest(&self, longest_wait: u32) -> u64 {
        let cost = &self.cost;
        let whole: u64 = cost.insns.iter().map(|insn| u64::from(insn.cycles)).sum();
        let dynamic = |insn: &InsnCost| {
            let extra = insn.extra.as_ref().and_then(|extra| extra.table.iter().max());
            u64::from(extra.copied().unwrap_or(0)) + u64::from(insn.miss)
        };
        let extras: u64 = cost.insns.iter().map(dynamic).sum();
        let lines: u64 = cost.lines.iter().map(|line| u64::from(line.miss.max(0) as u32)).sum();
        let accesses = self.block.ops.iter().filter(|op| op.is_access());
        let waits = accesses.count() as u64 * u64::from(longest_wait);
        whole + u64::from(cost.taken) + u64::from(cost.entry) + extras + lines + waits
    }
}
