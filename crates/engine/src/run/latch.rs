//! Interrupts that a core keeps in registers of its own until it takes them.

use cocrypt_ir::StopKind;
use cocrypt_isa::{Latch, Trap};

use super::Engine;
use crate::bus::Bus;
use crate::cache::Way;
use crate::ram::Ram;
use crate::stop::{Stop, StopCause};

impl Engine {
    /// Keeps what asked for an interrupt up to and including cycle `seen`.
    pub(super) fn latch(&mut self, seen: u64, bus: &dyn Bus) {
        let Some(Latch { pending, alarm, .. }) = self.frontend.latch() else { return };
        let from = self.interrupts.latched;
        if seen < from {
            return;
        }
        self.interrupts.latched = seen + 1;
        self.cells[usize::from(pending.0)] |= u64::from(bus.lines_within(from, seen));
        let due = &mut self.cells[usize::from(alarm.0)];
        if (1..=seen + 1).contains(due) {
            *due = 0;
            self.cells[usize::from(pending.0)] |= 1;
        }
    }

    /// The cycle in which the core's own timer asks for an interrupt, or the last there can be.
    pub(super) fn own_change(&self) -> u64 {
        let alarm = self.frontend.latch().map_or(0, |latch| self.cells[usize::from(latch.alarm.0)]);
        alarm.checked_sub(1).unwrap_or(u64::MAX)
    }

    /// Whether the next instruction is safe from interrupts.
    pub(super) fn is_shielded(&self) -> bool {
        self.frontend.latch().is_some_and(|latch| self.cells[usize::from(latch.shield.0)] != 0)
    }

    /// The block `next` is launched, after which nothing is safe, unless it only waits.
    pub(super) fn lower_shield(&mut self, next: u32) {
        let waits = matches!(self.cache.blocks[next as usize].way, Way::Stop(StopKind::Wait));
        if let (Some(latch), false) = (self.frontend.latch(), waits) {
            self.cells[usize::from(latch.shield.0)] = 0;
        }
    }

    /// Waits until something asks for an interrupt, and goes on behind the instruction that did.
    pub(super) fn wait(&mut self, ram: &mut Ram, bus: &mut dyn Bus) -> Result<(), Stop> {
        let Some(Latch { pending, .. }) = self.frontend.latch() else {
            return self.sleep(ram, bus);
        };
        let launch = self.clock.cycles;
        let seen = launch.saturating_sub(self.timing.notices());
        self.latch(seen, bus);
        // It is no instruction to the core's counter.
        self.clock.instructions -= 1;
        if let Some(trace) = &mut self.trace {
            trace.pop();
        }
        let mut ready = launch;
        if self.cells[usize::from(pending.0)] == 0 {
            let up = bus.next_change(seen).min(self.own_change());
            if up == u64::MAX {
                return Err(*self.stopped(StopCause::Deadlock));
            }
            self.latch(up, bus);
            ready = up + self.timing.notices();
        }
        let trap = Trap::Instruction(StopKind::Wait);
        self.trap(trap, ready, None, ram, bus).map_err(|stop| *stop)?;
        self.interrupts.left = Some((false, self.clock.cycles));
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
        let (trap, pending) = (Trap::Instruction(StopKind::Wait), self.pending);
        self.trap(trap, up, Some(pending), ram, bus).map_err(|stop| *stop)?;
        self.look(bus);
        Ok(())
    }
}
