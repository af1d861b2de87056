//! The cost of a block: its instructions in order, each with what those before it left behind.
//!
//! The dynamic part (whether a condition holds, how long a multiplication takes) is a term of the
//! instruction's own cost. Where it also decides about what follows, the block is left before the
//! instruction, with a state that knows it.

use std::fmt::Debug;
use std::hash::Hash;

use cocrypt_ir::{Block, Exit, Insn, Op};
use cocrypt_isa::{
    BlockCost, Caches, CodeMemory, Extra, InsnCost, Line, PipelineState, STAYS, TimingModel,
};

use super::flash::{Arrival, Fetch, Supply};
use super::outcome::{Outcome, Outcomes};
use super::site::Site;
use super::states::States;
use super::table::Rows;
use crate::architecture::Architecture;
use crate::decode::{Read, read};
use crate::instruction::Instruction;
use crate::state;

/// The timing of an instruction for one outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InstructionTiming<H> {
    /// Cycles until the next instruction is issued, if fetches hold nothing up.
    pub cycles: u32,
    /// Cycles until its access would be answered without any wait.
    pub sample: u32,
    /// The pipeline's state then.
    pub hazards: H,
}

/// A core's pipeline.
pub(super) trait Pipeline: Debug + Send + Sync {
    /// Its state between two instructions.
    type Hazards: Clone + Debug + Default + Eq + Hash + Send;

    /// The timing of an instruction.
    fn pass(
        &self,
        site: &Site<'_>,
        hazards: &Self::Hazards,
        outcome: Outcome,
    ) -> InstructionTiming<Self::Hazards>;

    /// Cycles that a jump to an address takes more than to others, on a core where that can be so.
    fn entrance(&self, _target: u64, _code: &dyn CodeMemory) -> Option<u32> {
        None
    }

    /// The same for what comes next: without what cannot matter to it or behind it, so that blocks are met
    /// in few states.
    fn settle(&self, hazards: Self::Hazards, _next: &Instruction) -> Self::Hazards {
        hazards
    }

    /// Returns true if it counts what its fetches wait by itself.
    fn counts_fetches(&self) -> bool {
        false
    }

    /// Cycles from the end of reset to the first issue.
    fn reset(&self) -> u64;
}

/// The pipeline state at a block's border.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State<H> {
    hazards: H,
    fetch: Fetch,
    /// The outcome of the next instruction, if that is known already.
    known: Option<Outcome>,
}

/// The context behind an instruction.
#[derive(Clone, Copy, Default)]
struct Lookahead<'a> {
    /// The target, if it is taken and known.
    target: Option<u64>,
    /// The next one of its block.
    next: Option<&'a Site<'a>>,
    /// The address and decode mode of the next block, if the block was only cut here.
    cut: Option<(u64, u32)>,
}

/// The timing of an instruction, and the state behind it.
type TimingAndState<H> = (InstructionTiming<H>, State<H>);

/// A timing model, made from a pipeline.
#[derive(Debug)]
pub(super) struct Model<P: Pipeline> {
    pub architecture: Architecture,
    pub rows: Rows,
    pub pipeline: P,
    pub supply: Supply,
    states: States<State<P::Hazards>>,
}

impl<P: Pipeline> Model<P> {
    pub fn new(architecture: Architecture, rows: Rows, supply: Supply, pipeline: P) -> Self {
        Self { architecture, rows, pipeline, supply, states: States::new() }
    }

    fn site<'a>(&self, insn: &'a Insn, code: &'a dyn CodeMemory, data_wait: u32) -> Site<'a> {
        Site::new(self.architecture, self.rows.of(insn.class), insn, code, data_wait)
    }

    /// Returns true if a jump to a computed target leaves its price to what is there.
    fn minds_jumps(&self, site: &Site<'_>) -> bool {
        let pc = site.insn.pc;
        !self.pipeline.counts_fetches()
            && (self.pipeline.entrance(pc, site.code).is_some()
                || self.supply.minds_jumps(pc, site.code))
    }

    /// The stall of the instruction before it is issued.
    fn arrive(&self, site: &Site<'_>, state: &State<P::Hazards>) -> Arrival {
        let Insn { pc, length, .. } = *site.insn;
        if self.pipeline.counts_fetches() {
            return Arrival::default();
        }
        let mut arrival = self.supply.arrive(state.fetch, pc, length, site.code);
        if arrival.redirected {
            let entrance = self.pipeline.entrance(pc, site.code).unwrap_or(0);
            arrival.stall += entrance;
            if let Fetch::Since(since) = &mut arrival.fetch {
                *since += entrance;
            }
        }
        arrival
    }

