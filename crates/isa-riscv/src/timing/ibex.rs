//! Ibex: two stages, or three with a write-back stage.
//!
//! Source: `ibex_id_stage.sv`, `ibex_if_stage.sv`, `ibex_multdiv_slow.sv` and the pipeline details of
//! Ibex's documentation (lowRISC/ibex 5da1679). An instruction is issued in the first cycle in which it
//! stands in the ID stage. Fetches are answered in the next cycle, so the prefetch buffer never runs
//! dry but behind a jump to a 32-bit instruction that lies across two words.

mod interrupt;

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Exit, Insn, Value};
use cocrypt_isa::{
    BlockCost, ClassCost, CodeMemory, Extra, InsnCost, InterruptTiming, PipelineState, Select,
    TimingModel,
};

use super::{Classes, UnknownRule};
use crate::decode::decode;
use crate::table::{Class, Format};

/// Cycles from the end of reset to the issue of the first instruction, behind the boot ROM's jump.
const RESET: u64 = 5;

/// The timing model of an Ibex, made from its class table.
#[derive(Clone, Debug)]
pub struct Ibex {
    classes: Classes<Rule>,
    /// True if a third stage writes back, so that a load's result comes one instruction later.
    writes_back: bool,
}

/// The dynamic rules that a core file may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Plain,
    Memory,
    /// A jump, with the cycles in which it does not stand in the ID stage any more.
    Jump,
    /// The events that flush the pipeline.
    Flush,
    /// A branch, with its cycles when it is taken.
    Branch,
    /// As many cycles as the multiplier has bits, and one more, but 2 at least.
    SlowMultiply,
    /// Two cycles if the divisor is zero.
    Divide,
}

impl Ibex {
    /// Builds the model from a core's class table, by class name.
    ///
    /// # Errors
    /// If a class names a rule that is not known here.
    pub fn new(
        table: &BTreeMap<String, ClassCost>,
        writes_back: bool,
    ) -> Result<Self, UnknownRule> {
        let known = |rule: Option<&str>| match rule {
            None => Some(Rule::Plain),
            Some("memory") => Some(Rule::Memory),
            Some("jump") => Some(Rule::Jump),
            Some("flush") => Some(Rule::Flush),
            Some("branch") => Some(Rule::Branch),
            Some("slow_multiply") => Some(Rule::SlowMultiply),
            Some("divide") => Some(Rule::Divide),
            Some(_) => None,
        };
        Ok(Self { classes: Classes::new(table, known)?, writes_back })
    }

    fn insn(&self, insn: &Insn, data_wait: u32) -> InsnCost {
        let (class, rule) = self.classes.of(insn);
        let cycles = class.ask;
        match rule {
            Rule::Plain | Rule::Jump | Rule::Flush | Rule::Branch => {
                InsnCost { cycles, ..InsnCost::default() }
            }
            // The request is made in the first cycle. Without a write-back stage the instruction
            // stays until it is answered; with one it does so only as far as that takes longer.
            Rule::Memory => {
                let waits = if self.writes_back { data_wait - 1 } else { data_wait };
                let parts = match insn.operand {
                    Some(Value::Const(parts)) => parts as u32,
                    _ => 1,
                };
                let more = (parts - 1) * data_wait;
                InsnCost { cycles: cycles + waits + more, ..InsnCost::default() }
            }
            Rule::SlowMultiply => {
                let bits = |length: u32| (length + 1).clamp(2, 33) - cycles;
                let table = (0..64).map(bits).collect();
                let extra =
                    Some(Extra { select: Select::Length, table, exit_states: vec![], of: None });
                InsnCost { cycles, extra, ..InsnCost::default() }
            }
            Rule::Divide => {
                let table = vec![0, class.ask - 2];
                let extra =
                    Some(Extra { select: Select::NonZero, table, exit_states: vec![], of: None });
                InsnCost { cycles: 2, extra, ..InsnCost::default() }
            }
        }
    }

    /// The contents of the write-back stage behind the instruction: the destination of a load.
    fn exit_state(&self, insn: &Insn, code: &dyn CodeMemory) -> PipelineState {
        if !self.writes_back {
            return 0;
        }
        operands(insn, code).filter(|operands| operands.loads).map_or(0, |operands| operands.rd)
    }
}

impl TimingModel for Ibex {
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        pipeline_state: PipelineState,
    ) -> BlockCost {
        let mut pipeline_state = pipeline_state;
        let mut insns = Vec::with_capacity(block.insns.len());
        for insn in &block.insns {
            let mut cost = self.insn(insn, data_wait);
            let waits = pipeline_state != 0
                && insn.class != Class::Illegal as u8
                && insn.class != Class::Interrupt as u8
                && operands(insn, code)
                    .is_some_and(|operands| operands.reads.contains(&pipeline_state));
            if waits {
                cost.cycles += 1;
                cost.sample += 1;
            }
            pipeline_state = self.exit_state(insn, code);
            insns.push(cost);
        }
        let Some((insn, last)) = block.insns.last().zip(insns.last_mut()) else {
            return BlockCost::default();
        };
        let (class, _) = self.classes.of(insn);
        let taken = match block.exit {
            Exit::Branch { taken, .. } => {
                last.cycles + class.per_step.unwrap_or(0) + across(code, taken)
            }
            Exit::Jump { target } => {
                last.cycles += across(code, target);
                last.cycles
            }
            Exit::Next { .. }
            | Exit::Indirect { .. }
            | Exit::Yield { .. }
            | Exit::YieldIf { .. }
            | Exit::Stop(_) => last.cycles,
        };
        let entry = across(code, block.start);
        let exit_states = [pipeline_state; 2];
        BlockCost { insns, taken, entry, refused: taken, exit_states, ..BlockCost::default() }
    }

    fn reset(&self, pc: u64, code: &dyn CodeMemory) -> u64 {
        RESET + u64::from(across(code, pc))
    }

    /// A request is taken at once, and looked at in the next cycle.
    fn shows_faults(&self) -> u64 {
        1
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

/// A cycle for a jump to a 32-bit instruction that lies across two words.
fn across(code: &dyn CodeMemory, target: u64) -> u32 {
    let is_wide = code.unit(target).is_some_and(|unit| unit & 3 == 3);
    u32::from(target & 2 != 0 && is_wide)
}

/// The registers of an instruction, whether or not anything depends on their values.
struct Operands {
    rd: u32,
    reads: Vec<u32>,
    loads: bool,
}

fn operands(insn: &Insn, code: &dyn CodeMemory) -> Option<Operands> {
    let low = code.unit(insn.pc)?;
    let high = if insn.length == 4 { code.unit(insn.pc + 2)? } else { 0 };
    let decoded = decode(low, high)?;
    let format = decoded.opcode.row().format;
    let reads = match format {
        Format::R | Format::S | Format::B | Format::Byte => vec![decoded.rs1, decoded.rs2],
        Format::I | Format::Shift | Format::Load | Format::Unary | Format::Csr => vec![decoded.rs1],
        // The last two are PicoRV32's; no Ibex has them.
        Format::U
        | Format::J
        | Format::Rd
        | Format::None
        | Format::CsrImmediate
        | Format::FromOwn
        | Format::ToOwn => vec![],
    };
    let reads = reads.into_iter().map(u32::from).collect();
    Some(Operands { rd: u32::from(decoded.rd), reads, loads: format == Format::Load })
}
