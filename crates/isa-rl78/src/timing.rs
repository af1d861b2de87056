//! The timing of RL78 cores: how a core's class table becomes the cost of a block.
//!
//! An instruction takes what its class says, one cycle more behind the prefix `es:`, and one more if it
//! addresses memory or code by a register that the instruction before it wrote; docs/timing-rl78.md lists every
//! rule with its source. An access that waits longer than one cycle adds the rest. Where an instruction's fetch takes
//! longer than one cycle, in RAM, all of its cycles take so many times as long, and a jump fills the queue again.

mod hazard;
mod interrupts;

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Exit, Insn, Op, Value};
use cocrypt_isa::{
    BlockCost, ClassCost, CodeMemory, Extra, InsnCost, InterruptTiming, PipelineState, Select,
    TimingModel,
};

use crate::class::CLASSES;
use crate::decode::{Decoded, Read};
use crate::features::Variant;
use crate::lift::read;

/// Cycles in which a jump from RAM fills the queue of instructions.
const REFILL: u32 = 6;

/// A core file names a rule that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The class.
    pub class: String,
    /// The rule.
    pub rule: String,
}

/// The timing model of an RL78, made from its class table.
#[derive(Clone, Debug)]
pub struct Timing {
    core: Variant,
    classes: Vec<Option<(ClassCost, Rule)>>,
}

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
    pub fn new(core: Variant, table: &BTreeMap<String, ClassCost>) -> Result<Self, UnknownRule> {
        let class = |name: &&str| {
            let Some(cost) = table.get(*name) else { return Ok(None) };
            let rule = rule(cost.rule.as_deref()).ok_or_else(|| UnknownRule {
                class: (*name).to_owned(),
                rule: cost.rule.clone().unwrap_or_default(),
            })?;
            Ok(Some((cost.clone(), rule)))
        };
        Ok(Self { core, classes: CLASSES.iter().map(class).collect::<Result<_, _>>()? })
    }

    fn of(&self, insn: &Insn) -> (&ClassCost, Rule) {
        // Lifting declines classes that the core lacks, so the class is there.
        let (cost, rule) = self.classes[usize::from(insn.class)]
            .as_ref()
            .expect("a lifted instruction's class is in the core's table");
        (cost, *rule)
    }

    fn insn(&self, insn: &Insn, block: &Block, waits: Waits, further: u32) -> InsnCost {
        let (class, _) = self.of(insn);
        // A branch that may change what interrupts it does not end its block as branches do.
        let extra = insn.operand.is_some().then(|| Extra {
            select: Select::NonZero,
            table: vec![0, waits.taken(class.per_step.unwrap_or(0))],
            exit_states: vec![],
            of: None,
        });
        let accesses = block.ops[insn.ops.clone()].iter().filter(|op| Op::is_access(op)).count();
        let waited = accesses as u32 * waits.data.saturating_sub(1);
        let cycles = class.ask + further + waited;
        let fetched = cycles * (waits.fetch - 1);
        let (sample, cycles) = (class.ask - 1 + further + fetched, cycles + fetched);
        InsnCost { cycles, sample, extra, ..InsnCost::default() }
    }

    /// The instruction that one of a block is, unless it is an entry into a handler.
    fn decoded(&self, insn: &Insn, code: &dyn CodeMemory) -> Option<Decoded> {
        match read(self.core, code, insn.pc) {
            Read::Insn(decoded) if decoded.length == insn.length => Some(decoded),
            _ => None,
        }
    }
}

/// The cycles of an access to memory, and of the fetch of an instruction.
#[derive(Clone, Copy)]
struct Waits {
    data: u32,
    fetch: u32,
}

impl Waits {
    fn of(insn: &Insn, code: &dyn CodeMemory, data: u32) -> Self {
        // The entry into a handler is not fetched.
        let fetch = if insn.length == 0 { 1 } else { code.fetch_wait(insn.pc).max(1) };
        Self { data, fetch }
    }

    /// The cycles that a taken branch takes beside those of one that is not.
    const fn taken(self, cycles: u32) -> u32 {
        cycles * self.fetch + self.refill()
    }

    const fn refill(self) -> u32 {
        if self.fetch > 1 { REFILL } else { 0 }
    }
}

impl TimingModel for Timing {
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        state: PipelineState,
    ) -> BlockCost {
        let mut state = state;
        let cost = |insn| {
            let decoded = self.decoded(insn, code);
            let prefix = decoded.is_some_and(|decoded| decoded.prefixed);
            let waits = decoded.is_some_and(|decoded| state & hazard::addresses(&decoded) != 0);
            state = decoded.map_or(0, |decoded| hazard::written(&decoded));
            let access = Waits::of(insn, code, data_wait);
            self.insn(insn, block, access, u32::from(prefix) + u32::from(waits))
        };
        let mut insns: Vec<_> = block.insns.iter().map(cost).collect();
        let (Some(insn), Some(last)) = (block.insns.last(), insns.last_mut()) else {
            return BlockCost::default();
        };
        let (class, rule) = self.of(insn);
        let waits = Waits::of(insn, code, data_wait);
        let more = if rule == Rule::Branch { waits.taken(class.per_step.unwrap_or(0)) } else { 0 };
        if rule == Rule::Plain && jumps(&block.exit) {
            last.cycles += waits.refill();
        }
        let taken = last.cycles + more;
        let exit_states = [state; 2];
        BlockCost { taken, refused: taken, exit_states, insns, ..BlockCost::default() }
    }

    /// The time from reset to the first instruction depends on the clock's start, which cycles do not count.
    fn reset(&self, _pc: u64, _code: &dyn CodeMemory) -> u64 {
        0
    }

    /// The next instruction is fetched while one runs.
    fn fetches_ahead(&self) -> bool {
        true
    }

    fn interrupts(&self) -> &dyn InterruptTiming {
        self
    }

    fn implements(&self, class: u8) -> bool {
        self.classes.get(usize::from(class)).is_some_and(Option::is_some)
    }
}

/// Returns true for the exit of a jump, a call or a return; what is skipped is no jump.
const fn jumps(exit: &Exit) -> bool {
    matches!(
        exit,
        Exit::Jump { .. } | Exit::Indirect { .. } | Exit::Yield { target: Value::Slot(_) }
    )
}

fn rule(name: Option<&str>) -> Option<Rule> {
    Some(match name {
        None => Rule::Plain,
        Some("branch") => Rule::Branch,
        Some(_) => return None,
    })
}
