//! Running under the eyes of a debugger: instruction by instruction, or to given addresses.

use cocrypt_ir::{Block, Environment, Fault, Width, evaluate};

use super::{Cuts, Engine};
use crate::bus::Bus;
use crate::interpret::Cells;
use crate::ram::Ram;
use crate::stop::{Stop, StopCause};

/// An access that an instruction is about to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Byte address.
    pub address: u32,
    /// Width.
    pub width: Width,
    /// The value written, or nothing if it reads.
    pub written: Option<u64>,
}

/// A block that is about to run; it has one instruction if the engine steps.
pub struct Upcoming<'a> {
    /// Its address.
    pub pc: u64,
    /// Cycle in which its first instruction is issued.
    pub cycle: u64,
    /// The number of instructions issued before.
    pub issued: u64,
    /// The cycle in which an access of its first instruction would be answered without any wait.
    pub unwaited: u64,
    /// The calling context that it runs in, by its number; 0 where contexts are not told apart.
    pub context: u32,
    block: &'a Block,
    cells: &'a Cells,
    ram: &'a Ram,
}

impl Upcoming<'_> {
    /// The bytes of the directly mapped memory at an address, if all of that is there.
    #[must_use]
    pub fn peek(&self, address: u32, width: Width) -> Option<u64> {
        self.ram.read(address, width)
    }

    /// The value of a cell; 0 for a number of none.
    #[must_use]
    pub fn cell(&self, number: usize) -> u64 {
        self.cells.get(number).copied().unwrap_or(0)
    }

    /// The accesses that it will make, in order. What peripherals would give is taken for 0.
    #[must_use]
    pub fn touches(&self) -> Vec<Touch> {
        let mut cells = *self.cells;
        let mut dry_run = DryRun { ram: self.ram, touches: vec![] };
        // The dry run answers every access, so that it ends as the block does.
        let _ = evaluate(self.block, &mut cells, &mut dry_run);
        dry_run.touches
    }
}

/// An environment in which nothing happens.
struct DryRun<'a> {
    ram: &'a Ram,
    touches: Vec<Touch>,
}

impl Environment for DryRun<'_> {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        self.touches.push(Touch { address, width, written: None });
        Ok(self.ram.read(address, width).unwrap_or(0))
    }

    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        self.touches.push(Touch { address, width, written: Some(value) });
        Ok(())
    }

    fn count(&mut self, _: cocrypt_ir::Counter) -> u64 {
        0
    }
}

impl Engine {
    /// Ends every block after one instruction from now on, or else at these addresses too.
    pub fn cut(&mut self, ram: &mut Ram, everywhere: bool, addresses: &[u64]) {
        let mut at = vec![];
        if !addresses.is_empty() {
            at = [&self.boundaries[..], addresses].concat();
            at.sort_unstable();
            at.dedup();
        }
        self.cuts = Cuts { everywhere: everywhere || self.trace.is_some(), at };
        self.next = None;
        self.forget(ram);
    }

    /// Runs as `run` does, without compiled code, and halts before a block if `halts` says so, which is
    /// asked before each, but not before an instruction was executed since there were `began`: one whose
    /// line is missed may be begun more than once.
    pub fn debug(
        &mut self,
        ram: &mut Ram,
        bus: &mut dyn Bus,
        limit: u64,
        began: u64,
        halts: &mut dyn FnMut(&Upcoming<'_>) -> bool,
    ) -> Stop {
        let mut at = self.start(ram, bus);
        loop {
            let index = match at {
                Ok(index) => index,
                Err(stop) => return *stop,
            };
            let index = if self.clock.cycles >= self.interrupts.near {
                match self.attend(index, ram, bus) {
                    Ok(index) => index,
                    Err(stop) => return *stop,
                }
            } else {
                index
            };
            let is_first = self.clock.instructions == began;
            let halted = halts(&self.upcoming(index, ram)) && !is_first;
            if halted || self.clock.cycles >= limit {
                self.next = Some(index);
                let cause = if halted { StopCause::Halted } else { StopCause::CycleLimit };
                return *self.stopped(cause);
            }
            let (from, went) = self.step(index, ram, bus);
            at = went.and_then(|link| self.follow(from, link, ram, bus));
        }
    }

    /// The next instruction, unless no instruction can be fetched there.
    pub fn next<T>(
        &mut self,
        ram: &mut Ram,
        bus: &dyn Bus,
        look: impl FnOnce(&Upcoming<'_>) -> T,
    ) -> Option<T> {
        let index = self.start(ram, bus).ok()?;
        self.next = Some(index);
        Some(look(&self.upcoming(index, ram)))
    }

    fn upcoming<'a>(&'a self, index: u32, ram: &'a Ram) -> Upcoming<'a> {
        let block = &self.cache.blocks[index as usize];
        let cycle = self.clock.cycles;
        let sample = block.insn_timings.first().map_or(0, |timing| timing.sample);
        Upcoming {
            pc: block.start,
            cycle,
            issued: self.clock.instructions,
            unwaited: cycle + u64::from(sample),
            context: self.contexts.as_ref().map_or(0, |contexts| contexts.current),
            block: &block.source.block,
            cells: &self.cells,
            ram,
        }
    }
}
