//! The timing of AVR cores: how a core's class table becomes the cost of a block.
//!
//! An instruction takes what its class says, whatever ran before, but for rounds of DES in a row;
//! docs/timing-avr.md lists every rule with its source. An access that waits longer than one cycle adds the
//! rest.

mod interrupts;

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Exit, Insn, Op};
use cocrypt_isa::{
    BlockCost, ClassCost, CodeMemory, Extra, InsnCost, InterruptTiming, PipelineState, Select,
    TimingModel,
};

use crate::class::CLASSES;

/// A core file names a rule that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The class.
    pub class: String,
    /// The rule.
    pub rule: String,
}

/// The pipeline state behind an instruction that goes on faster with another of its class.
const IN_SERIES: PipelineState = 1;

/// The timing model of an AVR, made from its class table.
#[derive(Clone, Debug)]
pub struct Timing(Vec<Option<(ClassCost, Rule)>>);

/// The dynamic rules that a core file may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// As many cycles as the class has.
    Plain,
    /// So many more where a branch is taken.
    Branch,
    /// One more for each word that is skipped.
    Skip,
    /// So many more for an access from the core's boundary in the data space on.
    Beyond,
    /// So many more unless the instruction before it was one of the same class.
    Series,
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
        let extra = (rule == Rule::Beyond && insn.operand.is_some()).then(|| Extra {
            select: Select::NonZero,
            table: vec![0, class.per_step.unwrap_or(1)],
            exit_states: vec![],
            of: None,
        });
        let sample = class.ask - 1;
        InsnCost { cycles: class.ask + waits, sample, extra, ..InsnCost::default() }
    }

    /// The extra cost of the first instruction of a series.
    fn begins(&self, insn: &Insn, state: PipelineState) -> u32 {
        let (class, rule) = self.of(insn);
        let is_first = rule == Rule::Series && state != IN_SERIES;
        if is_first { class.per_step.unwrap_or(1) } else { 0 }
    }

    fn state_behind(&self, insn: &Insn) -> PipelineState {
        if self.of(insn).1 == Rule::Series { IN_SERIES } else { 0 }
    }

    /// The cost of a taken branch or skip.
    fn taken(&self, insn: &Insn, exit: &Exit, otherwise: u32) -> u32 {
        let (class, rule) = self.of(insn);
        match (rule, exit) {
            (Rule::Branch, _) => otherwise + class.per_step.unwrap_or(1),
            (Rule::Skip, Exit::Branch { taken, next, .. }) => {
                // The flash memory may end in between.
                let skipped = taken.wrapping_sub(*next) % 8;
                otherwise + skipped as u32 / 2
            }
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
        state: PipelineState,
    ) -> BlockCost {
        let mut state = state;
        let cost = |insn| {
            let mut cost = self.insn(insn, block, data_wait);
            cost.cycles += self.begins(insn, state);
            state = self.state_behind(insn);
            cost
        };
        let insns: Vec<_> = block.insns.iter().map(cost).collect();
        let (Some(insn), Some(last)) = (block.insns.last(), insns.last()) else {
            return BlockCost::default();
        };
        let taken = self.taken(insn, &block.exit, last.cycles);
        let exit_states = [state; 2];
        BlockCost { taken, refused: taken, exit_states, insns, ..BlockCost::default() }
    }

    /// Data sheets count from where the clock has started, and say nothing of what comes before the first
    /// instruction.
    fn reset(&self, _pc: u64, _code: &dyn CodeMemory) -> u64 {
        0
    }

    /// The next instruction is fetched while one runs; code does not change its own flash memory by stores.
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
        Some("skip") => Rule::Skip,
        Some("beyond") => Rule::Beyond,
        Some("series") => Rule::Series,
        Some(_) => return None,
    })
}
