//! The timing of MCS-51 cores: how a core's class table becomes the cost of a block.
//!
//! An instruction takes what its class says, whatever ran before; docs/timing-8051.md lists every rule with its
//! source. An access that waits longer than one cycle adds the rest.

mod interrupts;

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Exit, Insn, Op};
use cocrypt_isa::{
    BlockCost, ClassCost, CodeMemory, Extra, InsnCost, InterruptTiming, PipelineState, Select,
    TimingModel,
};

use crate::class::{CLASSES, Class};

/// A core file names a rule that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The class.
    pub class: String,
    /// The rule.
    pub rule: String,
}

/// The timing model of an MCS-51, made from its class table.
#[derive(Clone, Debug)]
pub struct Timing(Vec<Option<(ClassCost, Rule)>>);

/// The dynamic rules that a core file may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// As many cycles as the class has.
    Plain,
    /// So many more where a branch is taken.
    Branch,
}

impl Timing {
    /// Builds the model from a core's class table, by class name.
    ///
    /// # Errors
    /// If a class names a rule that is not known here.
    pub fn new(table: &BTreeMap<String, ClassCost>) -> Result<Self, UnknownRule> {
        let class = |name: &&str| {
            let Some(cost) = table.get(*name) else { return Ok(None) };
            let rule = rule(cost.rule.as_deref()).ok_or_else(|| UnknownRule {
                class: (*name).to_owned(),
                rule: cost.rule.clone().unwrap_or_default(),
            })?;
            Ok(Some((cost.clone(), rule)))
        };
        Ok(Self(CLASSES.iter().map(class).collect::<Result<_, _>>()?))
    }

    fn of(&self, insn: &Insn) -> (&ClassCost, Rule) {
        // Lifting declines classes that the core lacks, so the class is there.
        let (cost, rule) = self.0[usize::from(insn.class)]
            .as_ref()
            .expect("a lifted instruction's class is in the core's table");
        (cost, *rule)
    }

    fn insn(&self, insn: &Insn, block: &Block, data_wait: u32) -> InsnCost {
        let (class, rule) = self.of(insn);
        let accesses = block.ops[insn.ops.clone()].iter().filter(|op| Op::is_access(op)).count();
        let waits = accesses as u32 * data_wait.saturating_sub(1);
        // A branch that changes the bank has no two targets: the operand says whether it is taken.
        let extra = (rule == Rule::Branch && insn.operand.is_some()).then(|| Extra {
            select: Select::NonZero,
            table: vec![0, class.per_step.unwrap_or(1)],
            exit_states: vec![],
            of: None,
        });
        // The way into a handler counts from its beginning.
        let is_entry = insn.class == Class::Interrupt as u8;
        let sample = if is_entry { 0 } else { class.ask - 1 };
        InsnCost { cycles: class.ask + waits, sample, extra, ..InsnCost::default() }
    }

    /// The cost of a taken branch.
    fn taken(&self, insn: &Insn, exit: &Exit, otherwise: u32) -> u32 {
        let (class, rule) = self.of(insn);
        match (rule, exit) {
            (Rule::Branch, Exit::Branch { .. }) => otherwise + class.per_step.unwrap_or(1),
            _ => otherwise,
        }
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
        let taken = self.taken(insn, &block.exit, last.cycles);
        BlockCost { taken, refused: taken, insns, ..BlockCost::default() }
    }

    /// The manual counts from the first instruction on.
    fn reset(&self, _pc: u64, _code: &dyn CodeMemory) -> u64 {
        0
    }

    /// The next instruction is fetched while one runs; no store reaches memory for code.
    fn fetches_ahead(&self) -> bool {
        true
    }

    fn interrupts(&self) -> &dyn InterruptTiming {
        self
    }

    fn implements(&self, class: u8) -> bool {
        self.0.get(usize::from(class)).is_some_and(Option::is_some)
    }
}

fn rule(name: Option<&str>) -> Option<Rule> {
    Some(match name {
        None => Rule::Plain,
        Some("branch") => Rule::Branch,
        Some(_) => return None,
    })
}
