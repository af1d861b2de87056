//! The timing of MicroBlaze's pipelines of three and of five stages: how a core's class table becomes the cost of
//! a block.
//!
//! An instruction takes what its class says, and waits for results of the one or two before it that are not there
//! yet; docs/timing-microblaze.md lists every rule with its source. A fetch or an access that waits longer than one
//! cycle adds the rest. A taken branch with a delay slot costs its cycles behind the slot.

mod interlock;
mod interrupts;
mod operands;

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Exit, Insn, Op};
use cocrypt_isa::{
    BlockCost, ByteOrder, CachesOn, ClassCost, CodeMemory, Extra, InsnCost, InterruptTiming,
    PipelineState, Select, TimingModel,
};

use crate::class::{CLASSES, Class};
use crate::mode;
use interlock::Results;
use operands::operands;

/// A core file names a rule that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The class.
    pub class: String,
    /// The rule.
    pub rule: String,
}

/// The dynamic rules that a core file may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// As many cycles as the class has.
    Plain,
    /// So many more where a branch is taken.
    Branch,
    /// All cycles but the first behind the delay slot.
    Delayed,
    /// The result is there so many cycles after it would be for the next instruction.
    Result,
    /// The same, but one cycle where the divisor is 0.
    Divide,
}

/// The timing model, made from a core's class table.
#[derive(Clone, Debug)]
pub struct Timing {
    classes: Vec<Option<(ClassCost, Rule)>>,
    order: ByteOrder,
}

impl Timing {
    /// Builds the model from a core's class table, by class name.
    ///
    /// # Errors
    /// If a class names a rule that is not known here.
    pub fn new(table: &BTreeMap<String, ClassCost>, order: ByteOrder) -> Result<Self, UnknownRule> {
        let class = |name: &&str| {
            let Some(cost) = table.get(*name) else { return Ok(None) };
            let rule = rule(cost.rule.as_deref()).ok_or_else(|| UnknownRule {
                class: (*name).to_owned(),
                rule: cost.rule.clone().unwrap_or_default(),
            })?;
            Ok(Some((cost.clone(), rule)))
        };
        Ok(Self { classes: CLASSES.iter().map(class).collect::<Result<_, _>>()?, order })
    }

    fn of(&self, insn: &Insn) -> (&ClassCost, Rule) {
        // Lifting declines classes that the core lacks, so the class is there.
        let (cost, rule) = self.classes[usize::from(insn.class)]
            .as_ref()
            .expect("a lifted instruction's class is in the core's table");
        (cost, *rule)
    }

    /// The cost of an instruction that waits for nothing.
    fn alone(&self, insn: &Insn, block: &Block, waits: &Waits<'_>) -> InsnCost {
        let (class, rule) = self.of(insn);
        let accesses = memory_accesses(insn, block);
        let fetch = if insn.length == 0 { 0 } else { waits.code.fetch_wait(insn.pc) - 1 };
        let more = accesses as u32 * waits.data.saturating_sub(1) + fetch;
        let (cycles, table) = match rule {
            Rule::Divide => (1, Some(vec![0, class.ask - 1])),
            Rule::Branch => (class.ask, Some(vec![0, per_step(class)])),
            Rule::Delayed => (1, None),
            Rule::Plain | Rule::Result => (class.ask, None),
        };
        let table = table.filter(|_| insn.operand.is_some());
        let extra = table.map(|table| Extra {
            select: Select::NonZero,
            table,
            exit_states: vec![],
            of: None,
        });
        // The entry into a handler begins where the exception shows, and not with an access of its own.
        let sample = if insn.length == 0 { 0 } else { fetch + cycles - 1 };
        InsnCost { cycles: cycles + more, sample, extra, ..InsnCost::default() }
    }

    /// The further cycles of a division whose divisor is not 0.
    fn division(&self, cost: &InsnCost, insn: &Insn) -> u32 {
        let divides = self.of(insn).1 == Rule::Divide;
        cost.extra.as_ref().filter(|_| divides).map_or(0, |extra| extra.table[1])
    }

    /// Cycles between the delay slot, or the branch without one, and what the branch leads to.
    fn bubble(&self, block: &Block) -> u32 {
        let count = block.insns.len();
        let last = &block.insns[count - 1];
        let slot = mode::slot(last.mode).is_some();
        let Some(branch) = (if slot { count.checked_sub(2) } else { Some(count - 1) }) else {
            // The block begins with the slot, so that the branch had its cycles before.
            return 0;
        };
        let branch = &block.insns[branch];
        let (class, rule) = self.of(branch);
        match rule {
            Rule::Delayed => class.ask - 1,
            Rule::Branch if branch.operand.is_none() => per_step(class),
            _ => 0,
        }
    }
}

/// The waits of memory.
struct Waits<'a> {
    code: &'a dyn CodeMemory,
    data: u32,
}

impl TimingModel for Timing {
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        state: PipelineState,
    ) -> BlockCost {
        let waits = Waits { code, data: data_wait };
        let mut results = Results::of(state);
        let mut insns = Vec::with_capacity(block.insns.len());
        for insn in &block.insns {
            let mut cost = self.alone(insn, block, &waits);
            let used = operands(insn, code, self.order);
            let stall = used.map_or(0, |used| results.wait(used));
            cost.cycles += stall;
            cost.sample += stall;
            results.pass(cost.cycles + self.division(&cost, insn));
            if let (Some(used), (class, Rule::Result | Rule::Divide)) = (used, self.of(insn)) {
                results.begin(used.writes, per_step(class));
            } else if let Some(used) = used {
                results.forget(used.writes);
            }
            insns.push(cost);
        }
        let Some(last) = insns.last_mut() else { return BlockCost::default() };
        let bubble = self.bubble(block);
        let is_conditional = matches!(block.exit, Exit::Branch { .. });
        if !is_conditional {
            last.cycles += bubble;
        }
        let taken = last.cycles + if is_conditional { bubble } else { 0 };
        let behind = results.after(bubble).state();
        let exit_states = [if is_conditional { results.state() } else { behind }, behind];
        BlockCost { taken, refused: taken, exit_states, insns, ..BlockCost::default() }
    }

    /// The guide does not say how long a core takes from reset to the first instruction.
    fn reset(&self, _pc: u64, _code: &dyn CodeMemory) -> u64 {
        0
    }

    /// The prefetch buffer has the next instruction when a store reaches memory.
    fn fetches_ahead(&self) -> bool {
        true
    }

    fn interrupts(&self) -> &dyn InterruptTiming {
        self
    }

    fn caches_on(&self, mode: u32) -> CachesOn {
        mode::caches_on(mode)
    }

    fn implements(&self, class: u8) -> bool {
        self.classes.get(usize::from(class)).is_some_and(Option::is_some)
    }
}

/// The number of an instruction's accesses to memory. A link answers as fast as the core asks, whatever memories wait.
fn memory_accesses(insn: &Insn, block: &Block) -> usize {
    let ops = block.ops[insn.ops.clone()].iter();
    let is_link = insn.class == Class::Stream as u8;
    if is_link { 0 } else { ops.filter(|op| Op::is_access(op)).count() }
}

fn per_step(class: &ClassCost) -> u32 {
    class.per_step.unwrap_or(0)
}

fn rule(name: Option<&str>) -> Option<Rule> {
    Some(match name {
        None => Rule::Plain,
        Some("branch") => Rule::Branch,
        Some("delayed") => Rule::Delayed,
        Some("result") => Rule::Result,
        Some("divide") => Rule::Divide,
        Some(_) => return None,
    })
}
