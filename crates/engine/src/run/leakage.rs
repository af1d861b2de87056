//! Runs under a leakage model: instruction by instruction, each with its contribution to a sample.

use std::sync::Arc;

use cocrypt_ir::Block;

use super::Engine;
use crate::bus::Bus;
use crate::lanes::{Contribution, Lanes, is_plain};
use crate::leakage::{Leakage, LeakageModel, MemoryAccess, Observation};
use crate::ram::Ram;
use crate::stop::{Issue, Stop, StopCause};

/// Runs that go along in lock step.
pub struct Together<'a> {
    /// Their values.
    pub lanes: &'a mut Lanes,
    /// The memory from before the run, without what each run changes there.
    pub original: &'a Ram,
    /// What is done with what they contribute.
    pub take: &'a mut dyn FnMut(&[Contribution]),
}

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
        self.sample_with(ram, bus, limit, None)
    }

    /// The lanes for runs that begin with this memory and take the path of this engine; nothing where time depends on
    /// the contents of memory or more than that.
    #[must_use]
    pub fn lanes(&self, original: &Ram) -> Option<Lanes> {
        let is_plain =
            self.caches.data().is_none() && self.contexts.is_none() && is_plain(original);
        let leakage = self.leakage.as_ref().filter(|_| is_plain && !self.is_translated)?;
        Some(Lanes::new(leakage.model(), original, self.frontend.cells().len()))
    }

    /// Samples in lock step with other runs, as far as they go along; `take` gets what these contribute.
    pub fn sample_together(
        &mut self,
        ram: &mut Ram,
        bus: &mut dyn Bus,
        limit: u64,
        together: Together<'_>,
    ) -> Stop {
        self.sample_with(ram, bus, limit, Some(together))
    }

    fn sample_with(
        &mut self,
        ram: &mut Ram,
        bus: &mut dyn Bus,
        limit: u64,
        mut together: Option<Together<'_>>,
    ) -> Stop {
        let mut at = self.start(ram, bus);
        if let Some(Together { lanes, original, .. }) = &mut together {
            let in_parts = self.leakage.as_ref().is_some_and(|leakage| leakage.in_parts());
            let report = self.clock.report.as_deref().filter(|_| in_parts);
            lanes.resume(report, &self.cells, (original, ram));
        }
        loop {
            let index = match at {
                Ok(index) if self.clock.cycles >= self.interrupts.near => {
                    // What comes from outside is not the same for all runs.
                    if let Some(Together { lanes, .. }) = &mut together {
                        lanes.give_up();
                    }
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
            let (went, returned) = match together.as_mut().filter(|with| with.lanes.go_along()) {
                None => self.sample_step(index, ram, bus),
                Some(together) => self.sample_step_together(index, ram, bus, together),
            };
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

    /// Runs one instruction as [`Self::sample_step`], and lets the lanes follow.
    fn sample_step_together(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
        Together { lanes, original, take }: &mut Together<'_>,
    ) -> (Result<u32, Box<Stop>>, bool) {
        let source = Arc::clone(&self.cache.blocks[index as usize].source);
        let (age, began) = (self.cache.age, self.clock.cycles);
        let issued = self.clock.instructions;
        let outcome = self.sample_step(index, ram, bus);
        let is_kept = self.cache.age == age;
        let is_regular = outcome.0.is_ok() && is_kept;
        let is_unaligned = matches!(&outcome.0, Err(stop)
            if matches!(stop.cause, StopCause::Unaligned { .. }));
        let completed = is_regular.then(|| self.clock.instructions - issued);
        match (completed, &self.leakage, &self.clock.report) {
            (Some(1), Some(leakage), Some(report)) => {
                let at = leakage.index(began);
                lanes.follow((&source, at), report, &self.cells, (original, ram));
            }
            (Some(0), _, Some(report)) if report.accesses.is_empty() => {
                lanes.left(&source, (original, ram));
            }
            (None, Some(leakage), _) if is_unaligned && is_kept => {
                lanes.suspend(source, leakage.index(began));
            }
            _ => lanes.give_up(),
        }
        if lanes.is_full() {
            lanes.hand_on(false, take);
        }
        outcome
    }

    /// Adds the contribution of the instruction whose access was refused because it is not aligned, if there
    /// is one: with the accesses that were made in place of it, or with those before it.
    pub(super) fn sample_unaligned(&mut self, instead: Option<Vec<MemoryAccess>>) {
        let (leakage, report) = (&mut self.leakage, &mut self.clock.report);
        if let (Some(leakage), Some(report)) = (leakage, report) {
            let in_parts = instead.is_some();
            report.accesses = instead.unwrap_or_else(|| std::mem::take(&mut report.accesses));
            leakage.resume(&self.cells, report, in_parts);
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
