//! Out of a block before its end, and out of the run.

use cocrypt_ir::{Block, StopKind, Width};
use cocrypt_isa::PipelineState;

use super::code::Code;
use super::{Engine, Link};
use crate::access::Refusal;
use crate::bus::Bus;
use crate::cache::{Count, Terminator, Translated};
use crate::ram::Ram;
use crate::stop::{Stop, StopCause, shown};

impl Engine {
    /// The instruction at `pc` as the core has already taken it in, if it has.
    fn taken_in(&self, ram: &Ram, bus: &dyn Bus) -> Option<Block> {
        let code = Code { ram, bus, boundaries: &self.boundaries, single: true, cut: None };
        let ahead = self.timing.fetches_ahead();
        ahead.then(|| self.frontend.lift(&code, self.pc, self.mode).ok())?
    }

    /// Leaves a block that began in cycle `began` at, or behind, its instruction `at`; what leads on.
    pub(super) fn leave_early(
        &mut self,
        index: u32,
        at: u8,
        why: Refusal,
        began: u64,
        ram: &mut Ram,
        bus: &dyn Bus,
    ) -> Result<Link, Box<Stop>> {
        let block = &self.cache.blocks[index as usize];
        match why {
            Refusal::Stop(cause) => {
                let timing = block.insn_timings[usize::from(at)];
                (self.pc, self.mode, self.pipeline_state) =
                    (timing.pc, timing.mode, block.pipeline_state);
                if let Some(before) = at.checked_sub(1) {
                    self.pipeline_state = self.pipeline_state_behind(index, before, ram, bus);
                }
                self.clock.instructions += u64::from(at) + 1;
                self.clock.cycles = shown(cause).unwrap_or(self.clock.cycles);
                if matches!(cause, StopCause::BusFault { .. }) {
                    self.clock.cycles += self.timing.shows_faults();
                }
                self.left_within(index, at, began);
                Err(self.stopped(cause))
            }
            Refusal::Mapped => unreachable!("the interpreter makes such accesses itself"),
            Refusal::Missed { cycles, pipeline_state } => {
                let timing = block.insn_timings[usize::from(at)];
                (self.pc, self.mode, self.pipeline_state) =
                    (timing.pc, timing.mode, pipeline_state);
                let passed = i64::from(timing.issue) + i64::from(cycles);
                self.clock.cycles = self.clock.cycles.wrapping_add_signed(passed);
                self.clock.instructions += u64::from(at);
                self.left_before(index, at, began);
                if let Some(trace) = &mut self.trace {
                    // It is issued again.
                    trace.pop();
                }
                Ok(Link::Address)
            }
            Refusal::Changed { more } if jumps_behind(block, at) => {
                self.clock.cycles = self.clock.cycles.wrapping_add_signed(more);
                let link = self.end(index, began)?;
                self.changed(bus)?;
                Ok(link)
            }
            Refusal::Changed { more } => {
                let next = usize::from(at) + 1;
                let (pc, mode, cycles) = behind(block, at);
                let length = block.source.block.insns[usize::from(at)].length;
                (self.pc, self.mode) = (pc, mode);
                self.pipeline_state = self.pipeline_state_behind(index, at, ram, bus);
                let passed = i64::from(cycles) + more;
                self.clock.cycles = self.clock.cycles.wrapping_add_signed(passed);
                self.clock.instructions += next as u64;
                self.left_within(index, at, began);
                self.interrupts.left_within(length, self.clock.cycles);
                self.changed(bus)?;
                Ok(Link::Address)
            }
            Refusal::CodeWritten { address, width, value } if jumps_behind(block, at) => {
                self.end(index, began)?;
                self.write_code(address, width, value, ram, bus)
            }
            Refusal::CodeWritten { address, width, value } => {
                let next = usize::from(at) + 1;
                let (pc, mode, cycles) = behind(block, at);
                (self.pc, self.mode, self.pipeline_state) = (pc, mode, 0);
                self.clock.cycles += u64::from(cycles);
                self.clock.instructions += next as u64;
                self.left_within(index, at, began);
                self.write_code(address, width, value, ram, bus)
            }
        }
    }

    /// An access has changed what decides about interrupts, or whether the core goes on.
    fn changed(&mut self, bus: &dyn Bus) -> Result<(), Box<Stop>> {
        for (cell, value) in bus.decides() {
            self.cells[usize::from(cell.0)] = value;
        }
        self.look(bus);
        if bus.holds() { Err(self.stopped(StopCause::Held)) } else { Ok(()) }
    }

