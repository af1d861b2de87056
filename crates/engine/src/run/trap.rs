//! Exceptions and interrupts: from the program to its handler.
//!
//! Interrupts are looked for where they can come, and nowhere else: the machine says when its lines
//! change next, and until shortly before that blocks run as if there were none. From there on single
//! instructions run, so that the interrupt is taken in front of the right one.

use std::collections::VecDeque;
use std::sync::Arc;

use cocrypt_ir::{Block, Exit, Outcome, StopKind, condition, evaluate};
use cocrypt_isa::{Front, Pending, Purpose, Trap, Verdict};

use super::Engine;
use super::code::{Code, Unasked};
use super::kept::Detour;
use super::memory::Memory;
use crate::bus::Bus;
use crate::interpret::operand;
use crate::ram::Ram;
use crate::source::Source;
use crate::stop::{Stop, StopCause};

/// How many changes of what decides about interrupts are remembered, and for how many cycles one is
/// watched: as long as an instruction stays in a pipeline.
const REMEMBERED: usize = 4;
const WATCHED: u64 = 8;

/// Bytes of a short instruction.
pub(super) const SHORT: u8 = 2;

/// Of a block's mode: it is of one instruction, for the time in which an interrupt is near.
const ALONE: u32 = 1 << 31;

/// When the next interrupt may come.
#[derive(Clone, Debug)]
pub(super) struct Interrupts {
    /// No block may start in this cycle or later without a look.
    pub near: u64,
    /// The cycle in which a line may rise that the program is interrupted for.
    event: u64,
    /// Cycles that the longest block takes.
    longest: u64,
    /// Whether every instruction is looked at, whatever the lines do.
    watched: bool,
    /// Whether single instructions run.
    alone: bool,
    /// The block that runs alone, or did.
    previous: Option<Arc<Source>>,
    /// The last block that may have let an interrupt in, and the cycle in which it ended.
    yielded: Option<(Arc<Source>, u64)>,
    /// The guest state in front of it.
    before: Vec<u64>,
    /// What the guest state was, and from which cycle on; the last comes last, and only where the timing
    /// model may ask.
    history: VecDeque<(u64, Vec<u64>)>,
    /// The cycle behind the last return from a handler.
    returned: u64,
    /// The first cycle whose lines the core has not yet kept.
    pub latched: u64,
    /// Whether the instruction that was left in this cycle is a short one, where no block tells.
    pub left: Option<(bool, u64)>,
}

impl Default for Interrupts {
    fn default() -> Self {
        Self {
            near: u64::MAX,
            event: u64::MAX,
            longest: 0,
            watched: false,
            alone: false,
            previous: None,
            yielded: None,
            before: vec![],
            history: VecDeque::new(),
            returned: u64::MAX,
            latched: 0,
            left: None,
        }
    }
}

impl Interrupts {
    /// What the mode of blocks says beside how they are decoded.
    pub const fn alone(&self) -> u32 {
        if self.alone { ALONE } else { 0 }
    }

    /// There is a block that takes so many cycles.
    pub fn longer(&mut self, cycles: u64) {
        self.longest = self.longest.max(cycles);
        self.expect(self.event);
    }

    /// A block ended in this cycle that may have let an interrupt in.
    pub fn yielded(&mut self, block: Arc<Source>, returns: bool, cycle: u64) {
        self.yielded = Some((block, cycle));
        if self.alone {
            // What closed the way may have come too late.
            self.watched = true;
            self.expect(self.event);
        }
        if returns {
            self.returned = cycle;
        }
    }

    /// A block was left within.
    pub fn forget(&mut self) {
        (self.previous, self.yielded) = (None, None);
    }

    /// The block that ended in this cycle, if it was looked at.
    fn previous(&self, cycle: u64) -> Option<&Source> {
        let yielded = self.yielded.as_ref().filter(|(_, end)| *end == cycle);
        yielded.map(|(block, _)| &**block).or(self.previous.as_deref())
    }

