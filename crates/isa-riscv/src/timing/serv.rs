//! SERV: one bit a cycle, one instruction at a time.
//!
//! Source: `serv_state.v` and `serv_aligner.v` (olofk/serv 1.2.0). An instruction is issued in the
//! first cycle of its fetch; once the last word of it has arrived, what is left depends on its class and
//! operands alone. Nothing is fetched ahead, so nothing depends on what ran before.

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Insn};
use cocrypt_isa::{
    BlockCost, ClassCost, CodeMemory, Decision, Extra, Front, InsnCost, InterruptTiming,
    PipelineState, Select, TimingModel,
};

use super::{Classes, UnknownRule};
use crate::privileged::RETURNING;

/// Cycles from the arrival of a load or store to its request: the register file is read, the
/// address is added bit by bit.
const REQUEST: u32 = 35;

/// The timing model of a SERV, made from its class table.
#[derive(Clone, Debug)]
pub struct Serv {
    classes: Classes<Rule>,
}

/// The dynamic rules that a core file may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Plain,
    /// One more cycle for each bit of the amount.
    ShiftRight,
    Memory,
    /// The entry into a handler, from an instruction that was fetched before.
    Enter,
}

impl Serv {
    /// Builds the model from a core's class table, by class name.
    ///
    /// # Errors
    /// If a class names a rule that is not known here.
    pub fn new(table: &BTreeMap<String, ClassCost>) -> Result<Self, UnknownRule> {
        let known = |rule: Option<&str>| match rule {
            None => Some(Rule::Plain),
            Some("shift_right") => Some(Rule::ShiftRight),
            Some("memory") => Some(Rule::Memory),
            Some("enter") => Some(Rule::Enter),
            Some(_) => None,
        };
        Ok(Self { classes: Classes::new(table, known)? })
    }

    fn insn(&self, insn: &Insn, code: &dyn CodeMemory, data_wait: u32) -> InsnCost {
        let (class, rule) = self.classes.of(insn);
        let fetched = fetch(code, insn.pc);
        let cycles = fetched + class.ask;
        match rule {
            Rule::Plain => InsnCost { cycles, ..InsnCost::default() },
            Rule::Enter => InsnCost { cycles: class.ask, ..InsnCost::default() },
            Rule::ShiftRight => {
                let table = (0..32).collect();
                let extra =
                    Some(Extra { select: Select::Low, table, exit_states: vec![], of: None });
                InsnCost { cycles, extra, ..InsnCost::default() }
            }
            Rule::Memory => {
                let sample = fetched + REQUEST;
                InsnCost { cycles: cycles + data_wait, sample, ..InsnCost::default() }
            }
        }
    }
}

impl TimingModel for Serv {
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        _: PipelineState,
    ) -> BlockCost {
        let insns: Vec<_> =
            block.insns.iter().map(|insn| self.insn(insn, code, data_wait)).collect();
        let last = insns.last().map_or(0, |insn| insn.cycles);
        BlockCost { insns, taken: last, refused: last, ..BlockCost::default() }
    }

    /// The first fetch stands on the bus in the first cycle.
    fn reset(&self, _: u64, _: &dyn CodeMemory) -> u64 {
        0
    }

    fn interrupts(&self) -> &dyn InterruptTiming {
        self
    }

    fn fetches_ahead(&self) -> bool {
        false
    }

    fn implements(&self, class: u8) -> bool {
        self.classes.has(class)
    }
}

impl InterruptTiming for Serv {
    /// It looks in the last cycle of an instruction (`o_new_irq` in `serv_csr.v`).
    fn sampled_before(&self) -> u64 {
        1
    }

    fn decide(&self, front: &Front<'_>, _: &dyn CodeMemory) -> Decision {
        let note = || if front.returned { RETURNING } else { 0 };
        Decision::of(front.sampled(self.sampled_before()), note)
    }
}

/// Cycles from issue until the instruction has arrived: one word, or two at an odd half word,
/// whatever its size (`ack_en`).
fn fetch(code: &dyn CodeMemory, pc: u64) -> u32 {
    let wait = code.fetch_wait(pc);
    if pc & 2 == 0 { wait } else { 2 * wait + 1 }
}
