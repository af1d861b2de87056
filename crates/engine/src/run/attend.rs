//! The points at which interrupts may be taken: looked for there, and nowhere else.
//!
//! The machine says when its lines change next, and until shortly before that blocks run as if there were
//! none. From there on single instructions run, and of each the timing model decides what becomes of it.

use cocrypt_ir::{Block, Exit, condition};
use cocrypt_isa::{Decision, Front, Trap};

use super::Engine;
use super::code::Code;
use crate::bus::Bus;
use crate::interpret::operand;
use crate::ram::Ram;
use crate::source::Source;
use crate::stop::Stop;

impl Engine {
    /// Finds out when the next interrupt may come.
    pub(super) fn look(&mut self, bus: &dyn Bus) {
        self.interrupts.watch(self.clock.cycles);
        if self.is_shielded() {
            return self.interrupts.expect(0);
        }
        if !self.may_be_interrupted(bus) {
            return self.interrupts.expect(u64::MAX);
        }
        let seen = self.sampled();
        self.take_in(seen, bus);
        let is_due = self.frontend.interrupt(&self.cells[..], bus.lines(seen)).is_some();
        let next = bus.next_change(seen).min(self.own_change());
        self.interrupts.expect(if is_due { 0 } else { next });
    }

    /// The last cycle whose lines the core looks at in front of an instruction that is issued now.
    pub(super) fn sampled(&self) -> u64 {
        self.clock.cycles.saturating_sub(self.timing.interrupts().sampled_before())
    }

    /// True if any line could interrupt the program as things stand.
    pub(super) fn may_be_interrupted(&self, bus: &dyn Bus) -> bool {
        let seen = self.sampled();
        let some = self.frontend.interrupt(&self.cells[..], u32::MAX).is_some();
        let kept = self.frontend.interrupt(&self.cells[..], 0).is_some();
        let comes = bus.next_change(seen).min(self.own_change()) != u64::MAX;
        some && (kept || bus.lines(seen) != 0 || comes)
    }

    /// Near an interrupt, in front of a block: does what the timing model decides; the block to go on
    /// with.
    pub(super) fn attend(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<u32, Box<Stop>> {
        self.look(bus);
        let is_alone = self.clock.cycles >= self.interrupts.near;
        let index = if is_alone == self.interrupts.is_alone {
            index
        } else {
            self.interrupts.is_alone = is_alone;
            self.enter_unless_near(ram, bus)?
        };
        match self.decide(ram, bus) {
            Decision::Issues => Ok(self.issues(index)),
            Decision::Delayed { cycles, state } => {
                self.clock.cycles = self.clock.cycles.wrapping_add_signed(cycles.into());
                self.pipeline_state = state;
                let index = self.enter_unless_near(ram, bus)?;
                Ok(self.issues(index))
            }
            Decision::Interrupted { number, cycles, state, note } => {
                let since = self.clock.cycles.wrapping_add_signed(cycles.into());
                if !self.trap(Trap::Interrupt { number, note }, since, state, ram, bus)? {
                    return Ok(self.issues(index));
                }
                self.look(bus);
                self.interrupts.is_alone = self.clock.cycles >= self.interrupts.near;
                let index = self.enter_unless_near(ram, bus)?;
                self.remember_front(index);
                Ok(index)
            }
        }
    }

    /// The block is issued, whatever may have interrupted it.
    fn issues(&mut self, index: u32) -> u32 {
        self.lower_shield(index);
        self.remember_front(index);
        index
    }

    /// Remembers what stands in front of a block, for the instruction behind it.
    fn remember_front(&mut self, index: u32) {
        let source = &self.cache.blocks[index as usize].source;
        let state = &self.cells[..self.frontend.cells().len()];
        self.interrupts.issues(source, state);
    }

    /// The block at `pc`, or its first instruction alone where only the block's own length shows that an
    /// interrupt is near.
    fn enter_unless_near(&mut self, ram: &mut Ram, bus: &dyn Bus) -> Result<u32, Box<Stop>> {
        let index = self.enter(ram, bus)?;
        if self.interrupts.is_alone || self.clock.cycles < self.interrupts.near {
            return Ok(index);
        }
        self.interrupts.is_alone = true;
        self.enter(ram, bus)
    }

    /// Remembers what the guest state is from now on, where a block has changed it at whose end the
    /// clock stands.
    pub(super) fn remember(&mut self, jumps: bool) {
        let Some(before) = self.timing.interrupts().counts(jumps) else { return };
        let state = self.cells[..self.frontend.cells().len()].to_vec();
        self.interrupts.changed(self.clock.cycles.saturating_sub(before), state);
    }

    /// The fate of the instruction at `pc`.
    fn decide(&mut self, ram: &Ram, bus: &dyn Bus) -> Decision {
        self.take_in(self.sampled(), bus);
        if self.is_shielded() {
            return Decision::Issues;
        }
        let (now, cells) = (self.clock.cycles, &self.cells[..]);
        let asks = |registers, lines: i32| {
            let state = self.interrupts.state(registers, now, cells)?;
            self.frontend.interrupt(state, bus.lines(now.saturating_add_signed(lines.into())))
        };
        let instructions = self.caches.instruction.as_ref();
        let holds = |address| instructions.is_none_or(|tags| tags.holds(address));
        let previous = self.interrupts.previous(now).map(|Source { block, .. }| block);
        let front = Front {
            pc: self.pc,
            state: self.pipeline_state,
            previous,
            taken: previous.is_some_and(|block| self.was_taken(block)),
            returned: self.interrupts.has_returned(now),
            left: self.interrupts.left(now),
            asks: &asks,
            holds: &holds,
        };
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        self.timing.interrupts().decide(&front, &code)
    }

    /// Returns true if the branch at the end of a block, where the program stands, was taken.
    fn was_taken(&self, block: &Block) -> bool {
        matches!(block.exit, Exit::Branch { condition: c, width, a, b, .. }
            if condition(c, width, operand(&self.cells, a), operand(&self.cells, b)))
    }
}
