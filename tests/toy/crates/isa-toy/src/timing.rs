//! The timing of the core: what its class says, and the wait of each access beyond one cycle.

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Insn, Op};
use cocrypt_isa::{
    BlockCost, ClassCost, CodeMemory, CoreError, InsnCost, PipelineState, TimingModel,
};

use crate::table::CLASSES;

/// The timing model, made from the core's class table.
#[derive(Debug)]
pub struct Timing(Vec<Option<ClassCost>>);

/// The one rule that core files name: so many cycles more where a branch is taken.
const BRANCH: &str = "branch";

impl Timing {
    /// Builds the model from a core's class table.
    ///
    /// # Errors
    /// If a class names a rule that is not known here.
    pub fn new(table: &BTreeMap<String, ClassCost>) -> Result<Self, CoreError> {
        let rules = table.iter().filter_map(|(class, cost)| Some((class, cost.rule.as_ref()?)));
        for (class, rule) in rules {
            if rule != BRANCH {
                let (class, rule) = (class.clone(), rule.clone());
                return Err(CoreError::UnknownRule { class, rule });
            }
        }
        Ok(Self(CLASSES.iter().map(|class| table.get(*class).cloned()).collect()))
    }

    fn of(&self, insn: &Insn) -> &ClassCost {
        self.0[usize::from(insn.class)].as_ref().expect("the core file has every class")
    }

    fn insn(&self, insn: &Insn, block: &Block, data_wait: u32) -> InsnCost {
        let accesses = block.ops[insn.ops.clone()].iter().filter(|op| Op::is_access(op)).count();
        let class = self.of(insn);
        let waits = accesses as u32 * data_wait.saturating_sub(1);
        InsnCost { cycles: class.ask + waits, sample: class.ask - 1, ..InsnCost::default() }
    }
}

impl TimingModel for Timing {
    fn cost(
        &self,
        block: &Block,
        _code: &dyn CodeMemory,
        data_wait: u32,
        _state: PipelineState,
    ) -> BlockCost {
        let insns: Vec<_> =
            block.insns.iter().map(|insn| self.insn(insn, block, data_wait)).collect();
        let (Some(insn), Some(last)) = (block.insns.last(), insns.last()) else {
            return BlockCost::default();
        };
        let taken = last.cycles + self.of(insn).per_step.unwrap_or(0);
        BlockCost { taken, refused: taken, insns, ..BlockCost::default() }
    }

    fn reset(&self, _pc: u64, _code: &dyn CodeMemory) -> u64 {
        0
    }

    fn fetches_ahead(&self) -> bool {
        false
    }

    fn implements(&self, class: u8) -> bool {
        self.0.get(usize::from(class)).is_some_and(Option::is_some)
    }
}