    /// The timing of an instruction that has arrived, and the state behind it; `target` is where it leads
    /// if that is known.
    fn timing(
        &self,
        site: &Site<'_>,
        hazards: &P::Hazards,
        arrival: &Arrival,
        outcome: Outcome,
        target: Option<u64>,
    ) -> TimingAndState<P::Hazards> {
        let mut timing = self.pipeline.pass(site, hazards, outcome);
        let next = site.insn.pc + u64::from(site.insn.length);
        let behind = self.supply.after(arrival.fetch, next.max(1), timing.cycles, site.code);
        let jumps = site.register_use.jumps && outcome != Outcome::Skipped;
        let fetch = match (jumps, target) {
            _ if self.pipeline.counts_fetches() => Fetch::Ready,
            (false, _) => behind,
            (true, None) if self.minds_jumps(site) => Fetch::Redirected,
            (true, None) => Fetch::Ready,
            (true, Some(target)) => {
                let last = next.saturating_sub(1);
                let fetch = self.supply.behind_jump(behind, last, target, site.code);
                if fetch != Fetch::Redirected {
                    timing.cycles += self.pipeline.entrance(target, site.code).unwrap_or(0);
                }
                fetch
            }
        };
        let state = State { hazards: timing.hazards.clone(), fetch, known: None };
        (timing, state)
    }

    /// All that can become of an instruction before which a state is met; for comparison.
    fn prospects(
        &self,
        site: &Site<'_>,
        state: &State<P::Hazards>,
    ) -> (Arrival, Vec<TimingAndState<P::Hazards>>) {
        let arrival = self.arrive(site, state);
        let outcomes = match Outcomes::of(site) {
            Some(outcomes) => outcomes.table,
            None => vec![Outcome::Executed, Outcome::Skipped],
        };
        let timing = |outcome| self.timing(site, &state.hazards, &arrival, outcome, None);
        let timings = outcomes.into_iter().map(timing).collect();
        (arrival, timings)
    }

    /// Returns true if two states behind an instruction cost alike from there on.
    fn alike(
        &self,
        a: &State<P::Hazards>,
        b: &State<P::Hazards>,
        ahead: Lookahead<'_>,
        code: &dyn CodeMemory,
    ) -> bool {
        let settled = |state: &State<P::Hazards>| match ahead.cut {
            Some((pc, mode)) => self.settled(state.clone(), pc, mode, code),
            None => state.clone(),
        };
        settled(a) == settled(b)
            || ahead.next.is_some_and(|site| self.prospects(site, a) == self.prospects(site, b))
    }

    /// The cost of an instruction of which its operand decides what becomes, and the predicted state
    /// behind it.
    fn choice(
        &self,
        site: &Site<'_>,
        state: &State<P::Hazards>,
        arrival: &Arrival,
        outcomes: &Outcomes,
        ahead: Lookahead<'_>,
    ) -> (InsnCost, State<P::Hazards>) {
        let timing = |outcome| self.timing(site, &state.hazards, arrival, outcome, ahead.target);
        let (predicted, behind) = timing(outcomes.predicted);
        let timings: Vec<_> = outcomes.table.iter().map(|&outcome| timing(outcome)).collect();
        let least =
            timings.iter().map(|(timing, _)| timing.cycles).min().unwrap_or(predicted.cycles);
        let table = timings.iter().map(|(timing, _)| timing.cycles - least).collect();
        let leave = |(outcome, (_, after)): (&Outcome, &(_, State<P::Hazards>))| {
            if *outcome == outcomes.predicted || self.alike(after, &behind, ahead, site.code) {
                return STAYS;
            }
            self.states.number(State { known: Some(*outcome), ..state.clone() })
        };
        let mut exit_states: Vec<_> = outcomes.table.iter().zip(&timings).map(leave).collect();
        if exit_states.iter().all(|&pipeline_state| pipeline_state == STAYS) {
            exit_states.clear();
        }
        let matters =
            timings.iter().any(|(timing, _)| timing.cycles != least) || !exit_states.is_empty();
        let select = outcomes.select;
        let extra = matters.then_some(Extra { select, table, exit_states, of: None });
        let cycles = arrival.stall + least;
        let sample = arrival.stall + predicted.sample;
        (InsnCost { cycles, sample, extra, ..InsnCost::default() }, behind)
    }

    /// The cost of an instruction within a block, or of its last one if that has one successor, and the
    /// state behind it.
    fn insn(
        &self,
        site: &Site<'_>,
        state: &State<P::Hazards>,
        arrival: &Arrival,
        ahead: Lookahead<'_>,
    ) -> (InsnCost, State<P::Hazards>) {
        let outcome = match (Outcomes::of(site), state.known) {
            (Some(outcomes), None) => return self.choice(site, state, arrival, &outcomes, ahead),
            (Some(_), Some(known)) => known,
            // What was known was of an instruction in whose place an interrupt came.
            (None, _) => Outcomes::unknown(site),
        };
        let (timing, behind) = self.timing(site, &state.hazards, arrival, outcome, ahead.target);
        let (cycles, sample) = (arrival.stall + timing.cycles, arrival.stall + timing.sample);
        (InsnCost { cycles, sample, ..InsnCost::default() }, behind)
    }