    fn expect(&mut self, event: u64) {
        self.event = event;
        // Nothing is near to what never comes.
        self.near = match event {
            _ if self.watched => 0,
            u64::MAX => event,
            _ => event.saturating_sub(self.longest),
        };
    }
}

impl Engine {
    /// Goes on in the handler of what stopped a run, if there is one.
    ///
    /// # Errors
    /// Why it stays stopped: as before, or for what nobody knows of the way.
    pub fn handle(&mut self, ram: &mut Ram, bus: &mut dyn Bus, stop: &Stop) -> Result<(), Stop> {
        let (trap, since) = match stop.cause {
            StopCause::Instruction(StopKind::Wait) => return self.wait(ram, bus),
            StopCause::Instruction(kind) => (Trap::Instruction(kind), stop.cycles),
            StopCause::Unaligned { address, writes, cycle } => {
                (Trap::Unaligned { address, writes }, cycle)
            }
            StopCause::UnalignedJump { .. } => (Trap::UnalignedJump, stop.cycles),
            StopCause::Refused { address, purpose, status, cycle } => {
                (Trap::Refused { address, purpose, status }, cycle)
            }
            StopCause::FetchFault { address } if self.is_translated => {
                let purpose = Purpose::Fetch;
                let status = ram.reach(address, purpose).err();
                let Some(status) = status else { return Err(*stop) };
                (Trap::Refused { address, purpose, status }, stop.cycles)
            }
            _ => return Err(*stop),
        };
        let short = self.length(ram, bus) == Some(SHORT);
        let before = self.cells.clone();
        if !self.trap(trap, since, None, ram, bus).map_err(|stop| *stop)? {
            return Err(*stop);
        }
        let seen = self.clock.cycles.saturating_sub(self.timing.notices());
        let due = self.frontend.interrupt(&before[..], bus.lines(seen));
        if let (Some(number), true) = (due, self.frontend.interrupts_exceptions()) {
            let trap = Trap::Interrupt { number, returning: false, short };
            self.trap(trap, self.clock.cycles, None, ram, bus).map_err(|stop| *stop)?;
        }
        self.interrupts.left = Some((short, self.clock.cycles));
        self.look(bus);
        Ok(())
    }

    /// Finds out when the next interrupt may come.
    pub(super) fn look(&mut self, bus: &dyn Bus) {
        // A change that may have come too late for what is in the pipeline is still to be watched.
        let last = self.interrupts.history.back();
        self.interrupts.watched =
            last.is_some_and(|(since, _)| self.clock.cycles < since + WATCHED);
        if self.is_shielded() {
            return self.interrupts.expect(0);
        }
        if !self.may_be_interrupted(bus) {
            return self.interrupts.expect(u64::MAX);
        }
        let seen = self.clock.cycles.saturating_sub(self.timing.notices());
        self.latch(seen, bus);
        let is_due = self.frontend.interrupt(&self.cells[..], bus.lines(seen)).is_some();
        let next = bus.next_change(seen).min(self.own_change());
        self.interrupts.expect(if is_due { 0 } else { next });
    }

    /// Whether any line could interrupt the program as things stand.
    pub(super) fn may_be_interrupted(&self, bus: &dyn Bus) -> bool {
        let seen = self.clock.cycles.saturating_sub(self.timing.notices());
        let some = self.frontend.interrupt(&self.cells[..], u32::MAX).is_some();
        let kept = self.frontend.interrupt(&self.cells[..], 0).is_some();
        let comes = bus.next_change(seen).min(self.own_change()) != u64::MAX;
        some && (kept || bus.lines(seen) != 0 || comes)
    }

