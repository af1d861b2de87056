//! Interrupts that a core keeps in registers of its own until it takes them.

use cocrypt_ir::StopKind;
use cocrypt_isa::Trap;

use super::Engine;
use crate::bus::Bus;
use crate::cache::Terminator;
use crate::ram::Ram;
use crate::stop::{Stop, StopCause};

impl Engine {
    /// Lets the core keep what asked for an interrupt up to and including cycle `seen`.
    pub(super) fn take_in(&mut self, seen: u64, bus: &dyn Bus) {
        let Some(latch) = self.frontend.latch() else { return };
        let from = self.interrupts.latched;
        if seen >= from {
            self.interrupts.latched = seen + 1;
            latch.take_in(&mut self.cells[..], bus.lines_within(from, seen), seen);
        }
    }

    /// The cycle in which the core itself asks for an interrupt, or the last there can be.
    pub(super) fn own_change(&self) -> u64 {
        self.frontend.latch().map_or(u64::MAX, |latch| latch.next_change(&self.cells[..]))
    }

    /// True if the next instruction is safe from interrupts.
    pub(super) fn is_shielded(&self) -> bool {
        self.frontend.latch().is_some_and(|latch| latch.shields(&self.cells[..]))
    }

    /// The block `next` is issued, after which nothing is safe, unless it only waits.
    pub(super) fn lower_shield(&mut self, next: u32) {
        let waits =
            matches!(self.cache.blocks[next as usize].terminator, Terminator::Stop(StopKind::Wait));
        if let (Some(latch), false) = (self.frontend.latch(), waits) {
            latch.issued(&mut self.cells[..]);
        }
    }

    /// True if the core keeps something that asks for an interrupt; nothing if it keeps none.
    fn keeps(&self) -> Option<bool> {
        self.frontend.latch().map(|latch| latch.asks(&self.cells[..]))
    }

    /// Waits until something asks for an interrupt, and goes on behind the instruction that did.
    pub(super) fn wait(&mut self, ram: &mut Ram, bus: &mut dyn Bus) -> Result<(), Stop> {
        let (issue, seen) = (self.clock.cycles, self.sampled());
        self.take_in(seen, bus);
        let Some(asks) = self.keeps() else {
            return self.sleep(ram, bus);
        };
        // It is no instruction to the core's counter.
        self.clock.instructions -= 1;
        if let Some(trace) = &mut self.trace {
            trace.pop();
        }
        let mut ready = issue;
        if !asks {
            let up = bus.next_change(seen).min(self.own_change());
            if up == u64::MAX {
                return Err(*self.stopped(StopCause::Deadlock));
            }
            self.take_in(up, bus);
            ready = up + self.timing.interrupts().sampled_before();
        }
        let length = self.length(ram, bus).unwrap_or(0);
        let trap = Trap::Instruction(StopKind::Wait);
        self.trap(trap, ready, None, ram, bus).map_err(|stop| *stop)?;
        self.interrupts.left_behind(length, self.clock.cycles);
        self.look(bus);
        Ok(())
    }

    /// Waits until a line is up, whether or not the program lets it in, on a core that keeps nothing of
    /// them, and goes on behind the instruction that waited. It has cost what it costs already.
    fn sleep(&mut self, ram: &mut Ram, bus: &mut dyn Bus) -> Result<(), Stop> {
        let now = self.clock.cycles;
        let up = if bus.lines(now) != 0 { now } else { bus.next_change(now) };
        if up == u64::MAX {
            return Err(*self.stopped(StopCause::Deadlock));
        }
        let (trap, pipeline_state) = (Trap::Instruction(StopKind::Wait), self.pipeline_state);
        self.trap(trap, up, Some(pipeline_state), ram, bus).map_err(|stop| *stop)?;
        self.look(bus);
        Ok(())
    }
}