    /// The cost of a branch that is not taken, and the state behind it; what it is when taken goes into the
    /// block's cost.
    fn branch(
        &self,
        site: &Site<'_>,
        state: &State<P::Hazards>,
        arrival: &Arrival,
        (taken, onward): (u64, u32),
        cost: &mut BlockCost,
    ) -> (InsnCost, State<P::Hazards>) {
        let (taken_timing, there) =
            self.timing(site, &state.hazards, arrival, Outcome::Executed, Some(taken));
        let (skipped_timing, behind) =
            self.timing(site, &state.hazards, arrival, Outcome::Skipped, None);
        cost.taken = arrival.stall + taken_timing.cycles;
        cost.exit_states[1] = self.number(there, Some(taken), onward, site.code);
        let cycles = arrival.stall + skipped_timing.cycles;
        (InsnCost { cycles, ..InsnCost::default() }, behind)
    }

    /// A state without what cannot matter to what stands at an address in code of a mode.
    fn settled(
        &self,
        state: State<P::Hazards>,
        pc: u64,
        mode: u32,
        code: &dyn CodeMemory,
    ) -> State<P::Hazards> {
        let mode = state::State::from_number(mode);
        match read(self.architecture, code, pc, mode) {
            Read::Instruction(next) => {
                State { hazards: self.pipeline.settle(state.hazards, &next), ..state }
            }
            Read::Illegal { .. } | Read::Unmapped(_) => state,
        }
    }

    /// The number of the state behind a block, which leads to an address if that is known, in code of a mode.
    fn number(
        &self,
        state: State<P::Hazards>,
        target: Option<u64>,
        mode: u32,
        code: &dyn CodeMemory,
    ) -> PipelineState {
        self.states.number(match target {
            Some(target) => self.settled(state, target, mode, code),
            None => state,
        })
    }

    /// The wait of loads whose line the flash's data cache lacks.
    fn data_miss(&self, ops: &[Op]) -> u32 {
        let loads = ops.iter().any(|op| matches!(op, Op::Load { .. }));
        let flash = self.supply.flash.filter(|flash| flash.data_lines != 0 && loads);
        flash.map_or(0, |flash| flash.waits)
    }
}

fn lines(arrival: &Arrival, at: usize) -> impl Iterator<Item = Line> {
    let line = move |&(address, miss): &(u32, u32)| Line {
        at: at as u8,
        address,
        clears: false,
        miss: miss as i32,
        exit_state: None,
    };
    arrival.lines.iter().map(line)
}

impl<P: Pipeline> TimingModel for Model<P> {
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        pipeline_state: PipelineState,
    ) -> BlockCost {
        let mut state = self.states.get(pipeline_state);
        let mut cost = BlockCost::default();
        let sites: Vec<_> =
            block.insns.iter().map(|insn| self.site(insn, code, data_wait)).collect();
        for (at, site) in sites.iter().enumerate() {
            let arrival = self.arrive(site, &state);
            cost.lines.extend(lines(&arrival, at));
            let next = sites.get(at + 1);
            let (mut insn, behind) = match block.exit {
                Exit::Branch { taken, .. } if next.is_none() => {
                    self.branch(site, &state, &arrival, (taken, block.onward), &mut cost)
                }
                Exit::Jump { target } if next.is_none() => {
                    let ahead = Lookahead { target: Some(target), ..Lookahead::default() };
                    self.insn(site, &state, &arrival, ahead)
                }
                Exit::Next { pc } if next.is_none() => {
                    let ahead = Lookahead { cut: Some((pc, block.onward)), ..Lookahead::default() };
                    self.insn(site, &state, &arrival, ahead)
                }
                _ => self.insn(site, &state, &arrival, Lookahead { next, ..Lookahead::default() }),
            };
            insn.miss = self.data_miss(&block.ops[site.insn.ops.clone()]);
            cost.insns.push(insn);
            state = behind;
        }
        let next = match block.exit {
            Exit::Next { pc } | Exit::YieldIf { next: pc, .. } => Some(pc),
            Exit::Jump { target } => Some(target),
            Exit::Branch { next, .. } => Some(next),
            Exit::Indirect { .. } | Exit::Yield { .. } | Exit::Stop(_) => None,
        };
        cost.exit_states[0] = self.number(state, next, block.onward, code);
        if !matches!(block.exit, Exit::Branch { .. }) {
            cost.taken = cost.insns.last().map_or(0, |insn| insn.cycles);
            cost.exit_states[1] = cost.exit_states[0];
        }
        cost.refused = cost.taken;
        cost
    }

    fn reset(&self, _: u64, _: &dyn CodeMemory) -> u64 {
        self.pipeline.reset()
    }

    fn fetches_ahead(&self) -> bool {
        false
    }

    fn caches(&self) -> Caches {
        let cache = |lines: fn(&super::Flash) -> u32| {
            self.supply.flash.and_then(|flash| flash.cache(lines(&flash)))
        };
        Caches {
            instruction: cache(|flash| flash.instruction_lines),
            data: cache(|flash| flash.data_lines),
            data_of_rom: self.supply.flash.is_some_and(|flash| flash.data_lines != 0),
            ..Caches::default()
        }
    }

    fn implements(&self, class: u8) -> bool {
        self.rows.has(class)
    }
}