    /// Near an interrupt, in front of a block: takes it if it is due; the block to go on with.
    pub(super) fn attend(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<u32, Box<Stop>> {
        if self.timing.shows_change(true) != 0 {
            return self.attend_within(index, ram, bus);
        }
        let launch = self.clock.cycles;
        let taken = match self.due(ram, bus) {
            Some((number, since)) => {
                let returning = self.interrupts.returned == self.clock.cycles;
                let short = self.remembers_short(ram, bus);
                self.trap(Trap::Interrupt { number, returning, short }, since, None, ram, bus)?
            }
            None => false,
        };
        self.look(bus);
        let alone = self.clock.cycles >= self.interrupts.near;
        let delayed = self.clock.cycles != launch;
        if delayed && !taken {
            // What the pipeline held has left it meanwhile.
            self.pending = 0;
        }
        let goes_on = !taken && !delayed && alone == self.interrupts.alone;
        self.interrupts.alone = alone;
        let next = if goes_on { index } else { self.enter_unless_near(ram, bus)? };
        if !taken {
            self.lower_shield(next);
        }
        let source = &self.cache.blocks[next as usize].source;
        self.interrupts.previous = self.interrupts.alone.then(|| Arc::clone(source));
        self.interrupts.before.clear();
        let state = self.frontend.cells().len();
        self.interrupts.before.extend_from_slice(&self.cells[..state]);
        Ok(next)
    }

    /// The block at `pc`, or its first instruction alone where only the block's own length shows that an
    /// interrupt is near.
    fn enter_unless_near(&mut self, ram: &mut Ram, bus: &dyn Bus) -> Result<u32, Box<Stop>> {
        let index = self.enter(ram, bus)?;
        if self.interrupts.alone || self.clock.cycles < self.interrupts.near {
            return Ok(index);
        }
        self.interrupts.alone = true;
        self.enter(ram, bus)
    }

    /// Remembers what the guest state is from now on, where a block has changed it at whose end the
    /// clock stands.
    pub(super) fn remember(&mut self, jumps: bool) {
        let before = self.timing.shows_change(jumps);
        if self.timing.shows_change(true) == 0 {
            return;
        }
        let state = self.cells[..self.frontend.cells().len()].to_vec();
        let history = &mut self.interrupts.history;
        if history.len() == REMEMBERED {
            history.pop_front();
        }
        history.push_back((self.clock.cycles.saturating_sub(before), state));
    }

    /// As `attend`, where the timing model alone knows what becomes of an instruction.
    fn attend_within(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<u32, Box<Stop>> {
        self.look(bus);
        let alone = self.clock.cycles >= self.interrupts.near;
        let mut index = index;
        if alone != self.interrupts.alone {
            self.interrupts.alone = alone;
            index = self.enter_unless_near(ram, bus)?;
        }
        match self.verdict(index, ram, bus) {
            Verdict::Goes => Ok(index),
            Verdict::Late { cycles, leaves } => {
                self.clock.cycles = self.clock.cycles.wrapping_add_signed(cycles.into());
                self.pending = leaves;
                self.enter(ram, bus)
            }
            Verdict::Interrupted { number, cycles, leaves } => {
                let trap = Trap::Interrupt { number, returning: false, short: false };
                let arrives = self.clock.cycles.wrapping_add_signed(cycles.into());
                self.trap(trap, arrives, Some(leaves), ram, bus)?;
                self.look(bus);
                self.enter(ram, bus)
            }
        }
    }

    fn verdict(&self, index: u32, ram: &Ram, bus: &dyn Bus) -> Verdict {
        let block = &self.cache.blocks[index as usize];
        let instructions = self.caches.instruction.as_ref();
        let holds = |address| instructions.is_none_or(|tags| tags.holds(address));
        let at = |cycle: i32| self.clock.cycles.saturating_add_signed(cycle.into());
        let asks = |registers: i32, lines: i32| {
            let history = self.interrupts.history.iter().rev();
            let mut then = history.filter(|(since, _)| *since <= at(registers));
            let (_, state) = then.next()?;
            self.frontend.interrupt(state, bus.lines(at(lines)))
        };
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        let (block, pending) = (&block.source.block, self.pending);
        let front = Front { block, pending, asks: &asks, holds: &holds };
        self.timing.verdict(&front, &code).unwrap_or(Verdict::Goes)
    }

    /// The interrupt that is taken in place of the instruction at `pc`, and from which cycle on. One
    /// that is noticed, but goes away, delays the instruction.
    fn due(&mut self, ram: &Ram, bus: &dyn Bus) -> Option<(u8, u64)> {
        self.latch(self.clock.cycles.saturating_sub(self.timing.notices()), bus);
        if self.is_shielded() {
            return None;
        }
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        let previous = self.interrupts.previous(self.clock.cycles);
        let mut idles = previous.map_or(0, |Source { block, .. }| {
            self.timing.idles(block, self.was_taken(block), self.pc, &code)
        });
        let taken = |seen| self.frontend.interrupt(&self.cells[..], bus.lines(seen));
        let insists = self.timing.insists();
        let mut launch = self.clock.cycles;
        if let Some(next) = self.lost(idles, bus) {
            (launch, idles) = (next, 0);
            self.clock.cycles = launch;
        }
        loop {
            let last = launch.saturating_sub(self.timing.notices());
            let first = launch.saturating_sub(idles).min(last);
            let (seen, number) = (first..=last).find_map(|seen| Some((seen, taken(seen)?)))?;
            let further = if idles == 0 { insists } else { insists.saturating_sub(1) };
            let gone = (1..=further).find(|more| taken(seen + more).is_none());
            let Some(gone) = gone else {
                return Some((number, if idles == 0 { launch } else { seen }));
            };
            launch = launch.max(seen + 1 + gone);
            idles = launch - (seen + 1 + gone);
            self.clock.cycles = launch;
        }
    }

    /// Whether the branch at the end of a block, where the program stands, was taken.
    fn was_taken(&self, block: &Block) -> bool {
        matches!(block.exit, Exit::Branch { condition: c, width, a, b, .. }
            if condition(c, width, operand(&self.cells, a), operand(&self.cells, b)))
    }

    /// Bytes of what stands at `pc`.
    fn length(&self, ram: &Ram, bus: &dyn Bus) -> Option<u8> {
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        self.frontend.length(&code, self.pc)
    }

    /// Whether the core remembers a short instruction before `pc`.
    fn remembers_short(&self, ram: &Ram, bus: &dyn Bus) -> bool {
        if let Some((short, _)) = self.interrupts.left.filter(|left| left.1 == self.clock.cycles) {
            return short;
        }
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        let previous = self.interrupts.previous(self.clock.cycles);
        previous.is_some_and(|Source { block, .. }| {
            self.timing.remembers_short(block, self.was_taken(block), &code)
        })
    }

    /// When the next instruction is launched if the one before it closed the way to an interrupt that
    /// the core had already noticed.
    fn lost(&self, idles: u64, bus: &dyn Bus) -> Option<u64> {
        let Interrupts { before, previous, .. } = &self.interrupts;
        if idles != 0 || previous.is_none() || before.is_empty() || self.timing.insists() == 0 {
            return None;
        }
        let lines = bus.lines(self.clock.cycles.saturating_sub(self.timing.notices()));
        let noticed = self.frontend.interrupt(before, lines).is_some();
        let closed = self.frontend.interrupt(&self.cells[..], lines).is_none();
        (noticed && closed).then_some(self.clock.cycles + 1)
    }

    /// Where a block of one instruction, made for a trap, leads to, and in which mode.
    fn landed(&self, block: &Block, to: u64) -> (u64, u32) {
        let mode = self.frontend.mode(&self.cells[..]);
        match block.exit {
            Exit::Next { .. } => (to, block.onward),
            Exit::Indirect { .. } => self.frontend.land(to, mode),
            _ => (to, mode),
        }
    }

    /// Leaves the program at `pc` for its handler, from cycle `since` on, or with `leaves` pending in that
    /// cycle; says whether it has one. Stops where nobody knows what the core does.
    pub(super) fn trap(
        &mut self,
        trap: Trap,
        since: u64,
        leaves: Option<Pending>,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<bool, Box<Stop>> {
        if matches!(trap, Trap::Interrupt { .. }) {
            // What comes while the core is on its way is taken with it.
            self.latch(since + 1, bus);
        }
        let Some(detour) = self.detour(trap, leaves, ram, bus) else { return Ok(false) };
        let Detour { block, cycles, miss, leaves } = detour;
        // A handler goes back to what it interrupted, but past what asked for it.
        let length = match trap {
            Trap::Interrupt { .. } => 0,
            _ => self.length(ram, bus).unwrap_or(0).into(),
        };
        let (from, began) = (self.pc, self.clock.cycles);
        let of_rom = self.caches.data_of_rom;
        // Vectors are fetched as instructions are, past a cache of constants.
        let is_access = matches!(block.exit, Exit::Next { .. });
        let tags = self.caches.data.as_mut().filter(|_| is_access || !of_rom);
        let mut memory =
            Memory { ram: &mut *ram, tags, of_rom, misses: 0, code: false, refused: None };
        let reached = evaluate(&block, &mut self.cells[..], &mut memory);
        let cycles = cycles.wrapping_add(memory.misses * miss);
        let refused = memory.refused;
        if memory.code {
            self.forget(ram);
        }
        if let Some(refused) = refused {
            return self.trap(refused, since, None, ram, bus);
        }
        let handler = match reached {
            Ok(Outcome::Goto(handler)) => handler,
            Ok(Outcome::Stop(kind)) => return Err(self.stopped(StopCause::Instruction(kind))),
            // Nobody knows how long a peripheral takes for such an access.
            Err(_) => {
                return Err(self.stopped(StopCause::Instruction(StopKind::Unmodelled)));
            }
        };
        self.clock.cycles = since.wrapping_add(cycles);
        (self.pending, self.next) = (leaves, None);
        (self.pc, self.mode) = self.landed(&block, handler);
        self.find_space(ram);
        self.remember(true);
        if let Trap::Interrupt { number, .. } = trap {
            bus.took(number, since, self.clock.instructions);
        }
        bus.sees(&self.cells[..]);
        let (handler, cycles) = (self.pc, self.clock.cycles.wrapping_sub(began));
        match &mut self.contexts {
            None => self.cache.spend(from, cycles),
            Some(contexts) => {
                contexts.spend(from, cycles);
                if !matches!(block.exit, Exit::Next { .. }) {
                    contexts.interrupt(from, from + length, handler);
                }
            }
        }
        Ok(true)
    }

    /// The way to a trap's handler; nothing if there is none.
    fn detour(
        &mut self,
        trap: Trap,
        leaves: Option<Pending>,
        ram: &Ram,
        bus: &dyn Bus,
    ) -> Option<Detour> {
        let number =
            if leaves.is_none() { self.frontend.alike(trap, &self.cells[..]) } else { None };
        let key = number.map(|number| (self.pc, self.mode, self.pending, number));
        if let Some(known) = key.and_then(|key| self.kept.detours.get(&key)) {
            return Some(known.clone());
        }
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        let code = Unasked(code);
        let block = self.frontend.trap(trap, &code, self.pc, &self.cells[..], self.mode)?;
        let (cycles, miss, leaves) =
            leaves.map_or_else(|| self.takes(&block, ram, &code), |leaves| (0, 0, leaves));
        let detour = Detour { block: Arc::new(block), cycles, miss, leaves };
        // What leads to a handler reads more of the program's state.
        if let (Some(key), Exit::Next { .. }) = (key, &detour.block.exit) {
            self.kept.detours.insert(key, detour.clone());
        }
        Some(detour)
    }

    /// Cycles of such a block, further ones for an absent line, and what is pending behind it.
    fn takes(&self, block: &Block, ram: &Ram, code: &Unasked<'_>) -> (u64, u64, Pending) {
        let cost = self.timing.cost(block, code, ram.data_wait, self.pending);
        let cycles: u64 = cost.insns.iter().map(|insn| u64::from(insn.cycles)).sum();
        // An access that is made all the same began before it was found to be wrong.
        let first = cost.insns.first();
        let [sample, miss] = first.map_or([0; 2], |insn| [insn.sample, insn.miss]);
        (cycles.wrapping_sub(sample.into()), u64::from(miss), cost.leaves[0])
    }
}
