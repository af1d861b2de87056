//! Into compiled code and out of it.

use super::{Engine, Link};
use crate::access::{Outside, Refusal};
use crate::backend::{Blocks, RegionExit, State};
use crate::bus::Bus;
use crate::cache::Terminator;
use crate::ram::Ram;
use crate::stop::Stop;

/// The number of times that compiled code leads to a block until a region begins there: to go in and out so
/// often takes a few tenths of a millisecond, to compile a region some milliseconds.
const ARRIVALS: u32 = 2048;

impl Engine {
    /// True if compiled code begins with a block.
    pub(super) fn begins(&self, index: u32) -> bool {
        let backend = self.backend.as_ref().filter(|_| !self.is_translated);
        backend.is_some_and(|backend| backend.begins(index))
    }

    /// Compiled code led to a block. Where that happens again and again a region should begin.
    pub(super) fn arrived(&mut self, index: u32) {
        if self.begins(index) {
            return;
        }
        let block = &mut self.cache.blocks[index as usize];
        block.arrivals = block.arrivals.wrapping_add(1);
        if let (ARRIVALS, Some(backend)) = (block.arrivals, &mut self.backend) {
            backend.compile(&Blocks(&self.cache), index, true);
        }
    }

    /// Lets the back end take in what it compiled, and offers it this block if it is hot by now.
    #[cold]
    pub(super) fn warm(&mut self, index: u32) {
        let Some(backend) = &mut self.backend else { return };
        backend.poll();
        if self.interrupts.alone() != 0 || self.is_translated {
            return;
        }
        let heat = self.cache.blocks[index as usize].heat;
        if heat >= self.hot && heat.is_power_of_two() {
            backend.compile(&Blocks(&self.cache), index, false);
        }
    }

    /// Runs the compiled region that begins with a block.
    pub(super) fn region(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
        limit: u64,
    ) -> (u32, Result<Link, Box<Stop>>) {
        let Some(backend) = &mut self.backend else { return (index, Ok(Link::Block(index))) };
        let mut state = State {
            cells: &mut self.cells,
            clock: &mut self.clock,
            outside: Outside { ram: &mut *ram, bus: &mut *bus, mapped: &self.mapped },
            caches: &mut self.caches,
            counts: &mut self.cache.counts,
            contexts: self.contexts.as_deref_mut(),
            limit,
        };
        let left = backend.run(index, &mut state);
        match left {
            RegionExit::Link { from, link, exit } => {
                (from, Ok(self.compiled_link(from, link, exit)))
            }
            RegionExit::Computed { from, target } => {
                self.arrive(from, target, 0);
                (self.pc, self.mode) = self.frontend.land(target, self.mode);
                (from, Ok(Link::Computed))
            }
            RegionExit::Yielded { from, next } => {
                self.arrive(from, next, 0);
                (from, Ok(Link::Yielded))
            }
            RegionExit::Near { block } => (block, self.block_near(block, ram, bus, limit)),
            RegionExit::Resume { block, at, began, again } => {
                if let Some(head) = again {
                    backend.compile(&Blocks(&self.cache), head, true);
                }
                (block, self.block_from(block, Some(at), began, ram, bus))
            }
            RegionExit::Broken { block, at, began, why: Refusal::Mapped } => {
                (block, self.block_from(block, Some(at), began, ram, bus))
            }
            RegionExit::Broken { block, at, began, why } => {
                (block, self.leave_early(block, at, why, began, ram, bus))
            }
        }
    }

    /// The interpreter runs the blocks for which compiled code does not look at the limit closely
    /// enough.
    fn block_near(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
        limit: u64,
    ) -> Result<Link, Box<Stop>> {
        let block = &self.cache.blocks[index as usize];
        (self.pc, self.pipeline_state) = (block.start, block.pipeline_state);
        self.mode = block.source.block.mode;
        if self.clock.cycles >= limit {
            return Ok(Link::Block(index));
        }
        self.block(index, ram, bus)
    }

    /// Compiled code was left through a block's fixed link, its exit of this number.
    fn compiled_link(&mut self, from: u32, link: u8, exit: u32) -> Link {
        let block = &self.cache.blocks[from as usize];
        let target = match block.terminator {
            Terminator::To(target) | Terminator::YieldIf(_, target) => target,
            Terminator::Branch { taken, next, .. } => {
                if link == 1 {
                    taken
                } else {
                    next
                }
            }
            Terminator::Computed(_) | Terminator::Yield(_) | Terminator::Stop(_) => block.end,
        };
        self.arrive(from, target, link);
        let known = self.cache.blocks[from as usize].links[usize::from(link)];
        if known != u32::MAX
            && let Some(backend) = &mut self.backend
        {
            backend.link(exit, known);
        }
        Link::Fixed(usize::from(link))
    }

    /// Compiled code has left a block at its end.
    fn arrive(&mut self, from: u32, target: u64, link: u8) {
        let block = &self.cache.blocks[from as usize];
        let predicted = if link == 1 { block.taken } else { block.cycles };
        self.left = self.clock.cycles.wrapping_sub(u64::from(predicted));
        (self.pc, self.mode) = (target, block.onward);
        self.pipeline_state = block.exit_states[usize::from(link)];
    }
}