    /// Makes a store to code, in front of the instruction at `pc`; what leads on.
    #[allow(clippy::unnecessary_wraps)] // As what calls it.
    fn write_code(
        &mut self,
        address: u32,
        width: Width,
        value: u64,
        ram: &mut Ram,
        bus: &dyn Bus,
    ) -> Result<Link, Box<Stop>> {
        let ahead = self.taken_in(ram, bus);
        ram.write(address, width, value);
        self.forget(ram);
        Ok(ahead.map_or(Link::Address, |block| {
            let translated = self.translate(block, ram, bus);
            Link::Block(self.cache.insert_unlisted(translated))
        }))
    }

    /// The pipeline state behind a block's instruction `at`.
    fn pipeline_state_behind(
        &mut self,
        index: u32,
        at: u8,
        ram: &Ram,
        bus: &dyn Bus,
    ) -> PipelineState {
        if let Some(&known) = self.exit_memo.behind.get(&(index, at)) {
            return known;
        }
        let found = self.find_pending_behind(index, at, ram, bus);
        self.exit_memo.behind.insert((index, at), found);
        found
    }

    fn find_pending_behind(&self, index: u32, at: u8, ram: &Ram, bus: &dyn Bus) -> PipelineState {
        let block = &self.cache.blocks[index as usize];
        let Some(next) = block.insn_timings.get(usize::from(at) + 1) else {
            return block.exit_states[0];
        };
        let boundaries = &self.boundaries;
        let code = Code { ram, bus, boundaries, single: false, cut: Some(next.pc) };
        let shorter = self.frontend.lift(&code, block.start, block.source.block.mode);
        shorter.map_or(0, |shorter| {
            self.timing.cost(&shorter, &code, ram.data_wait, block.pipeline_state).exit_states[0]
        })
    }

    /// Counts a block that was left before its instruction `at`. It is not entered again if that is
    /// its first one: the block that follows is.
    fn left_before(&mut self, index: u32, at: u8, began: u64) {
        let block = &self.cache.blocks[index as usize];
        let cycles = self.clock.cycles.saturating_sub(began);
        let executions = u64::from(at != 0);
        match &mut self.contexts {
            None => self.cache.counts[block.counter as usize].add(Count { executions, cycles }),
            Some(contexts) => contexts.left_before(&block.source, usize::from(at), cycles),
        }
    }

    /// Counts a block that was left behind its instruction `at`.
    fn left_within(&mut self, index: u32, at: u8, began: u64) {
        let block = &self.cache.blocks[index as usize];
        let cycles = self.clock.cycles - began;
        match &mut self.contexts {
            None => self.cache.counts[block.counter as usize].add(Count { executions: 1, cycles }),
            Some(contexts) => contexts.left(&block.source, usize::from(at), cycles),
        }
    }

    /// The last instruction of a block stops the machine.
    #[allow(clippy::unnecessary_box_returns)] // As `stopped` says.
    pub(super) fn stop_at_end(&mut self, index: u32, kind: StopKind, began: u64) -> Box<Stop> {
        let block = &mut self.cache.blocks[index as usize];
        let last = block.insn_timings.last();
        (self.pc, self.mode) =
            last.map_or((block.start, block.source.block.mode), |timing| (timing.pc, timing.mode));
        self.clock.cycles += u64::from(block.cycles);
        self.clock.instructions += u64::from(block.count);
        let (counter, exit_state) = (block.counter, block.exit_states[0]);
        let cycles = self.clock.cycles - began;
        self.counts()[counter as usize].add(Count { executions: 1, cycles });
        self.pipeline_state = exit_state;
        self.stopped(StopCause::Instruction(kind))
    }
}

/// Returns true if a block's instruction `at` is its last one, behind which it goes elsewhere: the instruction
/// in the delay slot of a jump.
fn jumps_behind(block: &Translated, at: u8) -> bool {
    let is_last = usize::from(at) + 1 == block.insn_timings.len();
    is_last && !matches!(block.terminator, Terminator::To(target) if target == block.end)
}

/// The point at which a block goes on behind its instruction `at`: address, decode mode, cycles from its
/// beginning.
fn behind(block: &Translated, at: u8) -> (u64, u32, u32) {
    let next = block.insn_timings.get(usize::from(at) + 1);
    next.map_or((block.end, block.onward, block.cycles), |timing| {
        (timing.pc, timing.mode, timing.issue)
    })
}
