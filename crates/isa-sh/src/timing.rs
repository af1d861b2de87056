//! The timing of the pipeline of five stages of SH-1 to SH-3: how a core's class table becomes the cost of a block.
//!
//! An instruction takes what its class says, and waits for what instructions before it have not finished yet;
//! docs/timing-sh.md lists every rule with its source. An access, or a fetch of two instructions, that waits longer than
//! one cycle adds the rest. A taken branch with a delay slot costs its cycles behind the slot.

mod interlock;
mod interrupts;
mod rule;
mod usage;

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Exit, Insn, Op, Value};
use cocrypt_isa::{
    BlockCost, ByteOrder, ClassCost, CodeMemory, Extra, InsnCost, InterruptTiming, PipelineState,
    Select, TimingModel,
};

use crate::class::{CLASSES, Class};
use crate::exceptions::behind;
use crate::mode;
use interlock::Interlocks;
use rule::Rule;
pub use rule::WrongRule;
use usage::{Usage, usage};

/// The timing model, made from a core's class table.
#[derive(Clone, Debug)]
pub struct Timing {
    classes: Vec<Option<(ClassCost, Rule)>>,
    order: ByteOrder,
    /// True if fetches of 32 bits and accesses share one bus.
    conflicts: bool,
    /// True for SH-1 and SH-2, on which no interrupt comes behind an instruction that moves a special register.
    shields: bool,
}

impl Timing {
    /// Builds the model from a core's class table, by class name.
    ///
    /// # Errors
    /// If a class names a rule that is not known here, or gives it more cycles than it counts.
    pub fn new(
        table: &BTreeMap<String, ClassCost>,
        order: ByteOrder,
        conflicts: bool,
        shields: bool,
    ) -> Result<Self, WrongRule> {
        let class = |name: &&str| {
            let Some(cost) = table.get(*name) else { return Ok(None) };
            Ok(Some((cost.clone(), Rule::of(name, cost)?)))
        };
        let classes = CLASSES.iter().map(class).collect::<Result<_, _>>()?;
        Ok(Self { classes, order, conflicts, shields })
    }

    fn of(&self, insn: &Insn) -> (&ClassCost, Rule) {
        // Lifting declines classes that the core lacks, so the class is there.
        let (cost, rule) = self.classes[usize::from(insn.class)]
            .as_ref()
            .expect("a lifted instruction's class is in the core's table");
        (cost, *rule)
    }

    /// The cost of an instruction that waits for nothing before it, but `fetch` cycles for itself, and of whose accesses one
    /// holds up a fetch for `split` cycles.
    fn alone(
        &self,
        insn: &Insn,
        block: &Block,
        data_wait: u32,
        fetch: u32,
        split: u32,
    ) -> InsnCost {
        let (class, rule) = self.of(insn);
        let accesses = block.ops[insn.ops.clone()].iter().filter(|op| Op::is_access(op)).count();
        let more = accesses as u32 * data_wait.saturating_sub(1) + fetch + split;
        let enters = insn.length == 0;
        let cycles = match rule {
            Rule::Delayed => 1,
            // The cycles of a trap are those of the way to its handler.
            _ if enters && insn.class == Class::Trap as u8 => 0,
            _ => class.ask,
        };
        let is_asked = rule == Rule::Branch && insn.operand.is_some();
        let extra = is_asked.then(|| Extra {
            select: Select::NonZero,
            table: vec![0, per_step(class)],
            exit_states: vec![],
            of: None,
        });
        // The entry into a handler begins where the exception shows, and not with an access of its own.
        let sample = if enters { 0 } else { fetch + split + cycles - 1 };
        InsnCost { cycles: cycles + more, sample, extra, ..InsnCost::default() }
    }

    /// Cycles between the delay slot, or the branch without one, and what the branch leads to.
    fn bubble(&self, block: &Block) -> u32 {
        let count = block.insns.len();
        let in_slot = mode::slot(block.insns[count - 1].mode).is_some();
        let Some(branch) = (if in_slot { count.checked_sub(2) } else { Some(count - 1) }) else {
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

    /// Notes what an instruction leaves unfinished.
    fn leave(&self, insn: &Insn, loaded: Option<u8>, interlocks: &mut Interlocks) {
        let (class, rule) = self.of(insn);
        match rule {
            Rule::Loaded => interlocks.load(loaded, per_step(class)),
            Rule::Multiplier => {
                // The multiplier works while a fetch goes on that waited for the last access.
                let passed = u32::from(self.conflicts && begins_behind(insn.pc));
                interlocks.multiplier = per_step(class).saturating_sub(passed);
            }
            Rule::Control => interlocks.control = per_step(class),
            _ => {}
        }
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
        let mut interlocks = Interlocks::of(state);
        let mut insns = Vec::with_capacity(block.insns.len());
        for insn in &block.insns {
            let fetch = interlocks.fetch(insn, code);
            let used = usage(insn, code, self.order);
            let meets = used.is_some_and(|used| self.conflicts && meets_fetch(insn.pc, used));
            let mut cost = self.alone(insn, block, data_wait, fetch, u32::from(meets));
            let stall = used.map_or(0, |used| interlocks.wait(used));
            cost.cycles += stall;
            cost.sample += stall;
            interlocks.pass(cost.cycles);
            self.leave(insn, used.and_then(|used| used.loads), &mut interlocks);
            insns.push(cost);
        }
        let Some(last) = insns.last_mut() else { return BlockCost::default() };
        let bubble = self.bubble(block);
        let is_conditional = matches!(block.exit, Exit::Branch { .. });
        if !is_conditional {
            last.cycles += bubble;
        }
        let taken = last.cycles + if is_conditional { bubble } else { 0 };
        let jumped = interlocks.after(bubble);
        let onward = if is_conditional { interlocks } else { jumped };
        let onward = if goes_on(block) { onward } else { onward.elsewhere() };
        let exit_states = [onward.state(), jumped.elsewhere().state()];
        BlockCost { taken, refused: taken, exit_states, insns, ..BlockCost::default() }
    }

    /// The manual does not say how long a core takes from reset to the first instruction.
    fn reset(&self, _pc: u64, _code: &dyn CodeMemory) -> u64 {
        0
    }

    /// Two instructions are fetched at once, ahead of the one that is executed.
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

/// Returns true if an access of an instruction, to memory or to the multiplier, meets a fetch of 32 bits. A single access
/// meets that of the third instruction behind its own, which begins 32 bits if its own does not; of two in a row, the first
/// meets that of the second instruction behind, or the second that of the third.
const fn meets_fetch(pc: u64, used: Usage) -> bool {
    match used.accesses {
        0 => false,
        1 => begins_behind(pc),
        _ => true,
    }
}

/// Returns true if an instruction is the second one of 32 bits.
const fn begins_behind(pc: u64) -> bool {
    pc & 2 != 0
}

/// Returns true if the first exit of a block leads to the instruction behind it.
fn goes_on(block: &Block) -> bool {
    match (block.exit, block.insns.last()) {
        (Exit::Next { .. } | Exit::Branch { .. }, _) => true,
        (Exit::Yield { target: Value::Const(target) }, Some(last)) => target == behind(last.pc),
        _ => false,
    }
}

fn per_step(class: &ClassCost) -> u32 {
    class.per_step.unwrap_or(0)
}
