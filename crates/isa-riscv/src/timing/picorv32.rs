//! PicoRV32: when the next instruction arrives, given when the core asks for it.
//!
//! Source: picorv32.v (YosysHQ/picorv32 87c89ac), the memory interface (`mem_state`,
//! `prefetched_high_word`) and the state machine (`cpu_state`). Times are cycles counted from the
//! issue of an instruction (`launch_next_insn`). The core requests the next word in cycle 1, the
//! word is on the bus from cycle 2, and W is the wait of the memory that it comes from.

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Exit, Insn};
use cocrypt_isa::{
    BlockCost, ClassCost, CodeMemory, Decision, Extra, Front, InsnCost, InterruptTiming,
    PipelineState, Select, TimingModel,
};

use super::{Classes, UnknownRule};
use crate::irq::BEHIND_SHORT;

/// Bytes of a short instruction.
const SHORT: u8 = 2;

/// The timing model of a PicoRV32, made from its class table.
#[derive(Clone, Debug)]
pub struct PicoRv32 {
    classes: Classes<Rule>,
}

/// The dynamic rules that a core file may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Plain,
    SerialShift,
    Jump,
    JumpRegister,
    Branch,
    Memory,
    Wait,
    Trap,
}

/// The supply of the next instruction from memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Supply {
    /// One word, requested at issue.
    Word,
    /// A 16-bit instruction that the last word already held.
    Held,
    /// A 32-bit instruction whose first half the last word held: the second is requested only when
    /// the core asks.
    Split,
}

impl PicoRv32 {
    /// Builds the model from a core's class table, by class name.
    ///
    /// # Errors
    /// If a class names a rule that is not known here.
    pub fn new(table: &BTreeMap<String, ClassCost>) -> Result<Self, UnknownRule> {
        Ok(Self { classes: Classes::new(table, rule)? })
    }

    fn insn(&self, insn: &Insn, code: &dyn CodeMemory, data_wait: u32) -> InsnCost {
        let (class, rule) = self.classes.of(insn);
        let next = insn.pc + u64::from(insn.length);
        let arrival = |ask: u32| arrival(ask, supply(code, next), code.fetch_wait(next));
        match rule {
            Rule::Plain | Rule::Branch => {
                InsnCost { cycles: arrival(class.ask) + 1, sample: 1, ..InsnCost::default() }
            }
            Rule::Jump | Rule::JumpRegister => {
                InsnCost { cycles: class.ask + 2, ..InsnCost::default() }
            }
            Rule::Wait => InsnCost::default(),
            Rule::Trap => InsnCost { cycles: class.ask + 1, ..InsnCost::default() },
            Rule::Memory => {
                let sample = arrival(class.ask) + 2;
                InsnCost { cycles: sample + data_wait + 1, sample, ..InsnCost::default() }
            }
            Rule::SerialShift => {
                let long = class.per_step.unwrap_or(1);
                let cycles = arrival(class.ask) + 1;
                let table = (0..32u32)
                    .map(|amount| arrival(class.ask + steps(amount, long)) + 1 - cycles)
                    .collect();
                let extra =
                    Some(Extra { select: Select::Low, table, exit_states: vec![], of: None });
                InsnCost { cycles, extra, ..InsnCost::default() }
            }
        }
    }

    /// The cycle in which a branch that is taken leaves: the core first takes in the word behind it.
    fn departs(&self, insn: &Insn, target: u64, code: &dyn CodeMemory) -> u32 {
        let decided = self.classes.of(insn).0.ask;
        let next = insn.pc + u64::from(insn.length);
        let wait = code.fetch_wait(next);
        let mut arrived = arrival(decided, supply(code, next), wait);
        if is_withheld(code, next, target, decided < wait + 2) {
            // The transfer is repeated at the target before the branch state ends, and the word is
            // then fetched once more.
            arrived += 2 + entry(code, target);
        }
        arrived
    }

    /// The cost of an instruction that could have stopped the core, from there on, or from the cycle in
    /// which its wait ended.
    fn goes_on(&self, insn: &Insn, code: &dyn CodeMemory) -> Option<u32> {
        let (class, rule) = self.classes.of(insn);
        let next = insn.pc + u64::from(insn.length);
        let arrival = arrival(class.ask, supply(code, next), code.fetch_wait(next));
        match rule {
            Rule::Trap => Some(arrival - class.ask),
            Rule::Wait => Some(arrival + 1),
            _ => None,
        }
    }

    /// The cycle in which the core finds that a jump's target is misaligned. It looks while it asks for the
    /// word there (`mem_do_rinst`), and knows the target one cycle after it first asks, except that a jump
    /// by register asks once it knows; its trap shows two cycles later.
    fn refused(&self, insn: &Insn, exit: &Exit, code: &dyn CodeMemory) -> u32 {
        let (class, rule) = self.classes.of(insn);
        match (rule, exit) {
            (Rule::Branch, Exit::Branch { taken, .. }) => self.departs(insn, *taken, code) + 5,
            (Rule::JumpRegister, _) => class.ask + 3,
            _ => class.ask + 4,
        }
    }
}

