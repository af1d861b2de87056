//! Runs under a leakage model: instruction by instruction, each with its contribution to a sample.

use std::sync::Arc;

use cocrypt_ir::Block;

use super::Engine;
use crate::bus::Bus;
use crate::leakage::{Leakage, LeakageModel, MemoryAccess, Observation};
use crate::ram::Ram;
use crate::stop::{Issue, Stop, StopCause};

impl Engine {
    /// Gets ready to sample a model: from now on blocks are single instructions that report their values,
    /// and nothing is compiled. Cycles stay the same.
    pub fn observe(&mut self, ram: &mut Ram, model: Arc<LeakageModel>) {
        self.leakage = Some(Box::new(Leakage::new(model, self.clock.cycles, false)));
        self.backend = None;
        self.cut(ram, true, &[]);
    }

    /// The samples of the last window, if a model is sampled.
    #[must_use]
    pub fn leakage(&self) -> Option<&Leakage> {
        self.leakage.as_deref()
    }

    /// Begins a window of samples with the next instruction; `issues` keeps the issued instructions.
    pub fn begin_window(&mut self, issues: bool) {
        if let Some(leakage) = &mut self.leakage {
            leakage.restart(self.clock.cycles, issues);
        }
    }

    /// Ends the window before the cycle in which the engine stands.
    pub fn end_window(&mut self) {
        if let Some(leakage) = &mut self.leakage {
            leakage.end(self.clock.cycles);
        }
    }

    /// Samples: halts where the function returns in which the window began, and stops where the machine
    /// stops or a cycle `limit` is reached.
    pub fn sample(&mut self, ram: &mut Ram, bus: &mut dyn Bus, limit: u64) -> Stop {
        let mut at = self.start(ram, bus);
        loop {
            let index = match at {
                Ok(index) if self.clock.cycles >= self.interrupts.near => {
                    self.attend(index, ram, bus)
                }
                known => known,
            };
            let index = match index {
                Ok(index) => index,
                Err(stop) => return *stop,
            };
            if self.clock.cycles >= limit {
                self.next = Some(index);
                return *self.stopped(StopCause::CycleLimit);
            }
            let (went, returned) = self.sample_step(index, ram, bus);
            at = went;
            if let (true, Ok(index)) = (returned, &at) {
                self.next = Some(*index);
                return *self.stopped(StopCause::Halted);
            }
        }
    }

    /// Runs one instruction and adds its contribution; what comes next, and true if it returned from the
    /// window's function. An instruction that is issued again, behind a miss, counts when it completes; one
    /// whose access is not aligned, when it is known what becomes of the access.
    fn sample_step(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> (Result<u32, Box<Stop>>, bool) {
        let block = &self.cache.blocks[index as usize];
        let issue = Issue { cycle: self.clock.cycles, pc: block.start };
        let (end, begun) = (block.end, self.clock.instructions);
        if let (Some(leakage), Some(observation)) = (&mut self.leakage, &block.source.observation) {
            leakage.before(observation, &self.cells);
        }
        self.clock.report.get_or_insert_default().clear();
        let (from, went) = self.step(index, ram, bus);
        let mut returned = false;
        let is_unaligned = matches!(&went, Err(stop)
            if matches!(stop.cause, StopCause::Unaligned { .. }));
        if let (Some(leakage), Some(report)) = (&mut self.leakage, &self.clock.report)
            && self.clock.instructions != begun
        {
            if is_unaligned {
                leakage.suspend(issue);
            } else {
                leakage.after(issue, &self.cells, report);
                returned = leakage.returned(end, self.pc);
            }
        }
        (went.and_then(|link| self.follow(from, link, ram, bus)), returned)
    }

    /// Adds the contribution of the instruction whose access was refused because it is not aligned, if there
    /// is one: with the accesses that were made in place of it, or with those before it.
    pub(super) fn sample_unaligned(&mut self, instead: Option<Vec<MemoryAccess>>) {
        let (leakage, report) = (&mut self.leakage, &mut self.clock.report);
        if let (Some(leakage), Some(report)) = (leakage, report) {
            report.accesses = instead.unwrap_or_else(|| std::mem::take(&mut report.accesses));
            leakage.resume(&self.cells, report);
        }
    }

    /// The values that the model is told of in a block, if one is sampled.
    pub(super) fn observation(
        &self,
        block: &Block,
        ram: &Ram,
        bus: &dyn Bus,
    ) -> Option<Observation> {
        self.leakage.as_ref()?;
        let kind = self.kind(ram, bus, self.frontend.reach(block.start, block.mode));
        Some(Observation::of(block, &*self.frontend, kind))
    }
}