impl TimingModel for PicoRv32 {
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        _: PipelineState,
    ) -> BlockCost {
        let mut insns: Vec<_> =
            block.insns.iter().map(|insn| self.insn(insn, code, data_wait)).collect();
        let (Some(insn), Some(last)) = (block.insns.last(), insns.last_mut()) else {
            return BlockCost::default();
        };
        let taken = match block.exit {
            Exit::Branch { taken, .. } => self.departs(insn, taken, code) + 3 + entry(code, taken),
            Exit::Jump { target } => {
                last.cycles += entry(code, target);
                last.cycles
            }
            Exit::Next { .. } => {
                if let Some(cycles) = self.goes_on(insn, code) {
                    last.cycles = cycles;
                }
                last.cycles
            }
            Exit::Indirect { .. } | Exit::Yield { .. } | Exit::YieldIf { .. } | Exit::Stop(_) => {
                last.cycles
            }
        };
        let refused = self.refused(insn, &block.exit, code);
        let entry = entry(code, block.start);
        BlockCost { insns, taken, entry, refused, ..BlockCost::default() }
    }

    fn reset(&self, pc: u64, code: &dyn CodeMemory) -> u64 {
        3 + u64::from(entry(code, pc))
    }

    /// A store waits for the fetch of its successor (`cpu_state_stmem`).
    fn fetches_ahead(&self) -> bool {
        true
    }

    fn interrupts(&self) -> &dyn InterruptTiming {
        self
    }

    fn implements(&self, class: u8) -> bool {
        self.classes.has(class)
    }
}

impl InterruptTiming for PicoRv32 {
    /// A line is in `irq_pending` in the next cycle.
    fn sampled_before(&self) -> u64 {
        1
    }

    fn decide(&self, front: &Front<'_>, code: &dyn CodeMemory) -> Decision {
        let note = || if self.remembers_short(front, code) { BEHIND_SHORT } else { 0 };
        Decision::of(front.sampled(self.sampled_before()), note)
    }
}

impl PicoRv32 {
    /// Returns true if the core remembers that it read a 16-bit instruction last (`compressed_instr`): a
    /// branch that is taken has read what is behind it.
    fn remembers_short(&self, front: &Front<'_>, code: &dyn CodeMemory) -> bool {
        if let Some(length) = front.left {
            return length == SHORT;
        }
        let Some(block) = front.previous else { return false };
        let Some(last) = block.insns.last() else { return false };
        match block.exit {
            Exit::Branch { taken, .. } if front.taken => self.read_short(last, taken, code),
            _ => last.length == SHORT,
        }
    }

    /// The same of a branch that was taken to `target`.
    fn read_short(&self, last: &Insn, target: u64, code: &dyn CodeMemory) -> bool {
        let next = last.pc + u64::from(last.length);
        let is_late = self.classes.of(last).0.ask < code.fetch_wait(next) + 2;
        if is_late && target & 2 != 0 && next & 2 == 0 {
            return !is_wide(code, next + 2) || !is_wide(code, target);
        }
        !is_wide(code, next)
    }
}

fn rule(name: Option<&str>) -> Option<Rule> {
    Some(match name {
        None => Rule::Plain,
        Some("serial_shift") => Rule::SerialShift,
        Some("jump") => Rule::Jump,
        Some("jump_register") => Rule::JumpRegister,
        Some("branch") => Rule::Branch,
        Some("memory") => Rule::Memory,
        Some("wait") => Rule::Wait,
        Some("trap") => Rule::Trap,
        Some(_) => return None,
    })
}

/// Steps of the serial shifter: long ones of `long` bits while they fit, then single bits.
const fn steps(amount: u32, long: u32) -> u32 {
    amount / long + amount % long
}

/// The supply of the instruction at `next` when its predecessor ends right before it.
fn supply(code: &dyn CodeMemory, next: u64) -> Supply {
    match (next & 2, is_wide(code, next)) {
        (0, _) => Supply::Word,
        (_, false) => Supply::Held,
        (_, true) => Supply::Split,
    }
}

/// The cycle in which the next instruction is complete, if the core asks for it in cycle `ask`.
fn arrival(ask: u32, supply: Supply, wait: u32) -> u32 {
    match supply {
        Supply::Word => ask.max(2 + wait),
        Supply::Held => ask.max(2),
        Supply::Split => ask.max(2) + 1 + wait,
    }
}

/// Cycles from the request to the answer of the first fetch at a jump's target: one word, or two for
/// a 32-bit instruction that straddles them.
fn entry(code: &dyn CodeMemory, target: u64) -> u32 {
    let wait = code.fetch_wait(target);
    if target & 2 != 0 && is_wide(code, target) { 2 * wait + 1 } else { wait }
}

/// Returns true if the word behind a taken branch is not accepted when it arrives.
///
/// If the branch is decided before that word arrives (`late`), the core already shows the target's
/// address to its memory interface. A target in the upper half of a word then makes the interface
/// look at the upper half of what arrives, and wait for more if that looks like a 32-bit instruction
/// (`mem_done` requires `~&mem_rdata_latched[1:0]` under `mem_la_firstword`).
fn is_withheld(code: &dyn CodeMemory, next: u64, target: u64, late: bool) -> bool {
    late && target & 2 != 0 && next & 2 == 0 && is_wide(code, next + 2)
}

/// Returns true if the unit at an address looks like the start of a 32-bit instruction.
fn is_wide(code: &dyn CodeMemory, address: u64) -> bool {
    code.unit(address).is_some_and(|unit| unit & 3 == 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{CLASSES, Class};

    #[test]
    fn class_names_cover_the_enumeration() {
        assert_eq!(CLASSES.len(), Class::Interrupt as usize + 1);
    }

    #[test]
    fn shifter_steps_follow_the_two_stage_rule() {
        // Reference: README of PicoRV32, "Cycles per Instruction Performance": 4 to 14 cycles, that is
        // 0 to 10 steps.
        assert_eq!((0..32).map(|amount| steps(amount, 4)).max(), Some(10));
        assert_eq!(steps(7, 4), 4);
        assert_eq!(steps(31, 1), 31);
    }
}
